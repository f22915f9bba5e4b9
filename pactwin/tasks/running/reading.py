"""Read answers from Inspect's logs.

A log is a ZIP archive with one JSON file per sample. Only the needed part of each is parsed,
because reports read tens of thousands. For 3,000 samples that takes 2.0 s and 69 MB, Inspect's
``read_eval_log_samples`` 66 s and 32 MB, its ``read_eval_log`` 13 s and 301 MB (CPU time, Inspect
0.3.285). Inspect reads headers and the older JSON logs.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pactwin.solvers import CONFIDENCE, OUR_PROMPTS, REPLAYED
from pactwin.suite import InvalidInputError
from pactwin.tasks.core.asked import asked_hash
from pactwin.tasks.core.kind import QuestionKind, kind_of_task, truth_of
from pactwin.tasks.core.log_files import opened, read_header, sequence_of, zipped_samples
from pactwin.tasks.core.results import (
    INTERRUPTED_ERROR,
    AnswerState,
    Call,
    Row,
    evaluated_system,
)
from pactwin.tasks.kinds.constraint.records import AnswerRow
from pactwin.tasks.kinds.registry import KINDS
from pactwin.tasks.running.foreign_logs import foreign_reader

if TYPE_CHECKING:
    from inspect_ai.log import EvalError, EvalLog

_EDITED = {"C": AnswerState.CORRECT, "I": AnswerState.INCORRECT}
_HEAD = 40  # characters in which an error says what it is
_GIVEN_UP = re.compile(r"RetryError.* raised (?P<name>\w+)")


class _Part(BaseModel):
    """A part of a sample; only the keys named here are read."""

    model_config = ConfigDict(extra="ignore", from_attributes=True, protected_namespaces=())


class _Usage(_Part):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_cache_read: int | None = None
    input_tokens_cache_write: int | None = None
    total_cost: float | None = None

    @property
    def tokens_in(self) -> int:
        cached = (self.input_tokens_cache_read or 0) + (self.input_tokens_cache_write or 0)
        return self.input_tokens + cached


class _Output(_Part):
    completion: str = ""
    usage: _Usage | None = None
    time: float | None = None


class _Event(_Part):
    """An event of a log; model calls are those with ``event`` equal to ``model``."""

    event: str
    source: str | None = None
    data: Any = None
    model: str = ""
    role: str | None = None
    cache: str | None = None
    error: Any = None
    output: _Output | None = None


class _Picture(_Part):
    path: str
    sha256: str


class _Shown(_Part):
    pictures: tuple[_Picture, ...] = ()


class _Score(_Part):
    """A score. One that was edited keeps its ``history``, and its new ``value`` is what counts."""

    value: Any = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    history: tuple[Any, ...] = ()

    @field_validator("metadata", mode="before")
    @classmethod
    def _none_is_empty(cls, value: Any) -> Any:
        return {} if value is None else value


class _Pack(_Part):
    name: str = OUR_PROMPTS
    version: int = 0


class _Asked(_Part):
    """The header's information on how questions were asked."""

    strategy: str = "direct"
    prompts: _Pack = _Pack()


class _Error(_Part):
    message: str
    traceback: str = ""


class LoggedSample(_Part):
    """The parts of a sample that rows are made of."""

    id: str
    epoch: int = 1
    metadata: dict[str, Any]
    scores: dict[str, _Score] | None = None
    error: _Error | None = None
    output: _Output = Field(default_factory=_Output)
    events: tuple[_Event, ...] = ()

    @property
    def calls(self) -> list[_Event]:
        """Calls of models, including replayed ones."""
        return [
            _Event.model_validate(event.data) if event.source == REPLAYED else event
            for event in self.events
            if event.event == "model" or (event.event == "info" and event.source == REPLAYED)
        ]

    @property
    def ended(self) -> bool:
        """Return whether it was asked completely, without interruption."""
        return self.error is None or not self.error.message.startswith(INTERRUPTED_ERROR)


def read_answers(log_paths: Iterable[Path | str]) -> list[AnswerRow]:
    """Answers about constraints from :func:`read_rows`; InvalidInputError if there are others."""
    rows = []
    for row in read_rows(log_paths):
        if not isinstance(row, AnswerRow):
            raise InvalidInputError(
                f"a log holds answers about a {row.kind}, not about constraints"
            )
        rows.append(row)
    return rows


def read_rows(log_paths: Iterable[Path | str]) -> list[Row]:
    """All answers in ``log_paths``, log by log, each in the order of sample ids.

    A truncated log yields its samples. Raises InvalidInputError for a log without any, a file that
    is no Inspect log, a log of another task, a question asked of one model in two logs, and logs
    that disagree on questions, pictures or gold answers.
    """
    return list(_read(map(Path, log_paths), None))


def read_newest(log_paths: Iterable[Path]) -> tuple[list[Row], dict[Path, str]]:
    """Answers as from :func:`read_rows`, but of several logs with the same question one counts.

    That is the newest whose run was completed, or else the newest. Also returns the logs of which
    another one replaces answers, each with the reason. Logs of other tools, which have no date,
    count as completed and as older than Inspect's. Errors as there, but for a question in two logs.
    """
    replaced: set[Path] = set()
    completed = {path: _completed(path) for path in log_paths}
    by_date = sorted(completed, key=completed.__getitem__)
    rows = list(_read(by_date, replaced))
    return rows, {
        path: "a newer one repeats answers" if completed[path][0] else "its run was not completed"
        for path in by_date
        if path in replaced
    }


def _completed(path: Path) -> tuple[bool, int]:
    """Sort key of a log: whether its run was completed, and when it was begun."""
    if foreign_reader(path):
        return True, 0
    log = read_header(path)
    return log.status == "success", sequence_of(log)


def _read(paths: Iterable[Path], replaced: set[Path] | None) -> Iterator[Row]:
    """Rows of all logs; a later log replaces answers of earlier ones, named in ``replaced``."""
    rows: dict[tuple[str, str, str], list[Row]] = {}
    seen: dict[tuple[str, str, str], Path] = {}
    truths: dict[tuple[str, ...], tuple[object, ...]] = {}
    for path in paths:
        read = foreign_reader(path) or _read_log
        for row in read(path):
            sample = row.model, row.suite_hash, row.sample_id
            other = seen.setdefault(sample, path)
            if other is not path:
                if replaced is None:
                    raise InvalidInputError(
                        f"{row.model} answered question {row.question_id} ({row.view}) in more "
                        f"than one of the logs, {other} and {path}: name one of them"
                    )
                replaced.add(other)
                seen[sample], rows[sample] = path, []
            if _disagrees(row, truths):
                raise InvalidInputError(
                    f"{path} does not agree with the answers before on what is asked in question "
                    f"{row.question_id}, or on what is true: one of the logs was changed"
                )
            rows.setdefault(sample, []).append(row)
    return (row for answers in rows.values() for row in answers)


def require_alike(rows: Iterable[Row]) -> None:
    """Raise InvalidInputError if two rows disagree on what was asked or on the gold answer."""
    truths: dict[tuple[str, ...], tuple[object, ...]] = {}
    for row in rows:
        if _disagrees(row, truths):
            raise InvalidInputError(
                f"a log of {row.model} does not agree with the others on what is asked in question "
                f"{row.question_id}, or on what is true: one of the logs was changed"
            )


def _disagrees(row: Row, truths: dict[tuple[str, ...], tuple[object, ...]]) -> bool:
    """Whether a row contradicts earlier rows on its question or view."""
    question, truth, asked = (row.suite_hash, row.question_id), truth_of(row), (row.asked,)
    known = truths.setdefault(question, truth), truths.setdefault((*question, row.view), asked)
    return known != (truth, asked)


def _read_log(path: Path) -> Iterator[Row]:
    with opened(path) as header:
        kind = kind_of_task(_task_name(header))
        if kind is None:
            known = ", ".join(known.task_name for known in KINDS.values())
            raise InvalidInputError(f"{path} is a log of {header.eval.task}, not of {known}")
        # Inspect teaches zipfile the compression of its logs, so it must be imported by now.
        samples = _zipped(path) if is_zipfile(path) else _whole(path)
        found = sorted(
            filter(lambda sample: sample.ended, samples),
            key=lambda sample: (sample.id, sample.epoch),
        )
        if not found:
            raise InvalidInputError(
                f"{path} holds no answers: its run ended before the first. Go on with it by "
                "--resume, or leave it out"
            )
        yield from _rows(kind, header, found)


def _task_name(header: "EvalLog") -> str:
    """Inspect puts a package's name first, but only where it finds that package installed."""
    return (header.eval.task_registry_name or "").removeprefix("pactwin/")


def _zipped(path: Path) -> Iterator[LoggedSample]:
    for _, sample in zipped_samples(path):
        yield LoggedSample.model_validate(sample)


def _whole(path: Path) -> Iterator[LoggedSample]:
    from inspect_ai.log import read_eval_log

    for sample in read_eval_log(str(path)).samples or ():
        yield LoggedSample.model_validate(sample)


def _rows(kind: QuestionKind, header: "EvalLog", samples: Sequence[LoggedSample]) -> Iterator[Row]:
    metadata: dict[str, Any] = header.eval.metadata or {}
    epochs = header.eval.config.epochs or 1
    strategy, prompts = _asking(header)
    confidence = metadata.get(CONFIDENCE) is True
    for sample in samples:
        answered = [
            event
            for event in sample.calls
            if event.model == header.eval.model and event.role is None and event.error is None
        ]
        calls = [event.output for event in answered if event.output is not None]
        usages = [call.usage for call in calls if call.usage is not None]
        costs = [usage.total_cost for usage in usages if usage.total_cost is not None]
        times = [call.time for call in calls if call.time is not None]
        pictures = _Shown.model_validate(sample.metadata).pictures
        call = Call(
            model=evaluated_system(
                header.eval.model,
                strategy,
                prompts,
                structured=metadata.get("structured") is True,
                confidence=confidence,
            ),
            strategy=strategy,
            prompts=prompts,
            suite_name=metadata["suite_name"],
            suite_hash=metadata["suite_hash"],
            sample_id=sample.id,
            epoch=sample.epoch,
            reply=sample.output.completion,
            pictures={picture.path: picture.sha256 for picture in pictures},
            asked=_asked(sample.metadata, pictures),
            run_id=header.eval.eval_id,
            planned=(header.eval.dataset.samples or 0) * epochs,
            confidence=confidence,
            logprobs=bool(header.plan.config.logprobs),
            calls=len(calls),
            replayed=sum(event.cache == "read" for event in answered),
            tokens_in=sum(usage.tokens_in for usage in usages) if usages else None,
            tokens_out=sum(usage.output_tokens for usage in usages) if usages else None,
            latency_s=sum(times) if times else None,
            cost_usd=sum(costs) if costs else None,
        )
        known = kind.facts_type.model_fields.keys() & sample.metadata.keys()
        facts = kind.facts_type.model_validate({name: sample.metadata[name] for name in known})
        outcome = kind.outcome_type.model_validate(_outcome(sample))
        yield kind.row(**dict(facts), **dict(outcome), **dict(call))


def _asked(metadata: Mapping[str, Any], pictures: Iterable[_Picture]) -> str:
    """Hash of what was asked; empty in logs of versions that did not store the question."""
    question = metadata.get("question")
    return "" if question is None else asked_hash(question, [p.sha256 for p in pictures])


def _asking(log: "EvalLog") -> tuple[str, str]:
    """Strategy and foreign pack of prompts; Inspect's own ``--solver`` goes before the task's."""
    asked = _Asked.model_validate(log.eval.metadata or {})
    strategy = log.eval.solver or asked.strategy
    pack = asked.prompts
    foreign = pack.name != OUR_PROMPTS
    return strategy.removeprefix("pactwin/"), f"{pack.name} {pack.version}" if foreign else ""


def _outcome(sample: LoggedSample) -> dict[str, Any]:
    """The scorer's outcome; an error if the sample failed before or during scoring."""
    if sample.error is not None:
        return {"state": AnswerState.ERROR, "reason": error_reason(sample.error)}
    if not sample.scores:
        return {"state": AnswerState.ERROR, "reason": "the sample was not scored"}
    ours = [score for score in sample.scores.values() if "state" in score.metadata]
    if len(ours) != 1:
        return {"state": AnswerState.ERROR, "reason": "the sample has no score of pactwin's"}
    outcome = ours[0].metadata
    edited = _EDITED.get(str(ours[0].value)) if ours[0].history else None
    return outcome if edited is None else outcome | {"state": edited, "reason": ""}


def error_reason(error: "_Error | EvalError") -> str:
    """The error of a sample, in one line."""
    given_up = _GIVEN_UP.search(error.message)
    if given_up:  # only the traceback names the error of the last attempt
        name = given_up["name"]
        last = re.findall(rf"^(?:\w+\.)*{name}: (.+)$", error.traceback, re.M)
        return f"gave up after {name}" + (f": {last[-1]}" if last else "")
    # Where Inspect quotes the request, the error follows it, and the traceback has it in lines.
    quoted = "Request:" in error.message[:_HEAD]
    text = error.traceback if quoted and error.traceback.strip() else error.message
    lines = [line for line in text.splitlines() if line.strip()] or ["unknown"]
    return lines[-1 if quoted else 0]

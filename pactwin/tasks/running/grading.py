"""Grade logs of a sealed suite with gold answers that only its organiser can decrypt.

Only replies and model names in a log are used. All samples in the file count, whatever its header
says. Each must be a question of the sealed suite, all questions of a form and view must be present
in every epoch, and each reply is parsed again. A log whose answers were graded before is refused. A
contestant can still write any reply: see ``docs/sealing.md``.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput
from pydantic import Field, field_validator

from pactwin.solvers import STRATEGIES
from pactwin.suite import (
    InvalidInputError,
    LoadedSuite,
    Question,
    Record,
    Scene,
    SealedAnswers,
    held,
    load_suite,
    parse_json,
    sealed_suite_path,
    untrusted_lines,
    write_file,
)
from pactwin.tasks.core.asking import asked_sample
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.log_files import logs_in, opened, zipped_samples
from pactwin.tasks.core.results import AnswerState, Row
from pactwin.tasks.core.scoring import outcome_of
from pactwin.tasks.core.views import cameras_of, parse_views
from pactwin.tasks.kinds.registry import KINDS
from pactwin.tasks.running.log_check import require_asked
from pactwin.tasks.running.reading import LoggedSample, read_rows

_ATTACHED = "attachment://"


@dataclass(frozen=True)
class _Truth:
    """Gold data of the organiser: original questions and scenes by their sealed ids."""

    questions: Mapping[str, Question]
    scenes: Mapping[str, Scene]


class _Entry(Record):
    """A graded log in the ledger: model, forms, views, and a hash of the answers."""

    model: str
    run: str
    answers: str
    asked: tuple[str, ...]


class _Sample(LoggedSample):
    """A sample with its question and the complete reply."""

    input: list[ChatMessage]
    returned: ModelOutput = Field(validation_alias="output")
    attachments: dict[str, str] = Field(default_factory=dict)

    @field_validator("returned", mode="before")
    @classmethod
    def _from_choices(cls, output: Any) -> Any:
        """Fill in the reply, which the file stores twice, as the log viewer shows it."""
        return {**output, "completion": ""} if isinstance(output, dict) else output

    def said(self, model: str) -> set[str]:
        """Replies of ``model``, including replayed ones, without those of a judge."""
        texts = {
            call.output.completion
            for call in self.calls
            if call.model == model and call.role is None and call.error is None and call.output
        }
        # Inspect writes long texts of notes once, beside the sample.
        return {self.attachments.get(text.removeprefix(_ATTACHED), text) for text in texts}


def grade_logs(
    folder: Path,
    paths: Sequence[Path],
    answers: SealedAnswers,
    ledger: Path,
    keep: Callable[[list[Row]], None] = lambda rows: None,
) -> list[Row]:
    """Answers in submitted logs with their gold answers; records the logs in ``ledger``.

    ``folder`` is the output of ``seal_suite``. ``keep`` is called before they are recorded in the
    ledger: if it fails, for example on a full disk, they can be graded again. Raises
    InvalidInputError that names a refused log and the reason; nothing is recorded then.
    """
    suite = load_suite(sealed_suite_path(folder))
    truth = _Truth(
        {question.id: question for question in answers.questions},
        {scene.id: scene for scene in answers.scenes},
    )
    sealed = suite.suite.info.content_hash
    if sealed != answers.content_hash or truth.questions.keys() != suite.questions.keys():
        raise InvalidInputError(f"{folder}: the suite there is not the one that was sealed")
    entered: list[_Entry] = []
    graded: list[Row] = []
    with held(ledger.parent, "grading"):
        known = _read_ledger(ledger)
        for log in logs_in(paths):
            rows = read_rows([log])
            if not is_zipfile(log):
                raise InvalidInputError(f"{log} is no .eval log: no other is graded")
            _require_about(log, rows, answers.content_hash)
            require_asked(suite.suite, rows)
            _require_whole(log, rows, suite)
            read, answered = _read_again(log, rows, suite, truth)
            entry = _Entry(
                model=rows[0].model,
                run=rows[0].run_id,
                answers=answered,
                asked=tuple(sorted({f"{row.kind} {row.form} {row.view}" for row in rows})),
            )
            _require_new(log, entry, [*known, *entered])
            entered.append(entry)
            told = {"suite_name": suite.suite.info.name, "planned": len(read)}
            graded += [row.model_copy(update=told) for row in read]
        keep(graded)
        lines = (entry.model_dump_json() + "\n" for entry in [*known, *entered])
        write_file(ledger, "".join(lines))
    return graded


def _read_ledger(path: Path) -> list[_Entry]:
    if not path.exists():
        return []
    try:
        return [_Entry.model_validate(parse_json(line)) for line in untrusted_lines(path)]
    except (OSError, ValueError) as error:
        raise InvalidInputError(f"{path}: not a ledger of graded logs") from error


def _require_new(log: Path, entry: _Entry, before: Sequence[_Entry]) -> None:
    for old in before:
        if entry.answers == old.answers:
            raise InvalidInputError(
                f"{log}: repeated: these answers were graded before, as run {old.run} of "
                f"{old.model}"
            )
        again = set(entry.asked) & set(old.asked)
        if entry.model == old.model and again:
            raise InvalidInputError(
                f"{log}: repeated: answers of {entry.model} to {min(again)} were graded before, in "
                f"run {old.run}"
            )


def _require_about(log: Path, rows: Sequence[Any], content_hash: str) -> None:
    others = {row.suite_hash for row in rows} - {content_hash}
    if others:
        raise InvalidInputError(
            f"{log} is about suite {min(others)[:12]}, not the sealed one {content_hash[:12]}"
        )
    strategy, prompts = rows[0].strategy, rows[0].prompts
    if not prompts and strategy not in STRATEGIES:
        raise InvalidInputError(f"{log}: edited: no strategy is called {strategy!r}")


def _require_whole(log: Path, rows: Sequence[Row], suite: LoadedSuite) -> None:
    """Require every question of a form in every view that was asked, in the same epochs, once."""
    found: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row.form, row.view][row.question_id].append(row.epoch)
    count = max(row.epoch for row in rows)
    cameras = dict.fromkeys(v.camera.name for s in suite.scenes.values() for v in s.views)
    for (form, view), epochs in sorted(found.items()):
        if not _is_view(view, tuple(cameras)):
            raise InvalidInputError(f"{log}: edited: no view is called {view!r}")
        asked = {
            question.id
            for question in suite.questions.values()
            if question.form == form and cameras_of(view, question.views)
        }
        if strange := epochs.keys() - asked:
            raise InvalidInputError(
                f"{log}: edited: question {min(strange)} is not asked in view {view}"
            )
        if missing := asked - epochs.keys():
            raise InvalidInputError(
                f"{log}: truncated: {len(missing):,} {form} questions in view {view} are missing, "
                f"such as {min(missing)}"
            )
        for question, mine in epochs.items():
            if sorted(mine) != list(range(1, count + 1)):
                raise InvalidInputError(
                    f"{log}: truncated or edited: question {question} in view {view} has answers "
                    f"of epochs {', '.join(map(str, sorted(mine)))}, not one of each from 1 to "
                    f"{count}"
                )


def _is_view(name: str, cameras: Sequence[str]) -> bool:
    """Whether ``name`` is the canonical name of a view condition."""
    try:
        return parse_views(name, cameras) == (name,)
    except InvalidInputError:
        return False


def _read_again(
    log: Path,
    rows: Sequence[Row],
    suite: LoadedSuite,
    truth: _Truth,
) -> tuple[list[Row], str]:
    """The rows with gold answers and newly parsed replies, and a hash of all replies."""
    by_key = {(row.sample_id, row.epoch): row for row in rows}
    read: dict[tuple[str, int], Row] = {}
    came: dict[tuple[str, int], list[str]] = {}
    with opened(log) as header:
        for _, data in zipped_samples(log):
            sample = _Sample.model_validate(data)
            key = sample.id, sample.epoch
            if key in by_key:
                row = by_key[key]
                _require_asked_so(log, sample, row, suite)
                read[key] = _marked(log, sample, row, truth, header)
                came[key] = [*map(str, key), read[key].reply, *_ids(sample)]
    text = json.dumps([came[key] for key in sorted(came)])
    return [read[row.sample_id, row.epoch] for row in rows], sha256(text.encode()).hexdigest()


def _require_asked_so(log: Path, sample: _Sample, row: Row, suite: LoadedSuite) -> None:
    question = suite.questions[row.question_id]
    scene = suite.scenes[question.scene_id]
    expected = asked_sample(suite.suite, KINDS[row.kind], scene, question, row.view)
    if sample.id != expected.id or _texts(sample.input) != _texts(expected.input):
        raise InvalidInputError(
            f"{log}: edited: question {question.id} in view {row.view} was not asked as the sealed "
            "suite asks it"
        )


def _texts(messages: str | Sequence[ChatMessage]) -> list[str]:
    """Texts of messages, part by part."""
    texts = []
    for message in [] if isinstance(messages, str) else messages:
        parts = [] if isinstance(message.content, str) else message.content
        texts += [message.role, *(p.text if p.type == "text" else p.type for p in parts)]
    return texts


def _marked(log: Path, sample: _Sample, row: Row, truth: _Truth, header: EvalLog) -> Row:
    """The row with its gold answer, and its reply parsed again without a judge."""
    model, told = header.eval.model, header.eval.metadata or {}
    kind, question = KINDS[row.kind], truth.questions[row.question_id]
    facts = kind.facts(truth.scenes[question.scene_id], question, row.view)
    output = sample.returned
    if sample.error is not None:
        outcome = kind.outcome_type(state=AnswerState.ERROR, reason=row.reason)
    else:
        if output.completion not in sample.said(model):
            raise InvalidInputError(
                f"{log}: edited: question {question.id} in view {row.view} has a reply that "
                f"{model} did not give"
            )
        reply = Reply(
            facts,
            question,
            output,
            structured=told.get("structured") is True,
            confident=row.confidence,
        )
        outcome = outcome_of(kind, reply)
    return row.model_copy(update=dict(facts) | dict(outcome) | {"reply": output.completion})


def _ids(sample: _Sample) -> list[str]:
    """Times and message ids, which distinguish replies with the same words."""
    output = sample.returned
    return [str(output.time), *(str(choice.message.id) for choice in output.choices)]

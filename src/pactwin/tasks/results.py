"""Answers as a flat table: one row per question, view condition and model."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pactwin.policies import OUR_PROMPTS
from pactwin.suite import Constraint, InvalidInputError, OpaqueId, Record

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.model import ModelUsage

TASK_NAME = "pac_constraints"
JUDGE_ROLE = "judge"
"""What Inspect calls the judge among an evaluation's models (``--model-role judge=...``)."""


class AnswerState(StrEnum):
    """The one state every asked question ends in. Only the first two are answers."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR = "error"


class SampleFacts(Record):
    """What is known of a sample before it is asked: the metadata of Inspect's sample.

    ``pair_id`` is shared by both twins of a scene. ``view`` names the condition: a camera
    (``head``), cameras joined by a plus (``head+side``), or ``all``.
    """

    question_id: OpaqueId
    scene_id: OpaqueId
    pair_id: OpaqueId
    domain: str
    view: str
    form: str
    truth_feasible: bool
    truth_constraint: Constraint


class Outcome(Record):
    """What a sample ended in: the metadata of Inspect's score.

    ``predicted_feasible`` and ``predicted_constraint`` are None where the reply does not say; both
    are None in every state but ``correct`` and ``incorrect``. ``reason`` says why there is no
    answer, empty where there is one. ``judged`` is what a judge model read in the reply, empty
    where none was asked.
    """

    state: AnswerState
    predicted_feasible: bool | None = None
    predicted_constraint: Constraint | None = None
    reason: str = ""
    judged: str = ""


class AnswerRow(SampleFacts, Outcome):
    """What one model answered to one question under one view condition.

    ``model`` names who answered: see :func:`contender`. ``strategy`` is how it was asked;
    ``prompts`` names the pack of prompts and its version, empty where it is ours. ``reply`` is the
    model's text, untrusted. ``latency_s``, tokens and ``cost_usd`` are None where
    the provider reports none.
    """

    model: str
    strategy: str = "direct"
    prompts: str = ""
    suite_name: str
    suite_hash: str
    sample_id: OpaqueId
    reply: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_s: float | None = None
    cost_usd: float | None = None


def contender(model: str, strategy: str, prompts: str) -> str:
    """Who answers, as tables name it: a model asked in another way is another contender.

    The name of the model alone if it was asked directly in our words; otherwise followed by the
    strategy, and by the pack of prompts unless that is ours.
    """
    if strategy == "direct" and not prompts:
        return model
    return " · ".join(filter(None, (model, strategy, prompts)))


def read_answers(log_paths: Iterable[Path | str]) -> list[AnswerRow]:
    """All answers in ``log_paths``, log by log, each in the order of sample ids.

    A log that was cut short gives the samples it has. Raises InvalidInputError for a file that is
    no Inspect log, a log of another task, and a model asked the same question twice.
    """
    rows = [row for path in log_paths for row in _read_log(Path(path))]
    seen: set[tuple[str, str, str]] = set()
    for row in rows:
        key = (row.model, row.suite_hash, row.sample_id)
        if key in seen:
            raise InvalidInputError(
                f"{row.model} answered question {row.question_id} ({row.view}) in more than one of "
                "the logs: name each run once"
            )
        seen.add(key)
    return rows


def _read_log(path: Path) -> Iterator[AnswerRow]:
    from zipfile import BadZipFile

    from inspect_ai.log import read_eval_log

    if not path.is_file():
        raise InvalidInputError(f"{path} is not an Inspect log: there is no such file")
    try:
        # Conversations and events, most of a log, are left unread.
        unread = {"messages", "events", "events_data", "store", "attachments"}
        log = read_eval_log(str(path), exclude_fields=unread)
        if log.eval.task_registry_name != f"pactwin/{TASK_NAME}":
            raise InvalidInputError(f"{path} is a log of {log.eval.task}, not of {TASK_NAME}")
        for sample in sorted(log.samples or (), key=lambda sample: str(sample.id)):
            yield _row(log, sample)
    except (ValueError, BadZipFile, KeyError) as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise InvalidInputError(f"{path} is not a readable Inspect log: {first_line}") from error


def _row(log: "EvalLog", sample: "EvalSample") -> AnswerRow:
    suite: dict[str, Any] = log.eval.metadata or {}
    strategy, prompts = _asking(log)
    tokens_in, tokens_out, cost_usd = _spent(list(sample.model_usage.values()))
    judge = sample.role_usage.get(JUDGE_ROLE)
    if judge is not None:  # it is among the models of the sample, and not under test
        judge_in, judge_out, judge_usd = _spent([judge])
        tokens_in, tokens_out = (
            (tokens_in or 0) - (judge_in or 0),
            (tokens_out or 0) - (judge_out or 0),
        )
        cost_usd = None if cost_usd is None else cost_usd - (judge_usd or 0)
    return AnswerRow(
        **sample.metadata_as(SampleFacts).model_dump(),
        **_outcome(sample).model_dump(),
        model=contender(log.eval.model, strategy, prompts),
        strategy=strategy,
        prompts=prompts,
        suite_name=suite["suite_name"],
        suite_hash=suite["suite_hash"],
        sample_id=str(sample.id),
        reply=sample.output.completion,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        latency_s=sample.working_time,
        cost_usd=cost_usd,
    )


def _spent(usage: "Sequence[ModelUsage]") -> tuple[int | None, int | None, float | None]:
    """Tokens in, tokens out, US dollars; None where nothing is known."""
    if not usage:
        return None, None, None
    tokens_in = sum(
        u.input_tokens + (u.input_tokens_cache_read or 0) + (u.input_tokens_cache_write or 0)
        for u in usage
    )
    costs = [u.total_cost for u in usage if u.total_cost is not None]
    return tokens_in, sum(u.output_tokens for u in usage), sum(costs) if costs else None


def _asking(log: "EvalLog") -> tuple[str, str]:
    """Strategy and foreign pack of prompts; Inspect's own ``--solver`` goes before the task's."""
    metadata: dict[str, Any] = log.eval.metadata or {}
    strategy = log.eval.solver or metadata.get("strategy", "direct")
    pack = metadata.get("prompts", {"name": OUR_PROMPTS})
    foreign = pack["name"] != OUR_PROMPTS
    return strategy.removeprefix("pactwin/"), f"{pack['name']} {pack['version']}" if foreign else ""


def _outcome(sample: "EvalSample") -> Outcome:
    """What the scorer said; an error where the sample broke before or while it was scored."""
    if sample.error is not None:
        first_line = (sample.error.message.splitlines() or ["unknown"])[0]
        return Outcome(state=AnswerState.ERROR, reason=first_line)
    if not sample.scores:
        return Outcome(state=AnswerState.ERROR, reason="the sample was not scored")
    (score,) = sample.scores.values()
    return Outcome.model_validate(score.metadata)

"""Find the log of an interrupted run, so that no question is paid for twice.

Inspect's ``eval_set`` does not suffice: it considers a log complete although samples ended in
errors or a budget left them out, and a changed ``--limit`` or ``--views`` another task, of which it
would ask all questions. Its ``eval_retry`` creates the model from its name alone, without the
wrapper that hides keys and counts costs.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log_sample
from inspect_ai.model import GenerateConfig, Model

from pactwin.solvers import Calls, SampleKey, calls_in
from pactwin.suite import InvalidInputError
from pactwin.tasks.core.judge import JudgeFaultError
from pactwin.tasks.core.log_files import (
    SEQUENCE,
    opened,
    read_header,
    read_summaries,
    sequence_of,
)
from pactwin.tasks.core.results import JUDGE_ROLE

# What may differ: how many calls at once, how long to try, and which of the questions are asked.
_HOW_TO_CALL = {
    "adaptive_connections",
    "attempt_timeout",
    "cache",
    "max_connections",
    "max_retries",
    "stream_idle_timeout",
    "timeout",
}
_WHICH_QUESTIONS = {"views", "skipped", SEQUENCE}
_WHO = ("suite_hash", "strategy", "prompts")


@dataclass(frozen=True)
class Earlier:
    """A model's most recent log: its answers, and the logs that it continued.

    ``calls`` are answered calls of questions that nevertheless have no answer.
    """

    path: Path
    log: EvalLog
    answered: frozenset[SampleKey]
    superseded: tuple[Path, ...]
    calls: Calls


def earlier_log(
    log_dir: Path, model: Model, task: Task, config: GenerateConfig, judge: str | None
) -> Earlier | None:
    """The log in ``log_dir`` that can be continued for ``model`` and ``task``.

    None if there is none. Raises InvalidInputError if it was asked with other settings, or holds
    questions that are not asked now.
    """
    found = sorted(_logs_of(log_dir, model, task), key=lambda entry: sequence_of(entry[1]))
    if not found:
        return None
    path, log = found[-1]
    _check_same(path, log, task, config, judge)
    ids = {str(sample.id) for sample in task.dataset}
    summaries = read_summaries(path)
    strangers = {str(summary.id) for summary in summaries} - ids
    if strangers:
        raise InvalidInputError(
            f"{path} holds answers to {len(strangers)} questions that are not asked now: resume "
            "with the same or more --views, --form and --limit, or use another --log-dir"
        )
    answered = frozenset((str(s.id), s.epoch) for s in summaries if s.error is None)
    older = tuple(p for p, other in found[:-1] if other.eval.task_id == log.eval.task_id)
    return Earlier(path, log, answered, older, _answered_calls((*older, path), answered))


def _answered_calls(paths: Iterable[Path], answered: frozenset[SampleKey]) -> Calls:
    """For each question without an answer, the calls of the attempt with most calls."""
    furthest: dict[SampleKey, list[ModelEvent]] = {}
    for path in paths:
        for summary in read_summaries(path):
            key = str(summary.id), summary.epoch
            if key not in answered:
                calls = read_calls(path, *key)
                if len(calls) > len(furthest.get(key, ())):
                    furthest[key] = calls
    return furthest


def read_calls(path: Path, sample_id: str, epoch: int = 1) -> list[ModelEvent]:
    """Answered calls of a sample; InvalidInputError if the log cannot be read.

    Judge replies without a verdict are left out.
    """
    with opened(path):
        sample = read_eval_log_sample(str(path), sample_id, epoch, resolve_attachments=True)
    calls = calls_in(sample.events)
    if sample.error and sample.error.message.startswith(JudgeFaultError.__name__):
        calls = calls[:-1]
    return [call for call in calls if call.error is None and not call.output.empty]


def next_sequence(log_dir: Path) -> int:
    """``SEQUENCE`` of the next logs in ``log_dir``: now, or later than all that is there."""
    numbers = [time.time_ns() // 10**6]
    for path in log_dir.glob("*.eval"):
        try:
            numbers.append(sequence_of(read_header(path)) + 1)
        except InvalidInputError:  # of somebody else, or cut: it has no number
            continue
    return max(numbers)


def log_headers(log_dir: Path) -> Iterator[tuple[Path, EvalLog]]:
    """All logs in a folder, without samples; InvalidInputError for an unreadable log."""
    for path in log_dir.glob("*.eval"):
        yield path, read_header(path)


def _logs_of(log_dir: Path, model: Model, task: Task) -> Iterator[tuple[Path, EvalLog]]:
    """Headers of all logs in which ``model`` was asked about this suite, with these prompts."""
    for path, log in log_headers(log_dir):
        if log.eval.task_registry_name != task.name or log.eval.model != str(model):
            continue
        mine, theirs = task.metadata or {}, log.eval.metadata or {}
        if all(mine.get(key) == theirs.get(key) for key in _WHO):
            yield path, log


def _check_same(
    path: Path, log: EvalLog, task: Task, config: GenerateConfig, judge: str | None
) -> None:
    mine, theirs = task.metadata or {}, log.eval.metadata or {}
    differing = _differing(mine, theirs, _WHICH_QUESTIONS)
    role = (log.eval.model_roles or {}).get(JUDGE_ROLE)
    if getattr(role, "model", None) != judge:
        differing.append(JUDGE_ROLE)
    differing += _differing(_parameters(config), _parameters(log.plan.config), _HOW_TO_CALL)
    if differing:
        raise InvalidInputError(
            f"cannot resume {path}: it was made with another {', '.join(differing)}; use the same, "
            "or another --log-dir"
        )


def _parameters(config: GenerateConfig) -> dict[str, Any]:
    return config.model_dump(exclude_none=True)


def _differing(mine: dict[str, Any], theirs: dict[str, Any], left_out: Iterable[str]) -> list[str]:
    keys = (mine.keys() | theirs.keys()) - set(left_out)
    return sorted(key for key in keys if mine.get(key) != theirs.get(key))

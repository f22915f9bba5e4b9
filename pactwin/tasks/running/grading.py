"""Logs about a sealed suite, scored against what only its organiser can read.

A log is refused if it is about another suite, was edited, is incomplete, or was graded before. What
can be told of an edit is whether the log still agrees with itself and with the suite: a reply with
the model's own output, an answer with the reply it was read from, a question with the one asked.
Whoever changes all of these alike cannot be found out from a log.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from pactwin.policies import calls_in, parse_reply
from pactwin.suite import (
    Constraint,
    InvalidInputError,
    Question,
    SealedAnswers,
    load_suite,
    parse_json,
    sealed_suite_path,
)
from pactwin.tasks.core.log_files import logs_in
from pactwin.tasks.core.reading import read_rows
from pactwin.tasks.core.results import AnswerRow, AnswerState
from pactwin.tasks.core.views import is_one_camera
from pactwin.tasks.running.log_check import require_asked

_ANSWERED = (AnswerState.CORRECT, AnswerState.INCORRECT)


def grade_logs(
    folder: Path, paths: Sequence[Path], answers: SealedAnswers, ledger: Path
) -> list[AnswerRow]:
    """The answers of submitted logs, with what is true of each; enters the logs in ``ledger``.

    ``folder`` is what ``seal_suite`` wrote. Raises InvalidInputError for a log that is refused,
    which names it and says why; nothing is entered then.
    """
    suite = load_suite(sealed_suite_path(folder))
    if suite.suite.info.content_hash != answers.content_hash:
        raise InvalidInputError(f"{folder}: the suite there is not the one that was sealed")
    truth = {answer.question_id: answer for answer in answers.answers}
    known = _read_ledger(ledger)
    entered: list[dict[str, str]] = []
    graded = []
    for log in logs_in(paths):
        rows = read_rows([log])
        digest = hashlib.sha256(log.read_bytes()).hexdigest()
        _require_about(log, rows, answers.content_hash)
        for run in {row.run_id for row in rows}:
            before = {entry["run"] for entry in [*known, *entered]}
            if run in before or digest in {entry["sha256"] for entry in [*known, *entered]}:
                raise InvalidInputError(f"{log}: run {run} was graded before")
            entered.append({"sha256": digest, "run": run, "model": rows[0].model})
        mine = [row for row in rows if isinstance(row, AnswerRow)]
        require_asked(suite.suite, mine)
        _require_whole(log, mine, list(suite.questions.values()))
        _require_unedited(log, mine, suite.questions)
        for row in mine:
            answer = truth[row.question_id]
            said = row.predicted_constraint
            if said in answer.equivalent:
                said = answer.equivalent[0]
            row = row.model_copy(
                update={
                    "pair_id": answer.pair_id,
                    "domain": answer.domain,
                    "truth_feasible": answer.feasible,
                    "truth_constraint": answer.constraint,
                    "predicted_constraint": said,
                }
            )
            graded.append(row.model_copy(update={"state": _state(row)}))
    ledger.parent.mkdir(parents=True, exist_ok=True)
    with ledger.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(entry) + "\n" for entry in entered)
    return graded


def _state(row: AnswerRow) -> AnswerState:
    if row.state not in _ANSWERED:
        return row.state
    if row.form == "yes_no":
        right = row.predicted_feasible == row.truth_feasible
    else:
        right = row.predicted_constraint == row.truth_constraint
    return AnswerState.CORRECT if right else AnswerState.INCORRECT


def _read_ledger(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    entries = []
    for line in path.read_bytes().splitlines():
        try:
            entry = parse_json(line)
            entries.append({key: str(entry[key]) for key in ("sha256", "run", "model")})
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInputError(f"{path}: not a ledger of graded logs") from error
    return entries


def _require_about(log: Path, rows: Sequence, content_hash: str) -> None:
    others = {row.suite_hash for row in rows} - {content_hash}
    if not rows or others or not all(isinstance(row, AnswerRow) for row in rows):
        about = f"about suite {min(others)[:12]}" if others else "without answers about constraints"
        raise InvalidInputError(f"{log} is {about}, not the sealed one {content_hash[:12]}")


def _require_whole(log: Path, rows: Sequence[AnswerRow], questions: Sequence[Question]) -> None:
    """Every question of a form in every view that was asked at all, and as many as were planned."""
    if len(rows) < rows[0].planned:
        raise InvalidInputError(
            f"{log}: truncated: it holds {len(rows):,} of {rows[0].planned:,} questions planned"
        )
    asked: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        asked[row.form, row.view].add(row.question_id)
    for (form, view), mine in sorted(asked.items()):
        if not is_one_camera(view):
            continue
        missing = {q.id for q in questions if q.form == form and view in q.views} - mine
        if missing:
            raise InvalidInputError(
                f"{log}: truncated: {len(missing):,} {form} questions in view {view} are missing, "
                f"such as {min(missing)}"
            )


def _require_unedited(log: Path, rows: Sequence[AnswerRow], questions: dict[str, Question]) -> None:
    """Each reply is what the model put out, and each answer what is read from its reply."""
    from inspect_ai.log import read_eval_log_samples

    said: dict[str, set[str]] = {}
    for sample in read_eval_log_samples(str(log), all_samples_required=False):
        said[str(sample.id)] = {call.output.completion for call in calls_in(sample.events)}
    for row in rows:
        where = f"{log}: edited: question {row.question_id} in view {row.view}"
        if row.strategy == "direct" and row.calls and row.reply not in said[row.sample_id]:
            raise InvalidInputError(f"{where} has a reply that the model did not give")
        if row.state not in _ANSWERED or row.judged:
            continue
        question = questions[row.question_id]
        read = parse_reply(question.form, row.reply, question.options, question.objects)
        constraint = read.constraint if read.problem is None else None
        if (read.feasible, constraint) != (row.predicted_feasible, row.predicted_constraint):
            raise InvalidInputError(
                f"{where} counts as {_words(row.predicted_feasible, row.predicted_constraint)}, "
                f"its reply reads {_words(read.feasible, constraint)}"
            )


def _words(feasible: bool | None, constraint: Constraint | None) -> str:
    says = {True: "yes", False: "no", None: "no answer"}[feasible]
    return says if constraint is None else f"{says}, {constraint.value}"

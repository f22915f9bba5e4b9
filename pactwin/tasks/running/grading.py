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
from typing import TYPE_CHECKING
from zipfile import ZipFile, is_zipfile

from pactwin.policies import calls_in
from pactwin.suite import (
    InvalidInputError,
    Question,
    SealedAnswers,
    held,
    load_suite,
    parse_json,
    sealed_suite_path,
    untrusted_lines,
    write_file,
)
from pactwin.tasks.core.kind import Reply
from pactwin.tasks.core.log_files import logs_in, read_header
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.core.scoring import ANSWERED, outcome_of
from pactwin.tasks.core.views import is_one_camera
from pactwin.tasks.kinds.constraint.records import AnswerRow, ConstraintOutcome
from pactwin.tasks.kinds.registry import KINDS
from pactwin.tasks.running.log_check import require_asked
from pactwin.tasks.running.reading import read_rows

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog


def grade_logs(
    folder: Path, paths: Sequence[Path], answers: SealedAnswers, ledger: Path
) -> list[AnswerRow]:
    """The answers of submitted logs, with what is true of each; enters the logs in ``ledger``.

    ``folder`` is what ``seal_suite`` wrote. Raises InvalidInputError for a log that is refused,
    which names it and says why; nothing is entered then.
    """
    suite = load_suite(sealed_suite_path(folder))
    truth = {answer.question_id: answer for answer in answers.answers}
    if suite.suite.info.content_hash != answers.content_hash or set(truth) != set(suite.questions):
        raise InvalidInputError(f"{folder}: the suite there is not the one that was sealed")
    known = _read_ledger(ledger)
    entered: list[dict[str, str]] = []
    graded: list[AnswerRow] = []
    for log in logs_in(paths):
        rows = read_rows([log])
        digest = hashlib.sha256(log.read_bytes()).hexdigest()
        _require_about(log, rows, answers.content_hash)
        run = rows[0].run_id
        if any(run == old["run"] or digest == old["sha256"] for old in [*known, *entered]):
            raise InvalidInputError(f"{log}: repeated: run {run} was graded before")
        entered.append({"sha256": digest, "run": run, "model": rows[0].model})
        mine = [row for row in rows if isinstance(row, AnswerRow)]
        require_asked(suite.suite, mine)
        _require_whole(log, mine, list(suite.questions.values()))
        _require_once(log, mine, graded)
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
    with held(ledger.parent, "grading"):
        if _read_ledger(ledger) != known:
            raise InvalidInputError(f"{ledger} was changed meanwhile: grade again")
        write_file(ledger, "".join(json.dumps(entry) + "\n" for entry in [*known, *entered]))
    return graded


def _state(row: AnswerRow) -> AnswerState:
    if row.state not in ANSWERED:
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
    try:
        for line in untrusted_lines(path):
            entry = parse_json(line)
            entries.append({key: str(entry[key]) for key in ("sha256", "run", "model")})
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidInputError(f"{path}: not a ledger of graded logs") from error
    return entries


def _require_about(log: Path, rows: Sequence, content_hash: str) -> None:
    others = {row.suite_hash for row in rows} - {content_hash}
    if not rows or others or not all(isinstance(row, AnswerRow) for row in rows):
        about = f"about suite {min(others)[:12]}" if others else "without answers about constraints"
        raise InvalidInputError(f"{log} is {about}, not the sealed one {content_hash[:12]}")


def _require_once(log: Path, rows: Sequence[AnswerRow], before: Sequence[AnswerRow]) -> None:
    seen = {(row.model, row.question_id, row.view) for row in before}
    for row in rows:
        if (row.model, row.question_id, row.view) in seen:
            raise InvalidInputError(
                f"{log}: repeated: {row.model} answered question {row.question_id} in view "
                f"{row.view} more than once in these logs"
            )
        seen.add((row.model, row.question_id, row.view))


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
    """The log agrees with itself: its header with its journal, and each answer with its reply.

    A reply must be what the named model put out, and the answer what is read from it now.
    """
    from inspect_ai.log import read_eval_log_samples

    model = _unchanged_header(log).eval.model
    by_sample = {row.sample_id: row for row in rows}
    for sample in read_eval_log_samples(str(log), all_samples_required=False):
        row = by_sample.get(str(sample.id))
        if row is None or sample.error is not None:
            continue
        where = f"{log}: edited: question {row.question_id} in view {row.view}"
        said = {c.output.completion for c in calls_in(sample.events) if c.model == model}
        if row.strategy == "direct" and row.reply not in said:
            raise InvalidInputError(f"{where} has a reply that {model} did not give")
        asked = Reply(row, questions[row.question_id], sample.output, sample.metadata)
        read = outcome_of(KINDS[row.kind], asked)
        if row.judged and (row.form != "open" or read.state in ANSWERED):
            raise InvalidInputError(f"{where} was judged, its reply reads {_words(read)}")
        if not row.judged and _words(read) != _words(row):
            counted = f"counts as {_words(row)}, its reply reads {_words(read)}"
            raise InvalidInputError(f"{where} {counted}")


def _unchanged_header(log: Path) -> "EvalLog":
    """The log's header, which must be the one that was written when the run began."""
    if is_zipfile(log):
        with ZipFile(log) as archive:
            both = {"_journal/start.json", "header.json"} & set(archive.namelist())
            began, *ended = (parse_json(archive.read(name))["eval"] for name in sorted(both))
        if ended and ended != [began]:
            names = ", ".join(sorted(name for name in began if began[name] != ended[0].get(name)))
            raise InvalidInputError(f"{log}: edited: since its start {names} changed")
    return read_header(log)


def _words(outcome: ConstraintOutcome) -> str:
    if outcome.state not in ANSWERED:
        return str(outcome.state)
    says = {True: "yes", False: "no", None: "no answer"}[outcome.predicted_feasible]
    constraint = outcome.predicted_constraint
    return says if constraint is None else f"{says}, {constraint.value}"

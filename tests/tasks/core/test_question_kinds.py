"""One contract for every kind of question, and logs as Inspect's own tools leave them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
from inspect_ai.scorer import Score, ScoreEdit, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

from pactwin.suite import Question
from pactwin.tasks import KINDS, AnswerState, pac_constraints, read_rows
from pactwin.tasks.core.results import AnswerStatus, AskedFacts, Row


@pytest.mark.parametrize("name", sorted(KINDS))
def test_a_kind_is_declared_whole(name: str) -> None:
    kind = KINDS[name]
    assert kind.name == name
    assert issubclass(kind.row, Row)
    assert issubclass(kind.facts_type, AskedFacts)
    assert issubclass(kind.outcome_type, AnswerStatus)
    known = kind.facts_type.model_fields.keys()
    assert {*kind.truth, kind.cluster} <= known
    assert known | kind.outcome_type.model_fields.keys() <= kind.row.model_fields.keys()
    # What is true may not be among what a model has a say in.
    assert not set(kind.truth) & kind.outcome_type.model_fields.keys()


def test_no_two_kinds_share_a_task() -> None:
    assert len({kind.task_name for kind in KINDS.values()}) == len(KINDS)


def asked(suite: Path, folder: Path, **options: Any) -> Path:
    (log,) = evaluate(
        suite, ["pactwin/oracle"], views="head", form="yes_no", log_dir=folder, **options
    )
    return log


def test_every_question_is_answered_once_in_each_epoch(fake_suite_path, tmp_path):
    once = read_rows([asked(fake_suite_path, tmp_path / "once")])
    rows = read_rows([asked(fake_suite_path, tmp_path / "thrice", epochs=3)])
    assert sorted((row.question_id, row.epoch) for row in rows) == sorted(
        (row.question_id, epoch) for row in once for epoch in (1, 2, 3)
    )
    assert {row.planned for row in rows} == {len(rows)}


def test_inspects_own_epochs_and_metrics_count_every_answer(fake_suite_path, tmp_path):
    (log,) = inspect_eval(
        pac_constraints(str(fake_suite_path), views="head", form="yes_no"),
        model="pactwin/oracle",
        epochs=2,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.results is not None
    shown = {name: m.value for s in log.results.scores for name, m in s.metrics.items()}
    assert shown == {"accuracy_answered": 1, "accuracy_strict": 1, "stderr": 0, "coverage": 1}
    assert {row.epoch for row in read_rows([log.location])} == {1, 2}


@scorer(metrics=[mean()])
def length_of_reply() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=len(state.output.completion), metadata={"unit": "characters"})

    return score


def test_a_further_scorer_changes_nothing(fake_suite_path: Path, tmp_path: Path) -> None:
    log = asked(fake_suite_path, tmp_path)
    before = read_rows([log])
    scored = inspect_score(
        read_eval_log(str(log)), length_of_reply(), action="append", display="none"
    )
    write_eval_log(scored, str(log))
    assert read_rows([log]) == before


def test_an_edited_score_counts(fake_suite_path: Path, tmp_path: Path) -> None:
    path = asked(fake_suite_path, tmp_path)
    log = read_eval_log(str(path))
    assert log.samples
    edited = log.samples[0]
    (name,) = edited.scores or {}
    provenance = ProvenanceData(author="a reader", reason="the picture shows otherwise")
    edit_score(log, edited.id, name, ScoreEdit(value="I", provenance=provenance))
    write_eval_log(log, str(path))
    states = {row.sample_id: row.state for row in read_rows([path])}
    assert states.pop(str(edited.id)) is AnswerState.INCORRECT
    assert set(states.values()) == {AnswerState.CORRECT}


@pytest.mark.parametrize("strategy", ["direct", "verify"])
def test_a_question_is_validated_once(strategy, fake_suite_path, tmp_path, monkeypatch):
    """What the suite's reader has validated is not validated again for each view and epoch."""
    times: Counter[str] = Counter()
    validate = Question.model_validate

    def counted(raw: dict[str, Any], *args: Any, **options: Any) -> Question:
        times[raw["id"]] += 1
        return validate(raw, *args, **options)

    monkeypatch.setattr(Question, "model_validate", counted)
    asked(fake_suite_path, tmp_path, epochs=2, strategy=strategy)
    assert set(times.values()) <= {1}

"""One contract for every kind of question, and logs as Inspect's own tools leave them."""

from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
from inspect_ai.scorer import Score, ScoreEdit, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

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


def asked(suite: Path, folder: Path, **options: Any) -> Path:
    (log,) = evaluate(
        suite, ["pactwin/oracle"], views="head", form="yes_no", log_dir=folder, **options
    )
    return log


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

"""One contract for every kind of question, and logs as Inspect's own tools leave them."""

from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import ProvenanceData, edit_score, read_eval_log, write_eval_log
from inspect_ai.scorer import Score, ScoreEdit, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState

from pactwin.suite import InvalidInputError
from pactwin.tasks import KINDS, AnswerState, cameras_of, pac_constraints, parse_views, read_rows
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


CAMERAS = ("front", "agent", "side", "head")
sets = st.lists(st.sampled_from(CAMERAS), min_size=1, unique=True)


def test_each_together_and_sets() -> None:
    assert parse_views("each", CAMERAS) == CAMERAS
    assert parse_views("joint", CAMERAS) == ("joint",)
    assert parse_views("head,side,head+side", CAMERAS) == ("head", "side", "side+head")
    assert parse_views(" head , joint,head", CAMERAS) == ("head", "joint")
    assert parse_views("each,joint", CAMERAS) == (*CAMERAS, "joint")


def test_all_is_read_as_together() -> None:
    assert parse_views("head,all,together,joint", CAMERAS) == ("head", "joint")
    assert parse_views("all", ()) == parse_views("each", ()) == ("text",)


@given(st.lists(sets, min_size=1), st.randoms(use_true_random=False))
def test_a_condition_has_one_name_however_it_is_written(conditions: list, random) -> None:
    written = ["+".join(c) for c in conditions]
    shuffled = ["+".join(random.sample(c, len(c))) for c in conditions]
    names = parse_views(",".join(written), CAMERAS)
    assert names == parse_views(shuffled, CAMERAS)
    assert parse_views(names, CAMERAS) == names
    assert len(set(names)) == len(names)


@given(sets, sets)
def test_only_cameras_that_can_answer_are_sent(asked: list, answerable: list) -> None:
    (condition,) = parse_views("+".join(asked), CAMERAS)
    sent = cameras_of(condition, answerable)
    assert set(sent) == (set(asked) if set(asked) <= set(answerable) else set())
    assert cameras_of("joint", answerable) == tuple(answerable)


@pytest.mark.parametrize("views", ["heat", "head+", "", "head,,side", "each+head", "Head"])
def test_an_unknown_view_names_those_that_exist(views: str) -> None:
    with pytest.raises(InvalidInputError, match="front, agent, side, head"):
        parse_views(views, CAMERAS)


def test_a_camera_named_twice_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="twice"):
        parse_views("head+head", CAMERAS)

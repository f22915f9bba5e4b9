"""Published answers, read in our taxonomy; and replies held against those that name no reason."""

import pytest
from marking import marked

from pactwin.solvers import parse_published_answer
from pactwin.suite import SCENE_CONSTRAINTS, Constraint, Question
from pactwin.tasks import AnswerState, SampleFacts
from pactwin.tasks.kinds.constraint.records import ConstraintOutcome
from pactwin.tasks.kinds.constraint.tasks import judged


@pytest.mark.parametrize(
    ("answer", "truth"),
    [
        ("Yes, it can be done.", (True, Constraint.NONE)),
        ("No, the cup is too far away to reach.", (False, Constraint.OUT_OF_REACH)),
        ("No, it isn't covered.", (False, None)),
        ("No, it isn’t covered.", (False, None)),
        ("The drawer is locked.", (False, None)),
        ("No.", (False, None)),
        ("", (False, None)),
    ],
)
def test_what_is_no_yes_is_a_no(answer: str, truth: tuple[bool, Constraint | None]) -> None:
    assert parse_published_answer(answer) == truth


FACTS = SampleFacts(
    question_id="0" * 16,
    scene_id="1" * 16,
    pair_id="1" * 16,
    domain="humanoid",
    view="agent",
    form="open",
    truth_feasible=False,
    truth_constraint=None,
)
QUESTION = Question(
    id="0" * 16,
    scene_id="1" * 16,
    kind="constraint",
    form="open",
    text="Can it be done?",
    truth="The drawer is locked.",
    rationale="",
    objects=(),
    views=("agent",),
)


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("No, it is locked.", AnswerState.CORRECT),
        ("No. Something rests on it.", AnswerState.CORRECT),
        ("No.", AnswerState.CORRECT),
        ("Yes.", AnswerState.INCORRECT),
        ("A drawer.", AnswerState.UNPARSED),
    ],
)
def test_without_a_reason_only_can_or_cannot_counts(reply: str, state: AnswerState) -> None:
    assert marked(QUESTION, reply, FACTS).state is state


@pytest.mark.parametrize("says", list(SCENE_CONSTRAINTS))
def test_a_judge_decides_the_same(says: Constraint) -> None:
    before = ConstraintOutcome(state=AnswerState.UNPARSED, reason="unclear")
    right = says is not Constraint.NONE
    state = AnswerState.CORRECT if right else AnswerState.INCORRECT
    assert judged(FACTS, before, says).state is state

"""One outcome per output, decided the same whatever the truth is."""

from itertools import product
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ChatMessageAssistant, ContentText, ModelOutput
from inspect_ai.scorer import SampleScore, Score
from marking import marked

from pactwin.solvers import OPTION_LETTERS, STATEMENTS
from pactwin.suite import SCENE_CONSTRAINTS, Constraint, Question
from pactwin.tasks import AnswerState, ConstraintOutcome, SampleFacts
from pactwin.tasks.core.scoring import accuracy_answered, accuracy_strict, coverage

ID = "0123456789abcdef"
Form = Literal["yes_no", "choice", "open"]
FORMS: tuple[Form, ...] = ("yes_no", "choice", "open")
ANSWERED = (AnswerState.CORRECT, AnswerState.INCORRECT)
forms = st.sampled_from(FORMS)
constraints = st.sampled_from(SCENE_CONSTRAINTS)


def asked(form: Form, truth: Constraint) -> tuple[SampleFacts, Question]:
    feasible = truth is Constraint.NONE
    facts = SampleFacts(
        question_id=ID, scene_id=ID, pair_id=ID, domain="any", view="head", form=form,
        truth_feasible=feasible, truth_constraint=truth,
    )  # fmt: skip
    question = Question(
        id=ID, scene_id=ID, kind="constraint", form=form, text="?",
        options=tuple(STATEMENTS.values()) if form == "choice" else (),
        truth=("yes" if feasible else "no") if form == "yes_no" else STATEMENTS[truth],
        rationale="", objects=("red block",), views=("head",),
    )  # fmt: skip
    return facts, question


def outcome_to(asked: tuple[SampleFacts, Question], output: ModelOutput) -> ConstraintOutcome:
    facts, question = asked
    return marked(question, output, facts)


def reply(form: str, said: Constraint) -> str:
    if form == "choice":
        return OPTION_LETTERS[list(STATEMENTS).index(said)]
    return f"{'Yes' if said is Constraint.NONE else 'No'}. {STATEMENTS[said]}"


@given(forms, constraints, constraints)
def test_an_answer_is_correct_exactly_if_it_says_the_truth(form, truth, said):
    outcome = outcome_to(asked(form, truth), ModelOutput.from_content("m", reply(form, said)))
    same = (truth is Constraint.NONE) == (said is Constraint.NONE)
    right = same if form == "yes_no" else truth is said
    assert outcome.state is (AnswerState.CORRECT if right else AnswerState.INCORRECT)
    assert outcome.predicted_feasible is (said is Constraint.NONE)
    assert outcome.predicted_constraint is said
    assert outcome.reason == ""


@given(forms, constraints, constraints, st.text())
def test_whether_there_is_an_answer_does_not_depend_on_the_truth(form, truth, other, text):
    output = ModelOutput.from_content("m", text)
    one, two = (outcome_to(asked(form, truth), output), outcome_to(asked(form, other), output))
    assert (one.state in ANSWERED) == (two.state in ANSWERED)
    assert one.predicted_constraint == two.predicted_constraint


@given(constraints)
def test_a_no_counts_for_feasibility_whatever_becomes_of_its_reason(truth: Constraint) -> None:
    """Whoever gives no reason is wrong; a reason that cannot be read is not called wrong."""
    for said, state in (
        ("No.", AnswerState.INCORRECT),
        ("No. The stars forbid it.", AnswerState.UNPARSED),
    ):
        outcome = outcome_to(asked("open", truth), ModelOutput.from_content("m", said))
        assert outcome.state is state
        assert outcome.predicted_feasible is False
        assert outcome.predicted_constraint is None


@pytest.mark.parametrize(
    ("stop", "state"),
    [
        ("content_filter", AnswerState.REFUSED),
        ("max_tokens", AnswerState.TRUNCATED),
        ("model_length", AnswerState.TRUNCATED),
    ],
)
def test_what_the_instrument_did_comes_before_what_was_said(stop, state):
    for form, truth in product(FORMS, Constraint):
        output = ModelOutput.from_content("m", reply(form, truth), stop_reason=stop)
        outcome = outcome_to(asked(form, truth), output)
        assert outcome.state is state
        assert outcome.predicted_feasible is None
        assert outcome.reason


def test_no_output_is_an_error_and_a_refusal_part_a_refusal() -> None:
    question = asked("yes_no", Constraint.NONE)
    assert outcome_to(question, ModelOutput()).state is AnswerState.ERROR
    assert outcome_to(question, ModelOutput(error="boom")).state is AnswerState.ERROR
    refusal = ChatMessageAssistant(content=[ContentText(text="No.", refusal=True)])
    assert outcome_to(question, ModelOutput.from_message(refusal)).state is AnswerState.REFUSED


@given(st.lists(st.sampled_from(list(AnswerState))))
def test_metrics_count_states(states: list[AnswerState]) -> None:
    scores: Any = [
        SampleScore(
            score=Score(value="N", metadata=ConstraintOutcome(state=s).model_dump(mode="json"))
        )
        for s in states
    ]
    correct = states.count(AnswerState.CORRECT)
    answered = correct + states.count(AnswerState.INCORRECT)
    assert accuracy_strict()(scores) == (correct / len(states) if states else 0)
    assert accuracy_answered()(scores) == (correct / answered if answered else 0)
    assert coverage()(scores) == (answered / len(states) if states else 0)

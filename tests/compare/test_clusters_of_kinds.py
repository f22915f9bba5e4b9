"""Answers that share a pair, a problem or an object count for no more than they tell."""

from typing import Any

import pytest
from made_up import hex_id, make_rows, noisy
from made_up_objects import property_rows, truth_of

from pactwin.compare import Score, score, score_kinds
from pactwin.tasks import AnswerState, ProblemRow, Row, ToolRow

COUNT = 30
CALL: dict[str, Any] = {"model": "m", "suite_name": "s", "suite_hash": "0" * 64}


def state(number: int) -> AnswerState:
    """Three have no answer, and half of the others are right."""
    right = AnswerState.CORRECT if number % 2 else AnswerState.INCORRECT
    return AnswerState.REFUSED if number < 3 else right


def plans(copies: int) -> list[Row]:
    """All answers about a pair are alike."""
    return [
        ToolRow(
            question_id=hex_id(pair, twin), scene_id=hex_id(pair, twin), pair_id=hex_id(pair),
            domain="bench", view=f"v{view}", form="list", kind="plan", accepted=("saw",),
            steps=(1,), items=("saw",) if pair % 2 else ("file",),
            found=(0,) if pair % 2 else (None,), rules=("exact",) if pair % 2 else ("",),
            state=state(pair), sample_id=hex_id(pair, twin, view), **CALL,
        )
        for pair in range(COUNT) for twin in range(min(copies, 2)) for view in range(copies)
    ]  # fmt: skip


def problems(copies: int) -> list[Row]:
    """All epochs of a problem are alike."""
    return [
        ProblemRow(
            question_id=hex_id(n), scene_id=hex_id(n), pair_id=hex_id(n), sample_id=hex_id(n),
            domain="d", view="text", form="open", solvable=True, epoch=epoch, **CALL,
            category=("A" if n % 2 else "E") if n >= 3 else "",
            says_solvable=True if n >= 3 and n % 2 else None,
            state=AnswerState.UNPARSED if n < 3 else state(n),
        )
        for n in range(COUNT) for epoch in range(1, copies + 1)
    ]  # fmt: skip


def objects(copies: int) -> list[Row]:
    """All views of an object are alike."""
    return [
        *property_rows(
            lambda n, topic, view: truth_of(n, topic) if n % 3 else "Dynamic",
            objects=COUNT,
            topics=["WEIGHT"],
            views=[f"v{view}" for view in range(copies)],
        )
    ]


def pooled(rows: list[Row]) -> dict[str, Score]:
    return {s.metric: s for s in score_kinds(rows) if s.is_pooled}


def assert_no_more_certain(one: Score, many: Score) -> None:
    assert many.value == pytest.approx(one.value)
    assert None not in (one.low, one.high, many.low, many.high)
    assert many.high - many.low > 0.95 * (one.high - one.low)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("rows", "metrics"),
    [
        (plans, ("plan_coverage", "plan_complete", "plan_f1_strict")),
        (problems, ("problem_coverage", "problem_accuracy", "problem_best")),
        (objects, ("property_accuracy",)),
    ],
)
def test_copies_of_an_answer_make_no_metric_more_certain(rows, metrics):
    one, many = pooled(rows(1)), pooled(rows(6))
    for metric in metrics:
        assert_no_more_certain(one[metric], many[metric])


def test_epochs_of_constraints_are_legal_and_count_as_one() -> None:
    once = make_rows(noisy(3), views=("head",), forms=("yes_no",), pairs=12)
    thrice = [row.model_copy(update={"epoch": epoch}) for row in once for epoch in (1, 2, 3)]
    one, many = ({s.metric: s for s in score(rows) if s.is_pooled} for rows in (once, thrice))
    for metric in ("informedness", "accuracy", "pair_accuracy"):
        assert_no_more_certain(one[metric], many[metric])
    assert many["epoch_agreement"].value == 1.0
    assert many["pass_k"].value == pytest.approx(one["accuracy_strict"].value)
    assert "pass_k" not in one

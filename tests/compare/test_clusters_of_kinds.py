"""Answers that share a pair, a problem or an object count for no more than they tell."""

from typing import Any

import pytest
from made_up import hex_id, make_rows, noisy

from pactwin.compare import Score, score, score_kinds
from pactwin.compare.intervals import wilson
from pactwin.tasks import AnswerState, ProblemRow, ToolRow

PAIRS, VIEWS = 30, 4


def width(found: Score) -> float:
    assert found.low is not None and found.high is not None
    return found.high - found.low


def plans(views: int, twins: int) -> list[ToolRow]:
    """All answers about a pair are alike; three pairs have none, and half the others are right."""
    rows = []
    for pair in range(PAIRS):
        for twin in range(twins):
            for view in range(views):
                key = hex_id("plan", pair, twin)
                state = AnswerState.REFUSED if pair < 3 else AnswerState(_right(pair % 2))
                rows.append(
                    ToolRow(
                        question_id=key, scene_id=key, pair_id=hex_id("pair", pair), domain="bench",
                        view=f"v{view}", form="list", kind="plan", accepted=("saw",), steps=(1,),
                        items=("saw",) if pair % 2 else ("file",),
                        found=(0,) if pair % 2 else (None,),
                        rules=("exact",) if pair % 2 else ("",),
                        state=state, model="m", suite_name="s", suite_hash="0" * 64,
                        sample_id=hex_id(key, view),
                    )
                )  # fmt: skip
    return rows


def _right(right: int) -> str:
    return "correct" if right else "incorrect"


def problems(epochs: int) -> list[ProblemRow]:
    rows = []
    for number in range(PAIRS):
        for epoch in range(1, epochs + 1):
            key, graded = hex_id("problem", number), number >= 3
            call: dict[str, Any] = {"model": "m", "suite_name": "s", "suite_hash": "0" * 64}
            rows.append(
                ProblemRow(
                    question_id=key, scene_id=key, pair_id=key, domain="d", view="text",
                    form="open", solvable=True, epoch=epoch, sample_id=key, **call,
                    category=("A" if number % 2 else "E") if graded else "",
                    says_solvable=True if graded and number % 2 else None,
                    state=AnswerState(_right(number % 2)) if graded else AnswerState.UNPARSED,
                )
            )  # fmt: skip
    return rows


@pytest.mark.parametrize("metric", ["plan_coverage", "plan_complete", "plan_f1_strict"])
def test_views_of_a_pair_make_no_metric_of_plans_more_certain(metric: str) -> None:
    one, many = (
        {s.metric: s for s in score_kinds(rows) if s.is_pooled}[metric]
        for rows in (plans(1, 1), plans(VIEWS, 2))
    )
    assert many.value == pytest.approx(one.value)
    assert width(many) > 0.95 * width(one)


def test_the_coverage_of_plans_is_that_of_so_many_pairs() -> None:
    found = {s.metric: s for s in score_kinds(plans(VIEWS, 1)) if s.is_pooled}["plan_coverage"]
    low, high = wilson(PAIRS - 3, PAIRS)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)


@pytest.mark.parametrize("metric", ["problem_coverage", "problem_accuracy", "problem_best"])
def test_epochs_of_a_problem_make_no_metric_more_certain(metric: str) -> None:
    one, many = (
        {s.metric: s for s in score_kinds(problems(epochs)) if s.is_pooled}[metric]
        for epochs in (1, 6)
    )
    assert many.value == pytest.approx(one.value)
    assert width(many) > 0.95 * width(one)


def test_epochs_of_constraints_are_legal_and_count_as_one() -> None:
    once = make_rows(noisy(3), views=("head",), forms=("yes_no",), pairs=12)
    thrice = [row.model_copy(update={"epoch": epoch}) for row in once for epoch in (1, 2, 3)]
    one, many = ({s.metric: s for s in score(rows) if s.is_pooled} for rows in (once, thrice))
    for metric in ("informedness", "accuracy", "pair_accuracy"):
        assert many[metric].value == pytest.approx(one[metric].value)
        assert width(many[metric]) > 0.95 * width(one[metric])
    assert many["epoch_agreement"].value == 1.0
    assert many["pass_k"].value == pytest.approx(one["accuracy_strict"].value)
    assert "pass_k" not in one

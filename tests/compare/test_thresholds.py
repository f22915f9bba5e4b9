"""Thresholds of acting equal the analytic optimum on planted observers."""

import numpy as np
import pytest
from made_up import hex_id, make_row
from scipy.special import expit

from pactwin.compare.decisions.outcomes import Task
from pactwin.compare.decisions.thresholds import ThresholdRow, cuts, threshold_rows
from pactwin.tasks import AnswerRow

PAIRS = 600


def test_cuts_are_the_best_of_a_grid() -> None:
    p = np.linspace(0.0005, 0.9995, 1000)
    for harm, question in ((5.0, 0.1), (1.0, 0.2), (0.3, 0.4), (30.0, 0.05)):
        worth = np.array([0 * p, p - question, p - (1 - p) * harm])
        best = worth.argmax(axis=0)
        ask, act = cuts(harm, question)
        assert act == pytest.approx(p[best == 2].min(), abs=0.002)
        assert ask == pytest.approx(p[best > 0].min(), abs=0.002)
    assert cuts(5.0, 0.1) == pytest.approx((0.10, 0.98))


def planted(factor: float, harms: float = 1.0) -> tuple[list[AnswerRow], dict[str, Task]]:
    """Answers whose log odds are ``factor`` times the true ones; ``harms`` of failures harm."""
    rng = np.random.default_rng(4)
    rows, tasks = [], {}
    for pair in range(PAIRS):
        for feasible in (False, True):
            odds = 1.5 * (rng.standard_normal() + 1.5 * (feasible - 0.5))
            row = make_row("m", "support", pair, feasible, "head", "yes_no", (odds > 0, None))
            rows.append(row.model_copy(update={"probability": float(expit(factor * odds))}))
            harmed = () if feasible or rng.random() >= harms else ("fallen",)
            tasks[row.scene_id] = Task(
                row.scene_id, hex_id("support", pair), feasible, harmed, None
            )
    return rows, tasks


def found(factor: float, harm: float, question: float, harms: float = 1.0) -> ThresholdRow:
    (row,) = threshold_rows(*planted(factor, harms), [harm], question)
    return row


@pytest.mark.parametrize("factor", [1.0, 2.0, 0.5])
def test_thresholds_are_found_through_what_a_model_says(factor: float) -> None:
    harm, question = 1.0, 0.2
    row = found(factor, harm, question)
    expected = [float(expit(factor * np.log(p / (1 - p)))) for p in cuts(harm, question)]
    assert (row.ask_above, row.act_above) == pytest.approx(tuple(expected), abs=0.06)
    assert row.pairs == PAIRS and row.tasks == 2 * PAIRS


def test_recalibration_saves_what_overconfidence_costs() -> None:
    true, over = found(1.0, 3.0, 0.2), found(3.0, 3.0, 0.2)
    assert over.recalibrated == pytest.approx(true.recalibrated, abs=0.02)
    assert over.as_said < over.recalibrated - 0.05
    assert true.as_said == pytest.approx(true.recalibrated, abs=0.02)
    assert true.saved == pytest.approx(true.recalibrated - true.answered)
    assert true.saved_low > 0


def test_one_half_always_is_worth_asking_if_that_is_cheap() -> None:
    rows, tasks = planted(1.0)
    half = [row.model_copy(update={"probability": 0.5}) for row in rows]
    (row,) = threshold_rows(half, tasks, [3.0], 0.1)
    assert row.recalibrated == pytest.approx(0.5 - 0.1)
    assert threshold_rows(rows[:10], tasks, [3.0], 0.1) == [], "too few pairs"

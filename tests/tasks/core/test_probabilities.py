"""Scores of probabilities have the values that theory gives them."""

from functools import partial

import numpy as np
import pytest
from made_up import VIEWS, make_rows
from scipy.special import expit, logit

from pactwin.compare.estimates import Cell, estimate
from pactwin.compare.metrics import score
from pactwin.compare.scores import Score
from pactwin.tasks import AnswerRow, Tabled
from pactwin.tasks.core.calibration import (
    calibration_error,
    discrimination,
    floor_of,
    generalized_risk_area,
    miscalibration,
    recalibrated,
    risk_coverage_area,
    selective_accuracy,
    uncertainty,
)


def table(p: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    grid, place = np.unique(p, return_inverse=True)
    return grid, np.bincount(place, truth), np.bincount(place).astype(float)


def calibrated(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of d' 1.5 that are true, and truths."""
    rng = np.random.default_rng(seed)
    truth = (np.arange(n) % 2).astype(float)
    return expit(1.5 * (rng.standard_normal(n) + 1.5 * (truth - 0.5))).round(3), truth


def test_the_parts_add_up_to_the_brier_score() -> None:
    for factor in (1.0, 3.0, 0.3):
        p, truth = calibrated(400)
        p = expit(factor * logit(np.clip(p, 0.001, 0.999)))
        parts = table(p, truth)
        brier = np.mean((p - truth) ** 2)
        total = miscalibration(*parts) - discrimination(*parts) + uncertainty(*parts)
        assert total == pytest.approx(brier)


def test_miscalibration_is_near_its_floor_or_far_above() -> None:
    p, truth = calibrated(2000)
    floor = floor_of(miscalibration)(*table(p, truth))
    assert miscalibration(*table(p, truth)) < 2.5 * floor
    over = expit(3 * logit(np.clip(p, 0.001, 0.999)))
    assert miscalibration(*table(over, truth)) > 10 * floor_of(miscalibration)(*table(over, truth))
    grid, ones, n = table(over, truth)
    assert np.all(np.diff(recalibrated(grid, ones, n)) >= 0)
    assert discrimination(grid, ones, n) == pytest.approx(discrimination(*table(p, truth)))


@pytest.mark.parametrize(("n", "floor"), [(40, 0.16), (1000, 0.03)])
def test_the_floor_of_the_calibration_error_is_known(n: int, floor: float) -> None:
    p = np.random.default_rng(1).random(n)
    assert floor_of(calibration_error)(*table(p, p)) == pytest.approx(floor, rel=0.25)


def test_areas_are_those_of_random_and_of_perfect_confidence() -> None:
    n, r = 3_000, 0.3
    truth = np.ones(n)
    wrong = np.arange(n) < r * n
    confidence = np.random.default_rng(0).permutation(n) / (2 * n) + 0.5001
    p = np.where(wrong, 1 - confidence, confidence)
    assert risk_coverage_area(*table(p, truth)) == pytest.approx(r, abs=0.02)
    assert generalized_risk_area(*table(p, truth)) == pytest.approx(r / 2, abs=0.01)
    best = np.where(wrong, 0.4, 0.9)
    assert risk_coverage_area(*table(best, truth)) == pytest.approx(
        r + (1 - r) * np.log(1 - r), abs=0.001
    )
    assert generalized_risk_area(*table(best, truth)) == pytest.approx(r**2 / 2, abs=0.001)
    ties = np.where(wrong, 0.2, 0.8)
    assert risk_coverage_area(*table(ties, truth)) == pytest.approx(r, abs=1e-9)
    one_of_two = (np.array([0.8]), np.array([1.0]), np.array([2.0]))
    assert generalized_risk_area(*one_of_two) == pytest.approx(3 / 8)
    assert selective_accuracy(0.5)(*table(best, truth)) == 1.0
    assert selective_accuracy(0.8)(*table(best, truth)) == pytest.approx(7 / 8)
    assert selective_accuracy(0.5)(*table(ties, truth)) == pytest.approx(0.7)


def test_resamples_are_scored_like_one_table_each() -> None:
    p, truth = calibrated(300)
    grid, ones, n = table(p, truth)
    rng = np.random.default_rng(3)
    rows = rng.binomial(5, 0.5, (4, len(grid))) * 1.0
    for function in (
        miscalibration, discrimination, uncertainty, risk_coverage_area, generalized_risk_area,
        selective_accuracy(0.8),
    ):  # fmt: skip
        whole = function(grid, rows * ones / n, rows)
        each = [function(grid, row * ones / n, row) for row in rows]
        assert whole == pytest.approx(np.array(each, float)), function


def rows_of(p: "np.ndarray", truth: "np.ndarray", **changes: object) -> list[AnswerRow]:
    """Answers about pairs in two views; ``p`` and ``truth`` are (pairs, 2, views)."""
    made = make_rows(
        lambda domain, pair, feasible, view, form: (bool(p[pair, int(feasible), 0] > 0.5), None),
        pairs=len(p), forms=("yes_no",), domains=("support",), views=VIEWS[: p.shape[2]],
    )  # fmt: skip
    order = iter(p.transpose(0, 1, 2).reshape(-1))
    return [
        row.model_copy(update={"probability": float(next(order)), "confidence": True, **changes})
        for row in made
    ]


def scores_of(rows: list[AnswerRow]) -> dict[str, Score]:
    return {s.metric: s for s in score(rows) if s.is_pooled}


def test_planted_observers_score_what_theory_says() -> None:
    pairs = 150
    rng = np.random.default_rng(5)
    side = np.array([-0.5, 0.5])[None, :, None]
    odds = 1.5 * (rng.standard_normal((pairs, 2, 2)) + 1.5 * side)
    truth = np.broadcast_to(side > 0, odds.shape)
    found = scores_of(rows_of(expit(odds), truth))
    brier = found["stated_brier"]
    assert brier.value == pytest.approx(float(np.mean((expit(odds) - truth) ** 2)))
    within = found["stated_within_pairs"]
    assert within.value is not None and abs(within.value - 0.856) < 0.04, "Phi(d' / sqrt 2)"
    gap = found["stated_delta_p"]
    assert gap.low is not None and gap.high is not None and gap.low > 0.3
    assert gap.n == pairs * 2
    over = scores_of(rows_of(expit(3 * odds), truth))
    assert over["stated_within_pairs"].value == within.value, "a monotone change keeps the order"
    assert over["stated_miscalibration"].low > found["stated_miscalibration"].high  # type: ignore[operator]
    assert over["stated_certain_wrong"].value > found["stated_certain_wrong"].value  # type: ignore[operator]
    for metric in ("aurc", "augrc", "discrimination", "miscalibration"):
        made = found[f"stated_{metric}"]
        assert made.low is not None and made.high is not None and made.value is not None
        assert made.low <= made.value <= made.high


def _as_drawn(
    says: np.ndarray, domain: str, pair: int, feasible: bool, view: str, form: str
) -> tuple[bool, None]:
    return bool(says[pair, int(feasible)]), None


@pytest.mark.parametrize("k", [3, 10])
def test_the_share_over_epochs_is_scored_as_if_it_were_the_probability(k: int) -> None:
    rng = np.random.default_rng(k)
    pairs = 200
    true = rng.random((pairs, 2))
    true = np.where([[False, True]], np.maximum(true, 1 - true), np.minimum(true, 1 - true))
    rows = []
    for epoch in range(1, k + 1):
        says = rng.random((pairs, 2)) < true
        made = make_rows(
            partial(_as_drawn, says), pairs=pairs, forms=("yes_no",), domains=("support",),
            views=VIEWS[:1],
        )  # fmt: skip
        rows += [row.model_copy(update={"epoch": epoch}) for row in made]
    found = scores_of(rows)["epochs_brier"]
    expected = np.mean((true - np.array([[0.0, 1.0]])) ** 2)
    assert found.low is not None and found.high is not None and found.value is not None
    assert abs(found.value - expected) < 0.02
    assert found.n == pairs * 2
    assert "epochs_brier" not in scores_of(rows[: pairs * 2]), "one epoch is no share"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "interval"), [(risk_coverage_area, "plain"), (miscalibration, "fit")]
)
def test_resampled_intervals_hold_the_truth(function, interval):
    """Thirty pairs in three views that share what a scene looks like."""
    rng = np.random.default_rng(11)
    metric = Tabled("x", "top", "n", function, interval)
    cluster = np.repeat(np.arange(30), 6)

    def drawn(pairs: int) -> tuple[np.ndarray, np.ndarray]:
        truth = np.tile(np.repeat([0.0, 1.0], 3), pairs)
        shared = np.repeat(rng.standard_normal((pairs, 2)), 3)
        odds = 1.5 * ((shared + rng.standard_normal(6 * pairs)) / np.sqrt(2) + 1.5 * (truth - 0.5))
        return expit(odds).round(2), truth

    true = float(function(*table(*drawn(50_000))))
    held = []
    for _ in range(60):
        p, truth = drawn(30)
        counts = np.column_stack([p, truth, np.ones_like(p)])
        cell = Cell(counts, {"x": 0, "top": 1, "n": 2}, cluster, np.zeros(180, int), {})
        found = estimate(cell, metric)
        assert found is not None and found[1] is not None
        held.append(found[1][0] <= true <= found[1][1])
    assert np.mean(held) >= 0.86, "57 of 60 are expected; so few come once in a hundred times"

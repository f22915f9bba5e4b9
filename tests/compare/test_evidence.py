"""Whether answers follow the evidence or the view: planted models land where theory says."""

from collections.abc import Callable

import numpy as np
import pytest
from made_up import VIEWS, Answer, make_rows

from pactwin.compare.metrics import score
from pactwin.compare.scores import Score
from pactwin.tasks import AnswerRow

Says = Callable[[np.random.Generator, int, bool, int], bool]
"""The answer of a planted model to (pair, feasible, number of the view)."""

KINDS_OF_MODEL: dict[str, tuple[Says, float, float, float, float]] = {
    "always yes": (lambda rng, pair, feasible, view: True, 0, 0, 0, 0),
    "by pair": (lambda rng, pair, feasible, view: pair % 2 == 0, 0, 0, 0, 0),
    "coin": (lambda rng, pair, feasible, view: rng.random() < 0.5, 0.5, 0.5, 0, 0),
    "mostly yes": (lambda rng, pair, feasible, view: rng.random() < 0.8, 0.32, 0.32, 0, 0),
    "perfect": (lambda rng, pair, feasible, view: feasible, 1, 0, 1, 1),
    "reversed": (lambda rng, pair, feasible, view: not feasible, 1, 0, 1, -1),
    "by camera": (lambda rng, pair, feasible, view: view < 2, 0, 2 / 3, -2 / 3, 0),
    "80 % right": (
        lambda rng, pair, feasible, view: feasible == (rng.random() < 0.8),
        0.68,
        0.32,
        0.36,
        0.6,
    ),
    "by something else": (
        # Half of the pairs show it, as often in the one twin as in the other.
        lambda rng, pair, feasible, view: pair % 4 < 2 and feasible == (pair % 2 == 0),
        0.5,
        0,
        0.5,
        0,
    ),
    "sees in two of four": (
        lambda rng, pair, feasible, view: feasible if view < 2 else True,
        0.5,
        1 / 3,
        1 / 6,
        0.5,
    ),
}
"""Share of twins that differ, of views that differ, their difference, and J."""


def rows_of(
    says: Says, pairs: int, seed: int = 0, views: tuple[str, ...] = VIEWS
) -> list[AnswerRow]:
    rng = np.random.default_rng(seed)

    def answer(domain: str, pair: int, feasible: bool, view: str, form: str) -> Answer:
        return says(rng, pair, feasible, VIEWS.index(view)), None

    return make_rows(answer, pairs=pairs, forms=("yes_no",), domains=("support",), views=views)


def scores_of(rows: list[AnswerRow]) -> dict[str, Score]:
    return {s.metric: s for s in score(rows) if s.is_pooled}


@pytest.mark.parametrize("name", KINDS_OF_MODEL)
def test_planted_models_land_where_theory_says(name: str) -> None:
    says, twins, views, evidence, gain = KINDS_OF_MODEL[name]
    found = scores_of(rows_of(says, 120))
    expected = {
        "twins_differ": twins,
        "views_differ": views,
        "evidence_over_view": evidence,
        "twins_right_way": gain,
    }
    for metric, value in expected.items():
        made = found[metric]
        assert made.value is not None and made.low is not None and made.high is not None
        assert abs(made.value - value) <= max(1e-9, made.high - made.low), metric
        assert made.n == 120


def test_missing_answers_and_unequal_views_do_not_move_it() -> None:
    """Answers missing at random, and pairs without a view that both twins have, are left out."""
    rows = rows_of(KINDS_OF_MODEL["by camera"][0], 40)
    lone = [r for r in rows if r.view in ("agent", "head") and r.truth_feasible]
    assert "evidence_over_view" not in scores_of(lone)
    rng = np.random.default_rng(1)
    kept = [row for row in rows if rng.random() < 0.8]
    found = scores_of(kept)["evidence_over_view"]
    assert found.value == pytest.approx(-2 / 3, abs=0.1)
    assert (
        scores_of(rows_of(KINDS_OF_MODEL["perfect"][0], 8, views=("head",)))
        .keys()
        .isdisjoint({"evidence_over_view", "twins_differ"})
    )

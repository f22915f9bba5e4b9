import dataclasses
import random

import pytest
from made_up import DOMAINS, always, make_row, make_rows, noisy, oracle
from statsmodels.stats.proportion import proportion_confint

from pactwin.compare import Score, score
from pactwin.suite import Constraint, InvalidInputError
from pactwin.tasks import KINDS, AnswerRow, AnswerState
from pactwin.tasks.core.probabilities import PROBABILITY_METRICS


def pooled(rows: list[AnswerRow], model: str = "m") -> dict[str, Score]:
    return {
        s.metric: s
        for s in score(rows)
        if (s.model, s.domain, s.view, s.form) == (model, "all", "all", "all")
    }


def value(scores: dict[str, Score], metric: str) -> float:
    found = scores[metric].value
    assert found is not None
    return found


@pytest.mark.parametrize("says", [True, False])
def test_a_constant_answer_has_informedness_exactly_zero_in_every_cell(says: bool) -> None:
    scores = [s for s in score(make_rows(always(says))) if s.metric.startswith("informedness")]
    assert len(scores) == 2 * 5 * 5 * 4  # strict or not, domains, views, forms, all with `all`
    for s in scores:
        assert s.value == 0.0
        assert s.low is not None and s.high is not None
        assert s.low <= 0.0 <= s.high


def test_an_answer_per_text_has_informedness_exactly_zero() -> None:
    """Twins share their text: one answer to both, whatever it is, tells nothing."""

    def by_text(domain: str, pair: int, feasible: bool, view: str, form: str) -> tuple:
        return (pair * 7 + len(domain)) % 3 == 0, Constraint.COVERED

    for s in score(make_rows(by_text, pairs=7)):
        if s.metric == "informedness":
            assert s.value == 0.0
            assert s.low is not None and s.high is not None
            assert s.low < 0.0 < s.high


def test_the_oracle_scores_one_everywhere() -> None:
    scores = score(make_rows(oracle))
    # Nothing was asked that has sets for an answer.
    names = KINDS["constraint"].scoring.names
    once = {"pass_k", "epoch_agreement"}
    once |= {metric.name for metric in PROBABILITY_METRICS}  # no probability was asked for
    assert {s.metric for s in scores} == {m for m in names if not m.startswith("set_")} - once
    assert all(s.value == (0.0 if s.metric == "views_differ" else 1.0) for s in scores)
    assert all(s.high == pytest.approx(1.0) for s in scores if s.metric != "views_differ")


def test_sets_are_counted_by_hand_over_what_differs_between_twins() -> None:
    options, ways = ("A", "B", "C"), (("A", "B"), ("B", "C"))  # true of one twin, of the other
    selected: list[tuple[tuple[str, ...] | None, ...]] = [
        (("A",), ("A",)),  # one named and one left of each two, alike for both twins
        (("A", "C"), ("C",)),
        (None, None),
    ]
    rows = [
        make_row(
            "m", "support", pair, not twin, "head", "repair", (None, None), AnswerState.REFUSED
        ).model_copy(
            update={
                "options": options,
                "accepted": ways[twin],
                "selected": said or (),
                "state": AnswerState.REFUSED if said is None else AnswerState.INCORRECT,
            }
        )
        for pair, both in enumerate(selected)
        for twin, said in enumerate(both)
    ]
    scores = pooled(rows)
    assert (value(scores, "set_sensitivity"), scores["set_sensitivity"].n) == (3 / 4, 4)
    assert (value(scores, "set_specificity"), scores["set_specificity"].n) == (2 / 4, 4)
    assert value(scores, "set_sensitivity_strict") == 3 / 6
    assert value(scores, "set_specificity_strict") == pytest.approx(2 / 6)
    assert value(scores, "set_informedness") == 3 / 4 + 2 / 4 - 1
    assert value(scores, "set_informedness_strict") == pytest.approx(3 / 6 + 2 / 6 - 1)


def test_completeness_counts_every_run_of_a_model_once() -> None:
    def run(name: str, pairs: int, planned: int) -> list[AnswerRow]:
        rows = make_rows(oracle, pairs=pairs, forms=("yes_no",), views=(name,))
        return [r.model_copy(update={"run_id": name, "planned": planned}) for r in rows]

    whole, cut = run("head", 2, 16), run("side", 1, 16)
    assert (len(whole), len(cut)) == (16, 8)

    def completeness(rows: list[AnswerRow]) -> list[tuple[float | None, int]]:
        found = score(rows)
        return [(s.value, s.n) for s in found if s.metric == "completeness"]

    assert completeness(whole) == [(1.0, 16)]
    assert completeness(cut) == [(0.5, 16)]
    assert completeness(whole + cut) == [(0.75, 32)]
    assert completeness(make_rows(oracle, pairs=1)) == [(1.0, 96)], "nobody said what was planned"


def test_values_match_counting_by_hand() -> None:
    def answer(domain: str, pair: int, feasible: bool, view: str, form: str) -> tuple:
        if feasible:
            return (True, Constraint.NONE) if pair < 3 else (False, Constraint.COVERED)
        if pair == 4:
            return (True, Constraint.NONE)
        return False, DOMAINS[domain] if pair % 2 else Constraint.COVERED

    rows = make_rows(answer, views=("head",), forms=("choice",), domains=("support",))
    scores = pooled(rows)
    assert value(scores, "sensitivity") == 3 / 5
    assert value(scores, "specificity") == 4 / 5
    assert value(scores, "informedness") == pytest.approx(3 / 5 + 4 / 5 - 1)
    assert value(scores, "balanced_accuracy") == pytest.approx((3 / 5 + 4 / 5) / 2)
    assert value(scores, "reason_accuracy") == 2 / 5  # pairs 1 and 3
    assert value(scores, "accuracy") == (3 + 2) / 10
    assert value(scores, "pair_accuracy") == 1 / 5  # pair 1
    assert scores["informedness"].n == 10
    assert scores["pair_accuracy"].n == 5
    assert "view_consistency" not in scores  # one view


def test_view_consistency_asks_for_the_same_answer_right_or_wrong() -> None:
    def answer(domain: str, pair: int, feasible: bool, view: str, form: str) -> tuple:
        if pair == 0 and view == "head":
            return None, None
        return (not (pair == 1 and view == "side" and feasible), Constraint.NONE)

    rows = make_rows(answer, pairs=3, forms=("yes_no",), domains=("support",))
    scores = pooled(rows)
    assert value(scores, "view_consistency") == 3 / 4  # both scenes of pair 0 lack an answer
    assert value(scores, "view_consistency_strict") == 3 / 6
    everywhere = {(s.view, s.metric) for s in score(rows)}
    assert ("head", "view_consistency") not in everywhere


def test_no_answer_is_left_out_of_scores_and_wrong_in_strict_ones() -> None:
    answered = make_rows(noisy(3, silent=0.0), pairs=6)
    silenced = [
        row
        if i % 4
        else row.model_copy(
            update={
                "state": AnswerState(["unparsed", "refused", "truncated", "error"][i // 4 % 4]),
                "predicted_feasible": None,
                "predicted_constraint": None,
            }
        )
        for i, row in enumerate(answered)
    ]
    kept = [row for i, row in enumerate(answered) if i % 4]
    with_silence, without = pooled(silenced), pooled(kept)
    for metric in ("informedness", "sensitivity", "specificity", "accuracy", "reason_accuracy"):
        assert with_silence[metric].value == without[metric].value
        assert with_silence[metric].n == without[metric].n
        assert value(with_silence, f"{metric}_strict") < value(with_silence, metric)
    assert value(with_silence, "coverage") == 0.75
    assert value(with_silence, "accuracy_strict") == 0.75 * value(with_silence, "accuracy")


def test_a_model_that_never_answers_has_no_value_but_a_strict_one() -> None:
    scores = pooled(make_rows(lambda *q: (None, None)))
    informedness = scores["informedness"]
    assert informedness.value is informedness.low is informedness.high is None
    assert informedness.n == 0
    assert value(scores, "informedness_strict") == -1.0
    assert value(scores, "coverage") == 0.0


def test_order_of_rows_does_not_matter() -> None:
    views = ("head", "side")
    rows = make_rows(noisy(1), pairs=3, model="a", views=views)
    rows += make_rows(noisy(2), pairs=3, model="b", views=views)
    shuffled = random.Random(3).sample(rows, len(rows))
    assert shuffled != rows
    assert score(rows) == score(shuffled)


def test_duplicating_every_pair_leaves_values_and_narrows_intervals() -> None:
    rows = make_rows(noisy(5), pairs=8, views=("head", "side"))
    again = [
        r.model_copy(
            update={
                name: f"{int(getattr(r, name), 16) ^ 1:016x}"
                for name in ("sample_id", "question_id", "scene_id", "pair_id")
            }
        )
        for r in rows
    ]
    for once, twice in zip(score(rows), score(rows + again), strict=True):
        assert twice.value == pytest.approx(once.value)
        assert twice.n == 2 * once.n
    first, second = pooled(rows)["informedness"], pooled(rows + again)["informedness"]
    assert width(second) < width(first)


def width(s: Score) -> float:
    assert s.low is not None and s.high is not None
    return s.high - s.low


def test_swapping_feasible_and_infeasible_swaps_the_two_rates() -> None:
    """With the labels and the answers swapped, only the names of the rates change."""
    rows = make_rows(noisy(9), pairs=6, forms=("yes_no",))
    swapped = [
        r.model_copy(
            update={
                "truth_feasible": not r.truth_feasible,
                "predicted_feasible": None
                if r.predicted_feasible is None
                else not r.predicted_feasible,
            }
        )
        for r in rows
    ]
    a, b = pooled(rows), pooled(swapped)
    for one, other in (
        ("sensitivity", "specificity"),
        ("specificity", "sensitivity"),
        ("informedness", "informedness"),
        ("accuracy", "accuracy"),
        ("pair_accuracy", "pair_accuracy"),
    ):
        assert dataclasses.replace(a[one], metric="") == dataclasses.replace(b[other], metric="")


def test_independent_units_get_wilson_intervals() -> None:
    rows = make_rows(noisy(2, silent=0.0), pairs=20, views=("head",), forms=("choice",))
    plain = {"sensitivity", "specificity", "pair_accuracy", "reason_accuracy"}
    scores = [s for s in score(rows) if s.metric in plain]
    assert {s.metric for s in scores} == plain
    for s in scores:
        assert s.value is not None
        count = round(s.value * s.n)
        expected = proportion_confint(count, s.n, method="wilson")
        assert (s.low, s.high) == pytest.approx(expected)


def test_the_same_question_answered_twice_is_refused() -> None:
    rows = make_rows(oracle, pairs=1)
    with pytest.raises(InvalidInputError, match=r"'m' answered 1 question.*once"):
        score([*rows, rows[3]])

"""Scores of answers about objects, against counting by hand and by their laws."""

import random

import pytest
from made_up_objects import VIEWS, Says, affordance_row, property_rows, truth_of

from pactwin.catalogue import PROPERTIES
from pactwin.compare import Score, compare_models, metric_names
from pactwin.compare import score_kinds as score_objects
from pactwin.compare.confusion import confusions


def value(scores: list[Score], metric: str, **cell: str) -> float | None:
    return find(scores, metric, **cell).value


def find(scores: list[Score], metric: str, **cell: str) -> Score:
    (found,) = (s for s in scores if s.metric == metric and dict(s.cell) == cell)
    return found


def noisy(seed: int) -> Says:
    rng = random.Random(seed)

    def says(number: int, topic: str, view: str) -> str | None:
        draw = rng.random()
        if draw < 0.1:
            return None
        return truth_of(number, topic) if draw < 0.5 else rng.choice(PROPERTIES[topic])

    return says


@pytest.mark.parametrize("topic", PROPERTIES)
def test_a_constant_answer_is_corrected_to_chance_on_balanced_truths(topic: str) -> None:
    """Objects cycle through the categories, so each is true equally often."""
    k = len(PROPERTIES[topic])
    rows = property_rows(lambda *_: PROPERTIES[topic][0], objects=2 * k, topics=[topic])
    scores = score_objects(rows)
    assert value(scores, "property_accuracy") == pytest.approx(1 / k)
    assert value(scores, "property_chance") == pytest.approx(1 / k)
    assert value(scores, "property_corrected") == pytest.approx(0.0, abs=1e-12)
    assert value(scores, "property_consistency") == 1.0


def test_values_match_counting_by_hand() -> None:
    """Weight (4 options) is right of three of 4 objects; one capacity (2 options) has no answer."""

    def says(number: int, topic: str, view: str) -> str | None:
        if topic == "CAPACITY":
            return None if (number, view) == (0, VIEWS[0]) else "Containable"
        return truth_of(number, topic) if number % 2 == 0 else "Dynamic"

    scores = score_objects(property_rows(says, objects=4))
    # Dynamic is true of object 3, so weight is right of objects 0, 2 and 3, in 3 views each.
    assert value(scores, "property_accuracy", topic="WEIGHT") == 9 / 12
    assert value(scores, "property_corrected", topic="WEIGHT") == pytest.approx(2 / 3)
    # Containable is true of objects 0 and 2; one of its 12 questions has no answer.
    assert value(scores, "property_accuracy", topic="CAPACITY") == 5 / 11
    assert value(scores, "property_accuracy_strict", topic="CAPACITY") == 5 / 12
    assert value(scores, "property_coverage", topic="CAPACITY") == 11 / 12
    assert value(scores, "property_accuracy") == 14 / 23
    assert value(scores, "property_mean_accuracy") == pytest.approx((9 / 12 + 5 / 11) / 2)
    assert value(scores, "property_chance") == pytest.approx((1 / 4 + 1 / 2) / 2)
    consistency = find(scores, "property_consistency")
    assert (consistency.value, consistency.n) == (1.0, 7)
    assert value(scores, "property_accuracy", view=VIEWS[0], topic="CAPACITY") == 1 / 3


def test_splits_add_up() -> None:
    scores = score_objects(property_rows(noisy(3), objects=12))
    whole = find(scores, "property_accuracy")
    assert whole.value is not None
    for axis in ("topic", "view", "observability", "domain"):
        parts = [
            s for s in scores if s.metric == "property_accuracy" and dict(s.cell).keys() == {axis}
        ]
        assert len(parts) > 1
        assert sum(s.n for s in parts) == whole.n
        total = sum((s.value or 0) * s.n for s in parts)
        assert total == pytest.approx(whole.value * whole.n)


def test_affordances_match_counting_by_hand() -> None:
    rows = [
        affordance_row(0, ["drink", "pour", "grasp"], ["drink", "pour", "grasp", "fly"]),
        affordance_row(1, ["cut"], ["chop wood", "saw"]),
        affordance_row(2, ["roll", "throw"], ["roll"]),
        affordance_row(3, ["read"], None),
    ]
    scores = score_objects(rows)
    precision, recall = 4 / 7, 4 / 6
    assert value(scores, "affordance_all") == 1 / 3
    assert value(scores, "affordance_all_strict") == 1 / 4
    assert value(scores, "affordance_any") == 2 / 3
    assert value(scores, "affordance_precision") == pytest.approx(precision)
    assert value(scores, "affordance_recall") == pytest.approx(recall)
    f1 = 2 * precision * recall / (precision + recall)
    assert value(scores, "affordance_f1") == pytest.approx(f1)
    assert value(scores, "affordance_coverage") == 3 / 4
    assert {s.metric for s in scores} <= set(metric_names())


def test_a_confusion_matrix_counts_every_answer_once() -> None:
    rows = property_rows(noisy(5), objects=12)
    answered = [row for row in rows if row.state in ("correct", "incorrect")]
    matrices = confusions(rows)
    assert {m.group for m in matrices} == {"WEIGHT", "CAPACITY"}
    assert sum(sum(map(sum, m.counts)) for m in matrices) == len(answered)
    diagonal = sum(m.counts[i][i] for m in matrices for i in range(len(m.names)))
    assert diagonal == sum(row.state == "correct" for row in rows)
    for matrix in matrices:
        assert matrix.names == PROPERTIES[matrix.group]
        for counts, shares in zip(matrix.counts, matrix.shares, strict=True):
            assert sum(shares) == pytest.approx(1.0 if sum(counts) else 0.0)


def test_models_are_compared_by_objects_and_not_by_pictures() -> None:
    """Five objects of which one model alone is right, in two views each: five signs, not ten."""

    def says(known: int) -> Says:
        return lambda n, topic, view: truth_of(n if n < known else n + 1, topic)

    rows = property_rows(says(8), model="a", objects=8, topics=("WEIGHT",))
    rows += property_rows(says(3), model="b", objects=8, topics=("WEIGHT",))
    (test,) = compare_models(rows)
    assert (test.pairs, test.only_first, test.only_second) == (8, 5 * len(VIEWS), 0)
    assert test.p == pytest.approx(2 / 2**5)
    assert test.low < test.difference == 5 / 8 < test.high

"""Scores of how runs looked around: counted by hand for two runs."""

import pytest

from pactwin.compare import score_kinds
from pactwin.suite import opaque_id
from pactwin.tasks import AnswerState, UseRow

SIMILAR = (("mug", "handle"), ("jar", "lid"), ("fork", "tines"))


def run(number: int, trace: tuple[tuple[str, ...], ...], entity: str, part: str) -> UseRow:
    gold = (entity, part) == ("fork", "handle")
    id = opaque_id(f"exploring:{number}")
    return UseRow(
        question_id=id, scene_id=id, pair_id=id, sample_id=id, domain="low", view="joint",
        form="open", gold_entity="fork", gold_part="handle", candidates=("fork", "mug", "jar"),
        similar=SIMILAR, state=AnswerState.CORRECT if gold else AnswerState.INCORRECT,
        entity=entity, part=part, found_entity=entity, found_part=part,
        relation="gold" if gold else "not similar", trace=trace,
        explored=tuple(one[0] for one in trace if len(one) == 1), model="m",
        strategy="inspect-last", suite_name="s", suite_hash="0" * 64, calls=len(trace) + 1,
    )  # fmt: skip


def test_what_was_inspected_is_counted_as_by_hand() -> None:
    first = run(
        0,
        (("mug",), (), ("mug", "handle"), ("mug", "handle"), ("fork",), ("fork", "handle"),
         ("fork", "tines")),
        "fork", "handle",
    )  # fmt: skip
    second = run(1, (("mug",), ("mug", "body"), ("can",)), "mug", "body")
    scores = {s.metric: s.value for s in score_kinds([first, second]) if s.is_pooled}
    expected = {
        "parts_explored": (3 + 1) / 2,
        "parts_repeated": 1 / 2,
        "part_looked_first_right": 1.0,
        "part_looked_first_wrong": 0.0,
        "density_things": (1.0 + 1 / 2) / 2,
        "density_parts": (1.0 + 0.0) / 2,
        "progress_gold_thing": 5 / 8,
        "progress_gold_part": 6 / 8,
        "progress_similar_thing": (1 / 8 + 1 / 4) / 2,
        "progress_similar_part": (3 / 8 + 7 / 8) / 2,
        "turns": (8 + 4) / 2,
    }
    for metric, value in expected.items():
        assert scores[f"creative_{metric}"] == pytest.approx(value), metric


def test_runs_that_inspect_nothing_have_no_such_scores() -> None:
    row = run(0, (), "fork", "handle").model_copy(update={"strategy": "direct"})
    scores = {s.metric for s in score_kinds([row])}
    assert "creative_gold" in scores and "creative_density_parts" not in scores

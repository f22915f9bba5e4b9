"""PhysTool-Bench's own rules, faults included, against counts made by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
from phystool_data import write

from pactwin.suite import Suite
from pactwin.tasks import import_published
from pactwin.tasks.published.phystool.scoring import (
    Query,
    listed,
    plan_scores,
    queries_of,
    recognition_scores,
)

WRENCH = Query("q", 1, tools=("adjustable wrench", "bolts"), steps=(1, 2),
               matches={"wrench": "adjustable wrench"})  # fmt: skip
SHADOWED = replace(WRENCH, matches={"bolts": "box of nails"})


def of(query: Query) -> dict[str, Query]:
    return {"q_slot_1": query}


def value(query: Query, reply: str, metric: str) -> float | None:
    return plan_scores(of(query), [("q_slot_1", reply)])[metric][0]


@pytest.mark.parametrize(
    ("query", "reply", "metric", "expected"),
    [
        # A cached match takes the tool from its own name.
        (WRENCH, "wrench, adjustable wrench, bolt", "precision", 2 / 3),
        (WRENCH, "wrench, adjustable wrench, bolt", "recall", 1.0),
        (WRENCH, "wrench, adjustable wrench, bolt", "SR@1", 1.0),
        (WRENCH, "wrench, adjustable wrench, bolt", "SR@2", 0.0),
        # A match with what is no tool stands in the way of the equal name.
        (SHADOWED, "adjustable wrench, bolts", "recall", 1 / 2),
        (replace(WRENCH, matches={}), "adjustable wrench, bolts", "recall", 1.0),
        # Blanks after the last full stop are nothing, and tools named twice are forgiven.
        (WRENCH, "adjustable wrench, bolts. \n", "exact match", 1.0),
        (WRENCH, "Wrench, wrench, bolts.", "exact match", 1.0),
        # Numbering and newlines survive.
        (WRENCH, "1. wrench\n2. bolts", "recall", 0.0),
        # A tool needed twice can never be had in full.
        (Query("q", 1, tools=("saw", "saw"), steps=(1, 2)), "saw, saw", "recall", 0.5),
    ],
)
def test_plans_count_as_published(query: Query, reply: str, metric: str, expected: float) -> None:
    assert value(query, reply, metric) == expected


def test_items_without_a_name_are_none() -> None:
    assert listed("saw, , knife,") == ["saw", "knife"] and listed(" , ") == []


def test_prefixes_leave_out_what_is_short_or_has_no_order() -> None:
    two = plan_scores(of(WRENCH), [("q_slot_1", "wrench, bolts")])
    assert two["SR@2"] == (1.0, 1) and two["SR@3"] == (None, 0)
    free = Query("q", 1, tools=("saw", "file"), steps=(2, 1), ordered=False)
    found = plan_scores(of(free), [("q_slot_1", "file, saw")])
    assert found["exact match"] == (1.0, 1)
    assert found["SR@1"] == found["pairwise order, of all pairs"] == (None, 0)


@pytest.mark.parametrize(
    ("item", "fuzzy", "string"),
    [("saw", 1, 0), ("a", 1, 0), ("hacksaws", 1, 1), ("hack saw", 1, 1), ("spoon", 0, 0)],
)
def test_parts_of_names_match_as_published(item: str, fuzzy: float, string: float) -> None:
    queries = of(Query("q", 1, shown=("hacksaw",)))
    for method, right in (("fuzzy", fuzzy), ("string", string)):
        found = recognition_scores(queries, [("q_slot_1", [item])], method)
        assert found["precision"][0] == right


def test_a_word_of_two_tools_means_neither() -> None:
    queries = of(Query("q", 1, shown=("pipe wrench", "socket wrench")))
    found = recognition_scores(queries, [("q_slot_1", ["wrench", "wrench pipe"])], "string")
    assert found["precision"] == (0.5, 1)


def test_both_scenes_of_a_combination_meet_the_later_ones_tools(tmp_path: Path) -> None:
    import_published("phystool", write(tmp_path / "data"), tmp_path / "suite")
    queries = queries_of(Suite.open(tmp_path / "suite").questions())
    said = ["Claw hammer", "Spirit level", "Drill", "Screwdriver", "Saw"]  # all of the first
    found = recognition_scores(queries, [("q1_slot_1", said)], "string")
    assert found["recall"] == (3 / 4, 1) and found["precision"] == (3 / 5, 1)

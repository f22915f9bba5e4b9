"""Importing PhysTool-Bench: every query is asked or accounted for, nothing outside is read."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from phystool_data import WHOLE, write

from pactwin.suite import InvalidInputError, Suite, check_suite
from pactwin.tasks import import_published, import_report_path
from pactwin.tasks.published.issues import IssueKind
from pactwin.tasks.published.phystool.scoring import (
    Query,
    plan_scores,
    queries_of,
    recognition_scores,
)


def test_every_query_asks_three_questions(tmp_path: Path) -> None:
    info, report = import_published("phystool", write(tmp_path / "data"), tmp_path / "suite")
    assert report.issues == ()
    assert check_suite(tmp_path / "suite") == []
    suite = Suite.open(tmp_path / "suite")
    questions = list(suite.questions())
    assert (info.counts["scenes"], info.counts["views"]) == (3, 3)
    kinds = Counter(question.kind for question in questions)
    assert kinds == {"recognition": 3, "plan": 3, "named_plan": 3}
    by = {(q.topic, q.kind): q for q in questions}
    assert {topic for topic, _ in by} == {"q1_slot_1", "q1_slot_2", "7_slot_0"}
    for query in WHOLE:
        key = f"{query['id']}_slot_{query.get('slot', 0)}"
        everything = by[key, "recognition"]
        assert list(everything.accepted) == query["shuffled_available_tools"]
        for name in everything.accepted:  # the names are told only where they should be
            assert name not in everything.text and name not in by[key, "plan"].text
            assert name in by[key, "named_plan"].text
        plan = by[key, "plan"]
        assert list(plan.steps) == query["refined_taxonomy"]["target_steps"]
        assert plan.order_free is not query["ordered"]
        assert (by[key, "named_plan"].views, len(plan.views)) == ((), 1)
    assert by["q1_slot_1", "plan"].synonyms == {"power drill": "Drill", "Level": "Spirit level"}


def test_every_fault_is_named_and_nothing_else_lost(tmp_path: Path) -> None:
    queries = json.loads(json.dumps(WHOLE))
    names = ["hammer", "plane, small", "hammer"]
    queries += [
        WHOLE[0],  # the same id and slot again
        {**WHOLE[0], "id": "steps", "refined_taxonomy":
            {**WHOLE[0]["refined_taxonomy"], "target_steps": [1, 3, 3]}},
        {**WHOLE[0], "id": "odd", "shuffled_available_tools": ["hammer", "saw"],
         "refined_taxonomy": {"target_tools": names, "target_steps": [1, 2, 3],
                              "negative_tools": ["saw"]}},
        {"id": "bad"},
    ]  # fmt: skip
    root = write(tmp_path / "data", [q for q in queries if "task_instruct" in q])
    (root / "corrected_tools.json").write_text(json.dumps(queries))
    pictures = json.loads((root / "generation_checkpoint.json").read_text())
    pictures[0]["image_path"] = "../secret.png"
    (tmp_path / "secret.png").write_bytes((root / "images/0.png").read_bytes())
    pictures[1]["image_path"] = "./images/gone.png"
    pictures[2] |= {"task_instruct": "Something else"}
    (root / "images/2.png").write_bytes(b"no picture")
    pictures = [p for p in pictures if p["original_id"] != "odd"]
    pictures.append({**pictures[0], "original_id": "nobody"})
    (root / "generation_checkpoint.json").write_text(json.dumps(pictures))
    matches = {"q1_slot_1": {"thing": "spoon"}, "nobody_slot_1": {"a": "b"}}
    (root / "final_matching_info.json").write_text(json.dumps(matches))

    info, report = import_published("phystool", root, tmp_path / "suite")
    found = {(issue.kind, issue.id, issue.lost) for issue in report.issues}
    assert found == {
        (IssueKind.REPEATED_ID, "q1_slot_1", True),
        (IssueKind.BAD_STEPS, "steps_slot_1", True),
        (IssueKind.BAD_RECORD, "", True),
        (IssueKind.REPEATED_TARGET, "odd_slot_1", False),
        (IssueKind.COMMA, "odd_slot_1", False),
        (IssueKind.NOT_SHOWN, "odd_slot_1", False),
        (IssueKind.NO_PICTURE, "odd_slot_1", False),
        (IssueKind.NO_PICTURE, "q1_slot_1", False),
        (IssueKind.NO_PICTURE, "q1_slot_2", False),
        (IssueKind.BROKEN_PICTURE, "7_slot_0", False),
        (IssueKind.OTHER_TEXT, "7_slot_0", False),
        (IssueKind.UNKNOWN_ID, "nobody_slot_1", True),
        (IssueKind.REPEATED_ID, "q1_slot_1", True),
        (IssueKind.UNKNOWN_ID, "steps_slot_1", True),
        (IssueKind.UNKNOWN_MATCH, "q1_slot_1", False),
        (IssueKind.UNKNOWN_ID, "nobody_slot_1", True),
    }
    assert info.counts["scenes"] == 4 and info.counts["views"] == 0
    for count in report.files.values():
        assert count.used + count.skipped == count.rows
    assert check_suite(tmp_path / "suite") == []
    written = json.loads(import_report_path(tmp_path / "suite").read_text())
    assert len(written["issues"]) == len(report.issues)


@pytest.mark.parametrize(
    ("name", "content"),
    [("corrected_tools.json", "{"), ("corrected_tools.json", "{}"),
     ("generation_checkpoint.json", "[" * 5000), ("final_matching_info.json", "[1]")],
)  # fmt: skip
def test_what_is_no_such_file_is_one_line(tmp_path: Path, name: str, content: str) -> None:
    root = write(tmp_path / "data")
    (root / name).write_text(content)
    with pytest.raises(InvalidInputError, match=name) as error:
        import_published("phystool", root, tmp_path / "suite")
    assert "\n" not in str(error.value)


def test_no_link_is_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "data")
    picture = root / "images" / "0.png"
    picture.rename(tmp_path / "other.png")
    picture.symlink_to(tmp_path / "other.png")
    info, report = import_published("phystool", root, tmp_path / "suite")
    assert info.counts["views"] == 2
    assert IssueKind.NO_PICTURE in {issue.kind for issue in report.issues}


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

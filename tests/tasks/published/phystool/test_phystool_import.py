"""Importing PhysTool-Bench: every query is asked or accounted for, nothing outside is read."""

import json
from collections import Counter
from pathlib import Path

import pytest
from phystool_data import WHOLE, write

from pactwin.suite import InvalidInputError, Suite, check_suite
from pactwin.tasks import import_published, import_report_path
from pactwin.tasks.published.issues import IssueKind


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


def test_no_number_and_no_name_of_a_file_stops_the_import(tmp_path: Path) -> None:
    """A step of 10**9 took all memory, a name that no file can have ended in a traceback."""
    root = write(tmp_path / "data")
    queries = json.loads((root / "corrected_tools.json").read_text())
    queries[2]["refined_taxonomy"]["target_steps"] = [10**9, 1]
    (root / "corrected_tools.json").write_text(json.dumps(queries))
    pictures = json.loads((root / "generation_checkpoint.json").read_text())
    pictures[0]["image_path"] = "images/a\0b.png"
    pictures[1]["image_path"] = "images/" + 5000 * "a"
    (root / "generation_checkpoint.json").write_text(json.dumps(pictures))
    info, report = import_published("phystool", root, tmp_path / "suite")
    assert (info.counts["scenes"], info.counts["views"]) == (2, 0)
    found = {(issue.kind, issue.id) for issue in report.issues}
    assert (IssueKind.NO_PICTURE, "q1_slot_1") in found
    assert (IssueKind.NO_PICTURE, "q1_slot_2") in found
    assert (IssueKind.BAD_RECORD, "") in found


def test_no_link_is_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "data")
    picture = root / "images" / "0.png"
    picture.rename(tmp_path / "other.png")
    picture.symlink_to(tmp_path / "other.png")
    info, report = import_published("phystool", root, tmp_path / "suite")
    assert info.counts["views"] == 2
    assert IssueKind.NO_PICTURE in {issue.kind for issue in report.issues}

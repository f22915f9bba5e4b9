"""Importing CreativityBench: what is meant is not given away, what is odd is said."""

import json
from pathlib import Path

import pytest
from creativity_data import TASK, again, write

from pactwin.suite import InvalidInputError, Question, Suite, check_suite
from pactwin.tasks import import_published
from pactwin.tasks.core.asking import question_text
from pactwin.tasks.kinds.part.matching import choose, relation, same_name
from pactwin.tasks.published.creativitybench.scoring import published_answer, published_match
from pactwin.tasks.published.issues import IssueKind


def imported(tmp_path: Path, tasks: list[dict] | None = None) -> tuple[list[Question], set]:
    _, report = import_published(
        "creativitybench", write(tmp_path / "data", tasks), tmp_path / "suite"
    )
    assert check_suite(tmp_path / "suite") == []
    issues = {(issue.kind, issue.id, issue.lost) for issue in report.issues}
    for count in report.files.values():
        assert count.used + count.skipped == count.rows
    return list(Suite.open(tmp_path / "suite").questions()), issues


def test_parts_are_told_apart_and_the_mark_is_taken_out(tmp_path: Path) -> None:
    (question, *_), issues = imported(tmp_path)
    parts = {thing.name: list(thing.parts) for thing in question.candidates}
    assert parts == {
        "wooden rolling pin 2": ["roller", "handles"],
        "steel soup ladle 3": ["ladle_bowl", "long_handle"],
        "ball of dough": [],
    }
    assert question.accepted == ("steel soup ladle 3", "ladle_bowl")
    ladle = question.candidates[1]
    assert ladle.parts["ladle_bowl"].startswith("physical") and "flat bar" not in str(
        ladle.parts["ladle_bowl"]
    )
    text = question_text(question)
    assert (
        "gold" not in text and "dent" in text and TASK["solution"]["apply_affordance"] not in text
    )
    assert {kind for kind, _, _ in issues} == {IssueKind.TAGGED}


def test_where_the_meant_thing_stands_in_the_text_says_nothing(tmp_path: Path) -> None:
    tasks = [again(f"task {n}") for n in range(60)]
    for task in tasks:
        task["entities"].reverse()  # as published, it comes first
    questions, issues = imported(tmp_path, tasks)
    assert (IssueKind.GOLD_FIRST, "task 7", False) in issues
    first = 0
    for question in questions:
        text = question_text(question)
        places = [text.index(f"\n{thing.name}:") for thing in question.candidates]
        first += places[0] == min(places)
    assert 8 < first < 32  # a third of 60


def test_every_fault_is_named(tmp_path: Path) -> None:
    gold = TASK["golds"][0]
    yarn = {**gold["gold_affordance"], "use_condition": "Expose two turned grips",
            "attribute": [["features: turned grips", "physical"]]}  # fmt: skip
    tasks = [
        again("whole"),
        again("whole"),
        again("no thing", golds=[{**gold, "gold_entity": "spoon"}]),
        again("no part", golds=[{**gold, "gold_part": "lid"}]),
        again("other", golds=[{**gold, "gold_affordance": yarn}]),
        again("text", environment="There is the copper kettle 4, and the steel soup ladle 3."),
        again("twice", entities=[*TASK["entities"], TASK["entities"][0]]),
        again("blank", golds=[{**gold, "gold_affordance": {**gold["gold_affordance"],
                                                           "use_condition": ""}}]),
        {"task_id": "bad"},
    ]  # fmt: skip
    _, issues = imported(tmp_path, tasks)
    assert {issue for issue in issues if issue[0] is not IssueKind.TAGGED} == {
        (IssueKind.REPEATED_ID, "whole", True),
        (IssueKind.NO_GOLD_ENTITY, "no thing", True),
        (IssueKind.NO_GOLD_PART, "no part", True),
        (IssueKind.OTHER_PART, "other", False),
        (IssueKind.ABSENT_NAMED, "text", False),
        (IssueKind.NOT_NAMED, "text", False),
        (IssueKind.REPEATED_ENTITY, "twice", True),
        (IssueKind.NO_CONDITION, "blank", False),
        (IssueKind.BAD_RECORD, "", True),
    }


def test_what_is_no_task_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"no \*\.json"):
        import_published("creativitybench", tmp_path, tmp_path / "suite")
    (tmp_path / "x.json").write_text(json.dumps({"a": 1}))
    with pytest.raises(InvalidInputError, match=r"x\.json is not a JSON list"):
        import_published("creativitybench", tmp_path, tmp_path / "suite")


LADLE, PIN = "steel soup ladle 3", "wooden rolling pin 2"


@pytest.fixture
def question(tmp_path: Path) -> Question:
    import_published("creativitybench", write(tmp_path / "data"), tmp_path / "suite")
    return next(iter(Suite.open(tmp_path / "suite").questions()))


@pytest.mark.parametrize(
    ("entity", "part", "ours", "published"),
    [
        (LADLE, "ladle_bowl", "gold", (True, True, "gold")),
        ("Steel Soup Ladle", "Ladle bowl", "gold", (True, False, "not similar")),
        (PIN, "roller", "similar-2", (False, False, "similar-2")),
        (PIN, "ladle_bowl", "hallucination", (False, True, "similar-2")),
        # Nothing in common is given to the first thing, whatever that is.
        ("spoon", "roller", "hallucination", (False, False, "similar-2")),
        ("ladle", "ladle_bowl", "hallucination", (True, True, "gold")),
        ("", "", "hallucination", (False, False, "similar-2")),
    ],
)
def test_a_choice_counts_as_it_should_and_as_published(question, entity, part, ours, published):
    assert relation(question, *choose(question, entity, part)) == ours
    assert published_match(question, entity, part) == published


def test_a_name_of_two_things_is_neither() -> None:
    assert same_name("mug", ["mug 1", "cup 2"]) == "mug 1"
    assert same_name("mug", ["mug 1", "mug 2"]) == ""


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (
            'So:\n{"entity": " mug ", "part": "lid", "use": "I do."}',
            (" mug ", "lid"),
        ),  # blanks stay
        ('{"gold_entity": "mug", "gold_part": "lid", "how_to_use": "I do."}', ("mug", "lid")),
        ('{"entity": "", "part": "lid", "use": "I do."}', ("", "lid")),
        ('{"entity": "mug", "part": 3, "use": "I do."}', ("mug", "3")),
        ('{"entity": "mug", "part": "lid", "use": ""}', None),  # their judge ends in an error
        ('{"entity": "mug", "part": "lid"}', None),
        ('{"entity": " ", "part": "", "use": " "}', None),
        ('{"entity": 3, "part": "lid", "use": "I do."}', None),
        ('Of {these}: {"entity": "mug", "part": "lid", "use": "I do."}', None),
        ("I cannot help with that.", None),
        ("{" * 20_000, None),
    ],
)
def test_a_reply_is_read_as_published(reply: str, answer: tuple[str, str] | None) -> None:
    assert published_answer(reply) == answer

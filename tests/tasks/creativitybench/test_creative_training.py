"""Rows to train on: three replies a turn, no guidance in preferences, nothing shared with tests."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_things import write_inspected

from pactwin.policies import parse_part_choice
from pactwin.suite import InvalidInputError, Question, Suite
from pactwin.tasks import export_training
from pactwin.tasks.creativitybench.matching import choose
from pactwin.tasks.creativitybench.training.branches import Branches, branches, relevant
from pactwin.tasks.creativitybench.training.rows import require_apart


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_inspected(tmp_path_factory.mktemp("training") / "suite")


@pytest.fixture(scope="module")
def questions(suite: Path) -> list[Question]:
    return list(Suite.open(suite).questions())


@pytest.fixture(scope="module")
def rows(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    out = tmp_path_factory.mktemp("rows") / "out"
    counts = export_training(suite, None, out, 0)
    found = {
        name: [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]
        for name in counts
    }
    assert {name: len(lines) for name, lines in found.items()} == counts
    for lines in found.values():
        assert all((out / image).is_file() for row in lines for image in row["images"])
    return found


def turns(question: Question) -> list[Branches]:
    return list(branches(question, np.random.default_rng(7)))


def test_the_guided_branch_visits_all_that_is_relevant_and_answers(
    questions: list[Question],
) -> None:
    for question in questions:
        made = turns(question)
        said = [parse_part_choice(turn.guided) for turn in made]
        assert (said[-1].entity, said[-1].part) == question.accepted
        visited = {(s.explore, s.explore_part) for s in said[:-1] if s.explore_part}
        parts = relevant(question)
        assert visited == {(name, part) for name, own in parts.items() for part in own}
        assert {s.explore for s in said[:-1]} == set(parts)
        assert len(said) == 1 + len(parts) + len(visited)


def test_no_other_branch_is_right_or_like_the_guided_one(questions: list[Question]) -> None:
    for question in questions:
        for turn in turns(question):
            assert len({turn.guided, turn.natural, turn.ungrounded}) == 3
            for reply in (turn.natural, turn.ungrounded):
                said = parse_part_choice(reply)
                assert said.problem is None
                assert choose(question, said.entity, said.part) != question.accepted
            assert parse_part_choice(turn.ungrounded).entity


def test_contexts_of_preferences_hold_neither_answer_nor_guidance(
    questions: list[Question], rows: dict[str, list[dict[str, Any]]]
) -> None:
    truths = [line for q in questions for line in q.rationale.splitlines()]
    reasons = {turn.guided.partition("\n")[0] for q in questions for turn in turns(q)}
    assert rows["dpo.trl"] and rows["dpo.lf"]
    for row in rows["dpo.trl"]:
        told = [b["text"] for m in row["prompt"] for b in m["content"] if b["text"]]
        for text in told:
            assert not any(line in text for line in truths)
            assert not any(reason in text for reason in reasons)
        replies = [m["content"][-1]["text"] for m in row["prompt"] if m["role"] == "assistant"]
        assert all(json.loads(reply)["action"].startswith("inspect_") for reply in replies)
    guided = [b["text"] for row in rows["sft.trl"] for m in row["prompt"] for b in m["content"]]
    assert any(reason in str(text) for text in guided for reason in reasons)  # would be seen


def test_pictures_stand_where_they_are_shown(rows: dict[str, list[dict[str, Any]]]) -> None:
    for name in ("sft.trl", "dpo.trl"):
        for row in rows[name]:
            blocks = [b for m in row["prompt"] for b in m["content"]]
            assert sum(b["type"] == "image" for b in blocks) == len(row["images"]) <= 2
            assert row["prompt"][0]["content"][0]["type"] == "image"
    for name in ("sft.lf", "dpo.lf"):
        for row in rows[name]:
            text = "".join(m["content"] for m in row["messages"])
            assert text.count("<image>") == len(row["images"])
    assert len(rows["dpo.trl"]) == 2 * len(rows["sft.trl"])


def test_what_both_suites_have_is_named(questions: list[Question], suite: Path) -> None:
    with pytest.raises(InvalidInputError, match="is in both suites"):
        export_training(suite, suite, suite.parent / "shared", 0)
    first, second = questions
    names = {thing.name for thing in first.candidates}
    apart = tuple(thing for thing in second.candidates if thing.name not in names)
    require_apart([first], [second.model_copy(update={"candidates": apart})])
    if names & {thing.name for thing in second.candidates}:
        with pytest.raises(InvalidInputError, match="is in both suites"):
            require_apart([first], [second])


def test_a_suite_without_pictures_is_refused(tmp_path: Path) -> None:
    words = write_inspected(tmp_path / "words", pictures=False)
    with pytest.raises(InvalidInputError, match="no pictured questions"):
        export_training(words, None, tmp_path / "out", 0)

"""Inspecting turn by turn: what is in view under each condition, mistakes, budget, resuming."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from inspecting import asked_question, entity, final, ours, part, said, shown
from known_things import write_inspected
from openai_server import OpenAIServer, Reply, openai_server

from pactwin.catalogue import ENVIRONMENT
from pactwin.suite import InvalidInputError, Question, Suite, check_suite
from pactwin.tasks import AnswerState, UseRow, read_rows

MODEL = "openai-api/local/inspector"
GONE = "no longer shown"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_inspected(tmp_path_factory.mktemp("inspected") / "suite")


@pytest.fixture(scope="module")
def question(suite: Path) -> Question:
    return next(iter(Suite.open(suite).questions()))


def ask(
    suite: Path,
    tmp_path: Path,
    answer: Callable[[dict[str, Any]], Reply],
    strategy: str = "inspect-last",
    limit: int | None = 1,
) -> tuple[list[UseRow], OpenAIServer]:
    with openai_server(answer) as server:
        logs = evaluate(suite, [MODEL], log_dir=tmp_path / "logs", strategy=strategy, limit=limit)
    return [row for row in read_rows(logs) if isinstance(row, UseRow)], server


def test_a_suite_is_what_it_says_it_is(suite: Path, question: Question) -> None:
    assert check_suite(suite) == []
    for q in Suite.open(suite).questions():
        for thing in q.candidates:
            assert set(thing.unseen) == set(thing.parts) and thing.view in q.views
            for name, text in thing.unseen.items():
                assert ("mm long" in text) == (name not in thing.part_views)
    bare = [t for q in Suite.open(suite).questions() for t in q.candidates
            if set(t.part_views) != set(t.parts)]  # fmt: skip
    assert len(bare) == 2  # the last part of each scene has no picture, and is told whole


@pytest.mark.parametrize("strategy", ["inspect-last", "inspect-all", "inspect-text"])
def test_what_is_in_view_turn_by_turn(strategy: str, suite: Path, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        q = asked_question(suite, body)
        thing = next(t for t in q.candidates if t.name == q.accepted[0])
        script = [entity(thing.name.upper()), part(q.accepted[1], thing.name), final(q)]
        return Reply(script[len(ours(body)) - 1])

    (row,), server = ask(suite, tmp_path, answer, strategy)
    question = asked_question(suite, server.requests[0])
    thing = next(t for t in question.candidates if t.name == question.accepted[0])
    piece = question.accepted[1]
    assert (row.state, row.relation, row.use) == (AnswerState.CORRECT, "gold", "as a lever")
    assert row.trace == ((thing.name,), (thing.name, piece)) and row.explored == (thing.name,)
    whole, one, zoom = [ENVIRONMENT], [thing.view], [thing.part_views[piece]]
    last = server.requests[-1]
    expected = {
        "inspect-last": [[whole], [whole, one], [whole, [], zoom]],
        "inspect-all": [[whole], [whole, one], [whole, one, zoom]],
        "inspect-text": [[[]], [[], []], [[], [], []]],
    }
    assert [shown(suite, body) for body in server.requests] == expected[strategy]
    texts = said(last)
    assert all(f"- {t.name}" in texts[0] for t in question.candidates)
    assert thing.unseen[piece] not in texts[0] and piece in texts[1]
    assert thing.unseen[piece] in texts[2] and "mm long" not in "".join(texts[1:])
    assert (GONE in texts[1]) == (strategy == "inspect-last")
    assert [f"Replies left: {n}" in t for n, t in zip((50, 49, 48), texts, strict=True)]
    assert row.calls == len(server.requests) == 3


def test_mistakes_are_corrected_and_cost_a_turn(suite: Path, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> Reply:
        q = asked_question(suite, body)
        name = q.accepted[0]
        script = [
            "Where am I?",
            entity("unicorn"),
            part("horn", name),
            json.dumps({"action": "inspect_part", "entity": name}),
            entity(name),
            entity(name),
            part(q.accepted[1], name),
            final(q),
        ]
        return Reply(script[len(ours(body)) - 1])

    (row,), server = ask(suite, tmp_path, answer)
    name, piece = asked_question(suite, server.requests[0]).accepted
    assert row.trace == ((), (), (), (), (name,), (name,), (name, piece))
    assert row.state is AnswerState.CORRECT and row.calls == 8
    texts = said(server.requests[-1])
    assert "could not be read" in texts[1] and "could not be read" in texts[4]
    assert 'no thing called "unicorn"' in texts[2] and 'no part called "horn"' in texts[3]
    views = shown(suite, server.requests[5])
    assert views[0] == [ENVIRONMENT] and views[1:5] == [[], [], [], []] and len(views[5]) == 1


def test_without_pictures_there_is_nothing_to_inspect_but_words(tmp_path: Path) -> None:
    words = write_inspected(tmp_path / "words", pictures=False)
    with pytest.raises(InvalidInputError, match="no pictures to inspect"):
        evaluate(words, ["pactwin/oracle"], log_dir=tmp_path / "logs", strategy="inspect-last")

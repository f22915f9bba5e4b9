"""Asking about objects the whole way: tasks, baselines, strategies, logs."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from fake_objects import CAMERAS, make_fake_objects
from inspect_ai.model import ModelOutput
from marking import marked
from openai_server import Reply, openai_server

from pactwin.suite import InvalidInputError, Question, Suite
from pactwin.tasks import (
    AnswerState,
    ObjectRow,
    pac_affordances,
    pac_properties,
    read_answers,
    read_rows,
)

MODEL = "openai-api/local/vlm"
MODELS = ["pactwin/oracle", "pactwin/random", "pactwin/blind"]


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_fake_objects(
        tmp_path_factory.mktemp("objects") / "suite", ["mug", "hammer", "apple"], CAMERAS[:3]
    )


@pytest.fixture(scope="module")
def logs(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return evaluate(suite, MODELS, log_dir=tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def rows(logs: list[Path]) -> list[ObjectRow]:
    rows = read_rows(logs)
    return [row for row in rows if isinstance(row, ObjectRow)]


@pytest.mark.slow
def test_every_kind_is_asked_of_every_model_in_every_view(suite, logs, rows):
    expected: Counter[tuple[str, str]] = Counter()
    for question in Suite.open(suite).questions():
        expected.update({(question.kind, model): len(question.views) for model in MODELS})
    assert Counter((row.kind, row.model) for row in rows) == expected
    assert len(logs) == 2 * len(MODELS)
    assert {row.state for row in rows} == {AnswerState.CORRECT, AnswerState.INCORRECT}
    with pytest.raises(InvalidInputError, match="answers about a property"):
        read_answers(logs)


def test_the_oracle_is_always_right(rows: list[ObjectRow]) -> None:
    mine = [row for row in rows if row.model == "pactwin/oracle"]
    assert {row.state for row in mine} == {AnswerState.CORRECT}
    for row in mine:
        if row.kind == "property":
            assert (row.said, row.topic != "") == (row.truth, True)
        else:
            assert set(row.covered) == set(row.accepted)
            assert len(row.right) == len(row.items)


@pytest.mark.parametrize("name", ["always-no", "always-yes"])
def test_baselines_without_an_answer_are_refused(name: str, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="kind property: use pactwin/random") as error:
        evaluate(suite, [f"pactwin/{name}"], log_dir=tmp_path)
    assert "\n" not in str(error.value)


def test_a_kind_and_a_property_can_be_chosen(suite: Path, tmp_path: Path) -> None:
    logs = evaluate(
        suite, ["pactwin/oracle"], log_dir=tmp_path, kind="property", topic="WEIGHT", limit=2
    )
    rows = read_rows(logs)
    assert {row.topic for row in rows if isinstance(row, ObjectRow)} == {"WEIGHT"}
    assert len({row.scene_id for row in rows}) == 2
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"kind": "smell"}, "unknown kind"),
        ({"kind": "constraint"}, "no questions of kind constraint"),
        ({"topic": "SMELL"}, "unknown property"),
        ({"strategy": "verify"}, "the kind property for the strategy 'verify'"),
        ({"strategy": "affordances"}, "only for direct, reason, describe, views"),
    )
    for options, message in refused:
        with pytest.raises(InvalidInputError, match=message):
            evaluate(suite, ["pactwin/oracle"], log_dir=tmp_path, **options)


def test_nothing_that_is_sent_knows_the_answer(suite: Path) -> None:
    for task in (pac_properties(str(suite)), pac_affordances(str(suite))):
        for sample in task.dataset:
            assert not isinstance(sample.input, str)
            text = sample.input[0].text
            assert not any(word in text for word in ("mug", "hammer", "apple", "builtin"))
            question = Question.model_validate((sample.metadata or {})["question"])
            assert question.rationale not in text
            if question.kind == "property":
                assert all(f") {option}" in text for option in question.options)


@pytest.mark.parametrize("strategy", ["reason", "describe", "views"])
def test_strategies_ask_about_objects_in_their_own_words(strategy, suite, tmp_path):
    replies: dict[str, Callable[[bool], str]] = {
        "reason": lambda listing: "It looks so.\n- drink" if listing else "So.\nAnswer: A",
        "describe": lambda listing: "- drink" if listing else "Answer: A",
        "views": lambda listing: "- drink" if listing else "A",
    }

    def answer(body: dict[str, Any]) -> Reply:
        last = body["messages"][-1]["content"]
        text = last if isinstance(last, str) else last[-1]["text"]
        assert "action" not in text
        return Reply(replies[strategy]("categor" not in text))

    with openai_server(answer):
        logs = evaluate(
            suite,
            [MODEL],
            log_dir=tmp_path,
            strategy=strategy,
            views="joint" if strategy == "views" else CAMERAS[0],
            limit=1,
            max_retries=0,
        )
    rows = read_rows(logs)
    assert {row.state for row in rows} <= {AnswerState.CORRECT, AnswerState.INCORRECT}
    kinds = {row.kind for row in rows if isinstance(row, ObjectRow)}
    assert kinds == {"property", "affordance"}


def test_a_judge_is_asked_about_what_is_left(suite: Path, tmp_path: Path) -> None:
    judged = []

    def answer(body: dict[str, Any]) -> Reply:
        content = body["messages"][-1]["content"]
        if body["model"] == "vlm":
            return Reply("- frobnicate\n- wug about")
        text = content if isinstance(content, str) else content[-1]["text"]
        material = json.loads(text[text.index("{") : text.index("}") + 1])
        judged.append(material)
        assert material["found"] == ["frobnicate", "wug about"]
        return Reply(json.dumps({"frobnicate": material["known"][0], "wug about": None}))

    with openai_server(answer):
        logs = evaluate(
            suite, [MODEL], log_dir=tmp_path, kind="affordance", views=CAMERAS[0],
            judge="openai-api/local/judge", max_retries=0,
        )  # fmt: skip
    rows = [row for row in read_rows(logs) if isinstance(row, ObjectRow)]
    assert len(judged) == len(rows) == 3
    for row in rows:
        assert row.covered == row.accepted[:1]
        assert row.right == ("frobnicate",)
        assert row.judged == f"frobnicate = {row.accepted[0]}"


@pytest.fixture(scope="module")
def asked(suite: Path) -> dict[str, Question]:
    return {question.kind: question for question in Suite.open(suite).questions()}


@pytest.mark.parametrize("kind", ["property", "affordance"])
def test_what_stops_short_of_an_answer_is_a_state_of_its_own(kind, asked):
    states = {
        "": AnswerState.UNPARSED,
        "It is a picture.": AnswerState.UNPARSED,
        "<think>A": AnswerState.TRUNCATED,
        "I'm sorry, I can't help with that.": AnswerState.REFUSED,
    }
    for text, state in states.items():
        outcome = marked(asked[kind], ModelOutput.from_content("m", text))
        assert (outcome.state, bool(outcome.reason)) == (state, True), text
    cut = ModelOutput.from_content("m", "A", stop_reason="max_tokens")
    assert marked(asked[kind], cut).state is AnswerState.TRUNCATED
    assert marked(asked[kind], ModelOutput(error="boom")).state is AnswerState.ERROR

"""Reasoning models: what they think is not what they say, and a budget of thought reaches them."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from openai_server import Reply, openai_server

from pactwin.tasks import AnswerRow, AnswerState, read_answers, resolve_model
from pactwin.tasks.running.models import ROOM_TO_THINK

MODEL = "openai-api/local/thinker"
YES, NO = "Yes, I am sure. Answer: yes", "Answer: no. It is too far away."


def ask(suite: Path, log_dir: Path, **options: Any) -> list[AnswerRow]:
    logs = evaluate(
        suite,
        [MODEL],
        views="head",
        form="open",
        limit=1,
        log_dir=log_dir,
        max_retries=0,
        **options,
    )
    return read_answers(logs)


def thinking(thought: str, content: str | None, finish_reason: str = "stop") -> Reply:
    """A completion whose thoughts stand in a field of their own, as servers of open models do."""
    message = {"role": "assistant", "content": content, "reasoning_content": thought}
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    spent = {"reasoning_tokens": 40}
    usage = {"prompt_tokens": 11, "completion_tokens": 47, "completion_tokens_details": spent}
    head = {"id": "1", "object": "chat.completion", "created": 0, "model": "thinker"}
    body = head | {"choices": [choice], "usage": usage | {"total_tokens": 58}}
    return Reply(raw=json.dumps(body).encode())


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        (thinking(YES, NO), AnswerState.INCORRECT),
        (Reply(f"<think>{YES}</think>\n{NO}"), AnswerState.INCORRECT),
        (Reply(f"◁think▷{YES}◁/think▷{NO}"), AnswerState.INCORRECT),
        (thinking(YES, None, "length"), AnswerState.TRUNCATED),
        (thinking(YES, "", "length"), AnswerState.TRUNCATED),
        (Reply(f"<think>{YES}", finish_reason="length"), AnswerState.TRUNCATED),
        (Reply(f"<think>{YES}"), AnswerState.TRUNCATED),
        (thinking(YES, ""), AnswerState.UNPARSED),
    ],
)
def test_thoughts_are_no_answer(reply, state, fake_suite_path, tmp_path):
    """The thought says yes, which is never what ends up as the answer."""
    with openai_server(lambda body: reply):
        rows = ask(fake_suite_path, tmp_path)
    answered = state is AnswerState.INCORRECT
    for row in rows:
        right = AnswerState.CORRECT if row.truth_constraint == "out_of_reach" else state
        assert row.state is (right if answered else state)
        assert row.predicted_feasible is (False if answered else None)


def test_hidden_thoughts_are_counted_and_not_put_into_its_mouth(fake_suite_path, tmp_path):
    with openai_server(lambda body: thinking(YES, NO)) as server:
        rows = ask(fake_suite_path, tmp_path, strategy="describe")
    assert {row.tokens_out for row in rows} == {2 * 47}
    second = [body for body in server.requests if len(body["messages"]) > 1]
    assert len(second) == 2
    for body in second:
        message = body["messages"][1]
        assert message["role"] == "assistant"
        assert message["content"].strip() == NO


def test_a_budget_of_thought_is_passed_on(fake_suite_path: Path, tmp_path: Path) -> None:
    with openai_server(lambda body: Reply(NO)) as server:
        command = ["eval", str(fake_suite_path), "--model", MODEL, "--log-dir", str(tmp_path)]
        asked = ["--limit", "1", "--views", "head", "--form", "open"]
        budget = ["--reasoning-effort", "low", "--max-tokens", "30000"]
        invoke(*command, *asked, *budget)
    assert len(server.requests) == 2
    for body in server.requests:
        assert body["reasoning_effort"] == "low"
        assert 30000 in (body.get("max_tokens"), body.get("max_completion_tokens"))


def test_no_limit_is_sent_unless_one_is_given(fake_suite_path: Path, tmp_path: Path) -> None:
    with openai_server(lambda body: Reply(NO)) as server:
        ask(fake_suite_path, tmp_path)
    for body in server.requests:
        assert not {"max_tokens", "max_completion_tokens", "reasoning_effort"} & body.keys()


def test_a_small_default_of_a_provider_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOGETHER_API_KEY", "planted-key")
    model = resolve_model("together/someone/thinker")
    default = model.api.max_tokens()
    assert default is not None
    assert default < ROOM_TO_THINK == model.config.max_tokens

"""Providers of all kinds: faults with HTTP 200, answers of any characters, thoughts, keys."""

import json
import threading
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.compare import compare_logs
from pactwin.tasks import AnswerState, read_answers, resolve_model
from pactwin.tasks.running.models import ROOM_TO_THINK

pytestmark = pytest.mark.slow

MODEL = "openai-api/local/vlm"


def error_body(code: int | str, message: str, *, in_choice: bool = False) -> Reply:
    error = {"error": {"code": code, "message": message}}
    choice = {"index": 0, "finish_reason": "error", "message": {"content": ""}, **error}
    body = {"choices": [choice]} if in_choice else error
    return Reply(raw=json.dumps({"id": "1", "object": "chat.completion", **body}).encode())


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", "planted-key-3f9c1d")


def ask(suite: Path, folder: Path, answer: Callable[[dict], Reply], **options: Any):
    asked: dict[str, Any] = {"views": "head", "form": "yes_no", "limit": 1, "max_retries": 2}
    with openai_server(answer) as server:
        logs = evaluate(suite, [MODEL], log_dir=folder, **asked | options)
        return read_answers(logs), server, logs


TRIED_AGAIN: list[int | str] = [429, "rate_limit_exceeded", 500, 502, 503, "server_error"]


def test_an_error_in_a_body_is_tried_again(fake_suite_path: Path, tmp_path: Path) -> None:
    errors = [(code, where) for code in TRIED_AGAIN for where in (False, True)]
    failed: dict[str, tuple[int | str, bool]] = {}
    lock = threading.Lock()

    def answer(body: dict) -> Reply:
        text = json.dumps(body)
        with lock:
            if text in failed or len(failed) == len(errors):
                return Reply("No.")
            code, in_choice = failed[text] = errors[len(failed)]
        return error_body(code, "try later", in_choice=in_choice)

    rows, server, _ = ask(fake_suite_path, tmp_path, answer, limit=None)
    assert {row.reply for row in rows} == {"No."}
    asked = Counter(json.dumps(body) for body in server.requests)
    assert set(failed.values()) == set(errors)
    assert {failed[text] for text, times in asked.items() if times == 2} == set(errors)
    assert asked.total() == len(rows) + len(errors)


def test_the_upstream_message_is_kept(fake_suite_path: Path, tmp_path: Path) -> None:
    codes: list[int | str] = [400, 402, 403, "invalid_request_error"]
    left = cycle(codes)
    rows, server, _ = ask(
        fake_suite_path, tmp_path, lambda _: error_body(next(left), "no credits left"), limit=4
    )
    assert {row.state for row in rows} == {AnswerState.ERROR}
    for code in codes:
        assert any(f"{code} no credits left" in row.reason for row in rows)
    assert len(server.requests) == len(rows), "another try would end alike"


@pytest.mark.parametrize("strategy", ["direct", "verify"])
def test_answers_of_any_characters_are_kept_and_paid_once(strategy, fake_suite_path, tmp_path):
    strange = "No.\ud83d \udc00\x00\x1b[2J\u202e\u2028\uffff 💡"
    body = Reply(strange).body("vlm")  # JSON escapes lone surrogates
    rows, server, logs = ask(
        fake_suite_path, tmp_path / "logs", lambda _: Reply(strange), strategy=strategy
    )
    assert rb"\ud83d" in body
    assert {row.state for row in rows} <= {AnswerState.CORRECT, AnswerState.INCORRECT}
    assert all("\\ud83d" in row.reply and "💡" in row.reply for row in rows)
    assert all("\ud83d" not in sent_text(sent) for sent in server.requests)
    compare_logs(logs, tmp_path / "page.html", suites=[fake_suite_path])
    page = (tmp_path / "page.html").read_text()
    assert not set("\x1b\u202e\x00") & set(page)
    paid = len(server.paid)
    with openai_server(lambda _: Reply("Yes.")) as again:
        evaluate(
            fake_suite_path, [MODEL], log_dir=tmp_path / "logs", base_url=again.base_url,
            resume=True, views="head", form="yes_no", limit=1, max_retries=2, strategy=strategy,
        )  # fmt: skip
        assert not again.requests
    assert paid == len({json.dumps(sent) for sent in server.paid})


def test_a_model_that_answers_nothing_is_no_success(fake_suite_path: Path, tmp_path: Path) -> None:
    asked = ["--model", MODEL, "--log-dir", str(tmp_path / "logs"), "--limit", "1"]
    with openai_server(lambda body: error_body(402, "no credits left")):
        result = invoke("eval", fake_suite_path, *asked, "--views", "head", code=4)
    assert "answered none of" in result.output
    assert "no credits left" in result.output


YES, NO = "Yes, I am sure. Answer: yes", "Answer: no. It is too far away."


def ask_openly(suite: Path, folder: Path, answer: Callable[[dict], Reply], **options: Any):
    return ask(suite, folder, answer, form="open", max_retries=0, **options)


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
    rows, *_ = ask_openly(fake_suite_path, tmp_path, lambda body: reply)
    answered = state is AnswerState.INCORRECT
    for row in rows:
        right = AnswerState.CORRECT if row.truth_constraint == "out_of_reach" else state
        assert row.state is (right if answered else state)
        assert row.predicted_feasible is (False if answered else None)


def test_hidden_thoughts_are_counted_and_not_put_into_its_mouth(fake_suite_path, tmp_path):
    rows, server, _ = ask_openly(
        fake_suite_path, tmp_path, lambda body: thinking(YES, NO), strategy="describe"
    )
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


def test_a_small_default_of_a_provider_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOGETHER_API_KEY", "planted-key")
    model = resolve_model("together/someone/thinker")
    default = model.api.max_tokens()
    assert default is not None
    assert default < ROOM_TO_THINK == model.config.max_tokens


@pytest.mark.parametrize(
    ("model", "address", "key"),
    [
        ("vllm/vlm", "VLLM_BASE_URL", "VLLM_API_KEY"),
        ("ollama/vlm", "OLLAMA_BASE_URL", "OLLAMA_API_KEY"),
        ("openrouter/lab/vlm", "OPENROUTER_BASE_URL", "OPENROUTER_API_KEY"),
        ("openai-api/lab/vlm", "LAB_BASE_URL", "LAB_API_KEY"),
    ],
)
def test_other_providers_are_asked_alike(
    model, address, key, fake_suite_path, tmp_path, monkeypatch
):
    with openai_server(lambda body: Reply(f"No. {'planted-key'}")) as server:
        monkeypatch.setenv(address, server.base_url)
        monkeypatch.setenv(key, "planted-key")
        logs = evaluate(
            fake_suite_path, [model], views="head", form="yes_no", limit=1, log_dir=tmp_path
        )
    rows = read_answers(logs)
    assert len(rows) == len(server.requests) == 2
    assert {row.reply for row in rows} == {"No. [hidden]"}
    assert all(len(sent_images(body)) == 1 for body in server.requests)

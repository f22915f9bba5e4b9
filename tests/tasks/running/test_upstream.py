"""What a provider sends with HTTP 200 and is no answer, and answers of any characters."""

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
from openai_server import Reply, openai_server, sent_text

from pactwin.compare import compare_logs
from pactwin.tasks import AnswerState, read_answers

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


def ask(suite: Path, folder: Path, answer: Callable[[dict], Reply], **options):
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
    assert all("no credits left" in row.reason for row in rows)
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
            fake_suite_path,
            [MODEL],
            log_dir=tmp_path / "logs",
            base_url=again.base_url,
            resume=True,
            views="head",
            form="yes_no",
            limit=1,
            max_retries=2,
            strategy=strategy,
        )
        assert not again.requests
    assert paid == len({json.dumps(sent) for sent in server.paid})


def test_a_model_that_answers_nothing_is_no_success(fake_suite_path: Path, tmp_path: Path) -> None:
    asked = ["--model", MODEL, "--log-dir", str(tmp_path / "logs"), "--limit", "1"]
    with openai_server(lambda body: error_body(402, "no credits left")):
        result = invoke("eval", fake_suite_path, *asked, "--views", "head", code=4)
    assert "answered none of" in result.output
    assert "no credits left" in result.output

"""Inspections whose process is killed in the middle of a conversation, and resumed."""

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from inspecting import asked_question, entity, final, ours, part, said, shown
from known_things import write_inspected
from openai_server import Reply, openai_server

from pactwin.catalogue import ENVIRONMENT
from pactwin.suite import Question
from pactwin.tasks import AnswerState, UseRow, read_rows

pytestmark = pytest.mark.slow

MODEL = "openai-api/local/inspector"
SETTINGS = ("LOCAL_API_KEY", "LOCAL_BASE_URL", "INSPECT_CACHE_DIR")


def ask(suite: Path, log_dir: Path, settings: dict[str, str], **more: Any) -> Any:
    """One conversation at a time."""
    os.environ.update(settings)
    how: dict[str, Any] = {"strategy": "inspect-last", "max_connections": 1}
    return evaluate(suite, [MODEL], log_dir=log_dir, **how, **more)


def run_until_killed(target: Callable[..., Any], *args: Any, pid: list[int]) -> None:
    # From a server that has imported Inspect, which takes longer than all the asking.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["evaluating", "openai", "acp"])
    process = context.Process(target=target, args=args)
    process.start()
    pid.append(process.pid or 0)
    process.join(120)
    assert process.exitcode == -signal.SIGKILL


def script(question: Question) -> list[str]:
    """Two looks, one of them at what is not there, the same again, and the answer."""
    name, piece = question.accepted
    return [entity(name), part("horn", name), part(piece, name), part(piece, name), final(question)]


def test_a_conversation_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    suite = write_inspected(tmp_path / "suite")
    seen: list[str] = []
    pid: list[int] = []
    turns: Counter[tuple[str, int]] = Counter()

    def answer(body: dict[str, Any]) -> Reply:
        question, turn = asked_question(suite, body), len(ours(body))
        seen.extend({question.id} - set(seen))
        turns[question.id, turn] += 1
        if pid and question.id == seen[-1] and len(seen) == 2 and turn == 3:
            os.kill(pid.pop(), signal.SIGKILL)
        return Reply(script(question)[turn - 1])

    with openai_server(answer) as server:
        settings = {name: os.environ[name] for name in SETTINGS}
        arguments = (suite, tmp_path / "logs", settings)
        run_until_killed(ask, *arguments, pid=pid)
        first, second = seen
        asked = len(server.requests)
        rows = read_rows(ask(*arguments, resume=True))

    states = {row.question_id: row.state for row in rows}
    assert states == dict.fromkeys((first, second), AnswerState.CORRECT)
    again = [(asked_question(suite, b).id, len(ours(b))) for b in server.requests[asked:]]
    assert again == [(second, 3), (second, 4), (second, 5)]  # the first is not asked, nor is 1, 2
    assert {at: n for at, n in turns.items() if n > 1} == {(second, 3): 2}
    (row,) = (row for row in rows if isinstance(row, UseRow) and row.question_id == second)
    body = server.requests[-1]
    question = asked_question(suite, body)
    thing = next(t for t in question.candidates if t.name == question.accepted[0])
    name, piece = question.accepted
    assert row.trace == ((name,), (), (name, piece), (name, piece)) and row.calls == 5
    told = said(body)
    assert [f"Replies left: {n}." in text for n, text in zip(range(50, 45, -1), told, strict=True)]
    assert 'no part called "horn"' in told[2] and thing.unseen[piece] in told[3]
    replies = [m["content"] for m in body["messages"] if m["role"] == "assistant"]
    assert replies == script(question)[:4]
    assert shown(suite, body) == [[ENVIRONMENT], [], [], [], [thing.part_views[piece]]]

"""Stopped in the middle and resumed from the command line: each question once, paid for once."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from commands import invoke
from fakes import make_fake_suite
from openai_server import OpenAIServer, Reply, openai_server, sent_images

from pactwin.compare import compare_logs
from pactwin.tasks import AnswerRow, AnswerState, read_answers

pytestmark = pytest.mark.slow

QUESTIONS = 60
AT_ONCE = 8
ENOUGH = 25
PATIENCE_S = 120


def command(suite: Path, logs: Path) -> list[str]:
    asked = ["--model", "openai-api/local/vlm", "--form", "yes_no", "--log-dir", str(logs)]
    return ["eval", str(suite), *asked, "--max-connections", str(AT_ONCE)]


# Whoever starts tests in the background leaves SIGINT ignored, in their children too.
PROGRAM = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from pactwin.cli import main
main()
"""


def stop_in_the_middle(suite: Path, logs: Path, server: OpenAIServer, by: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command(suite, logs)],
        env=os.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + PATIENCE_S
    while len(server.paid) < ENOUGH and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(by)
    process.wait()
    assert ENOUGH <= len(server.paid) < QUESTIONS


def resume(suite: Path, logs: Path) -> list[AnswerRow]:
    invoke(*command(suite, logs), "--resume")
    return read_answers(logs.glob("*.eval"))


@pytest.mark.parametrize(("by", "wiped"), [(signal.SIGKILL, True), (signal.SIGINT, False)])
def test_nothing_is_lost_or_paid_for_twice(by: signal.Signals, wiped: bool, tmp_path: Path) -> None:
    """Whatever becomes of the cache: what was paid for is in the log within seconds."""
    suite = make_fake_suite(tmp_path / "suite", n_pairs=QUESTIONS // 2, cameras=("head",))
    logs = tmp_path / "logs"
    with openai_server(lambda body: Reply("No.", wait_s=0.05)) as server:
        stop_in_the_middle(suite, logs, server, by)
        done = {s.metric: s for s in compare_logs([logs])}["completeness"]
        assert done.n == QUESTIONS
        assert 0 < (done.value or 0) < 1, "what it has is read, and flagged"
        states = {row.state for row in read_answers(logs.glob("*.eval"))}
        assert AnswerState.ERROR not in states, "what was under way was not asked"
        if wiped:
            shutil.rmtree(os.environ["INSPECT_CACHE_DIR"])
        rows = resume(suite, logs)
        assert len(rows) == QUESTIONS
        assert {row.reply for row in rows} == {"No."}
        paid = Counter(hashlib.sha256(sent_images(body)[0]).hexdigest() for body in server.paid)
        assert len(paid) == QUESTIONS
        # Only what was under way when the process was stopped is paid for again.
        assert paid.total() - QUESTIONS <= (2 if wiped else 1) * AT_ONCE

        requests = len(server.requests)
        assert resume(suite, logs) == rows
        assert len(server.requests) == requests

"""Runs with faults, stopped and resumed: each question ends in its state, and is paid for once."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from commands import invoke
from evaluating import evaluate
from fakes import make_fake_suite
from macgyver_data import WHOLE_PROBLEMS, write
from openai_server import OpenAIServer, Reply, openai_server, sent_images

from pactwin.compare import compare_logs
from pactwin.solvers import STATEMENTS
from pactwin.suite import Scene, Suite
from pactwin.tasks import AnswerRow, AnswerState, import_published, read_answers, read_rows

pytestmark = pytest.mark.slow

MODEL = "openai-api/local/vlm"
QUESTIONS = 60
PATIENCE_S = 4  # how long a call may take
ALWAYS = 10**6
NO_CHOICES = Reply(raw=b'{"id": "1", "object": "chat.completion", "model": "vlm", "choices": []}')


@dataclass(frozen=True)
class Fault:
    """``reply`` is sent the first ``times``; the question has to end in ``state``."""

    reply: Reply
    state: AnswerState
    times: int = ALWAYS


RIGHT, ERROR = AnswerState.CORRECT, AnswerState.ERROR
FAULTS = {
    "429, told when to come back": Fault(
        Reply(status=429, headers={"Retry-After": "0.2"}), RIGHT, times=2
    ),
    "500 once": Fault(Reply(status=500), RIGHT, times=1),
    "500": Fault(Reply(status=500), ERROR),
    "400": Fault(Reply(status=400), ERROR),
    "time-out once": Fault(Reply("No.", wait_s=1.5 * PATIENCE_S), RIGHT, times=1),
    "time-out": Fault(Reply("No.", wait_s=1.5 * PATIENCE_S), ERROR),
    "dropped once": Fault(Reply(drop=True), RIGHT, times=1),
    "dropped": Fault(Reply(drop=True), ERROR),
    "no JSON once": Fault(Reply(raw=b"<html>gateway</html>"), RIGHT, times=1),
    "no JSON": Fault(Reply(raw=b'{"choices": ['), ERROR),
    "no choices once": Fault(NO_CHOICES, RIGHT, times=1),
    "no choices": Fault(NO_CHOICES, ERROR),
    "no reply at all": Fault(Reply(raw=b"{}"), ERROR),
    "empty": Fault(Reply(""), AnswerState.UNPARSED),
    "null": Fault(Reply(None), AnswerState.UNPARSED),
    "refusal field": Fault(Reply(None, refusal="I will not."), AnswerState.REFUSED),
    "content filter": Fault(Reply("", finish_reason="content_filter"), AnswerState.REFUSED),
    "length": Fault(Reply("No. The block", finish_reason="length"), AnswerState.TRUNCATED),
    "slow": Fault(Reply("", pause_s=0.1), RIGHT),
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As many scenes as questions: one picture each."""
    path = tmp_path_factory.mktemp("faults") / "suite"
    return make_fake_suite(path, n_pairs=QUESTIONS // 2, cameras=("head",))


class FaultyObserver:
    """Knows every scene by its picture, and tells the truth of it when it tells anything."""

    def __init__(self, suite: Path, share: float) -> None:
        opened = Suite.open(suite)
        self.scene_of: dict[str, Scene] = {}
        for scene in opened.scenes():
            data = opened.resolve(scene.views[0].image).read_bytes()
            self.scene_of[hashlib.sha256(data).hexdigest()] = scene
        ids = sorted(scene.id for scene in self.scene_of.values())
        names = list(FAULTS)
        self.fault_of = {
            scene: names[i % len(names)] for i, scene in enumerate(ids[: round(share * len(ids))])
        }
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, body: dict) -> Reply:
        (image,) = sent_images(body)
        scene = self.scene_of[hashlib.sha256(image).hexdigest()]
        with self._lock:
            self._asked[scene.id] += 1
            times = self._asked[scene.id]
        truth = (
            f"{'Yes' if scene.decided.feasible else 'No'}. {STATEMENTS[scene.decided.constraint]}"
        )
        fault = FAULTS.get(self.fault_of.get(scene.id, ""))
        if fault is None or times > fault.times:
            return Reply(truth)
        return Reply(truth, pause_s=fault.reply.pause_s) if fault.reply.pause_s else fault.reply


def test_each_question_ends_in_its_state_once(suite: Path, tmp_path: Path) -> None:
    observer = FaultyObserver(suite, share=0.35)
    assert set(observer.fault_of.values()) == set(FAULTS)
    with openai_server(observer):
        (log,) = evaluate(
            suite,
            [MODEL],
            form="yes_no",
            log_dir=tmp_path,
            attempt_timeout=PATIENCE_S,
            max_retries=1,
        )
    rows = read_answers([log])
    assert sorted(row.scene_id for row in rows) == sorted(s.id for s in observer.scene_of.values())
    wrong = {
        (fault, row.state, row.reason)
        for row in rows
        for fault in [observer.fault_of.get(row.scene_id)]
        if row.state is not (FAULTS[fault].state if fault else RIGHT)
    }
    assert not wrong
    assert all(row.reason for row in rows if row.state is not RIGHT)
    with ZipFile(log) as archive:
        samples = [name for name in archive.namelist() if name.startswith("samples/")]
    assert len(samples) == len(set(samples)) == QUESTIONS


CANDIDATE, JUDGE = "openai-api/local/candidate", "openai-api/local/referee"
FAILED = Reply(status=400)
NO_VERDICT = Reply("I would rather not say.")


def paid_by(server: OpenAIServer, who: str) -> Counter[str]:
    return Counter(json.dumps(b["messages"]) for b in server.paid if b["model"] == who)


def forget_replies() -> None:
    shutil.rmtree(os.environ["INSPECT_CACHE_DIR"])


@pytest.mark.parametrize("fault", [FAILED, NO_VERDICT])
def test_where_the_judge_failed_only_the_judge_is_asked_again(fault, fake_suite_path, tmp_path):
    verdicts = [fault, fault, Reply('{"says": "covered"}')]
    runs = iter(verdicts)
    verdict = next(runs)

    # The twins' replies differ, so that no verdict on one can be kept for the other.
    said: dict[str, str] = {}

    def answer(body: dict[str, Any]) -> Reply:
        if body["model"] == "referee":
            return verdict
        return Reply(said.setdefault(json.dumps(body), f"No, as the {len(said)} of us can see."))

    with openai_server(answer) as server:
        for run in range(len(verdicts)):
            (log,) = evaluate(
                fake_suite_path,
                [CANDIDATE],
                judge=JUDGE,
                form="open",
                views="head",
                limit=1,
                log_dir=tmp_path,
                max_retries=0,
                resume=run > 0,
                log_images=False,
            )
            rows = read_answers([log])
            assert len(rows) == 2
            assert {row.reply for row in rows} == set(said.values())
            assert {(row.calls, row.tokens_in, row.replayed) for row in rows} == {(1, 11, run > 0)}
            assert (AnswerState.ERROR in {row.state for row in rows}) == (verdict is fault)
            assert list(tmp_path.glob("*.eval")) == [log]
            assert paid_by(server, "candidate").total() == 2
            verdict = next(runs, verdict)
            forget_replies()
        assert {row.judged for row in rows} == {"covered"}
        asked = [body for body in server.requests if body["model"] == "referee"]
        assert len(asked) == 2 * len(verdicts)


class Interrupting:
    """Fails at the second turn of some conversations and at the third vote on others, once each."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any]) -> Reply:
        key = body["model"] + json.dumps(body["messages"])
        self.asked[key] += 1
        if body["model"] == "referee":
            return FAILED if self.asked[key] == 3 else Reply('{"grade": "D"}')
        turn = sum(message["role"] == "assistant" for message in body["messages"]) + 1
        if turn == 2 and self.asked[key] == 1 and len(key) % 2:
            return FAILED
        return Reply("Answer:\nStep 1: Wait.\nChanges: none" if turn == 2 else "Step 1: Wait.")


def test_turns_and_votes_before_a_failure_are_paid_for_once(tmp_path: Path) -> None:
    write(tmp_path / "data")
    import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    suite, logs = tmp_path / "suite", tmp_path / "logs"
    how: dict[str, Any] = {"judge": JUDGE, "strategy": "self-reflect", "max_retries": 0}
    with openai_server(Interrupting()) as server:
        rows = read_rows(evaluate(suite, [CANDIDATE], log_dir=logs, **how))
        failed = [row.calls for row in rows if row.state is AnswerState.ERROR]
        assert set(failed) == {1, 2}, "before the second turn, and after it"
        for _ in range(2):  # one failed at its turn, and then at its vote
            forget_replies()
            rows = read_rows(evaluate(suite, [CANDIDATE], log_dir=logs, resume=True, **how))
        assert AnswerState.ERROR not in {row.state for row in rows}
        assert {row.calls for row in rows} == {2}
        assert set(paid_by(server, "candidate").values()) == {1}
        assert paid_by(server, "candidate").total() == 2 * len(WHOLE_PROBLEMS)
        assert set(paid_by(server, "referee").values()) == {3}


AT_ONCE = 8
ENOUGH = 25


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
    deadline = time.monotonic() + 120
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

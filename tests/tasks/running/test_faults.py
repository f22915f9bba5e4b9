"""A provider that fails in every way: each question ends in its own state, none lost or doubled."""

import hashlib
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest
from evaluating import evaluate
from fakes import make_fake_suite
from openai_server import Reply, openai_server, sent_images

from pactwin.solvers import STATEMENTS
from pactwin.suite import Scene, Suite
from pactwin.tasks import AnswerState, read_answers

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

"""A soak: many questions, a third of them with faults, a run that is killed, starved and resumed.

The server knows every scene by its picture and what becomes of it: the right answer, or a fault
that stays or passes. It counts what a provider would charge for. The run is killed twice at random
moments, once with the cache of replies lost, runs out of disk once, and is then resumed to its end.
"""

import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from fakes import make_fake_suite
from inspect_ai.model import GenerateConfig
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.suite import Scene, load_suite
from pactwin.tasks import AnswerState, EvalRequest, read_answers

MODEL, JUDGE = "openai-api/local/vlm", "openai-api/local/referee"
AT_ONCE = 8
FAULTY = 0.3
PATIENCE_S = 900
_PROGRAM = """
import sys
from pactwin.tasks import EvalRequest, run_eval
run_eval(EvalRequest.model_validate_json(sys.argv[1]))
"""
_RIGHT, _ERROR = AnswerState.CORRECT, AnswerState.ERROR


def _in_body(code: int) -> Reply:
    return Reply(raw=json.dumps({"error": {"code": code, "message": "upstream"}}).encode())


@dataclass(frozen=True)
class Fault:
    """What is sent instead of the truth, the first ``times``, and what the question ends in."""

    reply: Reply
    state: AnswerState
    times: int = 10**6


FAULTS = {
    "429 once": Fault(Reply(status=429, headers={"Retry-After": "0.1"}), _RIGHT, 1),
    "500 once": Fault(Reply(status=500), _RIGHT, 1),
    "dropped once": Fault(Reply(drop=True), _RIGHT, 1),
    "no JSON once": Fault(Reply(raw=b"<html>gateway</html>"), _RIGHT, 1),
    "429 in the body once": Fault(_in_body(429), _RIGHT, 1),
    "502 in the body once": Fault(_in_body(502), _RIGHT, 1),
    "402 in the body": Fault(_in_body(402), _ERROR),
    "400": Fault(Reply(status=400), _ERROR),
    "empty": Fault(Reply(""), AnswerState.UNPARSED),
    "filtered": Fault(Reply("", finish_reason="content_filter"), AnswerState.REFUSED),
    "cut off": Fault(Reply("No. The", finish_reason="length"), AnswerState.TRUNCATED),
    "surrogate": Fault(Reply("{truth} \ud83d\x00\u202e"), _RIGHT),
    "to be judged": Fault(Reply("It is as it is."), _RIGHT),
    "judge fails": Fault(Reply("It is what it is."), _ERROR),
}


class Server:
    """Answers for the model under test and for its judge."""

    def __init__(self, suite: Path, rng: random.Random) -> None:
        loaded = load_suite(suite)
        self.scene_of: dict[str, Scene] = {}
        for scene in loaded.scenes.values():
            data = loaded.suite.resolve(scene.views[0].image).read_bytes()
            self.scene_of[hashlib.sha256(data).hexdigest()] = scene
        ids = rng.sample(sorted(loaded.scenes), round(FAULTY * len(loaded.scenes)))
        self.fault_of = {id: list(FAULTS)[n % len(FAULTS)] for n, id in enumerate(ids)}
        self.paid: Counter[str] = Counter()
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, body: dict) -> Reply:
        if body["model"] == "referee":
            return self._verdict(sent_text(body))
        scene = self.scene_of[hashlib.sha256(sent_images(body)[0]).hexdigest()]
        with self._lock:
            self._asked[scene.id] += 1
            fault = FAULTS.get(self.fault_of.get(scene.id, ""))
            faulty = fault is not None and self._asked[scene.id] <= fault.times
        verdict = scene.decided
        truth = f"{'Yes' if verdict.feasible else 'No'}. {verdict.constraint.statement}"
        reply = Reply(truth)
        if fault is not None and faulty:
            reply = fault.reply
            if reply.content and "{truth}" in reply.content:
                reply = Reply(reply.content.replace("{truth}", truth))
        if reply.paid:
            with self._lock:
                self.paid[scene.id] += 1
        return Reply(**vars(reply) | {"wait_s": 0.02})

    def _verdict(self, sent: str) -> Reply:
        if "It is what it is." in sent:
            return Reply("I would rather not say.")
        known = {scene.decided.constraint for scene in self.scene_of.values()}
        (truth,) = [c for c in known if f'"reference": "{c.statement}"' in sent]
        return Reply(json.dumps({"says": truth.value}))


@dataclass(frozen=True)
class Result:
    """What came of a soak: counts of states, and how the server was paid."""

    questions: int
    faulty: int
    states: dict[str, int]
    wrong: tuple[str, ...]
    paid: int
    paid_again: int
    interruptions: int
    seconds: float


def soak(folder: Path, questions: int, seed: int) -> Result:
    """Ask ``questions`` in a suite made in ``folder``; keys and cache come from the environment."""
    start = time.monotonic()
    rng = random.Random(seed)
    suite = make_fake_suite(folder / "suite", n_pairs=questions // 2, seed=seed, cameras=("head",))
    model = Server(suite, rng)
    with openai_server(model) as server:
        os.environ["LOCAL_BASE_URL"] = server.base_url
        request = EvalRequest(
            suite=suite,
            models=(MODEL,),
            log_dir=folder / "logs",
            form="open",
            judge=JUDGE,
            resume=True,
            log_images=False,
            config=GenerateConfig(max_retries=1, attempt_timeout=20, max_connections=AT_ONCE),
        )
        for wiped in (False, True):
            left = questions - len(model.paid)
            _run(request, model, until=len(model.paid) + rng.randint(left // 5, left // 2))
            if wiped:
                shutil.rmtree(os.environ["INSPECT_CACHE_DIR"])
        sizes = [log.stat().st_size for log in (folder / "logs").glob("*.eval")]
        _run(request, model, most_bytes=round(1.2 * max(sizes)))
        _run(request, model)
    rows = read_answers((folder / "logs").glob("*.eval"))
    states = {row.scene_id: row.state for row in rows}
    assert len(states) == len(rows), "a question is there twice"
    expected = {scene.id: _RIGHT for scene in model.scene_of.values()}
    expected |= {id: FAULTS[name].state for id, name in model.fault_of.items()}
    wrong = [
        f"{model.fault_of.get(id, 'no fault')}: {states.get(id)}, not {state}"
        for id, state in expected.items()
        if states.get(id) is not state
    ]
    return Result(
        questions=questions,
        faulty=len(model.fault_of),
        states=dict(Counter(str(state) for state in states.values())),
        wrong=tuple(wrong),
        paid=model.paid.total(),
        paid_again=model.paid.total() - len(model.paid),
        interruptions=3,
        seconds=time.monotonic() - start,
    )


def _run(
    request: EvalRequest, model: Server, *, until: int | None = None, most_bytes: int | None = None
) -> None:
    """Run in a process: to its end, killed once ``until`` scenes are paid, or on a small disk."""

    def small_disk() -> None:
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    with (request.log_dir.parent / "stderr.txt").open("ab") as err:
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, request.model_dump_json(exclude_none=True)],
            stdout=subprocess.DEVNULL,
            stderr=err,
            preexec_fn=small_disk,
        )
        deadline = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < deadline:
            if until is not None and len(model.paid) >= until:
                break
            time.sleep(0.01)
        process.kill()
        process.wait()

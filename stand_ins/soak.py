"""A soak: many questions, a third with faults, in runs that are killed, starved and resumed.

The server is the model under test, its judge, and the verifier of the published scoring. It knows
every question by its picture or its words, and what becomes of it: the right answer, or a fault
that stays or passes. It counts what a provider would charge for. The evaluation is killed at random
moments, once with the cache of replies lost, runs out of disk once, and is then resumed to its end;
each time two processes resume at once, by a clock that was stepped back. The verification is killed
once with the cache lost, runs out of disk, and ends.
"""

import hashlib
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import time_machine
from fakes import make_fake_suite
from inspect_ai.model import CachePolicy, GenerateConfig, Model
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.suite import Constraint, InvalidInputError, load_suite
from pactwin.tasks import AnswerState, EvalRequest, read_answers, run_eval
from pactwin.tasks.published.pacbench.verifying import Claim, PublishedVerdict, run_verifier
from pactwin.tasks.running.models import CACHED_FOR, resolve_model

MODEL, JUDGE, VERIFIER = "vlm", "referee", "verifier"
AT_ONCE = 8
FAULTY = 0.3
PATIENCE_S = 1800
DAY_S = 86400.0
_ALWAYS = 10**6
_SETTINGS = ("LOCAL_API_KEY", "LOCAL_BASE_URL", "INSPECT_CACHE_DIR")
_REFUSED = 75  # the exit status of a process that finds another at work
_ERROR, _RIGHT = AnswerState.ERROR, AnswerState.CORRECT


def _in_body(code: int) -> Reply:
    return Reply(raw=json.dumps({"error": {"code": code, "message": "upstream"}}).encode())


PASSING = {
    "429": Reply(status=429, headers={"Retry-After": "0.1"}),
    "500": Reply(status=500),
    "dropped": Reply(drop=True),
    "no JSON": Reply(raw=b"<html>gateway</html>"),
    "429 in the body": _in_body(429),
    "502 in the body": _in_body(502),
}


@dataclass(frozen=True)
class Fault:
    """What ``by`` sends instead of the truth, the first ``times``, and what it ends in."""

    by: str
    reply: Reply
    ends: str
    times: int = _ALWAYS


def _passing(by: str, ends: str) -> dict[str, Fault]:
    return {f"{by}: {name} once": Fault(by, reply, ends, 1) for name, reply in PASSING.items()}


FAULTS = {
    **_passing(MODEL, _RIGHT),
    "402 in the body": Fault(MODEL, _in_body(402), _ERROR),
    "400": Fault(MODEL, Reply(status=400), _ERROR),
    "empty": Fault(MODEL, Reply(""), AnswerState.UNPARSED),
    "filtered": Fault(MODEL, Reply("", finish_reason="content_filter"), AnswerState.REFUSED),
    "cut off": Fault(MODEL, Reply("No. The", finish_reason="length"), AnswerState.TRUNCATED),
    "surrogate": Fault(MODEL, Reply("{truth} \ud83d\x00\u202e"), _RIGHT),
    "to be judged": Fault(JUDGE, Reply("{truth}"), _RIGHT),
    **_passing(JUDGE, _RIGHT),
    "judge: 400": Fault(JUDGE, Reply(status=400), _ERROR),
    "judge: no verdict": Fault(JUDGE, Reply("I would rather not say."), _ERROR),
}
VERIFIER_FAULTS = {
    **_passing(VERIFIER, PublishedVerdict.CORRECT),
    "verifier: wrong": Fault(VERIFIER, Reply("INCORRECT"), PublishedVerdict.INCORRECT),
    "verifier: 400": Fault(VERIFIER, Reply(status=400), PublishedVerdict.ERROR),
    "verifier: empty": Fault(VERIFIER, Reply(""), PublishedVerdict.UNCERTAIN),
    "verifier: surrogate": Fault(VERIFIER, Reply("{truth} \ud83d\0"), PublishedVerdict.CORRECT),
}


class Server:
    """Answers for all three, and counts: ``paid`` by who was asked, and about what."""

    def __init__(self, suite: Path, claims: int, rng: random.Random) -> None:
        loaded = load_suite(suite)
        self.scenes = {scene.id: scene for scene in loaded.scenes.values()}
        self.claims = {
            id: Claim("property", "Light", id) for id in map("claim-{}-".format, range(claims))
        }
        self.faults = _spread(FAULTS, self.scenes, rng) | _spread(VERIFIER_FAULTS, self.claims, rng)
        self.paid: dict[str, Counter[str]] = {who: Counter() for who in (MODEL, JUDGE, VERIFIER)}
        self._asked: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()
        pictures = {s.id: loaded.suite.resolve(s.views[0].image) for s in self.scenes.values()}
        self._seen = {_digest(path.read_bytes()): id for id, path in pictures.items()}

    def __call__(self, body: dict[str, Any]) -> Reply:
        who, text = body["model"], sent_text(body)
        if who == MODEL:
            about = self._seen[_digest(sent_images(body)[0])]
        else:
            (about,) = [id for id in (self.scenes if who == JUDGE else self.claims) if id in text]
        fault = self.faults.get(about)
        reply = Reply(self._truth(who, about), wait_s=0.02)
        with self._lock:
            self._asked[who, about] += 1
            if fault and fault.by == who and self._asked[who, about] <= fault.times:
                text = (fault.reply.content or "").replace("{truth}", reply.content or "")
                reply = replace(fault.reply, content=text, wait_s=0.02)
            self.paid[who][about] += reply.paid
        return reply

    def _truth(self, who: str, about: str) -> str:
        """What is said where nothing goes wrong; riddles are left to the judge."""
        if who == VERIFIER:
            return "CORRECT"
        constraint = self.scenes[about].decided.constraint
        if who == JUDGE:
            return json.dumps({"says": constraint.value})
        if about in self.faults and self.faults[about].by == JUDGE:
            return f"It is as it is with {about}."
        return f"{'Yes' if constraint is Constraint.NONE else 'No'}. {constraint.statement}"

    def ends(self, about: str) -> str:
        """What a question or a claim has to end in."""
        usual = PublishedVerdict.CORRECT if about in self.claims else AnswerState.CORRECT
        return self.faults[about].ends if about in self.faults else usual


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _spread(
    faults: Mapping[str, Fault], among: Iterable[str], rng: random.Random
) -> dict[str, Fault]:
    """Faults for three in ten, each about as often."""
    ids = sorted(among)
    return dict(
        zip(rng.sample(ids, round(FAULTY * len(ids))), cycle(faults.values()), strict=False)
    )


@dataclass(frozen=True)
class Result:
    """What came of a soak: how many of each end, which are wrong, and how often each was paid.

    ``again`` counts replies paid for more than once, by who gave them; ``judged_again`` those of
    the judge to questions that end in an error of its own, about which every resume asks it again.
    ``refused`` counts processes that found another at work.
    """

    questions: int
    claims: int
    faulty: int
    ends: dict[str, int]
    wrong: tuple[str, ...]
    paid: dict[str, int]
    again: dict[str, int]
    judged_again: int
    stopped: int
    refused: int
    seconds: float


def soak(folder: Path, questions: int, claims: int, seed: int, kills: int = 2) -> Result:
    """Ask ``questions`` in a suite made in ``folder``, and verify ``claims``.

    The evaluation is killed ``kills`` times. Key and folder of cached replies come from the
    environment.
    """
    start = time.monotonic()
    rng = random.Random(seed)
    suite = make_fake_suite(folder / "suite", n_pairs=questions // 2, seed=seed, cameras=("head",))
    model = Server(suite, claims, rng)
    logs, verified = folder / "logs", folder / "verified"
    request = EvalRequest(
        suite=suite,
        models=(f"openai-api/local/{MODEL}",),
        log_dir=logs,
        form="open",
        judge=f"openai-api/local/{JUDGE}",
        resume=True,
        log_images=False,
        config=GenerateConfig(max_retries=1, attempt_timeout=20, max_connections=AT_ONCE),
    )
    with openai_server(model):
        evaluations = _Runs(_evaluate, request, 2, rng)
        stopped = evaluations.interrupted(model.paid[MODEL], questions, kills)
        assert evaluations.run() == 0
        claimed = _Claims(tuple(model.claims.values()), verified)
        verifications = _Runs(_verify, claimed, 1, rng)
        stopped += verifications.interrupted(model.paid[VERIFIER], claims, 1)
        verdicts = run_verifier(claimed.claims, _verifier(), verified)
    rows = read_answers(logs.glob("*.eval"))
    ended = {row.scene_id: str(row.state) for row in rows}
    assert len(ended) == len(rows), "a question is there twice"
    ended |= {claim.reply: str(verdict) for claim, verdict in verdicts.items()}
    expected = {id: model.ends(id) for id in (*model.scenes, *model.claims)}
    judged = {(JUDGE, id) for id, f in model.faults.items() if (f.by, f.ends) == (JUDGE, _ERROR)}
    paid = model.paid
    return Result(
        questions=questions,
        claims=claims,
        faulty=len(model.faults),
        ends=dict(Counter(ended.values())),
        wrong=tuple(
            f"{id}: {ended.get(id)}, not {end}; {model.faults.get(id)}"
            for id, end in expected.items()
            if ended.get(id) != end
        ),
        paid={who: count.total() for who, count in paid.items()},
        again={
            who: sum(n - 1 for id, n in count.items() if (who, id) not in judged and n > 1)
            for who, count in paid.items()
        },
        judged_again=sum(paid[JUDGE][id] - 1 for _, id in judged if paid[JUDGE][id]),
        stopped=stopped,
        refused=evaluations.refused,
        seconds=time.monotonic() - start,
    )


@dataclass(frozen=True)
class _Claims:
    claims: tuple[Claim, ...]
    log_dir: Path


def _evaluate(request: EvalRequest) -> None:
    run_eval(request)


def _verify(claimed: _Claims) -> None:
    run_verifier(claimed.claims, _verifier(), claimed.log_dir)


def _verifier() -> Model:
    return resolve_model(f"openai-api/local/{VERIFIER}", cache=CachePolicy(expiry=CACHED_FOR))


@dataclass
class _Runs:
    """``at_once`` processes that do the same, of which one works, again and again.

    Each time their clock is stepped back by days; ``refused`` counts those that were sent away.
    """

    target: Callable[[Any], None]
    what: EvalRequest | _Claims
    at_once: int
    rng: random.Random
    behind_s: float = 0.0
    refused: int = 0

    def interrupted(self, paid: Counter[str], n: int, kills: int) -> int:
        """Kill it at random moments; after the first lose the cache and let the disk fill.

        Returns how often it was stopped in all.
        """
        for number in range(kills):
            left = n - len(paid)
            until = len(paid) + self.rng.randint(left // 5, left // 2)
            assert self.run(partial(_holds, paid, until)) == -signal.SIGKILL
            if number == 0:
                shutil.rmtree(os.environ["INSPECT_CACHE_DIR"])
                largest = max(log.stat().st_size for log in self.what.log_dir.glob("*.eval"))
                assert self.run(most_bytes=round(1.2 * largest)) not in (0, -signal.SIGKILL)
        return kills + 1

    def run(self, enough: Callable[[], bool] = lambda: False, most_bytes: int | None = None) -> int:
        """Run to its end, killed once it is ``enough``, or on a small disk; the exit status."""
        # From a server that has imported Inspect, which takes longer than asking a hundred
        # questions.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["soak", "openai", "acp"])
        settings = {name: os.environ[name] for name in _SETTINGS}
        self.behind_s += self.rng.uniform(1, 10) * DAY_S
        args = self.target, self.what, settings, self.behind_s, most_bytes
        processes = [context.Process(target=_child, args=args) for _ in range(self.at_once)]
        for process in processes:
            process.start()
        deadline = time.monotonic() + PATIENCE_S
        while any(p.is_alive() for p in processes) and time.monotonic() < deadline:
            if enough():
                for process in processes:
                    process.kill()
            time.sleep(0.01)
        for process in processes:
            process.kill()
            process.join()
        codes = [process.exitcode or 0 for process in processes]
        self.refused += codes.count(_REFUSED)
        (code,) = set(codes) - {_REFUSED}
        return code


def _holds(paid: Counter[str], n: int) -> bool:
    return len(paid) >= n


def _child(
    target: Callable[[Any], None],
    what: object,
    settings: dict[str, str],
    behind_s: float,
    most_bytes: int | None,
) -> None:
    os.environ |= settings
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.stderr.fileno())
    if most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    with time_machine.travel(time.time() - behind_s, tick=True):
        try:
            target(what)
        except InvalidInputError as error:
            sys.exit(_REFUSED if "another process is asking there" in str(error) else 1)

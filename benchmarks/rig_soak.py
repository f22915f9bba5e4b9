"""Whether a rehearsed session loses or doubles anything while everything goes wrong.

``PYTHONPATH=. python -m benchmarks.rig_soak SUITE FOLDER MINUTES [SEED]``. The page of a session is
driven as a browser drives it: scenes are set up, checked, captured (again and again), and outcomes
noted. At random its process is killed (``kill -9``), the disk is filled, a camera is unplugged, or
the robot falls silent. FOLDER should be on a small file system, as a tmpfs is: it is filled to the
last megabytes. What was said to be stored has to be there, unchanged, to the end, and nothing else,
save what a kill left unanswered. Started again it goes on in FOLDER.
"""

import hashlib
import http.client
import json
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from pactwin.hardware import read_rig, write_rig
from pactwin.real import MockRig, read_capture
from pactwin.real.captures import read_outcome
from pactwin.suite import Outcome

EVENTS = ("kill", "kill", "disk", "unplug", "robot")
_PAUSE_S, _LASTS_S = (15.0, 45.0), (3.0, 9.0)
"""A session that is killed starts again in 10 to 20 s: more harm would leave hardly a capture."""
_WARMUP = 3
_LEFT_BYTES = 3_000_000
_ANSWER_S = 120.0


class SoakedSession:
    """The process that serves the page, started anew whenever it is gone."""

    def __init__(self, suite: Path, rig: Path, folder: Path, port: int) -> None:
        """Start it."""
        self._command = [
            *(sys.executable, "-c", "from pactwin.cli import main; main()", "mirror", "session"),
            *(str(suite), "--rig", str(rig), "--out", str(folder), "--port", str(port)),
        ]
        self._port, self._log = port, (folder / "session.log").open("ab")
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, stdout=self._log, stderr=self._log)

    def ask(self, path: str, order: dict[str, Any] | None = None) -> dict[str, Any] | None:
        """The page's answer; None if it ended before it answered."""
        if self.process.poll() is not None:
            self.process = self._started()
        until = time.monotonic() + _ANSWER_S
        while self.process.poll() is None and time.monotonic() < until:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_ANSWER_S)
            head = {"Origin": f"http://127.0.0.1:{self._port}", "Content-Type": "application/json"}
            try:
                connection.connect()
            except OSError:  # not up yet
                time.sleep(0.5)
                continue
            try:
                body = None if order is None else json.dumps(order)
                connection.request("GET" if order is None else "POST", path, body, head)
                answer: dict[str, Any] = json.loads(connection.getresponse().read())
            except (OSError, http.client.HTTPException, ValueError):
                return None
            return answer
        return None

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        self._log.close()


class Ledger:
    """What was said to be stored, by the capture's folder; kept beside the session's folder."""

    def __init__(self, folder: Path) -> None:
        """Read what is known."""
        self._folder, self._file = folder, folder.with_name(f"{folder.name}.ledger.json")
        known = json.loads(self._file.read_text()) if self._file.is_file() else {}
        self.stored: dict[str, str] = known.get("stored", {})
        self.noted: dict[str, str] = known.get("noted", {})
        self.unanswered: int = known.get("unanswered", 0)

    def save(self) -> None:
        """Write it down."""
        self._file.write_text(
            json.dumps({"stored": self.stored, "noted": self.noted, "unanswered": self.unanswered})
        )

    @property
    def there(self) -> dict[str, Path]:
        """The captures that are in the folder."""
        found = (self._folder / "captures").glob("*/capture.json")
        return {path.parent.name: path.parent for path in found if path.parent.name[0] != "."}

    def faults(self) -> list[str]:
        """What was lost, changed or doubled."""
        there, said = self.there, list[str]()
        for name, sha256 in self.stored.items():
            if name not in there:
                said.append(f"lost: {name}")
                continue
            read_capture(there[name])  # checksums of its pictures, too
            if _sha256(there[name]) != sha256:
                said.append(f"changed: {name}")
        for name, text in self.noted.items():
            found = read_outcome(there[name]) if name in there else None
            if found is None or found.how != text:
                said.append(f"outcome of {name} lost or changed")
        extra = there.keys() - self.stored.keys()
        for name in extra:
            read_capture(there[name])
        if len(extra) > self.unanswered:
            said.append(f"doubled: {sorted(extra)}, {self.unanswered} were not answered")
        return said


def _sha256(capture: Path) -> str:
    return hashlib.sha256((capture / "capture.json").read_bytes()).hexdigest()


def trouble(
    session: SoakedSession,
    mock: MockRig,
    folder: Path,
    happened: Counter[str],
    rng: random.Random,
    stop: threading.Event,
    ordering: threading.Lock,
) -> None:
    """Do harm at random until ``stop``."""
    while not stop.wait(rng.uniform(*_PAUSE_S)):
        event = rng.choice(EVENTS)
        happened[event] += 1
        ballast = folder / "ballast"
        if event == "kill":
            session.process.send_signal(signal.SIGKILL)
            continue
        if event == "disk":
            free = shutil.disk_usage(folder).free - rng.randrange(_LEFT_BYTES)
            with suppress(OSError), ballast.open("wb") as file:
                file.write(b"\0" * max(free, 0))
        else:
            ill = (
                {"robot": "silent"}
                if event == "robot"
                else {rng.choice(["head", "side"]): "unplugged"}
            )
            with ordering:
                mock.do("devices", **ill)
        stop.wait(rng.uniform(*_LASTS_S))
        ballast.unlink(missing_ok=True)
        if event != "disk":
            with ordering:
                mock.do("devices")


def work(
    session: SoakedSession,
    mock: MockRig,
    ledger: Ledger,
    rng: random.Random,
    ordering: threading.Lock,
    answers: Counter[str],
) -> None:
    """Look at the page, and do the next thing."""
    state = session.ask("/state")
    if state is None or "scene" not in state:
        answers["no page"] += 1
        return
    scene, text = state["scene"], f"{rng.random():.9f}"
    if rng.random() < 0.2 or not state["checked"]:
        with ordering:
            mock.set_up(scene)
        session.ask("/check", {"scene": scene})
    before = ledger.there.keys()
    order = {"scene": scene, "notes": text, "anyway": True, "again": True}
    answer = session.ask("/capture", order)
    new = ledger.there.keys() - before
    if answer is None:
        ledger.unanswered += 1
        answers["unanswered"] += 1
    elif answer.get("stored"):
        answers["stored"] += 1
        (name,) = new
        ledger.stored[name] = _sha256(ledger.there[name])
        outcome = Outcome(worked=True, how=text).model_dump(mode="json")
        noted = session.ask("/outcome", {"scene": scene, "outcome": outcome})
        if noted == {}:
            ledger.noted[name] = text
    else:
        answers[str(answer.get("error"))[:70]] += 1
        if new:
            raise SystemExit(f"refused, and there all the same: {new}")
    ledger.save()
    if rng.random() < 0.2:
        session.ask("/next", {"scene": scene})


def main() -> None:
    """Soak for MINUTES, and say what was found."""
    suite, folder, minutes = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    folder.mkdir(parents=True, exist_ok=True)
    ledger, rng = Ledger(folder), random.Random(seed)
    happened, answers = Counter[str](), Counter[str]()
    stop, ordering = threading.Event(), threading.Lock()
    rig = folder.with_name(f"{folder.name}.rig.yaml")
    until = time.monotonic() + 60 * minutes
    with MockRig(suite, rig, seed) as mock:
        known = read_rig(rig)
        quick = [camera.model_copy(update={"warmup": _WARMUP}) for camera in known.cameras]
        write_rig(rig, known.model_copy(update={"cameras": tuple(quick)}))
        session = SoakedSession(suite, rig, folder, 8700 + seed % 100)
        harm = (session, mock, folder, happened, random.Random(seed + 1), stop, ordering)
        doing = threading.Thread(target=trouble, args=harm)
        doing.start()
        try:
            while time.monotonic() < until:
                work(session, mock, ledger, rng, ordering, answers)
        finally:
            stop.set()
            doing.join()
            session.close()
    print(f"harm: {dict(happened)}; answers: {dict(answers)}")
    faults = ledger.faults()
    print(
        f"{len(ledger.stored)} captures and {len(ledger.noted)} outcomes were said to be stored, "
        f"{len(ledger.there)} captures are there, {ledger.unanswered} were not answered; "
        f"{len(faults)} lost, changed or doubled"
    )
    for fault in faults:
        print(f"  {fault}")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()

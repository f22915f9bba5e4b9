"""A mock rig: a process that simulates its devices, and a simulated operator.

The check and the capture read the rig file and see only frames and joint states.
"""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any, Self

import numpy as np

from pactwin.hardware import (
    Bench,
    Rig,
    read_rig,
    unused_domain,
    write_calibration,
    write_rig,
)
from pactwin.real.calibration import calibrate, check_picture_size
from pactwin.real.rehearsal.disturbance import Disturbance
from pactwin.real.rehearsal.rig_model import rehearsal_rig
from pactwin.suite import EnvironmentFaultError, needs, parse_json

_ANSWER_S = 600.0
_ACROSS, _UP = Disturbance().print_scale
RULERS_MM = (100 * _ACROSS + 0.05, 100 * _UP - 0.1)
"""Operator's readings of the printed board's rulers, to a tenth of a millimetre."""
SHOTS = 3


class MockRig:
    """A simulated rig with its operator. Use as a context manager.

    The simulation runs in a separate process, which ends with this one. Objects are placed with
    different small errors each time.
    """

    def __init__(
        self,
        suite: Path,
        rig: Path,
        seed: int,
        size_px: tuple[int, int] = (1280, 720),
        *,
        calibrated: bool = True,
    ) -> None:
        """Start it, and write its file ``rig``; what that knows of cameras stays.

        It is calibrated unless it was before, or ``calibrated`` is False. Raises
        InvalidInputError if its pictures are too small for that; EnvironmentFaultError, with the
        world's last words, if that does not come up.
        """
        with needs("a rehearsal needs the packages of the rig", "rig"):
            import cyclonedds  # noqa: F401
            import pyrealsense2  # noqa: F401
        with needs("a rehearsal draws with Open3D", "geometry"):
            import open3d  # noqa: F401
        if calibrated:
            check_picture_size(rehearsal_rig("", 0, size_px))
        # Short, since the names of sockets have to be.
        self._address = address = str(Path(tempfile.mkdtemp(prefix="pactwin-")) / "bench")
        known = read_rig(rig).calibration if rig.is_file() else None
        fresh = rehearsal_rig(address, unused_domain(), size_px)
        write_rig(rig, fresh.model_copy(update={"calibration": known}))
        self.path, self._takes = rig, count()
        self._log = Path(address).with_suffix(".log").open("w+b")
        command = [sys.executable, "-m", "pactwin.real.rehearsal.world"]
        self._process = subprocess.Popen(
            [*command, str(suite), str(rig), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        try:
            if self._process.stdout is None or self._process.stdout.readline() != b"ready\n":
                raise self._fault()
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(_ANSWER_S)
            self._socket.connect(address)
            self._file = self._socket.makefile("rwb")
            self._send({"control": True})
            if calibrated and known is None:
                self.calibrate()
        except BaseException:
            self._end()
            raise

    def calibrate(
        self, bench: Bench | None = None, rulers_mm: tuple[float, float] = RULERS_MM
    ) -> Rig:
        """Calibrate with the board on the initial table; through ``bench`` if given.

        An operator who read the rulers rightly reads the same when asked to measure them again.
        """
        rightly = rulers_mm == RULERS_MM
        with nullcontext(bench) if bench else Bench(read_rig(self.path)) as opened:
            found = calibrate(opened, rulers_mm, SHOTS, measured_twice=rightly)
        write_calibration(self.path, found.calibration)
        return read_rig(self.path)

    def set_up(self, scene: str, mistake: str = "", thing: str = "", other: str = "") -> None:
        """Place a scene's objects by its template, then remove the template.

        ``mistake`` is a mistake with ``thing``, for example a swap with ``other``.
        """
        wrong = {"mistake": mistake, "name": thing, "other": other} if mistake else {}
        self.do("place", scene=scene, take=next(self._takes), template=False, **wrong)

    def poses(self) -> dict[str, np.ndarray]:
        """True poses of the objects: table from object, (4, 4), by name."""
        there = self.do("truth")["objects"]
        return {name: np.array(pose) for name, pose in there.items()}

    def do(self, what: str, **how: Any) -> dict[str, Any]:
        """Execute an order, and wait for its end. EnvironmentFaultError if it fails."""
        try:
            self._send({"do": what, **how})
            answer = parse_json(self._file.readline())
        except (OSError, ValueError) as error:
            raise self._fault() from error
        if "error" in answer:
            raise EnvironmentFaultError(f"the rehearsed world: {answer['error']}")
        return answer

    def _send(self, order: dict[str, Any]) -> None:
        self._file.write(json.dumps(order).encode() + b"\n")
        self._file.flush()

    def _fault(self) -> EnvironmentFaultError:
        self._log.seek(0)
        words = self._log.read()[-2000:].decode(errors="replace").strip().splitlines() or ["silent"]
        return EnvironmentFaultError(f"the rehearsed world ended: {words[-1]}")

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                stream.close()
        shutil.rmtree(Path(self._address).parent, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._socket.close()
        self._end()

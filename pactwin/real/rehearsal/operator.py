"""The one who works at the rehearsed bench: starts the world, and tells it what to do."""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pactwin.suite import EnvironmentFaultError, needs, parse_json

_ANSWER_S = 600.0


def new_address() -> str:
    """Where a world can be called; short, since the names of sockets have to be."""
    return str(Path(tempfile.mkdtemp(prefix="pactwin-")) / "bench")


class Operator:
    """The hands at the bench that the rig file at ``rig`` describes. Use as a context manager.

    The world runs in a process of its own, which ends with this one.
    """

    def __init__(self, suite: Path, rig: Path, address: str, seed: int) -> None:
        """Start the world; EnvironmentFaultError, with its last words, if it does not come up."""
        with needs("a rehearsal needs the packages of the rig", "rig"):
            import cyclonedds  # noqa: F401
            import pyrealsense2  # noqa: F401
        self._address = address
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
        except BaseException:
            self._end()
            raise

    def do(self, what: str, **how: Any) -> dict[str, Any]:
        """Have something done; it is done on return. EnvironmentFaultError if it cannot be."""
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

    def __enter__(self) -> "Operator":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        self._socket.close()
        self._end()

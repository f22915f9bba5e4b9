"""The bench's newest pictures, for whoever wants to see them."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from pactwin.hardware import FrameSet
from pactwin.suite import EnvironmentFaultError

PAUSE_S, RETRY_S = 0.1, 2.0
PATIENCE_S = 40.0


class Grabber(Protocol):
    """A bench that is open; see :class:`pactwin.hardware.Bench`."""

    def grab(self) -> FrameSet:
        """Pictures that were taken from now on."""


class LiveBench:
    """One thread owns all devices, and opens them again until they work.

    ``fault`` says what is wrong now and what to do, "" if nothing is; ``newest`` is the latest
    shot, None before the first and while something is wrong.
    """

    def __init__(self, opened: Callable[[], AbstractContextManager[Grabber]]) -> None:
        """Start; ``opened`` opens the bench and raises EnvironmentFaultError if it cannot."""
        self._opened = opened
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self.newest: FrameSet | None = None
        self.fault = ""
        self._listeners: list[queue.Queue[FrameSet | None]] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def shot(self) -> FrameSet:
        """Pictures that were taken from now on; EnvironmentFaultError if there will be none."""
        asked_ns, until = time.time_ns(), time.monotonic() + PATIENCE_S
        with self._changed:
            while time.monotonic() < until:
                if self.fault:
                    raise EnvironmentFaultError(self.fault)
                if self.newest is not None and _taken_ns(self.newest) > asked_ns:
                    return self.newest
                self._changed.wait(timeout=1.0)
        raise EnvironmentFaultError(f"no pictures for {PATIENCE_S:g} s: run pactwin rig check")

    def shots(self, seconds: float) -> Iterator[FrameSet]:
        """All shots from now on for so long; EnvironmentFaultError if something fails."""
        until = time.monotonic() + seconds
        came: queue.Queue[FrameSet | None] = queue.Queue()
        self._listeners.append(came)
        try:
            while time.monotonic() < until:
                shot = came.get()
                if shot is None:
                    raise EnvironmentFaultError(self.fault)
                yield shot
        finally:
            self._listeners.remove(came)

    def close(self) -> None:
        """Let go of the devices."""
        self._stop.set()
        self._thread.join(timeout=10.0)  # it may be waiting for a device

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._opened() as bench:
                    while not self._stop.wait(PAUSE_S):
                        self._tell(bench.grab(), "")
            except EnvironmentFaultError as error:
                self._tell(None, str(error))
                self._stop.wait(RETRY_S)

    def _tell(self, shot: FrameSet | None, fault: str) -> None:
        with self._changed:
            self.newest, self.fault = shot, fault
            for listener in self._listeners:
                listener.put(shot)
            self._changed.notify_all()


def _taken_ns(shot: FrameSet) -> int:
    return min(frame.captured_at_ns for frame in shot.frames.values())

"""The bench's newest pictures, for several readers."""

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
_SILENT = f"no pictures for {PATIENCE_S:g} s: run pactwin rig check"


class Grabber(Protocol):
    """An open bench; see :class:`pactwin.hardware.Bench`."""

    def grab(self, *, thorough: bool = False) -> FrameSet:
        """Pictures taken from now on; if ``thorough``, with less depth noise."""


class LiveBench:
    """Owns all devices in one thread, and reopens them until they work.

    ``fault`` is the current fault with its remedy, "" if there is none; ``newest`` is the latest
    set of frames, None before the first and during a fault.
    """

    def __init__(self, opened: Callable[[], AbstractContextManager[Grabber]]) -> None:
        """Start; ``opened`` opens the bench and raises EnvironmentFaultError if it cannot."""
        self._opened = opened
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self.newest: FrameSet | None = None
        self.fault = ""
        self._asked = False
        self._thorough: FrameSet | None = None
        self._listeners: list[queue.Queue[FrameSet | None]] = []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def grab(self) -> FrameSet:
        """Pictures taken from now on; EnvironmentFaultError if none will come."""
        asked_ns, until = time.time_ns(), time.monotonic() + PATIENCE_S
        with self._changed:
            self._asked = True
            while time.monotonic() < until:
                if self.fault:
                    raise EnvironmentFaultError(self.fault)
                if self._thorough is not None and _taken_ns(self._thorough) > asked_ns:
                    return self._thorough
                self._changed.wait(timeout=1.0)
        raise EnvironmentFaultError(_SILENT)

    def frame_sets(self, seconds: float) -> Iterator[FrameSet]:
        """All sets of frames for a duration from now on; EnvironmentFaultError on failure."""
        until = time.monotonic() + seconds
        came: queue.Queue[FrameSet | None] = queue.Queue()
        self._listeners.append(came)
        try:
            while time.monotonic() < until:
                try:
                    frame_set = came.get(timeout=PATIENCE_S)
                except queue.Empty:
                    raise EnvironmentFaultError(_SILENT) from None
                if frame_set is None:
                    raise EnvironmentFaultError(self.fault)
                yield frame_set
        finally:
            self._listeners.remove(came)

    def close(self) -> None:
        """Close the devices."""
        self._stop.set()
        self._thread.join(timeout=10.0)  # it may be waiting for a device

    def _run(self) -> None:
        try:
            self._read_devices()
        finally:
            if not self._stop.is_set():
                self._tell(None, "reading the devices ended by an error: start the session again")

    def _read_devices(self) -> None:
        while not self._stop.is_set():
            try:
                with self._opened() as bench:
                    while not self._stop.wait(PAUSE_S):
                        thorough, self._asked = self._asked, False
                        frame_set = bench.grab(thorough=thorough)
                        if thorough:
                            self._thorough = frame_set
                        self._tell(frame_set, "")
            except EnvironmentFaultError as error:
                self._tell(None, str(error))
                self._stop.wait(RETRY_S)

    def _tell(self, frame_set: FrameSet | None, fault: str) -> None:
        with self._changed:
            self.newest, self.fault = frame_set, fault
            for listener in self._listeners:
                listener.put(frame_set)
            self._changed.notify_all()


def _taken_ns(frame_set: FrameSet) -> int:
    return min(frame.captured_at_ns for frame in frame_set.frames.values())

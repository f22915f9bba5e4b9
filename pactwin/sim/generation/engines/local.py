"""Workers that are processes of this machine."""

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from pactwin.sim.generation.engines.base import DRAW_LIMIT_S, TRIES, run_watched
from pactwin.suite import EnvironmentFaultError

T = TypeVar("T")

_log = logging.getLogger(__name__)


class LocalEngine:
    """``workers`` fresh processes, each with a thread that replaces it and tries its unit again.

    ``limit_s`` is the maximum time between two calls of ``still_alive``.
    """

    renders_here = True

    def __init__(self, workers: int, limit_s: float = DRAW_LIMIT_S) -> None:
        self.workers = workers
        self._limit_s = limit_s
        self._closed = False
        self._threads = ThreadPoolExecutor(workers)
        self._own = threading.local()
        self._others = multiprocessing.active_children()

    def __enter__(self) -> "LocalEngine":
        return self

    def __exit__(self, *_: object) -> None:
        """End all workers, whatever they are doing."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            if process not in self._others:
                process.kill()
        self._threads.shutdown()

    def submit(self, task: Callable[[int], T], number: int) -> Callable[[], T]:
        """See :class:`~pactwin.sim.generation.engines.base.Engine`."""
        return self._threads.submit(self._run, task, number).result

    def _run(self, task: Callable[[int], T], number: int) -> T:
        reason = (
            f"its worker died or was stuck for {self._limit_s:g} s "
            "(out of memory, or an OpenGL driver that crashed or hangs?)"
        )
        for attempt in range(1, TRIES + 1):
            if self._closed:
                break
            try:
                return self._process().submit(run_watched, task, number, self._limit_s).result()
            except BrokenProcessPool:
                del self._own.process
                _log.warning("unit %d, try %d of %d: %s", number, attempt, TRIES, reason)
        raise EnvironmentFaultError(
            f"unit {number} was given up after {TRIES} tries: {reason}; "
            "run the same command to go on, with fewer --workers if memory is short"
        )

    def _process(self) -> ProcessPoolExecutor:
        """The process of the thread that asks; a pool of one, so that only its own unit is lost."""
        if not hasattr(self._own, "process"):
            spawn = multiprocessing.get_context("spawn")
            self._own.process = ProcessPoolExecutor(1, spawn, initializer=_end_with_parent)
        return self._own.process


def _end_with_parent() -> None:
    """End this process with its parent, even in the middle of a task; Ctrl-C is for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

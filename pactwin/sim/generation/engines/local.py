"""Workers that are processes of this machine."""

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import TypeVar

from pactwin.sim.generation.engines.base import DRAW_LIMIT_S, TRIES, run_watched
from pactwin.suite import EnvironmentFaultError, PactwinError

T = TypeVar("T")

_log = logging.getLogger(__name__)


class LocalEngine:
    """``workers`` fresh processes, each supervised by a thread.

    ``limit_s`` is the maximum time between two calls of ``still_alive``.
    """

    renders_here = True

    def __init__(self, workers: int, limit_s: float = DRAW_LIMIT_S) -> None:
        self.workers = workers
        self._limit_s = limit_s
        self._closed = False
        self._threads = ThreadPoolExecutor(workers)
        self._own = threading.local()
        self._processes: set[_Worker] = set()

    def __enter__(self) -> "LocalEngine":
        return self

    def __exit__(self, *_: object) -> None:
        """End all workers, whatever they are doing."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in tuple(self._processes):
            worker.kill()
        self._threads.shutdown(wait=True)

    def submit(self, task: Callable[[int], T], number: int) -> Callable[[], T]:
        """See :class:`~pactwin.sim.generation.engines.base.Engine`."""
        return self._threads.submit(self._run, task, number).result

    def _run(self, task: Callable[[int], T], number: int) -> T:
        reason = ""
        for attempt in range(1, TRIES + 1):
            worker = self._worker()
            try:
                return worker.run(task, number)
            except _LostError as lost:
                reason = str(lost)
                self._processes.discard(worker)
                del self._own.worker
            if self._closed:
                break
            _log.warning("unit %d, try %d of %d: %s", number, attempt, TRIES, reason)
        raise EnvironmentFaultError(
            f"unit {number} was given up after {TRIES} tries; the last time {reason}; "
            "run the same command to go on, with fewer --workers if memory is short"
        )

    def _worker(self) -> "_Worker":
        """The process of the thread that asks, started if there is none."""
        if not hasattr(self._own, "worker"):
            self._own.worker = _Worker(self._limit_s)
            self._processes.add(self._own.worker)
            if self._closed:  # it came too late to be ended with the others
                self._own.worker.kill()
        return self._own.worker


class _LostError(Exception):
    """A worker process ended before its task did; says why."""


class _Worker:
    """One process that carries out tasks, one after the other."""

    def __init__(self, limit_s: float) -> None:
        context = multiprocessing.get_context("spawn")
        self._limit_s = limit_s
        self._connection, theirs = context.Pipe()
        arguments = theirs, limit_s
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def run(self, task: Callable[[int], T], number: int) -> T:
        """Result of ``task(number)``; its PactwinError, or _LostError if the worker died."""
        try:
            self._connection.send((task, number))
            result = self._connection.recv()
        except (EOFError, ConnectionError) as error:
            raise self._lost() from error
        if isinstance(result, PactwinError):
            raise result
        return result

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    def _lost(self) -> Exception:
        self._process.join()
        code = self._process.exitcode or 0
        if code == -signal.SIGALRM:
            return _LostError(
                f"its worker was stuck for {self._limit_s:g} s (an OpenGL driver that hangs?)"
            )
        if code < 0:
            return _LostError(
                f"its worker process died of {signal.Signals(-code).name} "
                "(out of memory, or an OpenGL driver that crashed?)"
            )
        # A bug, not bad luck: its traceback went to stderr, and another try would end as this one.
        return EnvironmentFaultError(f"a worker process ended with exit code {code}")


def _serve(connection: Connection, limit_s: float) -> None:
    """A worker's loop, until its parent ends or has no more work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    _end_with_parent()
    while True:
        try:
            task, number = connection.recv()
        except EOFError:
            return
        try:
            result = run_watched(task, number, limit_s)
        except PactwinError as error:
            result = error
        connection.send(result)


def _end_with_parent() -> None:
    """End this process with its parent, even in the middle of a task."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

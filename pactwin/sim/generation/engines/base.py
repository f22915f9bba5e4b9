"""The engine interface, ordered collection of its results, and a watchdog that ends stuck workers.

An OpenGL driver that hangs does so in C code, often while it holds the interpreter's lock, so that
no Python thread can intervene. Therefore the kernel sends an alarm: the default action of SIGALRM
ends the process, and the engine sees a lost worker.
"""

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

T = TypeVar("T")

TRIES = 3
"""Number of attempts at a unit before lost workers count as the unit's fault."""

# Units under way per worker. Some take ten times as long as others: while the first of a row is
# waited for, the others go on; yet what waits to be written stays a few megabytes per worker.
_AHEAD = 4

DRAW_LIMIT_S = 300.0
"""Time limit of one draw. The slowest take some ten seconds on one core."""

_limit_s = 0.0


class Engine(Protocol):
    """Runs tasks on workers. A context manager: leaving it ends the workers.

    A task is a picklable function of a unit's number that calls ``still_alive`` whenever it
    progresses. A worker that dies, or does not call it for too long, is replaced, and its unit is
    tried again, ``TRIES`` times in total.
    """

    renders_here: bool
    """Return whether workers run on this machine, which then needs OpenGL."""

    @property
    def workers(self) -> int:
        """Number of tasks that run at once."""
        ...

    def submit(self, task: Callable[[int], T], number: int) -> Callable[[], T]:
        """Start ``task(number)`` when a worker is free; returns a waiter for its result.

        Waiting raises the PactwinError that the task raised, or EnvironmentFaultError if the
        unit's workers were lost repeatedly.
        """
        ...

    def __enter__(self) -> "Engine": ...

    def __exit__(self, *_: object) -> None: ...


def in_order(engine: Engine, task: Callable[[int], T], numbers: Iterable[int]) -> Iterator[T]:
    """Run ``task`` on all ``numbers`` with bounded concurrency; yields results in order."""
    numbers = iter(numbers)
    under_way: deque[Callable[[], T]] = deque()
    while True:
        free = _AHEAD * engine.workers - len(under_way)
        under_way.extend(engine.submit(task, number) for number in islice(numbers, max(free, 0)))
        if not under_way:
            return
        yield under_way.popleft()()


def run_watched(task: Callable[[int], T], number: int, limit_s: float) -> T:
    """Run ``task(number)``; end this process after ``limit_s`` without ``still_alive``."""
    global _limit_s
    _limit_s = limit_s
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        return task(number)
    finally:
        _limit_s = 0.0
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def still_alive() -> None:
    """Report progress: restarts this process's timeout. Without a watchdog it does nothing."""
    if _limit_s:
        signal.setitimer(signal.ITIMER_REAL, _limit_s)

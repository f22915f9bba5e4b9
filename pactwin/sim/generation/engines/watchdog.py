"""Watchdog that ends a stuck worker.

An OpenGL driver that hangs does so in C code, often while it holds the interpreter's lock, so that
no Python thread can intervene. Therefore the kernel sends an alarm: the default action of SIGALRM
ends the process, and the engine sees a lost worker.
"""

import signal
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

DRAW_LIMIT_S = 300.0
"""Time limit of one draw. The slowest take some ten seconds on one core."""

_limit_s = 0.0


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

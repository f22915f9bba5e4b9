"""Suites made by ``pactwin make``, in this process."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import invoke

from pactwin.suite import Scene, Suite


class OwnProcess:
    """An engine without workers: what is wanted is drawn here, when it is waited for."""

    workers = 1
    renders_here = True

    def submit(self, task: Callable[[int], Any], number: int) -> Callable[[], Any]:
        return partial(task, number)

    def __enter__(self) -> "OwnProcess":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def made_suite(folder: Path, kind: str, *options: str) -> Path:
    """The suite in ``folder`` that ``pactwin make KIND`` makes; no worker has to be started."""
    out = folder / "suite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pactwin.cli.make.choose_engine", lambda *_: OwnProcess())
        invoke("make", kind, "--out", out, *options)
    return out


def served_and_failed(suite: Path) -> tuple[Scene, Scene]:
    """The twins of a suite of one pair: the feasible one, and the other."""
    first, second = Suite.open(suite).scenes()
    return (first, second) if first.decided.feasible else (second, first)

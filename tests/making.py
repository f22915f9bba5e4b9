"""Suites made by ``pactwin make``, in this process."""

from pathlib import Path

from commands import invoke

from pactwin.suite import Scene, Suite, check_suite


def made_suite(folder: Path, kind: str, *options: str) -> Path:
    """The suite in ``folder`` that ``pactwin make KIND`` makes, which has no faults."""
    out = folder / "suite"
    invoke("make", kind, "--out", out, *options)
    assert check_suite(out) == []
    return out


def served_and_failed(suite: Path) -> tuple[Scene, Scene]:
    """The twins of a suite of one pair: the feasible one, and the other."""
    first, second = Suite.open(suite).scenes()
    return (first, second) if first.decided.feasible else (second, first)

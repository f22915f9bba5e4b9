"""Suites made by ``pactwin make``, in this process."""

from pathlib import Path

from typer.testing import CliRunner

from pactwin.cli import app
from pactwin.suite import Scene, Suite


def made_suite(folder: Path, kind: str, *options: str) -> Path:
    """The suite in ``folder`` that ``pactwin make KIND`` makes."""
    out = folder / "suite"
    result = CliRunner().invoke(app, ["make", kind, "--out", str(out), *options])
    assert result.exit_code == 0, result.output
    return out


def served_and_failed(suite: Path) -> tuple[Scene, Scene]:
    """The twins of a suite of one pair: the feasible one, and the other."""
    first, second = Suite.open(suite).scenes()
    return (first, second) if first.decided.feasible else (second, first)

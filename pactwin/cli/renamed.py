"""Former names of commands: they still work, and print the new name."""

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import typer

P = ParamSpec("P")
R = TypeVar("R")


def renamed(command: Callable[P, R], old: str, new: str) -> Callable[P, R]:
    """Return ``command`` with a note on stderr that ``old`` is now called ``new``."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        typer.echo(f"pactwin: `pactwin {old}` is now `pactwin {new}`", err=True)
        return command(*args, **kwargs)

    wrapped.__doc__ = f"Renamed: use pactwin {new}."
    return wrapped

"""Turns errors into one line and an exit code; docs/commands.md has the table of codes.

Codes 2, 3 and 4 are those of :mod:`pactwin.suite.errors`.
"""

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import typer

NEGATIVE = 1
"""The command worked and the answer is negative: faults found, or a score below its limit."""

CANNOT_WRITE = 4
INTERRUPTED = 130

P = ParamSpec("P")
R = TypeVar("R")


def handle_errors(run: Callable[P, R]) -> Callable[P, R]:
    """Show user errors, disk errors and Ctrl-C as one line on stderr, without a traceback.

    If a reader closes the pipe early, the command ends silently.
    """

    @functools.wraps(run)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        from pactwin.suite import PactwinError

        try:
            result = run(*args, **kwargs)
            sys.stdout.flush()
            return result
        except PactwinError as error:
            raise _stop(f"error: {error}", error.exit_code) from error
        except BrokenPipeError as error:  # as with `pactwin ls SUITE | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(NEGATIVE) from error  # as Rich ends it
        except OSError as error:
            reason = error.strerror or str(error)
            where = f"{error.filename}: " if error.filename else ""
            raise _stop(f"error: {where}{reason}", CANNOT_WRITE) from error
        except KeyboardInterrupt as error:
            raise _stop("interrupted", INTERRUPTED) from error

    return wrapped


def negative(reason: str) -> typer.Exit:
    """Print why the answer is negative; raise the returned exception."""
    return _stop(reason, NEGATIVE)


def _stop(message: str, code: int) -> typer.Exit:
    from pactwin.suite import one_line

    typer.echo(f"pactwin: {one_line(message)}", err=True)
    return typer.Exit(code)

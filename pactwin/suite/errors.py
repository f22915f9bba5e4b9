"""The project's exception tree.

Every error a user can cause or fix derives from :class:`PactwinError`; the command line shows its
message on one line, without a traceback, and exits with its ``exit_code``. A message names the
offender and what is allowed.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class PactwinError(Exception):
    """Base of all errors shown to users as one line."""

    exit_code = 2


class InvalidInputError(PactwinError):
    """An argument or a name is not one of those allowed."""

    exit_code = 2


class SuiteError(PactwinError):
    """A folder is not a readable suite, or may not be written as one."""

    exit_code = 3


class EnvironmentFaultError(PactwinError):
    """The machine lacks something: OpenGL, disk space, an optional package."""

    exit_code = 4


def install_command(extra: str) -> str:
    """How the packages of an extra are installed: pactwin is on no package index."""
    return (
        f"pip install -r requirements/{extra}.txt in a checkout, "
        f"pip install 'PATH/pactwin-VERSION.whl[{extra}]' with a wheel"
    )


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Around an import of a package of ``extra``: without it EnvironmentFaultError says ``what``.

    ``what`` is as in "PDFs need reportlab"; :func:`install_command` follows it.
    """
    try:
        yield
    except ImportError as error:
        raise EnvironmentFaultError(f"{what}: {install_command(extra)}") from error


def unknown_name(what: str, name: str, known: list[str] | tuple[str, ...]) -> InvalidInputError:
    """An error that says which ``what`` was not found and which exist."""
    return InvalidInputError(f"unknown {what} {name!r}: use one of {', '.join(sorted(known))}")

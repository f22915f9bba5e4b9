"""The project's exception tree.

Every error that a user can cause or fix derives from :class:`PactwinError`; the command line shows
its message on one line, without a traceback, and exits with its ``exit_code``. A message names the
offender and what is allowed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches

_MAX_NAMES = 100  # listed in one message


class PactwinError(Exception):
    """Base of all errors shown to users as one line."""

    exit_code = 2


class InvalidInputError(PactwinError):
    """An argument or a name is not one of those allowed."""

    exit_code = 2


class SuiteError(PactwinError):
    """A folder is not a readable suite, or must not be written as one."""

    exit_code = 3


class EnvironmentFaultError(PactwinError):
    """The machine lacks something: OpenGL, disk space, an optional package."""

    exit_code = 4


def install_command(extra: str) -> str:
    """Command that installs an extra; pactwin is on no package index."""
    return (
        f".cache/uv/bin/uv pip install -r requirements/{extra}.txt in a checkout, "
        f"pip install 'PATH/pactwin-VERSION.whl[{extra}]' with a wheel"
    )


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Context for imports from ``extra``; EnvironmentFaultError if it is not installed.

    The message combines ``what``, such as "PDFs need reportlab", with :func:`install_command`, or
    with the way to libusb, a system library that librealsense and Open3D load.
    """
    try:
        yield
    except ImportError as error:
        lacks_usb = "libusb" in str(error)
        fix = "apt-get install -y libusb-1.0-0" if lacks_usb else install_command(extra)
        raise EnvironmentFaultError(f"{what}: {fix}") from error


def unknown_name(what: str, name: str, known: list[str] | tuple[str, ...]) -> InvalidInputError:
    """Error for an unknown name of a ``what``, listing the known names, or the closest of many."""
    names = sorted(known)
    if len(names) > _MAX_NAMES:
        near = get_close_matches(name, names, cutoff=0.5)
        return InvalidInputError(
            f"unknown {what} {name!r}: use one of {len(names)}, such as "
            f"{', '.join(near or names[:3])}"
        )
    return InvalidInputError(f"unknown {what} {name!r}: use one of {', '.join(names)}")

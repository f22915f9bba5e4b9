"""URLs for fsspec, such as ``s3://bucket/suite``, and safe messages about them.

A URL may hold a password (``sftp://me:secret@host/...``) or a signature (``https://...?sig=...``),
and so may errors about it. Neither is ever shown or stored, because all messages are made here.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pactwin.suite.errors import EnvironmentFaultError, InvalidInputError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(://|::)")
_LOCAL = re.compile(r"(file|local)://(?P<path>/.*)")
# A password may hold a slash, though it should not.
_USER = re.compile(r"(?<=//)([^/\s]*|[^/\s:]+:\S*)@")
_QUERY = re.compile(r"[?#]\S*")

# What backends raise besides OSError; those whose module is not loaded raised nothing.
_BACKEND_ERRORS = (
    ("botocore.exceptions", "BotoCoreError"),
    ("botocore.exceptions", "ClientError"),
    ("aiohttp.client_exceptions", "ClientError"),
    ("google.auth.exceptions", "GoogleAuthError"),
    ("gcsfs.retry", "HttpError"),
    ("azure.core.exceptions", "AzureError"),
    ("paramiko.ssh_exception", "SSHException"),
)


def is_url(place: Path | str) -> bool:
    """Return whether ``place`` is a URL for fsspec instead of a local path."""
    return isinstance(place, str) and _URL.match(place) is not None


def local_path(place: Path | str) -> Path | None:
    """Local path of a path or ``file:///`` URL; None for any other URL."""
    if not is_url(place):
        return Path(place)
    match = _LOCAL.fullmatch(str(place))
    return Path(match["path"]) if match else None


def shown_url(url: str) -> str:
    """The URL without user, password, query and fragment, for messages."""
    return _QUERY.sub("", _USER.sub("", url))


def open_url(url: str) -> "tuple[AbstractFileSystem, str]":
    """File system of ``url``, and the path in it without a trailing slash.

    Raises InvalidInputError for a scheme unknown to fsspec, EnvironmentFaultError if a requirement
    is missing or refuses.
    """
    # Imported late: it looks up all installed backends.
    from fsspec.core import url_to_fs

    try:
        with backend_faults("open", url):
            system, root = url_to_fs(url)
    except TypeError as error:  # a file system that needs more than a URL tells
        raise InvalidInputError(f"cannot open {shown_url(url)}: {_safe_text(error, url)}") from None
    except ImportError as error:
        raise EnvironmentFaultError(f"{shown_url(url)}: {_safe_text(error, url)}") from None
    return system, root.rstrip("/")


@contextmanager
def backend_faults(doing: str, url: str) -> Iterator[None]:
    """Convert errors of a backend to one line, "cannot ``doing`` ``url``: ...".

    Raises EnvironmentFaultError, or InvalidInputError for a fault in the URL itself.
    """
    try:
        yield
    except _backend_errors() as error:
        told = _safe_text(error, url)
        # The cause may show the URL, so it is not chained.
        raise EnvironmentFaultError(f"cannot {doing} {shown_url(url)}: {told}") from None
    except (ValueError, NotImplementedError) as error:  # what the backend cannot do with such a URL
        raise InvalidInputError(
            f"cannot {doing} {shown_url(url)}: {_safe_text(error, url)}"
        ) from None


def _backend_errors() -> tuple[type[Exception], ...]:
    known = [
        getattr(sys.modules[module], name)
        for module, name in _BACKEND_ERRORS
        if module in sys.modules
    ]
    return (OSError, *known)


def _safe_text(error: Exception, url: str) -> str:
    """An error's first line, without the parts that :func:`shown_url` hides."""
    text = str(error).replace(url, shown_url(url)).strip() or type(error).__name__
    return shown_url(text.splitlines()[0])

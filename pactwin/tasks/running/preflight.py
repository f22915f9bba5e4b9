"""Checks of this machine before the first call: logs and cache are writable, servers run."""

import socket
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlsplit

from inspect_ai.model import Model, cache_path

from pactwin.suite import EnvironmentFaultError, refuse_inside_suite


def require_writable_logs(folder: Path) -> None:
    """Raise EnvironmentFaultError unless logs can be written into ``folder``.

    InvalidInputError if the folder lies in a suite.
    """
    refuse_inside_suite(folder)
    _require_writable(folder, f"logs cannot be written to {folder}", "name another --log-dir")


def require_writable_cache() -> None:
    """Raise EnvironmentFaultError unless Inspect can cache replies, which are paid for."""
    try:
        folder = cache_path()
    except OSError as error:
        folder = Path(error.filename or "?")
    what = f"replies cannot be kept in {folder}"
    _require_writable(folder, what, "set INSPECT_CACHE_DIR to a folder that can be written")


def require_local_server(model: Model) -> None:
    """Raise EnvironmentFaultError if the model's server is on this machine and does not run.

    Calls would be repeated for minutes before they fail.
    """
    address = urlsplit(getattr(model.api, "base_url", None) or "")
    if address.hostname not in {"localhost", "127.0.0.1", "::1"} or not address.port:
        return
    try:
        socket.create_connection((address.hostname, address.port), timeout=5).close()
    except OSError as error:
        raise EnvironmentFaultError(
            f"no server for {model} runs at {address.hostname}:{address.port}: start it, or set "
            "its base URL"
        ) from error


def _require_writable(folder: Path, what: str, advice: str) -> None:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    try:
        with NamedTemporaryFile(dir=there, prefix=".pactwin-") as file:
            file.write(b"\0" * 4096)
            file.flush()
    except OSError as error:
        raise EnvironmentFaultError(f"{what}: {error.strerror}; {advice}") from error

"""Serve the session's page on a port."""

import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from pactwin.suite import InvalidInputError


def serve(app: Starlette, host: str, port: int, told: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; calls ``told`` with the address first.

    Raises InvalidInputError if ``host`` is no address of this computer, or the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        raise InvalidInputError(
            f"{host}, port {port}: {error.strerror}; choose others with --host and --port"
        ) from error
    shown = f"[{host}]" if family == socket.AF_INET6 else host
    told(f"http://{shown}:{listening.getsockname()[1]}")
    with listening:
        config = uvicorn.Config(app, log_level="warning", lifespan="off")
        uvicorn.Server(config).run(sockets=[listening])

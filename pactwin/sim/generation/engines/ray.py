"""Workers of a Ray cluster, or of a Ray instance started on this machine."""

import logging
import os
import platform
import re
import socket
from collections.abc import Callable
from functools import lru_cache, partial
from importlib.metadata import version
from types import ModuleType
from typing import Any, TypeVar

from pactwin.sim.generation.engines.base import DRAW_LIMIT_S, TRIES, run_watched
from pactwin.sim.packages import environment_versions
from pactwin.suite import EnvironmentFaultError, PactwinError, needs

T = TypeVar("T")

_log = logging.getLogger(__name__)

_HOST_AND_PORT = re.compile(r"(?P<host>[\w.-]+):(?P<port>\d{1,5})")
_ANSWER_S = 10.0


class RayEngine:
    """All CPUs of the cluster at ``address``, or ``workers`` processes of this machine.

    Every node needs the same versions of pactwin, MuJoCo and the like. Without an address, Ray is
    started here and listens only on the loopback device. Ray itself repeats lost tasks.

    Entering it raises EnvironmentFaultError if Ray is not installed or the cluster does not answer.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address = address
        self.renders_here = address is None
        self._workers = workers

    def __enter__(self) -> "RayEngine":
        """Connect to the cluster, or start Ray here."""
        address = self._address
        host = _host_that_answers(address) if address else "localhost"
        self._ray = ray = _import_ray(loopback=host in ("127.0.0.1", "localhost"))
        settings = {} if address else {"num_cpus": self._workers, "include_dashboard": False}
        try:
            ray.init(address or "local", logging_level=logging.ERROR, **settings)
        except (ImportError, OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            raise EnvironmentFaultError(f"Ray at {address or 'this machine'}: {error}") from error
        self._run = ray.remote(max_retries=TRIES - 1)(_run_on_node)
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the cluster; a Ray that was started here ends."""
        self._ray.shutdown()

    @property
    def workers(self) -> int:
        """Current number of CPUs of the cluster; nodes may join and leave."""
        return max(int(self._ray.cluster_resources().get("CPU", 0)), 1)

    def submit(self, task: Callable[[int], T], number: int) -> Callable[[], T]:
        """See :class:`~pactwin.sim.generation.engines.base.Engine`."""
        reference = self._run.remote(task, number, _packages())
        return partial(self._result, reference, number)

    def _result(self, reference: object, number: int) -> Any:
        """Result of the task behind ``reference``; Ray's errors become PactwinErrors."""
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, PactwinError):
                raise error.cause from error
            # A bug, not bad luck; or a node without this package. As a local worker would: the
            # traceback to stderr, and no other try.
            _log.error("%s", error)
            raise EnvironmentFaultError(
                f"a worker failed: {str(error).splitlines()[-1]} "
                "(every node of a cluster needs this version of pactwin)"
            ) from error
        except self._ray.exceptions.RayError as error:
            first_line = str(error).partition("\n")[0]
            raise EnvironmentFaultError(
                f"unit {number} was given up after {TRIES} tries: its workers died or were stuck "
                f"for {DRAW_LIMIT_S:g} s; run the same command to go on ({first_line})"
            ) from error


def _run_on_node(task: Callable[[int], T], number: int, packages: dict[str, str]) -> T:
    """Run a task in a worker of Ray, unless other versions there would draw another suite."""
    for name, here in _packages().items():
        if here != packages[name]:
            raise EnvironmentFaultError(
                f"node {platform.node()} has {name} {here}, not {packages[name]} as the machine "
                "that asks: install the same versions on every node"
            )
    return run_watched(task, number, DRAW_LIMIT_S)


@lru_cache(maxsize=1)
def _packages() -> dict[str, str]:
    return {"pactwin": version("pactwin")} | environment_versions()


def _host_that_answers(address: str) -> str | None:
    """The host, if the address is ``HOST:PORT``; EnvironmentFaultError if nothing listens there.

    Ray itself would try for minutes before it gives up.
    """
    match = _HOST_AND_PORT.fullmatch(address)
    if match is None:
        return None
    try:
        socket.create_connection((match["host"], int(match["port"])), _ANSWER_S).close()
    except (OSError, OverflowError) as error:
        raise EnvironmentFaultError(f"no Ray cluster answers at {address}: {error}") from error
    return match["host"]


def _import_ray(*, loopback: bool) -> ModuleType:
    # Ray reads these when it is imported: report nothing to its makers; and listen, with all that
    # is started here, on the loopback device, as Ray does where it does not support clusters.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if loopback:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    with needs("--engine ray needs Ray", "scale"):
        import ray
    return ray

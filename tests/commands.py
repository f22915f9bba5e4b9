"""The command ``pactwin``, run in this process."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import pactwin.cli.make as making
from pactwin.cli import app

_choose_engine = making.choose_engine


class OwnProcess:
    """An engine without workers: what is wanted is drawn here, when it is waited for."""

    workers = 1
    renders_here = True

    def submit(self, task: Callable[[int], Any], number: int) -> Callable[[], Any]:
        return partial(task, number)

    def __enter__(self) -> "OwnProcess":
        return self

    def __exit__(self, *_: object) -> None:
        pass


def _engine(name: str, address: str | None, workers: int | None) -> Any:
    engine = _choose_engine(name, address, workers)
    return engine if workers or name != "local" else OwnProcess()


def invoke(*words: object, code: int | None = 0, **options: Any) -> Result:
    """What ``pactwin WORDS`` said; it has to end with ``code``, unless that is None.

    A worker is started only where ``--workers`` asks for one: starting takes seconds. ``options``
    are the runner's.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "choose_engine", _engine)
        result = CliRunner().invoke(app, [str(word) for word in words], **options)
    assert code in (None, result.exit_code), (
        f"{result.exit_code}: {result.output}{result.exception or ''}"
    )
    return result

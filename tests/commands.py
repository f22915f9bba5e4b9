"""The command ``pactwin``, run in this process."""

from typing import Any

from typer.testing import CliRunner, Result

from pactwin.cli import app


def invoke(*words: object, code: int | None = 0, **options: Any) -> Result:
    """What ``pactwin WORDS`` said; it has to end with ``code``, unless that is None.

    ``options`` are the runner's.
    """
    result = CliRunner().invoke(app, [str(word) for word in words], **options)
    assert code in (None, result.exit_code), (
        f"{result.exit_code}: {result.output}{result.exception or ''}"
    )
    return result

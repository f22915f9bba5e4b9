"""Progress callbacks."""

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]
"""Called with the step in words, how many of its parts are done, and how many there are."""


def silent(step: str, done: int, total: int) -> None:
    """A progress callback that tells nobody."""

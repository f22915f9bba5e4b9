"""Progress callbacks."""

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]
"""Called with the step in words, the number of parts done, and their total."""


def silent(step: str, done: int, total: int) -> None:
    """A progress callback without effect."""

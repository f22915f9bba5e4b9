"""What a check finds, and how it tells its progress."""

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[str, int, int], None]
"""Called with the step in words, how many of its parts are done, and how many there are."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a suite.

    ``what`` is the kind of fault in a word, ``where`` the file or the record's id.
    """

    what: str
    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.what}: {self.where}: {self.message}"


def silent(step: str, done: int, total: int) -> None:
    """A progress callback that tells nobody."""

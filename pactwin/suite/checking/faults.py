"""Result of a check."""

from dataclasses import dataclass

from pactwin.suite.text import one_line


@dataclass(frozen=True)
class Fault:
    """One fault of a suite.

    ``what`` is the kind of fault in a word, ``where`` the file or the record's id.
    """

    what: str
    where: str
    message: str

    def __str__(self) -> str:
        return one_line(f"{self.what}: {self.where}: {self.message}")

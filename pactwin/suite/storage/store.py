"""What a suite's writer needs of the place it writes to."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from pactwin.suite.records import SuiteInfo
from pactwin.suite.storage.journal import JournalEntry, JournalHeader


class Writable(Protocol):
    """A file that bytes are written to."""

    def write(self, data: bytes, /) -> object:
        """Write ``data`` after what was written before."""
        ...


class Store(Protocol):
    """Holds the units written so far, in order; complete once it has a ``suite.json``.

    Whatever the place refuses is raised as EnvironmentFaultError.
    """

    name: str
    """The place, as messages call it."""

    def info(self) -> SuiteInfo | None:
        """What the complete suite says of itself; None if it is not complete."""
        ...

    def header(self) -> JournalHeader | None:
        """What was asked for when the suite was begun; None if nothing was begun."""
        ...

    def start(self, header: JournalHeader) -> None:
        """Begin a suite."""
        ...

    def recover(self) -> int:
        """Keep the whole units, forget what a kill left of others; how many are kept."""
        ...

    def add(self, unit: JournalEntry, files: Mapping[str, bytes]) -> None:
        """Write a unit's files, then what makes it count."""
        ...

    def units(self) -> Iterator[JournalEntry]:
        """All units, in order."""
        ...

    def record_file(self, name: str) -> AbstractContextManager[Writable]:
        """Write one of the suite's record files."""
        ...

    def complete(self, info: SuiteInfo) -> None:
        """Write ``suite.json``, at once or not at all, and forget the journal."""
        ...

    def close(self) -> None:
        """Let others write; what was added stays."""
        ...

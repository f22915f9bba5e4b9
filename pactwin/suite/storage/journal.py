"""The journal of a suite being written: its first line is the request, each later line one unit.

A unit (a twin pair, a ladder, or one other scene) counts as written once its line is complete in
the journal; its view files are written before. The journal is also the lock: the writer holds
``flock`` on it.
"""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field, JsonValue

from pactwin.suite.base import Record
from pactwin.suite.errors import SuiteError
from pactwin.suite.parsing import parse_record
from pactwin.suite.records import MAX_STEPS, RelativePath, Scene
from pactwin.suite.text import Name

_MARK = b'{"pactwin_journal":1,'


class JournalHeader(Record):
    """The suite's request, and the versions of packages that generate it."""

    pactwin_journal: Literal[1] = 1
    name: Name
    request: dict[str, JsonValue]
    made_by: str
    packages: dict[str, str]


class JournalEntry(Record):
    """A unit of the journal: scenes in file order, and the sha256 of each of their files.

    ``rejections`` is {domain: {reason: count}} of rejected layouts; ``gl_renderer`` is the OpenGL
    renderer, "" without pictures.
    """

    scenes: tuple[Scene, ...] = Field(min_length=1, max_length=MAX_STEPS)
    files: dict[RelativePath, str]
    rejections: dict[str, dict[str, int]]
    gl_renderer: str = ""


class Journal:
    """An open, locked journal, appended to by one process."""

    def __init__(self, path: Path) -> None:
        """Open or create; raises SuiteError if another process holds it, OSError."""
        self.path = path
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._fd)
            raise SuiteError(f"{path.parent} is being written by another process") from error

    def close(self) -> None:
        """Release the lock; safe to call twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def is_current(self) -> bool:
        """False if the file was deleted between opening and locking it."""
        try:
            return os.path.samestat(os.fstat(self._fd), self.path.stat())
        except FileNotFoundError:
            return False

    def header(self) -> JournalHeader | None:
        """The first line; None if a kill left it incomplete; SuiteError if it is not a header."""
        with self.path.open("rb") as file:
            line = file.readline()
        if not line.endswith(b"\n") and _MARK.startswith(line[: len(_MARK)]):
            return None
        return parse_record(JournalHeader, line, str(self.path))

    def start(self, header: JournalHeader) -> None:
        """Make ``header`` the only line."""
        self.truncate(0)
        self.append(header)

    def units(self) -> Iterator[tuple[JournalEntry, int]]:
        """Complete units with the offsets of their ends, up to the first damaged line."""
        with self.path.open("rb") as file:
            end = len(file.readline())
            for number, line in enumerate(file, start=2):
                if not line.endswith(b"\n"):
                    return
                try:
                    unit = parse_record(JournalEntry, line, f"{self.path}:{number}")
                except SuiteError:
                    return
                end += len(line)
                yield unit, end

    def header_end(self) -> int:
        """Offset at which the first line ends."""
        with self.path.open("rb") as file:
            return len(file.readline())

    def append(self, record: Record) -> None:
        """Add one line completely or not at all; raises OSError."""
        before = os.fstat(self._fd).st_size
        rest = memoryview(record.model_dump_json().encode() + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError:
            self.truncate(before)
            raise

    def truncate(self, length: int) -> None:
        """Truncate to ``length`` bytes."""
        os.ftruncate(self._fd, length)

    def remove(self) -> None:
        """Delete the file and release the lock."""
        self.path.unlink(missing_ok=True)
        self.close()

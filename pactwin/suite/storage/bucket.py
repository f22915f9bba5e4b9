"""Storage through fsspec, such as an object store, without appending, renaming or locking.

A unit's view files are written first, then ``journal/<number>.json``, which makes the unit count;
at the end the record files and, last, ``suite.json``: its presence means the suite is complete.
Object stores write a file completely or not at all; for storage that promises less, the last
journal entry is verified.

Two concurrent runs with the same request write the same bytes; with different requests, the second
finds the first one's header and is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, BinaryIO

from pactwin.suite.errors import SuiteError
from pactwin.suite.parsing import parse_record
from pactwin.suite.reader import INFO_FILE, JOURNAL_FOLDER, parse_info
from pactwin.suite.records import SuiteInfo
from pactwin.suite.storage.journal import JournalEntry, JournalHeader
from pactwin.suite.storage.urls import backend_faults, open_url, shown_url

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_HEADER = f"{JOURNAL_FOLDER}/header.json"
# Journal entries that are read at once: an object store takes as long for one.
_BATCH = 256


class Bucket:
    """Counterpart of :class:`Folder` under ``root`` of an fsspec file system.

    Raises SuiteError if the place holds something else.
    """

    def __init__(self, system: "AbstractFileSystem", root: str, url: str) -> None:
        self.name = shown_url(url)
        self._url = url
        self._system = system
        self._root = root
        self._units = 0
        with self._faults():
            system.invalidate_cache()
            self._complete = system.exists(self._at(INFO_FILE))
            if not self._complete and not system.exists(self._at(_HEADER)):
                self._refuse_foreign()

    @classmethod
    def open(cls, url: str) -> "Bucket":
        """Open the storage at ``url``."""
        return cls(*open_url(url), url)

    def info(self) -> SuiteInfo | None:
        """As :meth:`Folder.info`."""
        if not self._complete:
            return None
        with self._faults():
            info = parse_info(self._system.cat_file(self._at(INFO_FILE)), self.name)
            self._forget_journal()  # if a kill came just before this
        return info

    def header(self) -> JournalHeader | None:
        """As :meth:`Folder.header`."""
        with self._faults():
            if not self._system.exists(self._at(_HEADER)):
                return None
            data = self._system.cat_file(self._at(_HEADER))
        return parse_record(JournalHeader, data, f"{self.name}/{_HEADER}")

    def start(self, header: JournalHeader) -> None:
        """As :meth:`Folder.start`."""
        self._put({_HEADER: header.model_dump_json().encode()})

    def recover(self) -> int:
        """As :meth:`Folder.recover`."""
        with self._faults():
            there = self._names(JOURNAL_FOLDER)
        while _entry(self._units).rpartition("/")[2] in there:
            self._units += 1
        if self._units:
            try:
                next(self._entries(self._units - 1))
            except SuiteError:
                self._units -= 1
        return self._units

    def add(self, unit: JournalEntry, files: Mapping[str, bytes]) -> None:
        """As :meth:`Folder.add`."""
        self._put(files)
        self._put({_entry(self._units): unit.model_dump_json().encode()})
        self._units += 1

    def units(self) -> Iterator[JournalEntry]:
        """As :meth:`Folder.units`."""
        return self._entries(0)

    @contextmanager
    def record_file(self, name: str) -> Iterator[BinaryIO]:
        """As :meth:`Folder.record_file`."""
        with self._faults(), self._system.open(self._at(name), "wb") as file:
            yield file

    def complete(self, info: SuiteInfo) -> None:
        """As :meth:`Folder.complete`."""
        self._put({INFO_FILE: (info.model_dump_json(indent=1) + "\n").encode()})
        with self._faults():
            self._forget_journal()

    def close(self) -> None:
        """Do nothing: there is no lock."""

    def _entries(self, first: int) -> Iterator[JournalEntry]:
        """The units from ``first`` on."""
        for start in range(first, self._units, _BATCH):
            numbers = range(start, min(start + _BATCH, self._units))
            for number, data in zip(numbers, self._get(numbers), strict=True):
                yield parse_record(JournalEntry, data, f"{self.name}/{_entry(number)}")

    def _get(self, numbers: Sequence[int]) -> list[bytes]:
        paths = [self._at(_entry(number)) for number in numbers]
        with self._faults():
            found = self._system.cat(paths)
        return [found[path] for path in paths]

    def _put(self, files: Mapping[str, bytes]) -> None:
        with self._faults():
            # Those that work asynchronously are object stores: they have no folders, and some
            # would make a bucket out of a misspelt name.
            if not self._system.async_impl:
                for folder in {path.rpartition("/")[0] for path in files}:
                    self._system.makedirs(self._at(folder), exist_ok=True)
            self._system.pipe({self._at(path): data for path, data in files.items()})

    def _forget_journal(self) -> None:
        if self._system.exists(self._at(JOURNAL_FOLDER)):
            self._system.rm(self._at(JOURNAL_FOLDER), recursive=True)

    def _refuse_foreign(self) -> None:
        names = self._names("")
        if names == {JOURNAL_FOLDER}:  # a kill came before the header, if it is empty
            names = self._names(JOURNAL_FOLDER)
        if names:
            raise SuiteError(
                f"{self.name} holds something else ({min(names)}): give a new or empty place"
            )

    def _names(self, folder: str) -> set[str]:
        """Names in a folder; empty if it does not exist."""
        if not self._system.exists(self._at(folder)):
            return set()
        listed = self._system.ls(self._at(folder), detail=False)
        return {path.rstrip("/").rpartition("/")[2] for path in listed} - {""}

    def _at(self, relative: str) -> str:
        return f"{self._root}/{relative}".rstrip("/")

    def _faults(self) -> AbstractContextManager[None]:
        return backend_faults("write", self._url)


def _entry(number: int) -> str:
    return f"{JOURNAL_FOLDER}/{number:08}.json"

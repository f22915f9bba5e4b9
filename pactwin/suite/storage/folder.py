"""Storage in a local folder; a suite can be resumed after its process was killed.

A unit's view files are written first, then its journal line, which makes the unit count, and at the
very end ``scenes.jsonl``, ``questions.jsonl`` and, atomically, ``suite.json``: its presence means
the suite is complete. Nothing is synced per unit. Instead, resuming verifies every file in the
journal and continues from the first damaged one, so a power cut costs work but never correctness.
"""

import errno
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pactwin.suite.errors import EnvironmentFaultError, SuiteError
from pactwin.suite.files import refuse_inside_suite, write_file
from pactwin.suite.reader import (
    INFO_FILE,
    JOURNAL_FILE,
    QUESTIONS_FILE,
    SCENES_FILE,
    VIEWS_FOLDER,
    read_info,
)
from pactwin.suite.records import SuiteInfo
from pactwin.suite.storage.journal import Journal, JournalEntry, JournalHeader
from pactwin.suite.untrusted import sha256_of

_PART_FILE = f".{INFO_FILE}.*.part"
_OURS = {JOURNAL_FILE, VIEWS_FOLDER, SCENES_FILE, QUESTIONS_FILE}
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Folder:
    """A suite's files in a folder, which is created if missing, and locked while open.

    Raises SuiteError if the folder holds something else or another process writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self._journal: Journal | None = None
        if path.exists() and not path.is_dir():
            raise SuiteError(f"{path} is a file: give a new or empty folder")
        refuse_inside_suite(path.resolve().parent)
        with self._faults():
            path.mkdir(parents=True, exist_ok=True)
            if (path / INFO_FILE).exists():
                return
            _refuse_foreign(path)
            journal = Journal(path / JOURNAL_FILE)
            if not (path / INFO_FILE).exists() and journal.is_current():
                self._journal = journal
            else:
                journal.close()  # another process finished it while we opened the journal

    def info(self) -> SuiteInfo | None:
        """Info of the suite; None if it is incomplete."""
        if self._journal is not None:
            return None
        info = read_info(self.path)
        with self._faults():
            (self.path / JOURNAL_FILE).unlink(missing_ok=True)  # a kill came just before this
        return info

    def header(self) -> JournalHeader | None:
        """The request that started the suite; None if there is none."""
        with self._faults():
            return self._open_journal().header()

    def start(self, header: JournalHeader) -> None:
        """Begin a suite."""
        with self._faults():
            self._open_journal().start(header)

    def recover(self) -> int:
        """Keep the complete units and drop the rest; returns the number kept."""
        journal = self._open_journal()
        kept: set[str] = set()
        count = 0
        with self._faults():
            end = journal.header_end()
            for unit, unit_end in journal.units():
                if not all(_is_intact(self.path / file, sha) for file, sha in unit.files.items()):
                    break
                kept.update(scene.id for scene in unit.scenes)
                count += 1
                end = unit_end
            journal.truncate(end)
            for part in self.path.glob(_PART_FILE):
                part.unlink()
            views = self.path / VIEWS_FOLDER
            views.mkdir(exist_ok=True)
            for folder in sorted(views.iterdir()):
                if folder.name not in kept:
                    shutil.rmtree(folder)
        return count

    def add(self, unit: JournalEntry, files: Mapping[str, bytes]) -> None:
        """Write a unit's files, then its journal entry."""
        journal = self._open_journal()
        folders = [self.path / VIEWS_FOLDER / scene.id for scene in unit.scenes]
        with self._faults():
            for folder in folders:
                if folder.exists():
                    raise SuiteError(f"{self.path}: scene {folder.name} is already there")
            try:
                for folder in folders:
                    folder.mkdir()
                for file in unit.files:
                    (self.path / file).write_bytes(files[file])
                journal.append(unit)
            except OSError:
                for folder in folders:
                    shutil.rmtree(folder, ignore_errors=True)
                raise

    def units(self) -> Iterator[JournalEntry]:
        """All units, in order."""
        with self._faults():
            for unit, _ in self._open_journal().units():
                yield unit

    @contextmanager
    def record_file(self, name: str) -> Iterator[BinaryIO]:
        """Write one of the suite's record files."""
        with self._faults(), (self.path / name).open("wb") as file:
            yield file

    def complete(self, info: SuiteInfo) -> None:
        """Write ``suite.json`` atomically and remove the journal."""
        journal = self._open_journal()
        with self._faults():
            write_file(self.path / INFO_FILE, info.model_dump_json(indent=1) + "\n")
            journal.remove()
        self._journal = None

    def close(self) -> None:
        """Release the lock; added units stay."""
        if self._journal is not None:
            self._journal.close()

    def _open_journal(self) -> Journal:
        if self._journal is None:
            raise RuntimeError(f"{self.path} is complete: it has no journal")
        return self._journal

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn errors of the disk into one line."""
        try:
            yield
        except OSError as error:
            if error.errno in _FULL:
                message = (
                    f"no space left for {self.path}: free some, then run the same command to resume"
                )
            else:
                message = f"cannot write {self.path}: {error.strerror or error}"
            raise EnvironmentFaultError(message) from error


def _refuse_foreign(path: Path) -> None:
    """Raise SuiteError if the folder has anything that a writer does not leave behind."""
    entries = sorted(path.iterdir())
    foreign = [
        entry
        for entry in entries
        if entry.is_symlink() or not (entry.name in _OURS or entry.match(_PART_FILE))
    ]
    if not (path / JOURNAL_FILE).is_file():
        foreign = entries
    elif (path / VIEWS_FOLDER).is_dir():
        foreign += [
            entry
            for entry in sorted((path / VIEWS_FOLDER).iterdir())
            if entry.is_symlink() or not entry.is_dir() or not _is_scene_folder(entry.name)
        ]
    if foreign:
        raise SuiteError(
            f"{path} holds something else ({foreign[0].relative_to(path)}): "
            "give a new or empty folder"
        )


def _is_scene_folder(name: str) -> bool:
    return len(name) == 16 and set(name) <= set("0123456789abcdef")


def _is_intact(path: Path, sha256: str) -> bool:
    return path.is_file() and not path.is_symlink() and sha256_of(path) == sha256

"""Atomic output files and folders."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pactwin.suite.errors import InvalidInputError
from pactwin.suite.reader import INFO_FILE, JOURNAL_FILE


def write_file(path: Path, content: str | bytes) -> None:
    """Write ``path``, creating its folder; the old file stays until the new one is on disk.

    A pipe or device is written to directly. Raises OSError naming ``path``.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        target = path.resolve()  # a link stays, what it points to is replaced
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def suite_around(path: Path) -> Path | None:
    """Folder of the suite that contains ``path`` after resolving links; None if outside suites.

    Unfinished suites count too.
    """
    target = path.resolve()
    marks = (INFO_FILE, JOURNAL_FILE)
    return next(
        (f for f in (target, *target.parents) if any((f / mark).is_file() for mark in marks)), None
    )


def refuse_inside_suite(path: Path) -> None:
    """Raise InvalidInputError for an output inside a suite, whose files are all listed."""
    suite = suite_around(path)
    if suite is not None:
        raise InvalidInputError(f"{path} lies in the suite {suite}: name a place outside of it")


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Context of a temporary folder that becomes ``out`` at the end, or is deleted on errors.

    Raises InvalidInputError if ``out`` is not empty or lies in a suite; OSError naming the folder.
    """
    refuse_inside_suite(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidInputError(f"{out} is not empty: give a new folder")
    existed = out.exists()
    part = out / f".{secrets.token_hex(4)}.part"
    part.mkdir(parents=True)
    try:
        yield part
        for entry in sorted(part.iterdir()):
            entry.replace(out / entry.name)
    except BaseException as error:
        shutil.rmtree(part if existed else out, ignore_errors=True)
        if isinstance(error, OSError) and not error.filename:  # as of a file being written
            raise OSError(error.errno, error.strerror or str(error), str(out)) from error
        raise
    part.rmdir()

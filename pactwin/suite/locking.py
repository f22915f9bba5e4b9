"""Locks on folders: one process at a time."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pactwin.suite.errors import InvalidInputError

LOCK_FILE = ".pactwin.lock"


@contextmanager
def held(folder: Path, doing: str, *, wait: Callable[[bool], None] | None = None) -> Iterator[None]:
    """Lock ``folder``, creating it if missing; the lock ends with its process.

    With ``wait``, another process's lock is awaited; ``wait`` is called repeatedly (first with
    True).

    A folder created for the lock is removed if it is empty at the end. Raises InvalidInputError,
    saying what another process is ``doing``, if it holds the lock; OSError naming the file.
    """
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK_FILE
    descriptor, began = _locked(path), True
    while descriptor is None and wait is not None:
        wait(began)
        descriptor, began = _locked(path), False
    if descriptor is None:
        raise InvalidInputError(
            f"{folder}: another process is {doing} there: wait for its end, or name another folder"
        )
    try:
        yield
    finally:
        if made and [entry.name for entry in folder.iterdir()] == [LOCK_FILE]:
            path.unlink()
            folder.rmdir()
        os.close(descriptor)


def _locked(path: Path) -> int | None:
    """An open, locked file; None if another process holds the lock."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        except FileNotFoundError:  # taken away by the process that had it
            pass
        except OSError as error:
            os.close(descriptor)
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        os.close(descriptor)

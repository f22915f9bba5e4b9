"""A folder that one process at a time works in."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pactwin.suite.errors import InvalidInputError

LOCK_FILE = ".pactwin.lock"


@contextmanager
def held(folder: Path, doing: str) -> Iterator[None]:
    """Hold ``folder``, which is made if there is none; the lock ends with the process that has it.

    Raises InvalidInputError, saying what another process is ``doing``, if one holds it; OSError,
    which names the file, if the disk refuses.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOCK_FILE
    # The file stays: whoever deletes it could take the lock from somebody who has just opened it.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InvalidInputError(
                f"{folder}: another process is {doing} there: wait for its end, or name another "
                "folder"
            ) from error
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), str(path)) from error
        yield
    finally:
        os.close(descriptor)

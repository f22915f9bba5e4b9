"""Output files and folders, which others find whole or not at all, whatever interrupts writing."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pactwin.suite.errors import InvalidInputError


def write_file(path: Path, content: str | bytes) -> None:
    """Write ``path``, and the folders above it; the old file stays until the new one is on disk.

    What is there and is no regular file, such as a pipe, is written to directly. Raises OSError,
    which names ``path``, if the disk refuses.
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


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write into; what it holds is moved to ``out`` at the end, and dropped on errors.

    Raises InvalidInputError if ``out`` holds something.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidInputError(f"{out} is not empty: give a new folder")
    existed = out.exists()
    part = out / f".{secrets.token_hex(4)}.part"
    part.mkdir(parents=True)
    try:
        yield part
        for entry in sorted(part.iterdir()):
            entry.replace(out / entry.name)
    except BaseException:
        shutil.rmtree(part if existed else out, ignore_errors=True)
        raise
    part.rmdir()

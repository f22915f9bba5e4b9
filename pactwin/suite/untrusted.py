"""Read untrusted files: regular files only, up to a maximum size.

Anything else raises OSError, and the caller names the file and the expected content. Without these
limits a pipe could block a run forever, and a device or a sparse file of 40 GiB fill the memory.
"""

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

MIB = 2**20
MAX_TEXT_BYTES = MIB // 4
"""Maximum size of hand-written YAML files; a parser needs ten seconds per megabyte."""
MAX_JSON_BYTES = 256 * MIB
"""Maximum size of a file that is parsed as a whole."""
MAX_LINE_BYTES = 4 * MIB
"""Maximum size of one record in a file of many."""
MAX_RECORDS_BYTES = 8192 * MIB
"""Maximum size of a file that is read line by line."""
MAX_PICTURE_BYTES = 256 * MIB


def inside(folder: Path, relative: str) -> Path:
    """Resolve ``relative`` in ``folder``; it must stay inside and neither be nor pass a link.

    Otherwise it raises OSError that names the path; also for an impossible file name.
    """
    path, root = folder / relative, folder.resolve()
    try:
        real = path.resolve()
        path.exists()  # the system's own limits of names
    except (ValueError, RuntimeError) as error:  # a NUL, a loop of links
        raise OSError(errno.EINVAL, "not a possible file name", relative) from error
    if real != root / relative or not real.is_relative_to(root):
        raise OSError(errno.ELOOP, "it leads out of the folder, or is a link", relative)
    return path


@contextmanager
def open_untrusted(path: Path, max_bytes: int) -> Iterator[BufferedReader]:
    """Open the regular file at ``path`` of at most ``max_bytes``; OSError otherwise."""
    # Looked at before it is opened: opening a pipe waits until somebody writes to it.
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > max_bytes:
            raise OSError(errno.EFBIG, f"it is larger than {_shown(max_bytes)}")
        yield file


def read_untrusted(path: Path, max_bytes: int) -> bytes:
    """Read the file at ``path``; OSError as :func:`open_untrusted`."""
    with open_untrusted(path, max_bytes) as file:
        data = file.read(max_bytes + 1 if max_bytes <= MIB else -1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {_shown(max_bytes)}")
    return data


def untrusted_lines(path: Path) -> Iterator[bytes]:
    """Lines of the file, read lazily; OSError as :func:`open_untrusted`, or for a long line."""
    with open_untrusted(path, MAX_RECORDS_BYTES) as file:
        number = 1
        while line := file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                too_long = f"line {number} is longer than {_shown(MAX_LINE_BYTES)}"
                raise OSError(errno.EFBIG, too_long)
            yield line
            number += 1


def sha256_of(path: Path, max_bytes: int = MAX_RECORDS_BYTES) -> str:
    """SHA-256 (hex) of a file, read in blocks; OSError as :func:`open_untrusted`."""
    with open_untrusted(path, max_bytes) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _shown(n_bytes: int) -> str:
    return f"{n_bytes // MIB:,} MiB" if n_bytes >= MIB else f"{n_bytes // 1024} KiB"

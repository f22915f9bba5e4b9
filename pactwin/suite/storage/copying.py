"""Read remote suites through a verified copy in the user's cache."""

import errno
import hashlib
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from pactwin.suite.errors import EnvironmentFaultError, SuiteError
from pactwin.suite.files import write_file
from pactwin.suite.progress import ProgressCallback, silent
from pactwin.suite.reader import INFO_FILE, JOURNAL_FOLDER, parse_info
from pactwin.suite.storage.urls import backend_faults, local_path, open_url, shown_url
from pactwin.suite.untrusted import MAX_JSON_BYTES, MAX_PICTURE_BYTES, MIB, sha256_of

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

# Files fetched at once: an object store takes as long for one. A picture has about half a megabyte.
_AT_ONCE = 16
_BLOCK = 2**20
MAX_COPIED_RECORDS_BYTES = 1024 * MIB
"""Maximum size of a records file, which is verified in memory."""


def local_copy(place: Path | str, progress: ProgressCallback = silent) -> Path:
    """Folder of the suite at a path or URL: the path itself, or a copy of all files.

    A copy is stored under the hash of its ``suite.json``, which is written last: an interrupted
    copy is resumed, and a suite that was made anew is copied anew. Raises SuiteError if there is no
    complete suite or a file differs from ``suite.json``, EnvironmentFaultError if the place or the
    cache cannot be accessed.
    """
    path = local_path(place)
    if path is not None:
        return path
    url = str(place)
    system, root = open_url(url)
    with backend_faults("read", url):
        system.invalidate_cache()
        if not system.exists(f"{root}/{INFO_FILE}"):
            half = system.exists(f"{root}/{JOURNAL_FOLDER}")
            reason = "is half-written: resume it" if half else f"has no {INFO_FILE}"
            raise SuiteError(f"{shown_url(url)} is not a suite: it {reason}")
        data = _read(system, f"{root}/{INFO_FILE}", MAX_JSON_BYTES)
    hashes = parse_info(data, shown_url(url)).files
    cache = Path(platformdirs.user_cache_dir("pactwin"))
    folder = cache / "suites" / hashlib.sha256(data).hexdigest()[:32]
    try:
        if not (folder / INFO_FILE).is_file():
            missing = [name for name, sha in hashes.items() if not _is_there(folder / name, sha)]
            fetch = partial(_fetch, system, root, folder, url)
            with ThreadPoolExecutor(_AT_ONCE) as threads:
                jobs = [threads.submit(fetch, name, hashes[name]) for name in missing]
                try:
                    for done, job in enumerate(as_completed(jobs), start=1):
                        job.result()
                        progress("files", done, len(missing))
                except BaseException:
                    threads.shutdown(cancel_futures=True)
                    raise
            write_file(folder / INFO_FILE, data)
    except OSError as error:
        raise EnvironmentFaultError(f"cannot write {folder}: {error.strerror or error}") from error
    return folder


def _fetch(
    system: "AbstractFileSystem", root: str, folder: Path, url: str, name: str, sha256: str
) -> None:
    """Write one file to ``folder``; SuiteError if it is not what ``suite.json`` says."""
    most = MAX_PICTURE_BYTES if "/" in name else MAX_COPIED_RECORDS_BYTES
    with backend_faults("read", url):
        content = _read(system, f"{root}/{name}", most)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise SuiteError(f"{shown_url(url)}: {name} was changed after the suite was made")
    write_file(folder / name, content)


def _read(system: "AbstractFileSystem", path: str, max_bytes: int) -> bytes:
    """A whole file; OSError as soon as it turns out to be longer than ``max_bytes``."""
    parts, length = [], 0
    with system.open(path, "rb") as file:
        # A server that says no size, or a wrong one, may go on for ever.
        while part := file.read(_BLOCK):
            parts.append(part)
            length += len(part)
            if length > max_bytes:
                name = path.rpartition("/")[2]
                raise OSError(errno.EFBIG, f"{name} is larger than {max_bytes:,} bytes")
    return b"".join(parts)


def _is_there(path: Path, sha256: str) -> bool:
    return path.is_file() and sha256_of(path) == sha256

"""A suite somewhere else is read through a copy in the user's cache, verified file by file."""

import hashlib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from pactwin.suite.errors import EnvironmentFaultError, SuiteError
from pactwin.suite.files import write_file
from pactwin.suite.progress import ProgressCallback, silent
from pactwin.suite.reader import INFO_FILE, JOURNAL_FOLDER, parse_info
from pactwin.suite.storage.urls import backend_faults, local_path, open_url, shown_url
from pactwin.suite.untrusted import sha256_of

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

# Files fetched at once: an object store takes as long for one. A picture has about half a megabyte.
_BATCH = 64


def local_copy(place: Path | str, progress: ProgressCallback = silent) -> Path:
    """The folder of the suite at a path or URL: the path itself, or a copy of all its files.

    Copies are kept under the hash of their ``suite.json``, which is written last: one that was
    interrupted goes on, a suite that was made anew is copied anew. Raises SuiteError if there is no
    complete suite or a file is not what ``suite.json`` says, EnvironmentFaultError if the place or
    the cache refuses.
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
        data = system.cat_file(f"{root}/{INFO_FILE}")
    hashes = parse_info(data, shown_url(url)).files
    cache = Path(platformdirs.user_cache_dir("pactwin"))
    folder = cache / "suites" / hashlib.sha256(data).hexdigest()[:32]
    try:
        if not (folder / INFO_FILE).is_file():
            missing = [name for name, sha in hashes.items() if not _is_there(folder / name, sha)]
            left = iter(missing)
            done = 0
            while names := list(islice(left, _BATCH)):
                for name, content in _fetched(system, root, names, url).items():
                    if hashlib.sha256(content).hexdigest() != hashes[name]:
                        raise SuiteError(
                            f"{shown_url(url)}: {name} was changed after the suite was made"
                        )
                    write_file(folder / name, content)
                done += len(names)
                progress("files", done, len(missing))
            write_file(folder / INFO_FILE, data)
    except OSError as error:
        raise EnvironmentFaultError(f"cannot write {folder}: {error.strerror or error}") from error
    return folder


def _fetched(
    system: "AbstractFileSystem", root: str, names: Sequence[str], url: str
) -> dict[str, bytes]:
    with backend_faults("read", url):
        found = system.cat([f"{root}/{name}" for name in names])
    return {name: found[f"{root}/{name}"] for name in names}


def _is_there(path: Path, sha256: str) -> bool:
    return path.is_file() and sha256_of(path) == sha256

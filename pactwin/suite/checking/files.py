"""Check the files of a suite: present, unchanged, inside the folder, and listed."""

import os
from collections.abc import Iterator
from pathlib import Path

from pactwin.suite.checking.faults import Fault
from pactwin.suite.errors import SuiteError
from pactwin.suite.progress import ProgressCallback
from pactwin.suite.reader import (
    DETECTIONS_FOLDER,
    INFO_FILE,
    QUESTIONS_FILE,
    SCENES_FILE,
    SESSION_FOLDER,
    Suite,
)
from pactwin.suite.untrusted import MAX_PICTURE_BYTES, MAX_RECORDS_BYTES, sha256_of


def check_files(suite: Suite, progress: ProgressCallback) -> Iterator[Fault]:
    """Faults of files: missing, changed, outside the suite, not listed."""
    named = suite.info.files
    for name in (SCENES_FILE, QUESTIONS_FILE):
        if name not in named:
            yield Fault("file", name, f"is not among the files of {INFO_FILE}")
    for done, (name, sha256) in enumerate(named.items(), start=1):
        most = MAX_PICTURE_BYTES if "/" in name else MAX_RECORDS_BYTES
        try:
            actual = sha256_of(suite.resolve(name), most)
        except SuiteError as error:
            yield Fault("file", name, str(error))
        except OSError as error:
            yield Fault("file", name, f"cannot be read: {error.strerror}")
        else:
            if actual != sha256:
                yield Fault("hash", name, "was changed after the suite was made")
        progress("files", done, len(named))
    for name in _strays(suite.path, named.keys() | {INFO_FILE}):
        yield Fault("file", name, f"is not among the files of {INFO_FILE}")


def _strays(root: Path, known: set[str]) -> Iterator[str]:
    """Files and links under ``root``, relative to it, that are not in ``known``."""
    for folder, subfolders, files in os.walk(root):
        subfolders.sort()
        links = [name for name in subfolders if (Path(folder) / name).is_symlink()]
        for name in sorted(files) + links:
            relative = (Path(folder) / name).relative_to(root).as_posix()
            beside = relative.startswith((DETECTIONS_FOLDER, SESSION_FOLDER))
            if relative not in known and not beside:
                yield relative.encode(errors="backslashreplace").decode()

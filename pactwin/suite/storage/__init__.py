"""Storage of a suite: a local folder, or any file system of fsspec."""

from pathlib import Path

from pactwin.suite.storage.bucket import Bucket
from pactwin.suite.storage.folder import Folder
from pactwin.suite.storage.urls import local_path

Store = Folder | Bucket
"""Holds the units written so far, in order; complete once it has a ``suite.json``.

Whatever the place refuses is raised as EnvironmentFaultError.
"""


def open_store(place: Path | str) -> Store:
    """Open the store at a path or URL for writing. Raises as :meth:`SuiteWriter.open`."""
    path = local_path(place)
    return Bucket.open(str(place)) if path is None else Folder(path)

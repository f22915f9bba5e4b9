"""Storage of a suite: a local folder, or anything that fsspec reaches."""

from pathlib import Path

from pactwin.suite.storage.bucket import Bucket
from pactwin.suite.storage.folder import Folder
from pactwin.suite.storage.urls import local_path

Store = Folder | Bucket
"""Holds the units written so far, in order; complete once it has a ``suite.json``.

Whatever the place refuses is raised as EnvironmentFaultError.
"""


def open_store(place: Path | str) -> Store:
    """The store at a path or URL, ready to be written. Raises as :meth:`SuiteWriter.open`."""
    path = local_path(place)
    return Bucket.open(str(place)) if path is None else Folder(path)

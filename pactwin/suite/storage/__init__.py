"""Where a suite's files are: in a folder of this machine, or anywhere that fsspec reaches."""

from pathlib import Path

from pactwin.suite.storage.bucket import Bucket
from pactwin.suite.storage.copying import local_copy
from pactwin.suite.storage.folder import Folder
from pactwin.suite.storage.journal import JournalEntry, JournalHeader
from pactwin.suite.storage.store import Store, Writable
from pactwin.suite.storage.urls import is_url, local_path, open_url, shown_url

__all__ = [
    "Bucket",
    "Folder",
    "JournalEntry",
    "JournalHeader",
    "Store",
    "Writable",
    "is_url",
    "local_copy",
    "open_store",
    "open_url",
    "shown_url",
]


def open_store(place: Path | str) -> Store:
    """The store at a path or URL, ready to be written. Raises as :meth:`SuiteWriter.open`."""
    path = local_path(place)
    return Bucket.open(str(place)) if path is None else Folder(path)

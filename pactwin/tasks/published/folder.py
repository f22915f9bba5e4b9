"""Access to an untrusted folder: files outside it are never opened.

A link counts as the file it leads to if that lies in the folder, or among the blobs of the Hugging
Face hub's cache of which the folder is a snapshot: there every file is a link.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

_PLAIN_NAME = re.compile(r"[^\x00-\x1f\x7f/\\]{1,255}")


class PublishedFolder:
    """The folder ``root`` of published data."""

    def __init__(self, root: Path) -> None:
        self.root = root
        snapshots = [p for p in root.resolve().parents if p.name == "snapshots"]
        self._open = [root.resolve(), *(p.parent / "blobs" for p in snapshots)]

    def find(self, path: str) -> Path | None:
        """The file at ``path``; None if it is missing or must not be read."""
        return self.root / path if self._may_read(self.root / path) else None

    def files(self, folder: str) -> Iterator[tuple[str, Path | None]]:
        """Every file under ``folder``, sorted: its path from the root, and its location.

        The location is None for unreadable ones: a link that leads elsewhere, a device, a pipe.
        """
        found = []
        for top, subfolders, names in os.walk(self.root / folder):
            links = [name for name in subfolders if (Path(top) / name).is_symlink()]
            found += [Path(top) / name for name in (*names, *links)]
        for path in sorted(found):
            yield path.relative_to(self.root).as_posix(), path if self._may_read(path) else None

    def _may_read(self, path: Path) -> bool:
        try:
            real = path.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):  # no such file, no name of a file, a loop
            return False
        return real.is_file() and any(real.is_relative_to(place) for place in self._open)


def is_plain(name: str) -> bool:
    """Return whether ``name`` can only be a file or folder directly in its parent."""
    return bool(_PLAIN_NAME.fullmatch(name)) and name not in (".", "..")

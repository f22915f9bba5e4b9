"""Pictures of a PAC Bench folder, listed once and read one at a time, never from outside."""

import hashlib
from pathlib import Path

from pactwin.tasks.published.folder import PublishedFolder
from pactwin.tasks.published.issues import FileCount, IssueKind, IssueLog
from pactwin.tasks.published.pacbench.layout import (
    CAPTURES,
    CONSTRAINT_IMAGES,
    OBJECT_VIEWS,
    OPEN_IMAGES,
    PICTURE_SUFFIXES,
)
from pactwin.tasks.published.pictures import SourcePicture, read_published_picture

_FOLDERS = (OPEN_IMAGES, OBJECT_VIEWS, CAPTURES, CONSTRAINT_IMAGES)


class Pictures:
    """Pictures in the picture folders, by their path from the root.

    Other files there are listed among the issues.
    """

    def __init__(self, folder: PublishedFolder, issues: IssueLog) -> None:
        self._issues = issues
        self._examined: set[str] = set()
        self._lost: set[str] = set()
        self._by_hash: dict[str, str] = {}
        self._places: dict[str, Path] = {}
        self._folders: dict[str, list[str]] = {}
        for name, place in (file for where in _FOLDERS for file in folder.files(where)):
            if name.endswith("/.DS_Store"):
                issues.skip(IssueKind.DS_STORE, name)
            elif not name.lower().endswith(PICTURE_SUFFIXES):
                issues.skip(IssueKind.UNKNOWN_FILE, name)
            elif place is None:
                issues.skip(IssueKind.LINK, name)
            else:
                self._places[name] = place
                self._folders.setdefault(name.rpartition("/")[0], []).append(name)

    def __contains__(self, path: str) -> bool:
        return path in self._places

    def in_folder(self, folder: str) -> list[str]:
        """Paths of the pictures directly in ``folder``, sorted."""
        return list(self._folders.get(folder, ()))

    def under(self, folder: str) -> list[str]:
        """Folders at any depth under ``folder`` that hold pictures, sorted."""
        return sorted(name for name in self._folders if name.startswith(folder + "/"))

    def all_under(self, folder: str) -> list[str]:
        """Paths of pictures at any depth under ``folder``, sorted."""
        return sorted(path for path in self._places if path.startswith(folder + "/"))

    def read(self, path: str) -> SourcePicture | None:
        """Read the picture at ``path``; None, with an issue, if it is broken."""
        first = path not in self._examined
        self._examined.add(path)
        picture = read_published_picture(path, self._places[path])
        if isinstance(picture, SourcePicture):
            if first:
                self._note(picture)
            return picture
        if first:
            self._lost.add(path)
            self._issues.skip(picture.kind, path, what=picture.what)
        return None

    def sizes(self) -> list[tuple[str, int]]:
        """Path and bytes of every picture, sorted."""
        return [(path, self._places[path].stat().st_size) for path in sorted(self._places)]

    def never_read(self) -> list[str]:
        """Paths that were never read, sorted."""
        return sorted(self._places.keys() - self._examined)

    def count(self) -> FileCount:
        """Counts of pictures: found, in the suite, skipped."""
        lost = len(self._lost) + len(self.never_read())
        return FileCount(rows=len(self._places), used=len(self._places) - lost, skipped=lost)

    def _note(self, picture: SourcePicture) -> None:
        named = "jpg" if picture.path.lower().endswith((".jpg", ".jpeg")) else "png"
        if named != picture.suffix:
            self._issues.note(IssueKind.WRONG_SUFFIX, picture.path, what=f"is {picture.suffix}")
        digest = hashlib.sha256(picture.data).hexdigest()
        earlier = self._by_hash.setdefault(digest, picture.path)
        if earlier != picture.path:
            self._issues.note(IssueKind.SAME_PICTURE, picture.path, what=earlier)

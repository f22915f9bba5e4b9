"""Writing a suite so that a process killed at any moment leaves one that can be resumed.

View files come first, then the journal line that makes their unit count, and at the very end
``scenes.jsonl``, ``questions.jsonl`` and, atomically, ``suite.json``: its presence means the suite
is complete. Nothing is synced to the medium per unit; instead, resuming verifies every file that
the journal names and writes again from the first that is damaged, so a power cut costs work but
never correctness.
"""

import errno
import hashlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from pydantic import JsonValue

from pactwin.suite.digest import ContentHash, sha256_of
from pactwin.suite.errors import EnvironmentFaultError, SuiteError
from pactwin.suite.journal import Journal, JournalHeader, Unit
from pactwin.suite.reader import (
    INFO_FILE,
    JOURNAL_FILE,
    QUESTIONS_FILE,
    SCENES_FILE,
    VIEWS_FOLDER,
    read_info,
)
from pactwin.suite.records import SCHEMA_VERSION, Question, Scene, SuiteInfo

_PART_FILE = INFO_FILE + ".part"
_OURS = {JOURNAL_FILE, VIEWS_FOLDER, SCENES_FILE, QUESTIONS_FILE, _PART_FILE}
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def view_paths(scene_id: str, camera: str) -> tuple[str, str, str]:
    """Relative paths of a view's image, depth and mask."""
    stem = f"{VIEWS_FOLDER}/{scene_id}/{camera}"
    return f"{stem}.png", f"{stem}.depth.png", f"{stem}.mask.png"


class SuiteWriter:
    """Writes one suite, unit by unit (a twin pair, or one scene without twin) in a fixed order.

    Make one with :meth:`open`, use it as a context manager. ``units_done`` units are already
    there; ``info`` is not None if the suite was complete before or is now.
    """

    def __init__(
        self, path: Path, header: JournalHeader, gl_renderer: str, journal: Journal | None
    ) -> None:
        self.path = path
        self.info: SuiteInfo | None = None
        self.units_done = 0
        self._header = header
        self._gl_renderer = gl_renderer
        self._journal = journal

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        name: str,
        request: Mapping[str, JsonValue],
        made_by: str,
        packages: Mapping[str, str],
        gl_renderer: str,
    ) -> "SuiteWriter":
        """Start a suite in a new or empty folder, resume a half-written one, or find it done.

        ``request`` holds what decides the suite's content (seed, domains, cameras, size, ...) and
        nothing else (not the number of workers): resuming with another one is refused.
        ``gl_renderer`` is the OpenGL that draws, for units that name no other.

        Raises SuiteError if the folder holds something else, a suite of another request, or is
        being written by another process; EnvironmentFaultError if it cannot be written.
        """
        path = Path(path)
        header = JournalHeader(
            name=name,
            request=dict(request),
            made_by=made_by,
            packages=dict(packages),
        )
        if path.exists() and not path.is_dir():
            raise SuiteError(f"{path} is a file: give a new or empty folder")
        with _disk_faults(path):
            path.mkdir(parents=True, exist_ok=True)
            if not (path / INFO_FILE).exists():
                _refuse_foreign(path)
                journal = Journal(path / JOURNAL_FILE)
                if not (path / INFO_FILE).exists() and journal.is_current():
                    return cls(path, header, gl_renderer, journal)._resumed()
                journal.close()  # another process finished it while we opened the journal
            return cls(path, header, gl_renderer, None)._complete()

    def _complete(self) -> "SuiteWriter":
        self.info = info = read_info(self.path)
        _refuse_other_request(
            self.path,
            {"name": info.name} | info.request,
            {"name": self._header.name} | self._header.request,
        )
        counts = info.counts
        self.units_done = counts.get("scenes", 0) - counts.get("pairs", 0)
        (self.path / JOURNAL_FILE).unlink(missing_ok=True)  # a kill came just before this
        return self

    def _resumed(self) -> "SuiteWriter":
        journal = self._open_journal()
        try:
            earlier = journal.header()
            if earlier is None:
                journal.start(self._header)
            else:
                _refuse_other_request(self.path, _flat(earlier), _flat(self._header))
            self._recover()
        except BaseException:
            journal.close()
            raise
        return self

    def _recover(self) -> None:
        """Keep the whole units, remove everything a kill left half-written."""
        journal = self._open_journal()
        kept: set[str] = set()
        end = journal.header_end()
        for unit, unit_end in journal.units():
            if not all(_is_intact(self.path / file, sha) for file, sha in unit.files.items()):
                break
            kept.update(scene.id for scene in unit.scenes)
            self.units_done += 1
            end = unit_end
        journal.truncate(end)
        views = self.path / VIEWS_FOLDER
        views.mkdir(exist_ok=True)
        for folder in sorted(views.iterdir()):
            if folder.name not in kept:
                shutil.rmtree(folder)

    def add(
        self,
        scenes: Sequence[Scene],
        files: Mapping[str, bytes],
        rejections: Mapping[str, Mapping[str, int]],
        gl_renderer: str | None = None,
    ) -> None:
        """Write the next unit: its scenes, the files of all their views, the rejected draws.

        ``files`` maps relative paths (see :func:`view_paths`) to contents; ``rejections`` is
        {domain: {reason: count}} of the layouts drawn in vain for this unit; ``gl_renderer`` is
        the OpenGL that drew it, where workers may have different ones. Raises
        EnvironmentFaultError if the disk is full or refuses; the unit then does not count.
        """
        journal = self._open_journal()
        unit = Unit(
            scenes=tuple(scenes),
            files={path: hashlib.sha256(files[path]).hexdigest() for path in sorted(files)},
            rejections={domain: dict(reasons) for domain, reasons in rejections.items()},
            gl_renderer=self._gl_renderer if gl_renderer is None else gl_renderer,
        )
        _require_whole(unit)
        folders = [self.path / VIEWS_FOLDER / scene.id for scene in unit.scenes]
        with _disk_faults(self.path):
            for folder in folders:
                if folder.exists():
                    raise SuiteError(f"{self.path}: scene {folder.name} is already there")
            try:
                for folder in folders:
                    folder.mkdir()
                for file in unit.files:
                    (self.path / file).write_bytes(files[file])
                journal.append(unit)
            except OSError:
                for folder in folders:
                    shutil.rmtree(folder, ignore_errors=True)
                raise
        self.units_done += 1

    def finish(
        self, make_questions: Callable[[tuple[Scene, ...]], Iterable[Question]]
    ) -> SuiteInfo:
        """Stream the journal into the record files, then write ``suite.json``.

        ``make_questions`` gives the questions about a unit's scenes. Raises EnvironmentFaultError;
        the suite then stays resumable.
        """
        journal = self._open_journal()
        content = ContentHash()
        files: dict[str, str] = {}
        rejections: dict[str, Counter[str]] = {}
        renderers: set[str] = set()
        counts: Counter[str] = Counter(pairs=0, scenes=0, views=0, questions=0)
        with _disk_faults(self.path):
            with (
                (self.path / SCENES_FILE).open("wb") as scenes_file,
                (self.path / QUESTIONS_FILE).open("wb") as questions_file,
            ):
                for unit, _ in journal.units():
                    files |= unit.files
                    renderers.add(unit.gl_renderer)
                    for domain, reasons in unit.rejections.items():
                        rejections.setdefault(domain, Counter()).update(reasons)
                    if unit.scenes[0].twin_id is not None:
                        counts.update({"pairs": 1, f"pairs/{unit.scenes[0].domain}": 1})
                    for scene in unit.scenes:
                        scenes_file.write(scene.model_dump_json().encode() + b"\n")
                        content.add_scene(scene)
                        counts.update(scenes=1, views=len(scene.views))
                    for question in make_questions(unit.scenes):
                        questions_file.write(question.model_dump_json().encode() + b"\n")
                        content.add_question(question)
                        counts.update(questions=1)
            for name in (SCENES_FILE, QUESTIONS_FILE):
                files[name] = sha256_of(self.path / name)
            info = SuiteInfo(
                schema_version=SCHEMA_VERSION,
                name=self._header.name,
                made_by=self._header.made_by,
                packages=self._header.packages,
                gl_renderer=" + ".join(sorted(renderers - {""})),
                request=self._header.request,
                counts=dict(sorted(counts.items())),
                rejections={d: dict(sorted(rejections[d].items())) for d in sorted(rejections)},
                content_hash=content.hexdigest(counts, rejections),
                files=dict(sorted(files.items())),
            )
            _write_atomically(self.path / INFO_FILE, info.model_dump_json(indent=1) + "\n")
            journal.remove()
        self.info = info
        self._journal = None
        return info

    def _open_journal(self) -> Journal:
        if self._journal is None:
            raise SuiteError(f"{self.path} is complete: nothing can be added")
        return self._journal

    def close(self) -> None:
        """Release the folder; what was added stays and can be resumed."""
        if self._journal is not None:
            self._journal.close()

    def __enter__(self) -> "SuiteWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _flat(header: JournalHeader) -> dict[str, JsonValue]:
    """All that must not change between a run and its resumption, under one level of keys."""
    rest: dict[str, JsonValue] = header.model_dump(exclude={"request", "pactwin_journal"})
    return header.request | rest


def _refuse_other_request(
    path: Path, earlier: Mapping[str, JsonValue], now: Mapping[str, JsonValue]
) -> None:
    for key in sorted(earlier.keys() | now.keys()):
        if earlier.get(key) != now.get(key):
            raise SuiteError(
                f"{path} was begun with {key} {earlier.get(key)!r}, not {now.get(key)!r}: "
                "ask for the same or give another folder"
            )


def _refuse_foreign(path: Path) -> None:
    """SuiteError if the folder holds anything that a writer does not leave behind."""
    entries = sorted(path.iterdir())
    foreign = [entry for entry in entries if entry.name not in _OURS or entry.is_symlink()]
    if not (path / JOURNAL_FILE).is_file():
        foreign = entries
    elif (path / VIEWS_FOLDER).is_dir():
        foreign += [
            entry
            for entry in sorted((path / VIEWS_FOLDER).iterdir())
            if entry.is_symlink() or not entry.is_dir() or not _is_scene_folder(entry.name)
        ]
    if foreign:
        raise SuiteError(
            f"{path} holds something else ({foreign[0].relative_to(path)}): "
            "give a new or empty folder"
        )


def _is_scene_folder(name: str) -> bool:
    return len(name) == 16 and set(name) <= set("0123456789abcdef")


def _require_whole(unit: Unit) -> None:
    """SuiteError unless scenes and files fit: only whole twins, and just the files views name."""
    ids = [scene.id for scene in unit.scenes]
    twins = [scene.twin_id for scene in unit.scenes]
    if twins != (ids[::-1] if len(ids) == 2 else [None]):
        raise SuiteError(f"scenes {' and '.join(ids)} are not each other's only twins")
    named: set[str] = set()
    for scene in unit.scenes:
        for view in scene.views:
            image, *others = view_paths(scene.id, view.camera.name)
            theirs = {view.image, view.depth, view.mask} - {None}
            if theirs - {image, image.removesuffix("png") + "jpg", *others}:
                raise SuiteError(f"scene {scene.id}: {view.image} is not where its view belongs")
            named |= {path for path in theirs if path is not None}
    if named != set(unit.files):
        odd = sorted(named ^ set(unit.files))[0]
        raise SuiteError(f"scene {ids[0]}: {odd} is named or given, but not both")


def _is_intact(path: Path, sha256: str) -> bool:
    return path.is_file() and not path.is_symlink() and sha256_of(path) == sha256


def _write_atomically(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


@contextmanager
def _disk_faults(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into one line."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            message = f"no space left for {path}: free some, then run the same command to resume"
        else:
            message = f"cannot write {path}: {error.strerror or error}"
        raise EnvironmentFaultError(message) from error

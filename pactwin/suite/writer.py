"""Write a suite unit by unit to any storage."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from pydantic import JsonValue

from pactwin.suite.base import Record
from pactwin.suite.digest import ContentHash
from pactwin.suite.errors import SuiteError
from pactwin.suite.questions import Question
from pactwin.suite.reader import QUESTIONS_FILE, SCENES_FILE, VIEWS_FOLDER
from pactwin.suite.records import SCHEMA_VERSION, Scene, SuiteInfo
from pactwin.suite.storage import Store, open_store
from pactwin.suite.storage.journal import JournalEntry, JournalHeader


def view_paths(scene_id: str, camera: str) -> tuple[str, str, str]:
    """Relative paths of a view's image, depth and mask."""
    stem = f"{VIEWS_FOLDER}/{scene_id}/{camera}"
    return f"{stem}.png", f"{stem}.depth.png", f"{stem}.mask.png"


class SuiteWriter:
    """Writes one suite unit by unit (a twin pair, or one scene without a twin) in a fixed order.

    Create one with :meth:`open` and use it as a context manager. ``units_done`` units already
    exist; ``info`` is not None once the suite is complete.
    """

    def __init__(self, store: Store, header: JournalHeader, gl_renderer: str) -> None:
        self.info: SuiteInfo | None = None
        self.units_done = 0
        self._store = store
        self._header = header
        self._gl_renderer = gl_renderer

    @classmethod
    def open(
        cls,
        place: Path | str,
        *,
        name: str,
        request: Mapping[str, JsonValue],
        made_by: str | None = None,
        packages: Mapping[str, str] | None = None,
        gl_renderer: str = "",
    ) -> "SuiteWriter":
        """Start a suite in a new or empty place, resume an unfinished one, or open a complete one.

        ``place`` is a folder or a URL for fsspec. ``request`` holds everything that determines the
        suite's content (seed, domains, cameras, size, ...) and nothing else (not the number of
        workers): resuming with another one is refused. ``made_by`` defaults to this version of
        pactwin, with the versions of ``packages``; ``gl_renderer`` is the OpenGL renderer of units
        that name none.

        Raises SuiteError if the place holds something else, a suite of another request, or is being
        written by another process; EnvironmentFaultError if it cannot be written.
        """
        header = JournalHeader(
            name=name,
            request=dict(request),
            made_by=made_by or f"pactwin {version('pactwin')}",
            packages=dict(packages or {}),
        )
        writer = cls(open_store(place), header, gl_renderer)
        try:
            writer._begin()
        except BaseException:
            writer.close()
            raise
        return writer

    def _begin(self) -> None:
        info = self._store.info()
        if info is not None:
            self._refuse_other_request(
                {"name": info.name} | info.request,
                {"name": self._header.name} | self._header.request,
            )
            alone = info.counts.get("scenes", 0) - info.counts.get("pairs", 0)
            self.units_done = info.counts.get("ladders", alone)
            self.info = info
            return
        earlier = self._store.header()
        if earlier is None:
            self._store.start(self._header)
        else:
            self._refuse_other_request(_flat(earlier), _flat(self._header))
        self.units_done = self._store.recover()

    def _refuse_other_request(
        self, earlier: Mapping[str, JsonValue], now: Mapping[str, JsonValue]
    ) -> None:
        for key in sorted(earlier.keys() | now.keys(), key=lambda key: (key != "name", key)):
            if earlier.get(key) != now.get(key):
                raise SuiteError(
                    f"{self._store.name} was started with {key} {earlier.get(key)!r}, "
                    f"not {now.get(key)!r}: repeat the same request or name another folder"
                )

    def add(
        self,
        scenes: Sequence[Scene],
        files: Mapping[str, bytes],
        rejections: Mapping[str, Mapping[str, int]],
        gl_renderer: str | None = None,
    ) -> None:
        """Write the next unit: its scenes, all files of their views, and its rejected draws.

        ``files`` maps relative paths (see :func:`view_paths`) to contents; ``rejections`` is
        {domain: {reason: count}} of the layouts rejected for this unit; ``gl_renderer`` is the
        unit's OpenGL renderer if workers may differ. Raises EnvironmentFaultError if the place is
        full or refuses; the unit then does not count.
        """
        self._refuse_if_complete()
        unit = JournalEntry(
            scenes=tuple(scenes),
            files={path: hashlib.sha256(files[path]).hexdigest() for path in sorted(files)},
            rejections={domain: dict(reasons) for domain, reasons in rejections.items()},
            gl_renderer=self._gl_renderer if gl_renderer is None else gl_renderer,
        )
        _require_whole(unit)
        self._store.add(unit, files)
        self.units_done += 1

    def finish(
        self, make_questions: Callable[[tuple[Scene, ...]], Iterable[Question]]
    ) -> SuiteInfo:
        """Stream the journal into the record files, then write ``suite.json``.

        ``make_questions`` returns the questions about a unit's scenes. Raises
        EnvironmentFaultError; the suite can then be resumed.
        """
        self._refuse_if_complete()
        content = ContentHash()
        files: dict[str, str] = {}
        rejections: dict[str, Counter[str]] = {}
        renderers: set[str] = set()
        counts: Counter[str] = Counter(pairs=0, scenes=0, views=0, questions=0)
        with (
            self._store.record_file(SCENES_FILE) as scenes_file,
            self._store.record_file(QUESTIONS_FILE) as questions_file,
        ):
            scene_lines, question_lines = _Lines(scenes_file), _Lines(questions_file)
            for unit in self._store.units():
                files |= unit.files
                renderers.add(unit.gl_renderer)
                for domain, reasons in unit.rejections.items():
                    rejections.setdefault(domain, Counter()).update(reasons)
                if unit.scenes[0].twin_id is not None:
                    counts.update({"pairs": 1, f"pairs/{unit.scenes[0].domain}": 1})
                elif unit.scenes[0].step is not None:
                    counts.update({"ladders": 1, f"ladders/{unit.scenes[0].domain}": 1})
                for scene in unit.scenes:
                    scene_lines.add(scene)
                    content.add_scene(scene, unit.files)
                    counts.update(scenes=1, views=len(scene.views))
                for question in make_questions(unit.scenes):
                    question_lines.add(question)
                    content.add_question(question)
                    counts.update(questions=1)
        files |= {SCENES_FILE: scene_lines.sha256(), QUESTIONS_FILE: question_lines.sha256()}
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
        self._store.complete(info)
        self.info = info
        return info

    def _refuse_if_complete(self) -> None:
        if self.info is not None:
            raise SuiteError(f"{self._store.name} is complete: nothing can be added")

    def close(self) -> None:
        """Release the place; added units stay, and the suite can be resumed."""
        self._store.close()

    def __enter__(self) -> "SuiteWriter":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Lines:
    """A file of records, one per line, hashed while it is written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def add(self, record: Record) -> None:
        line = record.model_dump_json().encode() + b"\n"
        self._hash.update(line)
        self._file.write(line)

    def sha256(self) -> str:
        return self._hash.hexdigest()


def _flat(header: JournalHeader) -> dict[str, JsonValue]:
    """Everything that must not change between a run and its resumption, flattened."""
    rest: dict[str, JsonValue] = header.model_dump(exclude={"request", "pactwin_journal"})
    return header.request | rest


def _require_whole(unit: JournalEntry) -> None:
    """SuiteError unless twins or ladders are complete and files are those that views name."""
    ids = [scene.id for scene in unit.scenes]
    twins = [scene.twin_id for scene in unit.scenes]
    ladders = {scene.step.ladder if scene.step else "" for scene in unit.scenes}
    stepped = len(ladders) == 1 and "" not in ladders and not any(twins)
    if not stepped and twins != (ids[::-1] if len(ids) == 2 else [None]):
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

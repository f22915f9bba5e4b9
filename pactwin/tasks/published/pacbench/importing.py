"""From a folder in PAC Bench's layout to a suite and a report of all that was odd.

All sources go into one suite: they share the vocabulary and are told apart by their domain, and a
model is then asked, resumed and compared in one run. Cameras of the same place have the same name
in all sources (``agent``, ``side``, ``front``).
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pactwin.suite import (
    InvalidInputError,
    ProgressCallback,
    Question,
    Scene,
    SuiteInfo,
    opaque_id,
    silent,
)
from pactwin.tasks.core.imported import ImportedScene, imported_scene, write_imported
from pactwin.tasks.published.pacbench import layout
from pactwin.tasks.published.pacbench.folder import PublishedFolder
from pactwin.tasks.published.pacbench.grouping import ConsensusRule, SceneDraft
from pactwin.tasks.published.pacbench.issues import ImportReport, IssueKind, IssueLog
from pactwin.tasks.published.pacbench.pictures import Pictures
from pactwin.tasks.published.pacbench.sources import Read, draft_scenes
from pactwin.tasks.published.pacbench.tables import Table, TableRow, read_table

SUITE_NAME = "pacbench"
_PAIR = ("cam0_file", "cam1_file")
_NEEDED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(layout.OPEN_IMAGES_TABLES.values(), ("image", "choice")),
    layout.OBJECT_PROPERTIES: ("object_name", "property_name", "selected_category"),
    layout.HUMANOID_PROPERTIES: (*_PAIR, "property_name", "selected_category"),
    layout.OBJECT_AFFORDANCES: ("object_name", "affordance1"),
    layout.HUMANOID_AFFORDANCES: (*_PAIR, "affordance1"),
    layout.HUMANOID_CONSTRAINTS: (*_PAIR, "question", "answer"),
    layout.SIMULATED_CONSTRAINTS: ("key", "prompt", "verification_prompt"),
}
_OF_CLASSES = ("object", "affordance1")


def import_pacbench(
    root: Path,
    out: Path,
    consensus: ConsensusRule = "majority",
    progress: ProgressCallback = silent,
) -> tuple[SuiteInfo, ImportReport]:
    """Write the suite at ``out`` and its report, or go on with a suite that is half-written.

    Every picture and row is in the suite, or among the report's issues with the reason why not;
    pictures keep their bytes. Nothing outside ``root`` is read, whatever names and links say.

    Raises InvalidInputError for a folder that is not in the layout or holds nothing to import,
    SuiteError if ``out`` holds something else, EnvironmentFaultError where it cannot be written.
    """
    folder, issues = PublishedFolder(root), IssueLog()
    tables = _read_tables(folder, issues)
    read = Read(tables, Pictures(folder, issues), consensus, issues)
    drafts, counts = draft_scenes(read)
    if not drafts:
        raise InvalidInputError(f"{root} has no pictures where PAC Bench has them")
    used = _Used()

    def scenes() -> Iterator[ImportedScene]:
        for done, draft in enumerate(drafts, start=1):
            unit = _scene(draft, read.pictures)
            if unit is None:
                used.lose(draft)
            else:
                scene, files = unit
                used.keep(draft, issues)
                yield ImportedScene(scene, tuple(_questions(scene, draft)), files)
            progress("scenes", done, len(drafts))

    def report(_: Sequence[Question]) -> ImportReport:
        used.tell(issues)
        for path in read.pictures.never_read():
            issues.skip(IssueKind.NO_QUESTION, path)
        return issues.report(
            consensus,
            {table.file: table.n_rows for table in tables.values()},
            read.pictures.count(),
            counts,
        )

    request = {"consensus": consensus, "data": _digest(tables.values(), read.pictures)}
    return write_imported(out, SUITE_NAME, request, ["pillow"], scenes(), report)


def _read_tables(folder: PublishedFolder, issues: IssueLog) -> dict[str, Table]:
    """Every label file by name; what is missing, unknown or cannot be read is named."""
    tables: dict[str, Table] = {}
    for path, place in folder.files(layout.GROUND_TRUTH):
        name = path.removeprefix(layout.GROUND_TRUTH + "/")
        if name.rpartition("/")[2] == ".DS_Store":
            issues.skip(IssueKind.DS_STORE, path)
        elif place is None:
            issues.skip(IssueKind.LINK, path)
        elif name in _NEEDED:
            tables[name] = read_table(place, path, _NEEDED[name], issues)
        elif name.endswith(".csv") and set(_OF_CLASSES) <= _columns(place):
            tables[name] = read_table(place, path, _OF_CLASSES, issues)
        else:
            issues.skip(IssueKind.UNKNOWN_FILE, path)
    for name in sorted(_NEEDED.keys() - tables.keys()):
        issues.skip(IssueKind.MISSING_FILE, f"{layout.GROUND_TRUTH}/{name}")
    return tables


def _columns(path: Path) -> set[str]:
    """What the first line of a CSV file has between its commas."""
    with path.open("rb") as file:
        first = file.readline(4096).decode("utf-8-sig", errors="replace")
    return {name.strip().lower() for name in first.split(",")}


def _digest(tables: Iterable[Table], pictures: Pictures) -> str:
    """What decides the suite's content: the rows, and names and sizes of the pictures."""
    digest = hashlib.sha256()
    for table in tables:
        for row in table.rows:
            digest.update(repr((row.file, row.line, row.fields)).encode())
    for name, size in pictures.sizes():
        digest.update(repr((name, size)).encode())
    return digest.hexdigest()


class _Used:
    """Rows by whether any scene they are about is in the suite."""

    def __init__(self) -> None:
        self._kept: set[tuple[str, int]] = set()
        self._lost: dict[tuple[str, int], str] = {}

    def keep(self, draft: SceneDraft, issues: IssueLog) -> None:
        """The scene is in the suite. One that no row is about is odd."""
        self._kept.update((row.file, row.line) for row in _rows(draft))
        if not draft.questions:
            for path in draft.pictures.values():
                issues.note(IssueKind.NO_QUESTION, path)

    def lose(self, draft: SceneDraft) -> None:
        """None of the scene's pictures could be read."""
        self._lost |= {(row.file, row.line): draft.key for row in _rows(draft)}

    def tell(self, issues: IssueLog) -> None:
        """Skip the rows that are in no question."""
        for (file, line), key in self._lost.items():
            if (file, line) not in self._kept:
                issues.skip(IssueKind.NO_PICTURE, file, line, key)


def _rows(draft: SceneDraft) -> Iterable[TableRow]:
    return (row for question in draft.questions for row in question.rows)


def _scene(draft: SceneDraft, pictures: Pictures) -> tuple[Scene, dict[str, bytes]] | None:
    """The scene and its files, None if not one of its pictures can be read."""
    scene_id = _id(draft.domain, draft.key)
    views, files = [], {}
    for camera, path in draft.pictures.items():
        picture = pictures.read(path)
        if picture is not None:
            view = picture.view(scene_id, camera)
            views.append(view)
            files[view.image] = picture.data
    if not views:
        return None
    return imported_scene(scene_id, draft.domain, views, draft.robot), files


def _questions(scene: Scene, draft: SceneDraft) -> Iterable[Question]:
    cameras = tuple(view.camera.name for view in scene.views)
    for question in draft.questions:
        identity: tuple[str, ...] = (scene.id, question.kind, question.topic)
        if question.kind != "property":  # there may be several
            identity = (*identity, question.text, question.truth, question.check)
        yield Question(
            id=_id(*identity),
            scene_id=scene.id,
            kind=question.kind,
            form=question.form,
            text=question.text,
            options=question.options,
            truth=question.truth,
            rationale=question.rationale,
            objects=(draft.name,) if draft.name else (),
            views=cameras,
            topic=question.topic,
            accepted=question.accepted,
            votes=question.votes,
            check=question.check,
        )


def _id(*parts: str) -> str:
    return opaque_id("\0".join(("pacbench", *parts)))

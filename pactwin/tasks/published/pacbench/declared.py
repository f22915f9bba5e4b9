"""PAC Bench: properties, affordances and constraints in photos, renders and captures.

All sources go into one suite: they share the vocabulary and differ by domain, and a model is then
asked, resumed and compared in one run. Cameras at the same position have the same name in all
sources (``agent``, ``side``, ``front``).
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pactwin.suite import InvalidInputError, Question, Scene, opaque_id
from pactwin.tasks.published.contract import (
    Benchmark,
    ConsensusRule,
    ImportedScene,
    Source,
    imported_scene,
)
from pactwin.tasks.published.folder import PublishedFolder
from pactwin.tasks.published.issues import CountComparison, IssueKind, IssueLog
from pactwin.tasks.published.pacbench import layout
from pactwin.tasks.published.pacbench.grouping import SceneDraft
from pactwin.tasks.published.pacbench.pictures import Pictures
from pactwin.tasks.published.pacbench.scoring import score_as_pacbench
from pactwin.tasks.published.pacbench.sources import Read, draft_scenes
from pactwin.tasks.published.pacbench.tables import Table, read_table
from pactwin.tasks.published.pacbench.verifying import verifier

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


def read(root: Path, issues: IssueLog, consensus: ConsensusRule) -> Source:
    """Read the label files and pictures of ``root``, or of ``pacbench`` in it."""
    nested = root / "pacbench"
    inner = nested if (nested / layout.GROUND_TRUTH).is_dir() else root
    if not (inner / layout.GROUND_TRUTH).is_dir():
        raise InvalidInputError(
            f"{root} is not PAC Bench's data: there is no folder {layout.GROUND_TRUTH} in it"
        )
    folder = PublishedFolder(inner)
    tables = _read_tables(folder, issues)
    pictures = Pictures(folder, issues)
    drafts, counts = draft_scenes(Read(tables, pictures, consensus, issues))
    if not drafts:
        raise InvalidInputError(f"{root} has no pictures where PAC Bench has them")
    kept: set[tuple[str, str, int]] = set()
    lost: dict[tuple[str, str, int], str] = {}

    def scenes() -> Iterator[ImportedScene | None]:
        for draft in drafts:
            unit = _scene(draft, pictures)
            rows = [row.place for question in draft.questions for row in question.rows]
            if unit is None:
                lost.update(dict.fromkeys(rows, draft.key))
            else:
                kept.update(rows)
                for path in draft.pictures.values() if not draft.questions else ():
                    issues.note(IssueKind.NO_QUESTION, path)
            yield unit

    def found() -> Mapping[str, Any]:
        for place, key in lost.items():
            if place not in kept:
                issues.skip(IssueKind.NO_PICTURE, *place, key)
        for path in pictures.never_read():
            issues.skip(IssueKind.NO_QUESTION, path)
        labels = {name: table.text for name, table in tables.items()}
        return {"pictures": pictures.count(), "counts": _compared(counts), "labels": labels}

    return Source(_digest(tables.values(), pictures), len(drafts), scenes, found)


def _compared(counts: Counter[str]) -> list[CountComparison]:
    """Counts beside the published ones, for the parts of the data that exist."""
    there = {what.partition(" ")[0] for what, found in counts.items() if found}
    return [
        CountComparison(what=what, found=counts[what], published=published)
        for what, published in layout.PUBLISHED_COUNTS.items()
        if what.partition(" ")[0] in there
    ]


def _read_tables(folder: PublishedFolder, issues: IssueLog) -> dict[str, Table]:
    """Read every label file by name; report missing, unknown and unreadable ones."""
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
    """Column names in the first line of a CSV file."""
    with path.open("rb") as file:
        first = file.readline(4096).decode("utf-8-sig", errors="replace")
    return {name.strip().lower() for name in first.split(",")}


def _digest(tables: Iterable[Table], pictures: Pictures) -> str:
    """Hash of the rows and of the pictures' names and sizes, which decide the suite's content."""
    digest = hashlib.sha256()
    for table in tables:
        for row in table.rows:
            digest.update(repr((row.file, row.line, row.fields)).encode())
    for name, size in pictures.sizes():
        digest.update(repr((name, size)).encode())
    return digest.hexdigest()


def _scene(draft: SceneDraft, pictures: Pictures) -> ImportedScene | None:
    """The scene, its questions and files; None if none of its pictures can be read."""
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
    scene = imported_scene(scene_id, draft.domain, views, draft.robot)
    return ImportedScene(scene, tuple(_questions(scene, draft)), files)


def _questions(scene: Scene, draft: SceneDraft) -> Iterable[Question]:
    cameras = tuple(view.camera.name for view in scene.views)
    for asked in draft.questions:
        fields = {"topic": "", "check": "", **asked.fields}
        identity: tuple[str, ...] = (scene.id, fields["kind"], fields["topic"])
        if fields["kind"] != "property":  # there may be several
            identity = (*identity, fields["text"], fields["truth"], fields["check"])
        yield Question(
            id=_id(*identity),
            scene_id=scene.id,
            objects=(draft.name,) if draft.name else (),
            views=cameras,
            **fields,
        )


def _id(*parts: str) -> str:
    return opaque_id("\0".join(("pacbench", *parts)))


BENCHMARK = Benchmark(
    "PAC Bench",
    "pacbench",
    read,
    score_as_pacbench,
    ("pillow",),
    vote=True,
    verifier=verifier,
    unverified="without --verifier only properties are scored as published, by exact reading",
)

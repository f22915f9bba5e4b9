"""Draft scenes of the four sources of PAC Bench from their pictures and label files."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pactwin.catalogue import PROPERTIES
from pactwin.solvers import STATEMENTS, parse_published_answer
from pactwin.tasks.published.contract import ConsensusRule
from pactwin.tasks.published.folder import is_plain
from pactwin.tasks.published.issues import IssueKind, IssueLog
from pactwin.tasks.published.pacbench import layout
from pactwin.tasks.published.pacbench.grouping import (
    Given,
    QuestionDraft,
    SceneDraft,
    affordances_of,
    check_slots,
    draft_affordances,
    draft_property,
    read_property,
)
from pactwin.tasks.published.pacbench.pictures import Pictures
from pactwin.tasks.published.pacbench.tables import Table, TableRow

_CAMERA = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}(?<!\.depth)(?<!\.mask)")
_TURNTABLE = re.compile(r"elev(-?[\d.]+)_azim(-?[\d.]+)")
_ELEVATIONS, _AZIMUTHS = 3, 8
_IT = "the object that is marked with a box, or the main object where no box is drawn"

_SITUATION = (
    'A robot is asked: "{request}" Starting from the situation shown, can this be done? If not, '
    "what prevents it?"
)


@dataclass
class Read:
    """State of reading a PAC Bench folder: its contents, and the drafts made from it."""

    tables: dict[str, Table]
    pictures: Pictures
    consensus: ConsensusRule
    issues: IssueLog

    def rows(self, file: str) -> Sequence[TableRow]:
        """Rows of a label file; none if it is missing."""
        return self.tables[file].rows if file in self.tables else ()

    def no_picture(self, row: TableRow, name: str) -> None:
        """Skip a row because its picture is missing or cannot exist."""
        kind = IssueKind.NO_PICTURE if is_plain(name) else IssueKind.UNSAFE_NAME
        self.issues.skip(kind if name else IssueKind.BLANK_FIELD, *row.place, name)


def draft_scenes(read: Read) -> tuple[list[SceneDraft], Counter[str]]:
    """Draft the scenes of all sources in the order of writing, and count rows."""
    counts: Counter[str] = Counter()
    sources = (_photos, _objects, _humanoid, _simulated)
    return [draft for source in sources for draft in source(read, counts)], counts


def _photos(read: Read, counts: Counter[str]) -> list[SceneDraft]:
    """Open Images: one photo a scene; the class is the name's part before the last underscore."""
    drafts: dict[str, SceneDraft] = {}
    for path in read.pictures.in_folder(layout.OPEN_IMAGES):
        stem = PurePosixPath(path).stem
        if stem not in drafts:  # a second file of that stem is never asked for, and named for it
            name = stem.rpartition("_")[0] or stem
            drafts[stem] = SceneDraft(layout.PHOTOS, stem, name, {layout.PHOTO: path})
    cells: dict[tuple[str, str], list[Given]] = defaultdict(list)
    for prop, file in layout.OPEN_IMAGES_TABLES.items():
        for row in read.rows(file):
            counts.update({"Open Images rows": 1, f"Open Images rows: {prop}": 1})
            stem = row["image"]
            if stem.lower().endswith(layout.PICTURE_SUFFIXES):
                stem = PurePosixPath(stem).stem
            if stem not in drafts:
                read.no_picture(row, stem)
            elif given := read_property(row, prop, row["choice"], read.issues):
                cells[stem, prop].append(given)
    _ask_properties(read, drafts, cells)
    by_class: dict[str, list[SceneDraft]] = defaultdict(list)
    for draft in drafts.values():
        by_class[_folded(draft.name)].append(draft)
    by_object: dict[str, list[TableRow]] = defaultdict(list)
    for file, table in read.tables.items():
        if "object" in table.columns and file.endswith(".csv"):
            for row in table.rows:
                if _folded(row["object"]) not in by_class:
                    read.no_picture(row, row["object"])
                elif check_slots(row, read.issues):
                    by_object[_folded(row["object"])].append(row)
    for name, rows in by_object.items():
        questions = draft_affordances(rows, _IT, read.issues)
        for draft in by_class[name]:
            draft.questions += questions
    counts["Open Images pictures"] = len(drafts)
    counts["Open Images classes"] = len(by_class)
    counts["Open Images pairs of picture and property"] = len(cells)
    return list(drafts.values())


def _objects(read: Read, counts: Counter[str]) -> list[SceneDraft]:
    """RoboCasa: one object a scene, its renders the views."""
    drafts: dict[str, SceneDraft] = {}
    for folder in read.pictures.under(layout.OBJECT_VIEWS):
        name, _, rest = folder.removeprefix(layout.OBJECT_VIEWS + "/").partition("/")
        if rest == layout.MODEL_FOLDER and name.casefold() not in drafts:
            views = _by_camera(read.pictures.in_folder(folder))
            _note_missing_renders(read, folder, views)
            drafts[name.casefold()] = SceneDraft(layout.OBJECTS, name, name, views)
            counts["RoboCasa pictures"] += len(views)
    cells: dict[tuple[str, str], list[Given]] = defaultdict(list)
    for row in read.rows(layout.OBJECT_PROPERTIES):
        name, prop = row["object_name"].casefold(), row["property_name"].upper()
        counts["RoboCasa property rows"] += 1
        if name not in drafts:
            read.no_picture(row, row["object_name"])
        elif given := read_property(row, prop, _category(row), read.issues):
            cells[name, prop].append(given)
    _ask_properties(read, drafts, cells)
    used: dict[str, list[TableRow]] = defaultdict(list)
    for row in read.rows(layout.OBJECT_AFFORDANCES):
        counts["RoboCasa affordances"] += len(affordances_of(row))
        if row["object_name"].casefold() not in drafts:
            read.no_picture(row, row["object_name"])
        elif check_slots(row, read.issues):
            used[row["object_name"].casefold()].append(row)
    for name, rows in used.items():
        drafts[name].questions += draft_affordances(rows, _IT, read.issues)
    counts["RoboCasa objects"] = len(drafts)
    counts["RoboCasa objects with properties"] = len({name for name, _ in cells})
    return list(drafts.values())


def _humanoid(read: Read, counts: Counter[str]) -> list[SceneDraft]:
    """Humanoid: a pair of captures a scene; pictures that no row names are scenes of their own."""
    drafts: dict[str, SceneDraft] = {}
    scene_of = _scenes_by_pair(read, drafts)
    cells: dict[tuple[str, str], list[Given]] = defaultdict(list)
    for row in read.rows(layout.HUMANOID_PROPERTIES):
        counts["humanoid property rows"] += 1
        prop = row["property_name"].upper()
        if (key := scene_of(row)) and (
            given := read_property(row, prop, _category(row), read.issues)
        ):
            cells[key, prop].append(given)
    _ask_properties(read, drafts, cells)
    used: dict[str, list[TableRow]] = defaultdict(list)
    for row in read.rows(layout.HUMANOID_AFFORDANCES):
        counts["humanoid affordances"] += len(affordances_of(row))
        if (key := scene_of(row)) and check_slots(row, read.issues):
            used[key].append(row)
    for key, rows in used.items():
        drafts[key].questions += draft_affordances(rows, _IT, read.issues)
    asked: dict[tuple[str, str, str], list[TableRow]] = defaultdict(list)
    for row in read.rows(layout.HUMANOID_CONSTRAINTS):
        counts["humanoid constraint rows"] += 1
        if not row["question"] or not row["answer"]:
            read.issues.skip(IssueKind.BLANK_FIELD, *row.place, "question or answer")
        elif key := scene_of(row):
            asked[key, row["question"], row["answer"]].append(row)
    for (key, text, answer), rows in asked.items():
        drafts[key].questions.append(_constraint_question(read, text, answer, "", rows))
    counts["humanoid scenes with properties"] = len({key for key, _ in cells})
    counts["humanoid scenes with affordances"] = len(used)
    named = {path for draft in drafts.values() for path in draft.pictures.values()}
    for path in (p for p in read.pictures.all_under(layout.CAPTURES) if p not in named):
        drafts[path] = SceneDraft(layout.HUMANOID, path, "", {layout.PHOTO: path}, "humanoid")
    return list(drafts.values())


def _scenes_by_pair(read: Read, drafts: dict[str, SceneDraft]) -> Callable[[TableRow], str]:
    """A function from a row to the key of its scene in ``drafts``, empty if it has no picture."""

    def key_of(row: TableRow) -> str:
        named = {layout.CAM0: row["cam0_file"], layout.CAM1: row["cam1_file"]}
        there = {
            camera: path
            for camera, name in named.items()
            if name and all(map(is_plain, name.split("/")))
            if (path := f"{layout.CAPTURES}/{name}") in read.pictures
        }
        key = " + ".join(named.values())
        for name in named.values():
            if name and not all(map(is_plain, name.split("/"))):
                record = read.issues.note if there else read.issues.skip
                record(IssueKind.UNSAFE_NAME, *row.place, name)
        if not there:
            read.issues.skip(IssueKind.NO_PICTURE, *row.place, key)
            return ""
        if len(there) < len(named):
            read.issues.note(IssueKind.MISSING_VIEW, *row.place, key)
        drafts.setdefault(key, SceneDraft(layout.HUMANOID, key, "object", there, "humanoid"))
        return key

    return key_of


def _simulated(read: Read, counts: Counter[str]) -> list[SceneDraft]:
    """Simulated constraints: pictures of one number in a key's folders of views are one scene."""
    drafts: dict[str, dict[str, SceneDraft]] = defaultdict(dict)
    for folder in read.pictures.under(layout.CONSTRAINT_IMAGES):
        key, _, view = folder.removeprefix(layout.CONSTRAINT_IMAGES + "/").partition("/")
        camera = view.removesuffix("view")
        if not _CAMERA.fullmatch(camera) or camera == view:
            continue  # never asked for, and named for it
        domain = key if key in layout.SIMULATED_TRUTHS else layout.OTHER_KEYS
        for path in read.pictures.in_folder(folder):
            stem = PurePosixPath(path).stem
            draft = SceneDraft(domain, f"{key}/{stem}", "", {})
            drafts[key].setdefault(stem, draft).pictures.setdefault(camera, path)
            counts["simulated constraint pictures"] += 1
    for key, scenes in drafts.items():
        cameras = {camera for scene in scenes.values() for camera in scene.pictures}
        for scene in scenes.values():
            for camera in sorted(cameras - scene.pictures.keys()):
                where = f"{layout.CONSTRAINT_IMAGES}/{key}/{camera}view"
                read.issues.note(IssueKind.MISSING_VIEW, where, what=scene.key)
    asked: dict[tuple[str, str, str, str], list[TableRow]] = defaultdict(list)
    for row in read.rows(layout.SIMULATED_CONSTRAINTS):
        key, constraint = row["key"], layout.SIMULATED_TRUTHS.get(row["key"])
        truth = row["answer"] or (STATEMENTS[constraint] if constraint else "")
        if key not in drafts:
            read.no_picture(row, key)
        elif not row["prompt"]:
            read.issues.skip(IssueKind.BLANK_FIELD, *row.place, "no prompt")
        elif not truth:
            read.issues.skip(IssueKind.UNKNOWN_KEY, *row.place, key)
        else:
            asked[key, row["prompt"], truth, row["verification_prompt"]].append(row)
    for (key, prompt, truth, check), rows in asked.items():
        question = _constraint_question(read, prompt, truth, check, rows)
        for scene in drafts[key].values():
            scene.questions.append(question)
    return [scene for scenes in drafts.values() for scene in scenes.values()]


def _constraint_question(
    read: Read, request: str, truth: str, check: str, rows: Sequence[TableRow]
) -> QuestionDraft:
    if parse_published_answer(truth)[1] is None:
        read.issues.note(IssueKind.NO_REASON, *rows[0].place, truth)
    for row in rows[1:]:
        read.issues.note(IssueKind.REPEATED_ROW, *row.place)
    fields = {
        "kind": "constraint",
        "form": "open",
        "topic": request,
        "text": _SITUATION.format(request=request),
        "truth": truth,
        "rationale": "What the published label says.",
        "votes": {truth: len(rows)},
        "check": check,
    }
    return QuestionDraft(fields, tuple(rows))


def _ask_properties(
    read: Read,
    drafts: dict[str, SceneDraft],
    cells: dict[tuple[str, str], list[Given]],
) -> None:
    """Draft the question of each cell, in the vocabulary's order."""
    order = list(PROPERTIES)
    for key, prop in sorted(cells, key=lambda cell: (cell[0], order.index(cell[1]))):
        question = draft_property(prop, cells[key, prop], read.consensus, _IT, read.issues)
        if question is not None:
            drafts[key].questions.append(question)


def _by_camera(paths: Sequence[str]) -> dict[str, str]:
    """Pictures by their stem, sorted by elevation and azimuth where names have them."""
    views: dict[str, str] = {}
    for path in sorted(paths, key=_turn):
        stem = PurePosixPath(path).stem
        if _CAMERA.fullmatch(stem):
            views.setdefault(stem, path)
    return views


def _turn(path: str) -> tuple[float, float, str]:
    match = _TURNTABLE.fullmatch(PurePosixPath(path).stem)
    return (*_angles(match), path) if match else (0.0, 0.0, path)


def _angles(match: re.Match[str]) -> tuple[float, float]:
    try:
        return float(match[1]), float(match[2])
    except ValueError:  # two points
        return 0.0, 0.0


def _note_missing_renders(read: Read, folder: str, views: dict[str, str]) -> None:
    """Report a turntable without one of its elevations or azimuths."""
    turns = [_angles(match) for name in views if (match := _TURNTABLE.fullmatch(name))]
    elevations = Counter(elevation for elevation, _ in turns)
    whole = len(elevations) == _ELEVATIONS and set(elevations.values()) == {_AZIMUTHS}
    if turns and not whole:
        said = f"{len(turns)} of {_ELEVATIONS * _AZIMUTHS} views"
        read.issues.note(IssueKind.MISSING_VIEW, folder, what=said)


def _category(row: TableRow) -> str:
    """Category and descriptors of a row as one choice."""
    category, descriptors = row["selected_category"], row["selected_descriptors"]
    apart = ":" not in category and descriptors and descriptors.lower() != "nan"
    return f"{category}: {descriptors}" if apart else category


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())

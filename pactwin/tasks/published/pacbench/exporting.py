"""Write a suite in PAC Bench's layout; importing the result gives the same labels.

Imported data return to their original places. A constraint scene of pactwin becomes a key of its
own in ``constraint_images``, named by the scene's id so that no name reveals a label; an object
with questions becomes an object of ``object_views``. Of pactwin's scenes only pictures with
questions are written, because the layout cannot otherwise say which views can answer.

Label files of an import are written back word for word, including columns and rows without
questions. Two things are added: the column ``answer`` in ``syn_constraints.psv``, and affordance
slots beyond the third.
"""

import csv
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import repeat
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter

from pactwin.catalogue import PROPERTIES
from pactwin.solvers import STATEMENTS
from pactwin.suite import (
    InvalidInputError,
    ProgressCallback,
    Question,
    Record,
    Scene,
    Suite,
    SuiteError,
    View,
    new_folder,
    read_json,
    silent,
)
from pactwin.tasks.published.folder import is_plain
from pactwin.tasks.published.importing import import_report_path
from pactwin.tasks.published.issues import ImportReport
from pactwin.tasks.published.pacbench import layout

_SLOTS = 3
_PLACES = (layout.OPEN_IMAGES, layout.OBJECT_VIEWS, layout.CAPTURES, layout.CONSTRAINT_IMAGES)
_PAIR = ("cam0_file", "cam1_file")
_DESCRIBED = ("property_name", "selected_category", "selected_descriptors")
_COLUMNS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(layout.OPEN_IMAGES_TABLES.values(), ("image", "choice")),
    layout.OBJECT_PROPERTIES: ("object_name", *_DESCRIBED),
    layout.HUMANOID_PROPERTIES: (*_PAIR, *_DESCRIBED),
    layout.HUMANOID_CONSTRAINTS: (*_PAIR, "question", "answer"),
    layout.SIMULATED_CONSTRAINTS: ("key", "prompt", "verification_prompt", "answer"),
}
_BEFORE_SLOTS: dict[str, tuple[str, ...]] = {
    layout.CLASS_AFFORDANCES: ("object",),
    layout.OBJECT_AFFORDANCES: ("object_name",),
    layout.HUMANOID_AFFORDANCES: _PAIR,
}
_CAN = "Does the reply say that what was asked for can be done?"
_CANNOT = (
    "Does the reply say that what was asked for cannot be done, and give this, in whatever words, "
    "as the reason: {}"
)


class Exported(Record):
    """Counts of written records; ``not_asked`` scenes have no view that can answer."""

    pictures: int
    rows: int
    not_asked: int


def export_pacbench(suite: Suite, out: Path, progress: ProgressCallback = silent) -> Exported:
    """Write ``suite`` into the new folder ``out``.

    Raises InvalidInputError if ``out`` is not new or empty, and for a suite without anything that
    fits the layout; SuiteError for a missing picture.
    """
    suite.require_truths()
    asked: dict[str, list[Question]] = defaultdict(list)
    for question in suite.questions():
        asked[question.scene_id].append(question)
    total = suite.info.counts.get("scenes", 0)
    with new_folder(out) as folder:
        export = _Export(suite, folder)
        for done, scene in enumerate(suite.scenes(), start=1):
            export.add(scene, asked[scene.id])
            progress("scenes", done, total)
        if not export.pictures:
            raise InvalidInputError(
                f"{suite.path} has nothing that PAC Bench's layout has a place for"
            )
        return Exported(
            pictures=len(export.pictures), rows=export.write_tables(), not_asked=export.not_asked
        )


class _Export:
    """The folder being written: pictures at once, rows when all are known."""

    def __init__(self, suite: Suite, out: Path) -> None:
        self._suite = suite
        self._out = out
        self._rows: dict[str, dict[tuple[str, ...], int]] = defaultdict(dict)
        self._names: set[str] = set()
        self.pictures: set[str] = set()
        self.not_asked = 0

    def add(self, scene: Scene, questions: Sequence[Question]) -> None:
        """Write a scene's pictures, and note its rows."""
        for question in questions:
            _require_property(question)
        places = {_origin(view) for view in scene.views}
        if scene.source == "imported" and places and None not in places:
            for view in scene.views:
                self._copy(view, str(_origin(view)))
            for question in questions:
                self._restore(scene, question)
            return
        constraints = [q for q in questions if q.kind == "constraint" and q.form == "open"]
        about = defaultdict(list)
        for question in questions:
            if question.kind in ("property", "affordance") and question.views:
                about[question.objects[0]].append(question)
        for name, theirs in about.items():
            self._add_object(scene, name, theirs)
        for question in constraints[:1]:
            self._add_constraint(scene, question)
        if not about and not any(question.views for question in constraints):
            self.not_asked += 1

    def _restore(self, scene: Scene, question: Question) -> None:
        """Note the rows of an imported question."""
        files = {view.camera.name: str(_origin(view)) for view in scene.views}
        path = PurePosixPath(next(iter(files.values())))
        if path.is_relative_to(layout.OPEN_IMAGES):
            if question.kind == "property":
                self._note_choices(
                    layout.OPEN_IMAGES_TABLES[question.topic],
                    question,
                    lambda choice: (path.stem, choice),
                )
            else:
                self._note_slots(layout.CLASS_AFFORDANCES, question.objects, question, once=True)
        elif path.is_relative_to(layout.OBJECT_VIEWS):
            self._note_object(path.relative_to(layout.OBJECT_VIEWS).parts[0], question)
        elif path.is_relative_to(layout.CAPTURES):
            pair = tuple(
                files.get(camera, "").removeprefix(f"{layout.CAPTURES}/")
                for camera in (layout.CAM0, layout.CAM1)
            )
            if question.kind == "property":
                self._note_choices(
                    layout.HUMANOID_PROPERTIES,
                    question,
                    lambda choice: (*pair, question.topic, *_described(choice)),
                )
            elif question.kind == "affordance":
                self._note_slots(layout.HUMANOID_AFFORDANCES, pair, question)
            else:
                row = (*pair, question.topic, question.truth)
                self._note(layout.HUMANOID_CONSTRAINTS, row, question.votes.get(question.truth, 1))
        else:
            key = path.relative_to(layout.CONSTRAINT_IMAGES).parts[0]
            row = (key, question.topic, question.check, question.truth)
            self._note(layout.SIMULATED_CONSTRAINTS, row, sum(question.votes.values()), once=True)

    def _add_object(self, scene: Scene, name: str, questions: Sequence[Question]) -> None:
        """Add an object of a pactwin suite, in the views of any question about it."""
        slug = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_") or "object"
        number = 1
        while (called := slug if number == 1 else f"{slug}_{number}") in self._names:
            number += 1
        self._names.add(called)
        folder = f"{layout.OBJECT_VIEWS}/{called}/{layout.MODEL_FOLDER}"
        for view in _asked_views(scene, questions):
            self._copy(view, f"{folder}/{_file_of(view).name}")
        for question in questions:
            self._note_object(called, question)

    def _add_constraint(self, scene: Scene, question: Question) -> None:
        """Add a constraint scene of a pactwin suite: a key with one picture in each view."""
        if not question.views:
            return
        verdict = scene.decided
        statement = STATEMENTS[verdict.constraint]
        check = _CAN if verdict.feasible else _CANNOT.format(statement)
        row = (scene.id, verdict.action, check, question.truth)
        self._note(layout.SIMULATED_CONSTRAINTS, row)
        for view in _asked_views(scene, [question]):
            folder = f"{layout.CONSTRAINT_IMAGES}/{scene.id}/{_file_of(view).stem}view"
            self._copy(view, f"{folder}/0{_file_of(view).suffix}")

    def _note_object(self, name: str, question: Question) -> None:
        if question.kind == "property":
            self._note_choices(
                layout.OBJECT_PROPERTIES,
                question,
                lambda choice: (name, question.topic, *_described(choice)),
            )
        else:
            self._note_slots(layout.OBJECT_AFFORDANCES, (name,), question)

    def _note_choices(
        self, file: str, question: Question, row_of: Callable[[str], tuple[str, ...]]
    ) -> None:
        """Note a row per vote, or one for the truth if there are no votes."""
        for choice, votes in (question.votes or {question.truth: 1}).items():
            self._note(file, row_of(choice), votes)

    def _note_slots(
        self, file: str, about: Sequence[str], question: Question, once: bool = False
    ) -> None:
        row = (*about, *question.accepted)
        self._note(file, row, sum(question.votes.values()) or 1, once)

    def _note(self, file: str, row: tuple[str, ...], times: int = 1, once: bool = False) -> None:
        """A row to be written so many times. ``once``: every scene it is about notes it."""
        rows = self._rows[file]
        rows[row] = max(times, rows.get(row, 0)) if once else rows.get(row, 0) + times

    def _copy(self, view: View, path: str) -> None:
        if path not in self.pictures:
            target = self._out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._suite.resolve(view.image), target)
            self.pictures.add(path)

    def _imported_as_it_is(self) -> ImportReport | None:
        """Report of the import that made the whole suite, if it is beside the suite."""
        path = import_report_path(Path(self._suite.path))
        if "data" not in self._suite.info.request or not path.is_file():
            return None
        report = read_json(TypeAdapter(ImportReport), path, "the report of an import")
        if report.data != self._suite.info.request["data"] or not report.labels:
            return None
        for file in report.labels:
            if not all(map(is_plain, file.split("/"))):
                raise InvalidInputError(f"{path} names {file!r}, no file of labels")
        return report

    def write_tables(self) -> int:
        """Write every label file, even empty ones; returns the numbers of rows."""
        folder = self._out / layout.GROUND_TRUTH
        folder.mkdir()
        if (report := self._imported_as_it_is()) is not None:
            for file, text in report.labels.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text(text, encoding="utf-8", newline="")
            return sum(count.rows for count in report.files.values())
        for file in (*_COLUMNS, *_BEFORE_SLOTS):
            rows = self._rows[file]
            if file == layout.CLASS_AFFORDANCES and not rows:
                continue  # no script asks for it
            header = _COLUMNS.get(file) or _with_slots(_BEFORE_SLOTS[file], rows)
            with (folder / file).open("w", encoding="utf-8", newline="") as opened:
                separator = "|" if file.endswith(".psv") else ","
                writer = csv.writer(opened, delimiter=separator, lineterminator="\n")
                writer.writerow(header)
                for row, times in rows.items():
                    padded = (*row, *[""] * (len(header) - len(row)))
                    writer.writerows(repeat(padded, times))
        return sum(sum(rows.values()) for rows in self._rows.values())


def _require_property(question: Question) -> None:
    """Raise SuiteError for a question about a property that the layout cannot name."""
    if question.kind == "property" and question.topic not in PROPERTIES:
        raise SuiteError(f"question {question.id} is about {question.topic!r}, no property")


def _origin(view: View) -> str | None:
    """Source path of an imported picture, if it is a path of the layout."""
    inside = any(view.origin.startswith(f"{place}/") for place in _PLACES)
    return view.origin if inside and all(map(is_plain, view.origin.split("/"))) else None


def _file_of(view: View) -> PurePosixPath:
    """A view's file, named by its camera; unlike a camera's, its name is safe in any suite."""
    return PurePosixPath(view.image)


def _asked_views(scene: Scene, questions: Sequence[Question]) -> list[View]:
    asked = {name for question in questions for name in question.views}
    return [view for view in scene.views if view.camera.name in asked]


def _described(choice: str) -> tuple[str, str]:
    """Category and descriptors of a choice, as text."""
    category, _, descriptors = choice.partition(": ")
    return category, descriptors


def _with_slots(before: tuple[str, ...], rows: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    slots = max(_SLOTS, max(map(len, rows), default=0) - len(before))
    return (*before, *(f"affordance{n}" for n in range(1, slots + 1)))

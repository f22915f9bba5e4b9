"""Write a suite's questions as Label Studio projects: a labelling interface and tasks for each.

Source of the formats: Label Studio's documentation, "Import data", version 1.23. People see the
pictures of one view condition side by side and answer the same questions as models. A task embeds
its pictures, so that no server needs the suite's folder, and contains no gold answers.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from pactwin.suite import (
    InvalidInputError,
    Question,
    Scene,
    Suite,
    data_uri,
    new_folder,
)
from pactwin.tasks.annotation.interface import field_of, labelling_interface, picture_names
from pactwin.tasks.core.views import JOINT, cameras_of, parse_views

CONSTRAINTS, OBJECTS = "constraints", "objects"
_MAX_FILE_BYTES = 100_000_000
"""A server takes 250 MB at once, unless told otherwise."""


@dataclass(frozen=True)
class _Asked:
    """Questions of one page: about one scene, each in another field."""

    scene: Scene
    questions: tuple[Question, ...]


def write_projects(suite: Suite, out: Path, view: str, seed: int) -> dict[str, int]:
    """Write ``<project>/interface.xml`` and ``<project>/tasks-<n>.json``; returns tasks by project.

    ``view`` is one view condition: a camera, or several joined by a plus. Tasks are in random order
    drawn from ``seed``, so that twins do not follow each other. Raises InvalidInputError for
    several conditions, one without questions, and an ``out`` that is not empty; OSError if ``out``
    cannot be written.
    """
    scenes, questions = suite.records()
    condition = one_condition(view, scenes.values())
    pages = _pages(scenes, questions.values(), condition)
    if not pages:
        raise InvalidInputError(f"{suite.path} has no question that the view {condition} answers")
    cameras = tuple(condition.split("+"))
    with new_folder(out) as projects:
        for project, asked in pages.items():
            order = np.random.default_rng(seed).permutation(len(asked))
            tasks = (_task(suite, asked[i], cameras) for i in order)
            folder = projects / project
            folder.mkdir()
            on_pages = [question for page in asked for question in page.questions]
            interface = labelling_interface(on_pages, len(cameras))
            (folder / "interface.xml").write_text(interface, encoding="utf-8")
            _write_tasks(folder, tasks)
    return {project: len(asked) for project, asked in pages.items()}


def one_condition(view: str, scenes: Iterable[Scene]) -> str:
    """View condition called ``view``; InvalidInputError for several, or ``joint``."""
    known = tuple(dict.fromkeys(v.camera.name for scene in scenes for v in scene.views))
    conditions = parse_views(view, known)
    if len(conditions) != 1 or conditions[0] == JOINT:
        raise InvalidInputError(
            f"view {view!r}: people are shown one camera, or some joined by +, as "
            f"{'+'.join(known[:2])}"
        )
    return conditions[0]


def _pages(
    scenes: dict[str, Scene], questions: Iterable[Question], condition: str
) -> dict[str, list[_Asked]]:
    """Questions of each page by project, in the order of the ids.

    A scene's questions stand on one page, those about different objects on different ones. Where
    two need the same field, the second begins another page.
    """
    pages: dict[str, dict[tuple[str, str, int], dict[str, Question]]] = defaultdict(dict)
    for question in questions:
        project = _project_of(question)
        if project is None or not cameras_of(condition, question.views):
            continue
        about = question.objects[0] if project == OBJECTS else ""
        for n in count():
            page = pages[project].setdefault((question.scene_id, about, n), {})
            if field_of(question) not in page:
                page[field_of(question)] = question
                break
    return {
        project: [
            _Asked(scenes[scene_id], tuple(fields.values()))
            for (scene_id, *_), fields in sorted(found.items(), key=lambda entry: entry[0])
        ]
        for project, found in sorted(pages.items())
    }


def _project_of(question: Question) -> str | None:
    """Project of a question; None for forms that people are not asked (open, recognition)."""
    if question.kind in ("constraint", "ladder"):
        return CONSTRAINTS if question.form in ("yes_no", "choice") else None
    return OBJECTS if question.kind in ("property", "affordance") else None


def _task(suite: Suite, asked: _Asked, cameras: Sequence[str]) -> dict[str, Any]:
    views = {view.camera.name: view for view in asked.scene.views}
    pictures = {
        name: data_uri(suite.resolve(views[camera].image).read_bytes())
        for name, camera in zip(picture_names(len(cameras)), cameras, strict=True)
    }
    first, box = asked.questions[0], asked.scene.appearance.get("box")
    about = f"the object in the {box} box" if box else f"the {first.objects[0]}"
    text = first.text if _project_of(first) == CONSTRAINTS else f"About {about}:"
    return {
        "data": {
            **pictures,
            "text": text,
            "suite": suite.info.content_hash,
            "view": "+".join(cameras),
            "questions": {field_of(question): question.id for question in asked.questions},
        }
    }


def _write_tasks(folder: Path, tasks: Iterator[dict[str, Any]]) -> None:
    """Write files of at most 100 MB (more if a single task is larger), one task at a time."""
    task = next(tasks, None)
    for number in count(1):
        if task is None:
            return
        with (folder / f"tasks-{number}.json").open("w", encoding="utf-8") as file:
            size, before = 0, "[\n"
            while task is not None and size < _MAX_FILE_BYTES:
                line = json.dumps(task)
                file.write(before + line)
                size, before = size + len(line), ",\n"
                task = next(tasks, None)
            file.write("\n]\n")

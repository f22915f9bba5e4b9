"""Leaks of questions that choose among things: each sign is seen once planted, and not before."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from pactwin.suite import (
    Candidate,
    ObjectRecord,
    Question,
    Scene,
    Suite,
    SuiteWriter,
    UnknownCamera,
    View,
    Visibility,
    check_leaks,
)

Edit = Callable[[Question, Scene], tuple[Question, Scene]]
Row = tuple[float, float, float, float]
COUNT, THINGS = 40, 6


def drawn(rng: np.random.Generator, kind: str) -> tuple[Question, Scene]:
    """A question about six things, of which any may be accepted."""
    names = [f"thing {k}" for k in rng.permutation(99)[:THINGS]]
    objects = tuple(
        ObjectRecord(
            name=name, category=name, world_from_object=pose(*rng.uniform(-1, 1, 2)),
            size_m=(0.1, 0.1, 0.1), mass_kg=1.0, color="red", material="wood", asset="",
            instance_id=k,
        )
        for k, name in enumerate(names, start=1)
    )  # fmt: skip
    scene = Scene(
        id=rng.bytes(8).hex(), domain="difficult", source="imported", seed=0, robot="",
        objects=objects, views=(),
    )  # fmt: skip
    chosen = str(rng.choice(names))
    told = tuple(Candidate(name=name, parts={"body": "x" * 30}) for name in names)
    fields: dict[str, dict[str, Any]] = {
        "creative_use": {"accepted": (chosen, "body"), "candidates": told},
        "named_plan": {
            "accepted": (chosen,),
            "steps": (1,),
            "distractors": tuple(name for name in names if name != chosen),
        },
        "recognition": {"accepted": (chosen,)},
    }
    named = fields[kind]
    question = Question(
        id=rng.bytes(8).hex(), scene_id=scene.id, kind=kind, form="open", text="What will do?",
        truth=chosen, rationale="", objects=(), views=(), **named,
    )  # fmt: skip
    return question, scene


def pose(x: float, y: float) -> tuple[Row, Row, Row, Row]:
    return ((1.0, 0.0, 0.0, x), (0.0, 1.0, 0.0, y), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def leaks(path: Path, kind: str, edit: Edit = lambda q, s: (q, s)) -> set[str]:
    """The signs that give answers away; pictures tell what a scene's ``robot`` says."""
    rng = np.random.default_rng(1)
    units = [edit(*drawn(rng, kind)) for _ in range(COUNT)]
    asked = {scene.id: question for question, scene in units}
    with SuiteWriter.open(path, name="choices", request={}, gl_renderer="none") as writer:
        for _, scene in units:
            image = f"views/{scene.id}/front.png"
            seen = {obj.name: Visibility(pixels=0, fraction=0.0) for obj in scene.objects}
            camera = UnknownCamera(name="front", width_px=8, height_px=8)
            view = View(camera=camera, image=image, visibility=seen)
            pictured = scene.model_copy(update={"views": (view,)})
            writer.add((pictured,), {image: picture(scene.robot)}, {})
        writer.finish(lambda scenes: [asked[scene.id] for scene in scenes])
    return {leak.group for leak in check_leaks(Suite.open(path)) if leak.fault() is not None}


def picture(note: str) -> bytes:
    """A picture whose file says so."""
    about, buffer = PngInfo(), io.BytesIO()
    about.add_text("about", note)
    Image.new("RGB", (8, 8)).save(buffer, format="PNG", pnginfo=about)
    return buffer.getvalue()


def told_first(question: Question, scene: Scene) -> tuple[Question, Scene]:
    things = sorted(question.candidates, key=lambda thing: thing.name != question.accepted[0])
    return question.model_copy(update={"candidates": tuple(things)}), scene


def told_at_length(question: Question, scene: Scene) -> tuple[Question, Scene]:
    things = tuple(
        thing.model_copy(update={"parts": {"body": "x" * 60}})
        if thing.name == question.accepted[0]
        else thing
        for thing in question.candidates
    )
    return question.model_copy(update={"candidates": things}), scene


def named(question: Question, scene: Scene) -> tuple[Question, Scene]:
    return question.model_copy(update={"text": f"{question.text} {question.truth}"}), scene


def noted(question: Question, scene: Scene) -> tuple[Question, Scene]:
    return question, scene.model_copy(update={"robot": question.truth})


def numbered_last(question: Question, scene: Scene) -> tuple[Question, Scene]:
    objects = tuple(
        obj.model_copy(update={"instance_id": 9}) if obj.name == question.truth else obj
        for obj in scene.objects
    )
    return question, scene.model_copy(update={"objects": objects})


def nearest(question: Question, scene: Scene) -> tuple[Question, Scene]:
    objects = tuple(
        obj.model_copy(update={"world_from_object": pose(-2.0, 0.0)})
        if obj.name == question.truth
        else obj
        for obj in scene.objects
    )
    return question, scene.model_copy(update={"objects": objects})


@pytest.mark.parametrize("kind", ["creative_use", "named_plan", "recognition"])
def test_what_is_drawn_evenly_leaks_nothing(kind: str, tmp_path: Path) -> None:
    assert leaks(tmp_path / "suite", kind) == set()


@pytest.mark.parametrize(("kind", "edit", "sign"), [
    ("creative_use", told_first, "place among what is told"),
    ("creative_use", told_at_length, "length of its description"),
    ("creative_use", named, "words of its name in the text"),
    ("creative_use", nearest, "place along x"),
    ("named_plan", numbered_last, "number in the masks"),
    ("named_plan", nearest, "place along x"),
    ("recognition", named, "words of its name in the text"),
    ("recognition", noted, "words of its name in the files of pictures"),
])  # fmt: skip
def test_a_planted_leak_is_found(kind: str, edit: Edit, sign: str, tmp_path: Path) -> None:
    assert sign in leaks(tmp_path / "suite", kind, edit)

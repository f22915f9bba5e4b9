"""Scenes without twins: single objects and photos are written, read, checked like twins are."""

import io
from pathlib import Path

import numpy as np
import pytest
from fakes import fake_pairs, open_fake_writer
from PIL import Image

from pactwin.suite import (
    Label,
    Question,
    Scene,
    Suite,
    SuiteError,
    UnknownCamera,
    View,
    check_suite,
    contact_sheet,
)


def jpeg(size: tuple[int, int]) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", size, (90, 120, 60)).save(data, "JPEG")
    return data.getvalue()


def photo(scene_id: str, size: tuple[int, int] = (32, 24)) -> tuple[Scene, dict[str, bytes]]:
    """A photo from elsewhere: nothing is known but the picture."""
    path = f"views/{scene_id}/photo.jpg"
    camera = UnknownCamera(name="photo", width_px=size[0], height_px=size[1])
    view = View(camera=camera, image=path, visibility={})
    scene = Scene(
        id=scene_id,
        domain="photos",
        source="imported",
        seed=0,
        robot="none",
        objects=(),
        views=(view,),
    )
    return scene, {path: jpeg((32, 24))}


def object_scene() -> tuple[Scene, dict[str, bytes]]:
    """The first scene of a made-up pair, as one about its objects alone."""
    (pair,) = fake_pairs(1, 0)
    label = Label(value="Light", observability="inferable", evidence="0.1 kg")
    scene = pair.scenes[0]
    target, *rest = scene.objects
    objects = (target.model_copy(update={"properties": {"WEIGHT": label}}), *rest)
    update = {"twin_id": None, "verdict": None, "objects": objects}
    files = {path: data for path, data in pair.files.items() if scene.id in path}
    return Scene.model_validate(scene.model_copy(update=update).model_dump()), files


def about(scene: Scene, **changes: object) -> Question:
    question = Question(
        id=scene.id[::-1],
        scene_id=scene.id,
        kind="property",
        form="choice",
        text="How heavy is it?",
        options=("Light", "Heavy"),
        truth="Light",
        rationale="",
        objects=tuple(obj.name for obj in scene.objects[:1]) or ("kettle",),
        views=(scene.views[0].camera.name,),
        topic="WEIGHT",
    )
    return question.model_copy(update=changes)


def written(path: Path, *scenes: tuple[Scene, dict[str, bytes]], **changes: object) -> Path:
    with open_fake_writer(path) as writer:
        for scene, files in scenes:
            writer.add((scene,), files, {})
        assert writer.units_done == len(scenes)
        writer.finish(lambda unit: (about(scene, **changes) for scene in unit))
    with open_fake_writer(path) as again:
        assert again.units_done == len(scenes)
    return path


def test_singles_come_back_as_they_were(tmp_path: Path) -> None:
    scenes = [photo("0123456789abcdef"), object_scene()]
    path = written(tmp_path / "s", *scenes)
    suite = Suite.open(path)
    assert list(suite.scenes()) == [scene for scene, _ in scenes]
    assert list(suite.pairs()) == []
    assert suite.info.counts["scenes"] == 2
    assert suite.info.counts["pairs"] == 0
    assert check_suite(path) == []


def test_nothing_was_decided_in_a_single(tmp_path: Path) -> None:
    scene, _ = photo("0123456789abcdef")
    with pytest.raises(SuiteError, match="no verdict"):
        _ = scene.decided
    with pytest.raises(ValueError, match="a twin without a verdict"):
        Scene.model_validate(scene.model_dump() | {"twin_id": "feedfeedfeedfeed"})


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"views": ("elsewhere",)}, "no view of its scene"),
        ({"truth": "Dynamic"}, "not one of its options"),
        ({"form": "list", "accepted": ("lift",)}, "not what it accepts"),
    ],
)
def test_a_bad_question_about_a_single_is_named(tmp_path: Path, changes: dict, fault: str) -> None:
    path = written(tmp_path / "s", photo("0123456789abcdef"), **changes)
    (found,) = check_suite(path)
    assert fault in str(found)


def test_a_simulated_view_needs_its_mask(tmp_path: Path) -> None:
    scene, files = object_scene()
    view = scene.views[0]
    bare = view.model_copy(update={"mask": None})
    unseen = scene.model_copy(update={"views": (bare, *scene.views[1:])})
    kept = {path: data for path, data in files.items() if path != view.mask}
    (found,) = check_suite(written(tmp_path / "s", (unseen, kept)))
    assert "without mask" in str(found)


def test_scenes_without_twin_are_shown_one_a_row_with_what_is_said_of_them(tmp_path: Path) -> None:
    scene, files = object_scene()
    bare = scene.objects[0].model_copy(update={"properties": {}})
    unlabelled = scene.model_copy(update={"objects": (bare, *scene.objects[1:])})
    photos = [photo(f"{number:016x}") for number in range(3)]
    heights = []
    for number, scenes in enumerate(([(unlabelled, files)], [(scene, files)], photos[:1], photos)):
        suite = Suite.open(written(tmp_path / str(number), *scenes))
        asked = scene.id if number < 2 else None
        sheet = Image.open(contact_sheet(suite, asked, tmp_path / f"{number}.png"))
        heights.append(sheet.height)
    assert heights[1] > heights[0], "the label is said"
    assert heights[3] - heights[2] > 2 * 150
    colors = sheet.getcolors(1 << 22) or []
    assert any(np.abs(np.subtract(color, (90, 120, 60))).max() < 4 for _, color in colors)

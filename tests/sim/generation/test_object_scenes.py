"""Object suites: pictures from all sides, boxes that hide nothing, labels from facts."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from pactwin.sim import environment_versions
from pactwin.sim.generation.objects import scenes
from pactwin.sim.generation.objects.facts import labelled_record
from pactwin.sim.generation.objects.generate import ObjectSuiteConfig, render_object_scene
from pactwin.sim.generation.objects.scenes import BOX_RGB, TWINS, draw_box
from pactwin.sim.generation.objects.settling import settled
from pactwin.sim.generation.objects.twins import DIFFERENCES, Difference, differing
from pactwin.sim.objects.building import build_thing
from pactwin.sim.rendering.silhouette import project
from pactwin.sim.rendering.studio import turntable_cameras
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.suite import (
    Scene,
    Suite,
    SuiteWriter,
    check_suite,
    load_image,
    load_mask,
    views_showing,
)
from pactwin.tasks import make_object_questions

pytestmark = pytest.mark.slow

_NAMES = {f"elev{e}_azim{a}" for e in (20, 45, 70) for a in range(0, 360, 45)}


def request(*kinds: str, background: str = "plain", seed: int = 7) -> ObjectSuiteConfig:
    return ObjectSuiteConfig(
        seed=seed,
        kinds=kinds,
        assets="builtin",
        background=background,  # type: ignore[arg-type]
        width_px=160,
        height_px=160,
    )


def test_each_camera_of_the_turntable_shows_all_of_it() -> None:
    item = settled(build_thing("hammer", np.random.default_rng(3)))
    cameras = turntable_cameras(item, (200, 160))
    assert {camera.name for camera in cameras} == _NAMES
    points, _ = item_points(item)
    closest = 1.0
    for camera in cameras:
        pixels, depth = project(camera, points)
        assert depth.min() > 0
        share = pixels / (199, 159)
        assert share.min() > 0.05 and share.max() < 0.95
        closest = min(closest, float(share.min()), float(1 - share.max()))
    assert closest == pytest.approx(0.07, abs=0.01)  # one of them is filled


@pytest.mark.parametrize("bounds", [(40, 30, 60, 70), (0, 0, 10, 10), (90, 95, 100, 100)])
def test_a_box_is_outside_of_what_it_is_around(bounds: tuple[int, int, int, int]) -> None:
    picture = np.full((100, 100, 3), 128, np.uint8)
    draw_box(picture, bounds, BOX_RGB["red"])
    x0, y0, x1, y1 = bounds
    assert (picture[y0:y1, x0:x1] == 128).all()
    drawn = (picture == BOX_RGB["red"]).all(axis=2)
    assert 0 < drawn.sum() < 1000
    rows, columns = np.nonzero(drawn)
    near = (np.abs(rows - np.clip(rows, y0, y1)) <= 5) & (
        np.abs(columns - np.clip(columns, x0, x1)) <= 5
    )
    assert near.all()


def test_a_suite_of_objects_is_without_fault(tmp_path: Path) -> None:
    asked = request("mug", "hammer")
    drawn = [render_object_scene(asked, number) for number in range(asked.scenes)]
    alone = render_object_scene(request("hammer"), 1)
    assert (alone.scenes, alone.files) == (drawn[3].scenes, drawn[3].files), "by seed and kind"
    with SuiteWriter.open(
        tmp_path / "suite", name="objects", request=asked.record(), packages=environment_versions()
    ) as writer:
        for still in drawn:
            writer.add(still.scenes, still.files, {}, still.gl_renderer)
        writer.finish(lambda scenes: (q for s in scenes for q in make_object_questions(s)))
    assert check_suite(tmp_path / "suite") == []
    suite = Suite.open(tmp_path / "suite")
    domains = [scene.domain for scene in suite.scenes()]
    twins = [TWINS] * 2 * len(asked.differences)
    assert twins and domains == ["objects", "objects", "tabletop", "tabletop", *twins]
    for scene in suite.scenes():
        labelled = [obj for obj in scene.objects if obj.properties]
        assert len(labelled) == 1
        if scene.domain == "objects":
            assert {view.camera.name for view in scene.views} == _NAMES
        else:
            rgb = BOX_RGB[str(scene.appearance["box"])]
            name = str(scene.appearance["boxed"])
            assert name == labelled[0].name
            for camera in views_showing(scene, (name,)):
                view = next(v for v in scene.views if v.camera.name == camera)
                drawn_box = (load_image(suite, view) == rgb).all(axis=2)
                assert drawn_box.any()
                assert not (drawn_box & (load_mask(suite, view) == 1)).any()


@pytest.mark.parametrize(("difference", "kind"), [(d, k) for d in DIFFERENCES for k in d.kinds])
def test_two_of_a_kind_differ_in_what_is_asked_alone(difference: Difference, kind: str) -> None:
    item = settled(build_thing(kind, np.random.default_rng(1)))
    one, other = (labelled_record(each, 1) for each in differing(item, difference))
    assert one.name == other.name and one.category == other.category == kind
    both = [labelled.properties[difference.topic] for labelled in (one, other)]
    assert both[0].value != both[1].value
    assert all(label.observability != "hidden" for label in both)


def test_twins_of_a_kind_are_asked_the_same_and_answered_otherwise() -> None:
    """Whoever says the same of both is right about one of them, whatever the kind."""
    asked = request("mug")
    twins = [render_object_scene(asked, number).scenes[0] for number in (2, 3)]
    (first,), (second,) = map(make_object_questions, twins)
    assert first.topic == second.topic == "CONTENTS" and first.truth != second.truth
    assert set(first.options) == set(second.options) == {first.truth, second.truth}
    places = [scene.objects[1].world_from_object for scene in twins]
    assert places[0] == places[1]


def test_ids_of_twins_do_not_tell_their_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bit of the first one's id goes with its label."""

    def unseen(blank: list[Scene], things: list[list[Item]], *_: object) -> tuple:
        found = [
            scene.model_copy(update={"objects": (labelled_record(items[0], 1),)})
            for scene, items in zip(blank, things, strict=True)
        ]
        return found, {}

    monkeypatch.setattr(scenes, "photograph", unseen)
    monkeypatch.setattr(scenes, "frame_cameras", lambda *_: [])
    difference = next(d for d in DIFFERENCES if "mug" in d.kinds)
    bits, labels = [], []
    for seed in range(24):
        first = scenes.twins_on_table(request("mug"), difference, "mug", seed)[0][0]
        bits.append([int(first.id, 16) >> bit & 1 for bit in range(64)])
        labels.append(first.objects[0].properties[difference.topic].value)
    asked = np.array(labels) == labels[0]
    told = np.abs(np.array(bits)[asked].mean(axis=0) - np.array(bits)[~asked].mean(axis=0))
    assert told.max() < 0.9, "a bit of the id tells the label"


def test_a_transparent_background_has_an_alpha_channel() -> None:
    still = render_object_scene(request("mug", background="transparent"), 0)
    for view in still.scenes[0].views[:4]:
        data = np.frombuffer(still.files[view.image], np.uint8)
        alpha = np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED))[..., 3]
        mask = np.frombuffer(still.files[str(view.mask)], np.uint8)
        inside = np.asarray(cv2.imdecode(mask, cv2.IMREAD_UNCHANGED)) == 1
        deep = cv2.erode(inside.astype(np.uint8), np.ones((3, 3))) > 0
        # Where a handle meets the wall, a part of a pixel may be seen through.
        assert (alpha[deep] == 255).mean() > 0.999
        assert (alpha[cv2.dilate(inside.astype(np.uint8), np.ones((3, 3))) == 0] == 0).all()

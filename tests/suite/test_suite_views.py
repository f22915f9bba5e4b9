"""Sheets and the Rerun recording show what the records say."""

import sys
from pathlib import Path

import numpy as np
import pytest
from fakes import make_fake_suite
from PIL import Image

from pactwin.suite import (
    EnvironmentFaultError,
    Suite,
    SuiteError,
    contact_sheet,
    show_in_rerun,
)
from pactwin.suite.drawing import GREEN, RED, TARGET, height_for


def pixels(path: Path) -> np.ndarray:
    return np.array(Image.open(path))


def count(image: np.ndarray, color: tuple[int, int, int]) -> int:
    return int((image == color).all(axis=2).sum())


def test_a_scene_beside_its_twin(suite, tmp_path):
    scene, twin = next(suite.pairs())
    sheets = [
        pixels(contact_sheet(suite, s.id, tmp_path / f"{i}.png"))
        for i, s in enumerate((scene, twin))
    ]
    for drawn in sheets:
        assert drawn.shape[1] > 1000
        assert count(drawn, TARGET) > 500  # outlined in each of eight views
    # Frames are of equal length, so both verdicts get as much of their colour.
    assert count(sheets[0], GREEN) == pytest.approx(count(sheets[0], RED), rel=0.1)
    assert not np.array_equal(sheets[0], sheets[1])


def test_a_broken_picture_is_named(tmp_path):
    path = make_fake_suite(tmp_path / "s", n_pairs=1, cameras=("head",))
    suite = Suite.open(path)
    view = next(suite.scenes()).views[0]
    (path / view.image).write_bytes(b"no PNG")
    with pytest.raises(SuiteError, match=view.image):
        contact_sheet(suite, None, tmp_path / "s.png")


def test_rerun_recording(suite, tmp_path):
    pytest.importorskip("rerun")
    scene = next(suite.scenes())
    show_in_rerun(suite, scene.id, save_to=tmp_path / "scene.rrd")
    assert (tmp_path / "scene.rrd").stat().st_size > 10_000
    with pytest.raises(EnvironmentFaultError, match="Rerun"):
        show_in_rerun(suite, scene.id, save_to=tmp_path / "none" / "scene.rrd")


def test_detected_boxes_lie_over_the_picture_of_their_camera(suite, tmp_path, monkeypatch):
    rerun = pytest.importorskip("rerun")
    logged, log = {}, rerun.RecordingStream.log

    def spy(recording, path, entity, **options):
        logged["/".join(path) if isinstance(path, list) else path] = entity
        log(recording, path, entity, **options)

    monkeypatch.setattr(rerun.RecordingStream, "log", spy)
    scene = next(suite.scenes())
    camera = scene.views[1].camera.name
    detected = {camera: [((1.0, 2.0, 31.0, 42.0), "red block 0.90")]}
    show_in_rerun(suite, scene.id, save_to=tmp_path / "boxes.rrd", detected=detected)
    (boxes,) = (path for path in logged if "detections" in path)
    assert boxes == f"table/cameras/{camera}/detections"
    drawn = logged[boxes]
    assert drawn.labels.as_arrow_array().to_pylist() == ["red block 0.90"]
    assert drawn.half_sizes.as_arrow_array().to_pylist() == [[15.0, 20.0]]
    assert drawn.centers.as_arrow_array().to_pylist() == [[16.0, 22.0]]


def test_without_rerun_the_fix_is_named(suite, monkeypatch):
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(EnvironmentFaultError, match=r"pip install -r requirements/view\.txt"):
        show_in_rerun(suite, next(suite.scenes()).id)


def test_a_picture_that_is_a_mere_line_is_squeezed() -> None:
    """Drawn as wide as a tile and as high as that asks for, it would take gigabytes."""
    assert height_for(Image.new("RGB", (640, 480)), 320) == 240
    assert height_for(Image.new("L", (1, 60_000)), 320) < 10_000

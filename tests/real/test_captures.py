"""Captures: whole or not there, whatever happens while they are written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from measured import Measured
from PIL import Image

from pactwin.hardware import FrameSet, JointState, RgbdFrame, Rig
from pactwin.real import (
    Placement,
    TableCheck,
    captured_scenes,
    read_capture,
    write_capture,
    write_outcome,
)
from pactwin.real.captures import read_outcome
from pactwin.suite import Outcome, SuiteError

SCENE = "0123456789abcdef"


@pytest.fixture(scope="module")
def rig() -> Rig:
    return Measured(1).rig


def shot_of(rig: Rig) -> FrameSet:
    frames = {
        camera.name: RgbdFrame(
            np.full((48, 64, 3), 100 + k, np.uint8),
            np.full((48, 64), 900 + k, np.uint16),
            7,
            10**18,
        )
        for k, camera in enumerate(rig.cameras)
    }
    state = JointState({"waist_yaw_joint": 0.25}, 10**18, 3_000_000, 5)
    return FrameSet(frames, state, skew_ms=4.0, state_age_ms=2.0)


FOUND = Placement("red one", "ok", 1.5, -2.0, 2.4, 90, np.eye(4))
GONE = Placement("plank", "missing", None, None, 3.0, 80, None)
ALL_WELL = TableCheck((FOUND,))


def test_a_capture_reads_as_it_was_taken(rig: Rig, tmp_path: Path) -> None:
    frame_set = shot_of(rig)
    out = write_capture(tmp_path / "new", SCENE, "hash", rig, frame_set, ALL_WELL, "lamp")
    capture = read_capture(out)
    assert (capture.source, capture.mirror_of, capture.as_planned) == ("rehearsal", SCENE, True)
    assert (capture.notes, capture.skew_ms, capture.clock_offset_ms) == ("lamp", 4.0, 3.0)
    assert capture.joints_rad == {"waist_yaw_joint": 0.25}
    assert rig.calibration is not None
    assert capture.calibration == rig.calibration.id
    for view in capture.views:
        depth = np.asarray(Image.open(out / view.depth))
        assert (depth == frame_set.frames[view.camera.name].depth_mm).all()
        known = rig.calibrated(view.camera.name)
        assert view.camera.world_from_camera == known.table_from_camera
    real = rig.model_copy(update={"rehearsal": None})
    write_capture(tmp_path, SCENE, "h", real, frame_set, TableCheck((FOUND, GONE)))
    other = read_capture(captured_scenes(tmp_path)[SCENE])
    assert (other.source, other.as_planned) == ("real", False)


def test_a_scene_captured_again_counts_and_the_earlier_ones_stay(rig: Rig, tmp_path: Path) -> None:
    kept = write_capture(tmp_path, SCENE, "h", rig, shot_of(rig), ALL_WELL, "a hand in the way")
    write_outcome(tmp_path, SCENE, Outcome(worked=True))
    for number in range(2, 12):
        notes = f"take {number}"
        new = write_capture(tmp_path, SCENE, "h", rig, shot_of(rig), ALL_WELL, notes, again=True)
        assert captured_scenes(tmp_path) == {SCENE: new}
    assert read_capture(new).notes == "take 11"
    assert read_outcome(new) is None
    assert read_capture(kept).notes == "a hand in the way"
    assert read_outcome(kept) == Outcome(worked=True)
    new.rename(tmp_path / "put aside")
    assert captured_scenes(tmp_path)[SCENE].name == f"{SCENE}.10"


def test_what_was_changed_or_is_missing_is_seen(rig: Rig, tmp_path: Path) -> None:
    out = write_capture(tmp_path, SCENE, "h", rig, shot_of(rig), ALL_WELL)
    picture = out / "head.png"
    data = picture.read_bytes()
    picture.write_bytes(data[:-1] + b"x")
    with pytest.raises(SuiteError, match=r"head.png was changed"):
        read_capture(out)
    picture.unlink()
    with pytest.raises(SuiteError, match="not a whole capture"):
        read_capture(out)
    picture.write_bytes(data)
    (out / "capture.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SuiteError, match="Field required"):
        read_capture(out)


Change = Callable[[dict[str, Any]], None]


def at(*keys: str | int, value: object) -> Change:
    def change(data: dict[str, Any]) -> None:
        place: Any = data
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value

    return change


CAMERA = ("views", 0, "camera")


@pytest.mark.parametrize(
    "change",
    [
        at(*CAMERA, "K", 0, 0, value=0.0),
        at(*CAMERA, "K", 1, 1, value=1e300),
        at(*CAMERA, "width_px", value=10**9),
        at(*CAMERA, "world_from_camera", 0, 3, value=1e308),
        at("views", 0, "depth_scale", value=0.0),
        at("views", 0, "captured_at_ns", value=10**40),
        at("objects", 0, "world_from_object", 0, 3, value=1e308),
        at("objects", 0, "world_from_object", value=[[1.0]]),
        at("skew_ms", value=1e308),
        at("joints_rad", "waist_yaw_joint", value=1e300),
    ],
)
def test_numbers_that_no_rig_has_are_refused(rig: Rig, tmp_path: Path, change: Change) -> None:
    out = write_capture(tmp_path, SCENE, "hash", rig, shot_of(rig), ALL_WELL)
    data = json.loads((out / "capture.json").read_text())
    change(data)
    (out / "capture.json").write_text(json.dumps(data))
    with pytest.raises(SuiteError) as refused:
        read_capture(out)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["side.png", "side.depth.png", "capture.json", "outcome.json", ""])
def test_no_link_in_a_capture_is_followed(rig: Rig, tmp_path: Path, name: str) -> None:
    out = write_capture(tmp_path / "new", SCENE, "hash", rig, shot_of(rig), ALL_WELL)
    write_outcome(tmp_path / "new", SCENE, Outcome(worked=True))
    (out / name).rename(tmp_path / "elsewhere")
    (out / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SuiteError, match="is a link"):
        read_outcome(out) if name == "outcome.json" else read_capture(out)

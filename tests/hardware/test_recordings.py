"""A recording is seen by the code that reads cameras, bit by bit as it was seen the first time."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from calibrated import calibrated
from PIL import Image
from played_camera import SPEC, Player

from pactwin.hardware import (
    Bench,
    Calibration,
    CalibrationBoard,
    ColorSettings,
    RecordedCamera,
    RehearsalCamera,
    RgbdFrame,
    Rig,
    RobotLink,
)
from pactwin.suite import EnvironmentFaultError, InvalidInputError

FEW = SPEC.model_copy(update={"depth_frames": 3})


def recorded(folder: Path, count: int) -> list[RgbdFrame]:
    """Frames of a played camera, which are kept in ``folder``."""
    script = [{"number": number, "far_mm": 900 + 7 * number} for number in range(1, 40)]
    seen = []
    with Player(folder, script) as player:
        file = folder / "side.db3"
        camera = RehearsalCamera(player.address, SPEC, settings=ColorSettings(), record=file)
        with camera:
            seen += [camera.frame() for _ in range(count)]
        del camera  # the file is whole once nobody refers to the device
    return seen


def rig_of(depth_scale: float = 1.0, serial: str = "played-1") -> Rig:
    known = calibrated(depth_scale=depth_scale)
    made = Calibration(
        date=datetime.now(UTC), board=CalibrationBoard().id, ruler_mm=100, cameras={"side": known}
    )
    camera = FEW.model_copy(update={"serial": serial})
    return Rig(cameras=(camera,), robot=RobotLink(interface="lo"), calibration=made)


def looked_at(rig: Rig, folder: Path) -> dict[str, RgbdFrame]:
    with Bench(rig, recorded_in=folder) as bench:
        frame_set = bench.grab(thorough=True)
    assert frame_set.state.q_rad == {}
    return frame_set.frames


def test_a_recording_replays_bit_by_bit_through_the_code_that_reads_cameras(tmp_path):
    seen = recorded(tmp_path, 6)
    played = []
    with RecordedCamera(tmp_path / "side.db3", SPEC) as camera:
        with pytest.raises(EnvironmentFaultError, match="nothing came"):
            while True:
                played.append(camera.frame())
        assert camera.info.serial == "played-1"
    again = {frame.number: frame for frame in played}
    assert again.keys() >= {frame.number for frame in seen}
    for frame in seen:
        other = again[frame.number]
        assert np.array_equal(frame.color, other.color)
        assert np.array_equal(frame.depth_mm, other.depth_mm)
        assert frame.native is not None
        assert other.native is not None
        assert np.array_equal(frame.native.depth_mm, other.native.depth_mm)
        assert np.array_equal(frame.native.K, other.native.K)
        assert frame.captured_at_ns == other.captured_at_ns
        assert frame.time_domain == other.time_domain


def test_a_case_of_a_lab_is_one_frame_with_median_and_scaled_depth(tmp_path: Path) -> None:
    seen = recorded(tmp_path, 6)
    frame = looked_at(rig_of(depth_scale=1.02), tmp_path)["side"]
    first = min(seen, key=lambda one: one.number)
    assert np.array_equal(frame.color, first.color)
    middle = np.median([one.depth_mm.max() for one in seen[:3]])
    assert frame.depth_mm.max() == round(1.02 * middle)
    with pytest.raises(InvalidInputError, match="is of camera played-1"):
        looked_at(rig_of(serial="other-1"), tmp_path)


def test_a_folder_of_pictures_is_a_case_too(tmp_path: Path) -> None:
    color = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    depth = np.arange(24, dtype=np.uint16).reshape(4, 6) * 40
    Image.fromarray(color).save(tmp_path / "side.png")
    with pytest.raises(InvalidInputError, match=r"neither side\.db3 nor both"):
        looked_at(rig_of(), tmp_path)
    with pytest.raises(InvalidInputError, match=r"has no side\.db3"):
        looked_at(rig_of().model_copy(update={"calibration": None}), tmp_path)
    Image.fromarray(depth).save(tmp_path / "side.depth.png")
    frame = looked_at(rig_of(depth_scale=1.02), tmp_path)["side"]
    assert np.array_equal(frame.color, color)
    assert np.array_equal(frame.depth_mm, depth)  # pictures of captures were scaled before
    Image.fromarray(color[..., 0]).save(tmp_path / "side.depth.png")
    with pytest.raises(InvalidInputError, match="depth is uint16 mm"):
        looked_at(rig_of(), tmp_path)

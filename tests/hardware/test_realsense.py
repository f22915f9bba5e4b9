"""The camera's code, through librealsense's software device, and faults on the wire."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from played_camera import SPEC, Player

from pactwin.hardware import ColorSettings, RealSenseCamera, RehearsalCamera, RigCamera, Stream
from pactwin.hardware.depth import median_depth
from pactwin.hardware.realsense import find_device, load_librealsense
from pactwin.suite import EnvironmentFaultError

TOLD = {"actual_exposure": 14_600.0, "gain_level": 64.0, "white_balance": 4600.0, "temperature": 31}


def numbered(numbers: Iterable[int], **facts: Any) -> list[dict | None]:
    return [{"number": number, **facts} for number in numbers]


@contextmanager
def camera_of(
    folder: Path,
    script: list[dict | None],
    spec: RigCamera = SPEC,
    timeout_s: float = 5.0,
    **player: Any,
) -> Iterator[RealSenseCamera]:
    """The camera that a player of ``script`` plays."""
    with (
        Player(folder, script, **player) as played,
        RehearsalCamera(played.address, spec, timeout_s=timeout_s) as camera,
    ):
        yield camera


def warm(frames: int) -> RigCamera:
    return SPEC.model_copy(update={"warmup": frames, "depth_frames": 5})


def test_pairs_come_aligned_in_mm_with_their_time_and_intrinsics(tmp_path: Path) -> None:
    with camera_of(tmp_path, numbered(range(1, 30))) as camera:
        known = camera.intrinsics
        assert (known.width_px, known.height_px, known.K[0, 0]) == (64, 48, 64.0)
        first, second = camera.frame(), camera.frame()
        assert second.number > first.number
        assert second.captured_at_ns > first.captured_at_ns
        assert first.depth_mm.shape == (48, 64)
        assert np.median(first.depth_mm) == 900
        assert (first.color == first.number).all()
        after = second.captured_at_ns + 60_000_000
        assert camera.frame(newer_than_ns=after).captured_at_ns > after


def test_repeated_late_and_incomplete_pairs_are_left_out(tmp_path: Path) -> None:
    script = numbered([1, 2, 3, 4, 4, 4])  # sent again
    script += numbered([5, 6], late_ms=500.0)  # not of one moment
    script += [{"number": 7, "depth": False}, {"number": 8, "color": False}]
    script += numbered(range(9, 13)) + numbered([13, 14], late_ms=15.0)  # half a frame is one
    numbers = []
    with (
        camera_of(tmp_path, script, timeout_s=3.0) as camera,
        pytest.raises(EnvironmentFaultError, match="sent no new pair"),
    ):
        while True:
            numbers.append(camera.frame().number)
    assert numbers == sorted(set(numbers))
    assert not set(numbers) & {5, 6, 7, 8}
    assert {3, 4, 10, 11, 12} <= set(numbers)


DARKER = {"color": {**TOLD, "actual_exposure": 6000}, "depth": TOLD}


@pytest.mark.parametrize(
    ("script", "warmup", "said"),
    [
        (numbered(range(1, 5)), 0, r"'side' .* sent no new pair.*cable"),
        (numbered([5] * 30), 0, "only repeated frames came"),
        (numbered(range(1, 30), domain="hardware_clock"), 0, "clock of its own"),
        (
            numbered(range(1, 20), metadata={"color": TOLD, "depth": TOLD})
            + numbered(range(20, 60), metadata=DARKER),
            4,
            "exposure, gain or white balance is not what",
        ),
    ],
    ids=["unplugged", "repeated", "own clock", "exposure"],
)
def test_each_reason_for_no_pictures_has_its_advice(tmp_path, script, warmup, said):
    with (
        camera_of(tmp_path, script, warm(warmup), timeout_s=1.0, stay=False) as camera,
        pytest.raises(EnvironmentFaultError, match=said),
    ):
        for _ in range(60):
            camera.frame()


def test_a_usb_2_link_missing_streams_and_nobody_at_the_address_are_refused(tmp_path: Path) -> None:
    other = SPEC.model_copy(update={"color": Stream(width_px=640, height_px=480, rate_hz=30)})
    for number, (spec, usb, said) in enumerate(
        ((SPEC, "2.1", "is on USB 2.1: use a USB 3 port"), (other, "3.2", "does not offer the str"))
    ):
        (tmp_path / str(number)).mkdir()
        refused = camera_of(tmp_path / str(number), [], spec, usb=usb)
        with pytest.raises(EnvironmentFaultError, match=said), refused:
            pass
    with pytest.raises(EnvironmentFaultError, match="nobody rehearses"):
        RehearsalCamera(str(tmp_path / "none"), SPEC)


def test_what_the_device_tells_is_kept_and_colour_is_fixed_to_what_it_had_settled_on(
    tmp_path: Path,
) -> None:
    script = numbered(range(1, 41), metadata={"color": TOLD, "depth": TOLD})
    with camera_of(tmp_path, script, warm(4)) as camera:
        frame = camera.frame()
    # Whole half waves of 50 Hz: 14.6 ms become 10 ms, in units of 0.1 ms.
    assert camera.settings == ColorSettings(exposure=100, gain=64, white_balance=4600)
    assert frame.settings == camera.settings
    assert frame.metadata["color"]["actual_exposure"] == 14_600
    assert frame.metadata["depth"]["temperature"] == 31
    assert (frame.device.serial, frame.device.firmware) == ("played-1", "5.16.0.1")
    assert frame.time_domain == "global_time"
    assert frame.native is not None
    assert frame.native.depth_mm.shape == (24, 32)
    assert frame.native.K[0, 0] == 32


def test_a_lens_that_the_device_tells_of_is_undone_once(tmp_path: Path) -> None:
    with camera_of(tmp_path, numbered(range(1, 13)), bent=(0.1, -0.02, 0.0, 0.0, 0.0)) as camera:
        assert not camera.intrinsics.distortion.any()
        frame = camera.frame()
    # Straight pictures show less of the corners: what was beyond the edge is black.
    assert (frame.color[24, 32] == frame.number).all()
    assert (frame.color[0, 0] < frame.number).all()


class Vanishing:
    """A device of librealsense at the moment when its cable is pulled."""

    def __init__(self, message: str, after: int) -> None:
        self._message, self._left = message, after

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise RuntimeError(self._message)
            return self

        return call

    def __iter__(self) -> Iterator["Vanishing"]:
        yield self

    def __eq__(self, other: object) -> bool:
        return True  # it has whatever serial number is looked for

    __hash__ = None  # type: ignore[assignment]

    def startswith(self, start: str) -> bool:
        return False


@pytest.mark.parametrize("after", range(5))
@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("failed to set power state", "replug it"),
        ("xioctl(VIDIOC_S_FMT) failed Last Error: Device or resource busy", "stop its video"),
        ("get_xu(ctrl=1) failed! Last Error: No such device", "check its cable"),
        ("something\nelse", "something else.; unplug it"),
    ],
)
def test_an_error_of_librealsense_is_one_line_wherever_it_comes(
    message: str, advice: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rs = load_librealsense()
    monkeypatch.setattr(rs, "context", lambda: Vanishing(message, after))
    with pytest.raises(EnvironmentFaultError, match=advice) as raised:
        RealSenseCamera(find_device(SPEC), SPEC, timeout_s=0.2)
    assert "\n" not in str(raised.value)


def test_median_depth_leaves_out_what_was_not_measured() -> None:
    frames = [np.full((2, 2), value, np.uint16) for value in (0, 900, 904, 902, 0, 0, 9000)]
    assert (median_depth(frames) == 902).all()
    assert (median_depth([*frames[:1]] * 9 + [frames[1]]) == 0).all()
    assert median_depth(frames[1:2]) is frames[1]

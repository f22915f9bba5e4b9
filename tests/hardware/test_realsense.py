"""The camera's code, through librealsense's software device, and faults on the wire."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from played_camera import SPEC, Player

from pactwin.hardware import ColorSettings, RealSenseCamera, RehearsalCamera, RigCamera, Stream
from pactwin.hardware.depth import median_depth
from pactwin.hardware.realsense import find_device, load_librealsense
from pactwin.suite import EnvironmentFaultError


def many(first: int, count: int) -> list[dict | None]:
    return [{"number": number} for number in range(first, first + count)]


def test_pairs_come_aligned_in_mm_with_their_time_and_intrinsics(tmp_path: Path) -> None:
    with (
        Player(tmp_path, many(1, 12)) as player,
        RehearsalCamera(player.address, SPEC) as camera,
    ):
        known = camera.intrinsics
        assert (known.width_px, known.height_px, known.K[0, 0]) == (64, 48, 64.0)
        first, second = camera.frame(), camera.frame()
        assert second.number > first.number
        assert second.captured_at_ns > first.captured_at_ns
        assert first.depth_mm.shape == (48, 64)
        assert np.median(first.depth_mm) == 900
        assert (first.color == first.number).all()


def test_repeated_late_and_incomplete_pairs_are_left_out(tmp_path: Path) -> None:
    script: list[dict | None] = [*many(1, 4)]
    script += [{"number": 4}, {"number": 4}]  # sent again
    script += [{"number": n, "late_ms": 500.0} for n in (5, 6)]  # not of one moment
    script += [{"number": 7, "depth": False}, {"number": 8, "color": False}]
    script += many(9, 6)
    with (
        Player(tmp_path, script) as player,
        RehearsalCamera(player.address, SPEC, timeout_s=3.0) as camera,
    ):
        numbers = []
        with pytest.raises(EnvironmentFaultError, match="sent no new pair"):
            while True:
                numbers.append(camera.frame().number)
    assert numbers == sorted(set(numbers))
    assert not set(numbers) & {5, 6, 7, 8}
    assert {3, 4, 10, 11, 12} <= set(numbers)


def test_a_camera_that_is_unplugged_says_what_to_do(tmp_path: Path) -> None:
    with (
        Player(tmp_path, many(1, 5), stay=False) as player,
        RehearsalCamera(player.address, SPEC, timeout_s=1.0) as camera,
    ):
        camera.frame()
        with pytest.raises(EnvironmentFaultError, match=r"'side' .* sent no new pair.*cable"):
            for _ in range(6):
                camera.frame()


def test_frames_of_before_are_not_given(tmp_path: Path) -> None:
    with (
        Player(tmp_path, many(1, 12)) as player,
        RehearsalCamera(player.address, SPEC) as camera,
    ):
        now = camera.frame().captured_at_ns
        later = camera.frame(newer_than_ns=now + 60_000_000)
        assert later.captured_at_ns > now + 60_000_000


def test_a_usb_2_link_and_missing_streams_are_refused(tmp_path: Path) -> None:
    with (
        Player(tmp_path, [], usb="2.1") as player,
        pytest.raises(EnvironmentFaultError, match=r"is on USB 2.1: use a USB 3 port"),
    ):
        RehearsalCamera(player.address, SPEC)
    other: RigCamera = SPEC.model_copy(
        update={"color": Stream(width_px=640, height_px=480, rate_hz=30)}
    )
    (tmp_path / "b").mkdir()
    with (
        Player(tmp_path / "b", []) as player,
        pytest.raises(EnvironmentFaultError, match="does not offer the streams"),
    ):
        RehearsalCamera(player.address, other)


def test_nobody_at_the_address_is_said(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFaultError, match="nobody rehearses"):
        RehearsalCamera(str(tmp_path / "none"), SPEC)


TOLD = {"actual_exposure": 14_600.0, "gain_level": 64.0, "white_balance": 4600.0, "temperature": 31}


def told(first: int, count: int) -> list[dict | None]:
    return [
        {"number": number, "metadata": {"color": TOLD, "depth": TOLD}}
        for number in range(first, first + count)
    ]


def warm(frames: int) -> RigCamera:
    return SPEC.model_copy(update={"warmup": frames, "depth_frames": 5})


def test_what_the_device_tells_is_kept_and_colour_is_fixed_to_what_it_had_settled_on(
    tmp_path: Path,
) -> None:
    with (
        Player(tmp_path, told(1, 40)) as player,
        RehearsalCamera(player.address, warm(4), timeout_s=5.0) as camera,
    ):
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


def test_a_camera_that_is_opened_again_is_set_as_before(tmp_path: Path) -> None:
    before = ColorSettings(exposure=200, gain=10, white_balance=4000)
    with (
        Player(tmp_path, told(1, 40)) as player,
        RehearsalCamera(player.address, warm(30), timeout_s=5.0, settings=before) as camera,
    ):
        assert camera.settings == before


def test_a_camera_whose_exposure_changes_is_refused(tmp_path: Path) -> None:
    darker = {"color": {**TOLD, "actual_exposure": 6000}, "depth": TOLD}
    other = [{"number": number, "metadata": darker} for number in range(20, 60)]
    with (
        Player(tmp_path, [*told(1, 19), *other]) as player,
        RehearsalCamera(player.address, warm(4), timeout_s=2.0) as camera,
        pytest.raises(EnvironmentFaultError, match="exposure, gain or white balance is not what"),
    ):
        for _ in range(60):
            camera.frame()


def test_colour_and_depth_may_be_half_a_frame_apart_as_the_syncer_pairs_them(
    tmp_path: Path,
) -> None:
    near = [{"number": n, "late_ms": 15.0} for n in range(1, 10)]
    with (
        Player(tmp_path, near) as player,
        RehearsalCamera(player.address, SPEC, timeout_s=3.0) as camera,
    ):
        assert camera.frame().number > 0


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ([{"number": 5}] * 30, "only repeated frames came"),
        ([{"number": n, "domain": "hardware_clock"} for n in range(1, 30)], "clock of its own"),
    ],
)
def test_each_reason_for_no_pictures_has_its_advice(
    script: list[dict | None], said: str, tmp_path: Path
) -> None:
    with (
        Player(tmp_path, script) as player,
        RehearsalCamera(player.address, SPEC, timeout_s=1.0) as camera,
        pytest.raises(EnvironmentFaultError, match=said),
    ):
        for _ in range(10):
            camera.frame()


def test_a_lens_that_the_device_tells_of_is_undone_once(tmp_path: Path) -> None:
    bent = (0.1, -0.02, 0.0, 0.0, 0.0)
    with (
        Player(tmp_path, many(1, 12), bent=bent) as player,
        RehearsalCamera(player.address, SPEC, timeout_s=3.0) as camera,
    ):
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

"""The camera's code, through librealsense's software device, and faults on the wire."""

from pathlib import Path

import numpy as np
import pytest
from played_camera import SPEC, Player

from pactwin.hardware import RehearsalCamera, RigCamera, Stream
from pactwin.suite import EnvironmentFaultError

SKEW_MS = 20.0


def many(first: int, count: int) -> list[dict | None]:
    return [{"number": number} for number in range(first, first + count)]


def test_pairs_come_aligned_in_mm_with_their_time_and_intrinsics(tmp_path: Path) -> None:
    with (
        Player(tmp_path, many(1, 12)) as player,
        RehearsalCamera(player.address, SPEC, SKEW_MS) as camera,
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
        RehearsalCamera(player.address, SPEC, SKEW_MS, timeout_s=3.0) as camera,
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
        RehearsalCamera(player.address, SPEC, SKEW_MS, timeout_s=1.0) as camera,
    ):
        camera.frame()
        with pytest.raises(EnvironmentFaultError, match=r"'side' .* sent no new pair.*cable"):
            for _ in range(6):
                camera.frame()


def test_frames_of_before_are_not_given(tmp_path: Path) -> None:
    with (
        Player(tmp_path, many(1, 12)) as player,
        RehearsalCamera(player.address, SPEC, SKEW_MS) as camera,
    ):
        now = camera.frame().captured_at_ns
        later = camera.frame(newer_than_ns=now + 60_000_000)
        assert later.captured_at_ns > now + 60_000_000


def test_a_usb_2_link_and_missing_streams_are_refused(tmp_path: Path) -> None:
    with (
        Player(tmp_path, [], usb="2.1") as player,
        pytest.raises(EnvironmentFaultError, match=r"is on USB 2.1: use a USB 3 port"),
    ):
        RehearsalCamera(player.address, SPEC, SKEW_MS)
    other: RigCamera = SPEC.model_copy(
        update={"color": Stream(width_px=640, height_px=480, rate_hz=30)}
    )
    (tmp_path / "b").mkdir()
    with (
        Player(tmp_path / "b", []) as player,
        pytest.raises(EnvironmentFaultError, match="does not offer the streams"),
    ):
        RehearsalCamera(player.address, other, SKEW_MS)


def test_nobody_at_the_address_is_said(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFaultError, match="nobody rehearses"):
        RehearsalCamera(str(tmp_path / "none"), SPEC, SKEW_MS)

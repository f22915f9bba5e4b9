"""Pictures of several cameras belong to one moment, or there are none."""

import time
from collections.abc import Iterator

import numpy as np
import pytest

from pactwin.hardware import ColorSettings, DeviceInfo, Intrinsics, NativeDepth, RgbdFrame
from pactwin.hardware.bench import refuse_frozen, synchronized_frames
from pactwin.hardware.depth import scaled_depth
from pactwin.suite import EnvironmentFaultError


class Scripted:
    """A camera whose pictures are as many ms after the start as a script says."""

    name = "scripted"
    settings, info = ColorSettings(), DeviceInfo()
    intrinsics = Intrinsics(1, 1, np.eye(3), np.zeros(5))

    def __init__(self, start_ns: int, at_ms: Iterator[float]) -> None:
        self._start_ns, self._at_ms = start_ns, at_ms

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        at_ns = 0
        while at_ns <= newer_than_ns:
            at_ns = self._start_ns + int(next(self._at_ms) * 1e6)
        return RgbdFrame(np.zeros((1, 1, 3), np.uint8), np.zeros((1, 1), np.uint16), 1, at_ns)

    def close(self) -> None:
        return


def test_the_camera_that_lags_is_asked_again_until_pictures_belong_together() -> None:
    start = time.time_ns()
    fast = Scripted(start, iter(1000 + 33.0 * k for k in range(100)))
    # Missed some, and is 5 ms off the other's beat.
    slow = Scripted(start, iter([-500.0, 1138.0, 1204.0, 1270.0]))
    frames, skew_ms = synchronized_frames({"fast": fast, "slow": slow}, 20.0)
    assert skew_ms == pytest.approx(6.0, abs=0.1)
    assert all(frame.captured_at_ns > start for frame in frames.values())


def test_pictures_that_never_meet_are_refused_and_the_skew_is_told() -> None:
    start = time.time_ns()
    cameras = {
        "a": Scripted(start, iter(1000 + 100.0 * k for k in range(200))),
        "b": Scripted(start, iter(1050 + 100.0 * k for k in range(200))),
    }
    with pytest.raises(EnvironmentFaultError, match=r"a, b are 50 ms apart, the limit is 20 ms"):
        synchronized_frames(cameras, 20.0)


def test_a_picture_that_stands_still_to_its_last_bit_is_refused() -> None:
    pictures = [np.full((4, 4, 3), 90, np.uint8) for _ in range(3)]
    frames = [RgbdFrame(p, np.zeros((4, 4), np.uint16), n, n) for n, p in enumerate(pictures)]
    with pytest.raises(EnvironmentFaultError, match="'side' sends one picture over and over"):
        refuse_frozen("side", frames)
    pictures[1][2, 2, 0] += 1
    refuse_frozen("side", frames)
    refuse_frozen("side", frames[:1])


def test_depth_is_scaled_once_and_native_depth_is_not() -> None:
    native = NativeDepth(np.full((1, 1), 900, np.uint16), np.eye(3), np.eye(4))
    depth = np.array([[0, 1000, 65000]], np.uint16)
    frame = RgbdFrame(np.zeros((1, 3, 3), np.uint8), depth, 1, 0, native)
    scaled = scaled_depth(frame, 1.02)
    assert scaled.depth_mm.tolist() == [[0, 1020, 65535]]
    assert scaled.native is native
    assert scaled_depth(frame, 1.0) is frame

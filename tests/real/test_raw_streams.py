"""Raw streams, opened again by MCAP's own reader."""

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import make_reader

from pactwin.hardware import FrameSet, JointState, RgbdFrame
from pactwin.real.raw_streams import write_mcap
from pactwin.suite import EnvironmentFaultError


def frame_sets(count: int) -> list[FrameSet]:
    rng = np.random.default_rng(0)
    found = []
    for k in range(count):
        at_ns = 10**18 + k * 33_000_000
        frames = {
            name: RgbdFrame(
                rng.integers(0, 256, (48, 64, 3), np.uint8),
                rng.integers(0, 9000, (48, 64), np.uint16),
                k,
                at_ns,
            )
            for name in ("head", "side")
        }
        states = tuple(
            JointState({"waist_yaw_joint": 0.5 * j}, at_ns + j, 7, 5, 16 * k + j) for j in range(16)
        )
        found.append(FrameSet(frames, states[-1], 0.0, 0.0, states))
    return found


def test_what_was_streamed_is_read_again_bit_by_bit(tmp_path: Path) -> None:
    written = frame_sets(5)
    path = write_mcap(tmp_path / "raw" / "scene.mcap", written)
    images: dict[str, list[np.ndarray]] = {}
    ticks = []
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file).iter_messages():
            assert schema is not None
            told = json.loads(message.data)
            if schema.name == "pactwin.JointState":
                ticks.append(told["tick"])
                assert message.log_time == told["measured_at_ns"] + 7
                continue
            assert schema.name == "foxglove.RawImage"
            kind = np.uint8 if told["encoding"] == "rgb8" else np.dtype("<u2")
            pixels = np.frombuffer(base64.b64decode(told["data"]), kind)
            assert told["step"] * told["height"] == pixels.nbytes
            images.setdefault(channel.topic, []).append(pixels)
    assert ticks == list(range(5 * 16))
    assert images.keys() == {f"/{n}/{k}" for n in ("head", "side") for k in ("color", "depth")}
    for name in ("head", "side"):
        for k, frame_set in enumerate(written):
            assert (images[f"/{name}/color"][k] == frame_set.frames[name].color.ravel()).all()
            assert (images[f"/{name}/depth"][k] == frame_set.frames[name].depth_mm.ravel()).all()


def test_a_device_that_fails_midway_leaves_no_file(tmp_path: Path) -> None:
    def failing() -> Iterator[FrameSet]:
        yield replace(frame_sets(1)[0])
        raise EnvironmentFaultError("unplugged")

    with pytest.raises(EnvironmentFaultError, match="unplugged"):
        write_mcap(tmp_path / "scene.mcap", failing())
    assert list(tmp_path.iterdir()) == []

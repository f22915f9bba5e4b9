"""Raw streams, opened again by MCAP's own reader, decoded by the schemas that the file carries."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory
from measured import Measured
from PIL import Image
from scipy.spatial.transform import Rotation

from pactwin.hardware import FrameSet, JointState, RgbdFrame
from pactwin.real.raw_streams import write_mcap
from pactwin.suite import EnvironmentFaultError

RIG = Measured(3).rig
KINDS = {
    "color": "foxglove.CompressedImage",
    "depth": "foxglove.RawImage",
    "calibration": "foxglove.CameraCalibration",
    "pose": "foxglove.FrameTransform",
}


def frame_sets(count: int) -> list[FrameSet]:
    rng = np.random.default_rng(0)
    found = []
    for k in range(count):
        at_ns = 10**18 + k * 33_000_000
        frames = {
            name: RgbdFrame(
                rng.integers(0, 256, (48, 64, 3), np.uint8),
                rng.integers(0, 65536, (48, 64), np.uint16),
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


def test_what_was_streamed_is_read_again_bit_by_bit_in_standard_schemas(tmp_path: Path) -> None:
    written = frame_sets(5)
    path = write_mcap(tmp_path / "raw" / "scene.mcap", RIG, written)
    came: dict[str, list[Any]] = {}
    states = []
    with path.open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        for schema, channel, message, told in reader.iter_decoded_messages():
            assert schema is not None
            assert told.timestamp.ToNanoseconds() == message.log_time
            if channel.topic == "/robot/joints":
                assert schema.name == "foxglove.JointStates"
                assert message.log_time == message.publish_time + 7
                states.append((message.publish_time, {j.name: j.position for j in told.joints}))
                continue
            assert schema.name == KINDS[channel.topic.split("/")[2]]
            came.setdefault(channel.topic, []).append(told)
    assert sorted(states) == [(s.measured_at_ns, s.q_rad) for f in written for s in f.states]
    assert came.keys() == {f"/{name}/{kind}" for name in ("head", "side") for kind in KINDS}
    for name in ("head", "side"):
        known = RIG.calibrated(name)
        for k, frame_set in enumerate(written):
            frame = frame_set.frames[name]
            color, depth, calibration, pose = (came[f"/{name}/{kind}"][k] for kind in KINDS)
            assert color.timestamp.ToNanoseconds() == frame.captured_at_ns
            assert color.format == "png"
            assert np.array_equal(np.asarray(Image.open(io.BytesIO(color.data))), frame.color)
            assert (depth.encoding, depth.step) == ("16UC1", 128)
            pixels = np.frombuffer(depth.data, "<u2").reshape(depth.height, depth.width)
            assert np.array_equal(pixels, frame.depth_mm)
            assert (calibration.width, calibration.height) == (64, 48)
            assert calibration.distortion_model == "plumb_bob"
            assert np.array_equal(np.reshape(calibration.K, (3, 3)), known.K)
            assert np.array_equal(np.reshape(calibration.P, (3, 4))[:, :3], known.K)
            assert tuple(calibration.D) == known.distortion
            assert (pose.parent_frame_id, pose.child_frame_id) == ("table", name)
            t, q = pose.translation, pose.rotation
            table_from_camera = np.eye(4)
            table_from_camera[:3, :3] = Rotation.from_quat([q.x, q.y, q.z, q.w]).as_matrix()
            table_from_camera[:3, 3] = t.x, t.y, t.z
            assert np.allclose(table_from_camera, known.table_from_camera, atol=1e-6)


def test_a_device_that_fails_midway_leaves_no_file(tmp_path: Path) -> None:
    def failing() -> Iterator[FrameSet]:
        yield from frame_sets(1)
        raise EnvironmentFaultError("unplugged")

    with pytest.raises(EnvironmentFaultError, match="unplugged"):
        write_mcap(tmp_path / "scene.mcap", RIG, failing())
    assert list(tmp_path.iterdir()) == []

"""Raw streams as MCAP with Foxglove's schemas, for Foxglove and other readers of MCAP.

For each ``CAMERA`` of the rig: ``/CAMERA/color`` (CompressedImage, PNG), ``/CAMERA/depth``
(RawImage, 16UC1, mm), ``/CAMERA/calibration`` (CameraCalibration, plumb_bob) and ``/CAMERA/pose``
(FrameTransform from the frame ``table``, as calibrated). ``/robot/joints`` (JointStates) has all
joint states.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from pactwin.hardware import FrameSet, JointState, RgbdFrame, Rig
from pactwin.real.captures import png_bytes
from pactwin.suite import SESSION_FOLDER, needs

_TABLE = "table"

Message = tuple[str, Any]
"""A topic and a protobuf message."""


def raw_path(folder: Path, capture: str) -> Path:
    """Path of the raw streams of the capture in the folder ``capture``."""
    return folder / SESSION_FOLDER / "raw" / f"{capture}.mcap"


def write_mcap(path: Path, rig: Rig, frame_sets: Iterable[FrameSet]) -> Path:
    """Write sets of frames, and joint states between them, to ``path``, completely or not at all.

    Raises InvalidInputError if the rig is not calibrated, EnvironmentFaultError without the
    packages of the rig, OSError if the disk refuses.
    """
    with needs("raw streams need mcap-protobuf-support", "rig"):
        from mcap_protobuf.writer import Writer

    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            writer = Writer(file)
            for frame_set in frame_sets:
                for name, frame in frame_set.frames.items():
                    at_ns = frame.captured_at_ns
                    for topic, message in _messages(rig, name, frame):
                        message.timestamp.FromNanoseconds(at_ns)
                        writer.write_message(topic, message, at_ns, at_ns)
                for state in frame_set.states:
                    joints, at_ns = _joints(state), state.host_time_ns
                    joints.timestamp.FromNanoseconds(at_ns)
                    # Published when the robot's clock says.
                    writer.write_message("/robot/joints", joints, at_ns, state.measured_at_ns)
            writer.finish()
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def _messages(rig: Rig, name: str, frame: RgbdFrame) -> Iterator[Message]:
    from foxglove_schemas_protobuf.CameraCalibration_pb2 import CameraCalibration
    from foxglove_schemas_protobuf.CompressedImage_pb2 import CompressedImage
    from foxglove_schemas_protobuf.FrameTransform_pb2 import FrameTransform
    from foxglove_schemas_protobuf.RawImage_pb2 import RawImage

    known = rig.calibrated(name)
    height, width = frame.depth_mm.shape
    color = png_bytes(frame.color)
    yield f"/{name}/color", CompressedImage(frame_id=name, format="png", data=color)
    depth = np.ascontiguousarray(frame.depth_mm, "<u2").tobytes()
    size = {"frame_id": name, "width": width, "height": height}
    yield f"/{name}/depth", RawImage(**size, encoding="16UC1", step=2 * width, data=depth)
    K, eye = np.array(known.K), np.eye(3)
    yield (
        f"/{name}/calibration",
        CameraCalibration(
            **size,
            distortion_model="plumb_bob",
            D=known.distortion,
            K=K.ravel(),
            R=eye.ravel(),
            P=np.hstack([K, np.zeros((3, 1))]).ravel(),
        ),
    )
    pose = np.array(known.table_from_camera)
    message = FrameTransform(parent_frame_id=_TABLE, child_frame_id=name)
    for axis, value in zip("xyz", pose[:3, 3], strict=True):
        setattr(message.translation, axis, value)
    for axis, value in zip("xyzw", Rotation.from_matrix(pose[:3, :3]).as_quat(), strict=True):
        setattr(message.rotation, axis, value)
    yield f"/{name}/pose", message


def _joints(state: JointState) -> Any:
    from foxglove_schemas_protobuf.JointStates_pb2 import JointStates

    joints = JointStates()
    for name, q_rad in state.q_rad.items():
        joints.joints.add(name=name, position=q_rad)
    return joints

"""Raw streams as MCAP: pictures and joint states as they come, for Foxglove and whoever reads MCAP.

Images are messages of Foxglove's schema RawImage, encoded as JSON; depth is 16UC1, in mm.
"""

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from mcap.writer import CompressionType, Writer

from pactwin.hardware import FrameSet, JointState
from pactwin.suite import SESSION_FOLDER

IMAGE_SCHEMA = "foxglove.RawImage"
STATE_SCHEMA = "pactwin.JointState"
_NUMBER, _TEXT = {"type": "integer"}, {"type": "string"}
_SCHEMAS: dict[str, dict[str, Any]] = {
    IMAGE_SCHEMA: {
        "timestamp": {"type": "object", "properties": {"sec": _NUMBER, "nsec": _NUMBER}},
        "frame_id": _TEXT,
        "width": _NUMBER,
        "height": _NUMBER,
        "encoding": _TEXT,
        "step": _NUMBER,
        "data": {"type": "string", "contentEncoding": "base64"},
    },
    STATE_SCHEMA: {
        "q_rad": {"type": "object", "additionalProperties": {"type": "number"}},
        "measured_at_ns": _NUMBER,
        "offset_ns": _NUMBER,
        "mode_machine": _NUMBER,
        "tick": _NUMBER,
    },
}


def raw_path(folder: Path, capture: str) -> Path:
    """Where the raw streams of the capture go whose folder has the name ``capture``."""
    return folder / SESSION_FOLDER / "raw" / f"{capture}.mcap"


def write_mcap(path: Path, frame_sets: Iterable[FrameSet]) -> Path:
    """Write sets of frames, and joint states between them, to ``path``: it is whole or not there.

    Topics are ``/CAMERA/color``, ``/CAMERA/depth`` and ``/robot/joints``. Raises OSError if the
    disk refuses.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            _write(Writer(file, compression=CompressionType.ZSTD), frame_sets)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return path


def _write(writer: Writer, frame_sets: Iterable[FrameSet]) -> None:
    writer.start(profile="", library="pactwin")
    schemas = {
        name: writer.register_schema(
            name, "jsonschema", json.dumps({"type": "object", "properties": fields}).encode()
        )
        for name, fields in _SCHEMAS.items()
    }
    channels: dict[str, int] = {}

    def add(topic: str, schema: str, at_ns: int, message: dict[str, Any]) -> None:
        if topic not in channels:
            channels[topic] = writer.register_channel(topic, "json", schemas[schema])
        data = json.dumps(message).encode()
        writer.add_message(channels[topic], log_time=at_ns, publish_time=at_ns, data=data)

    for frame_set in frame_sets:
        for name, frame in frame_set.frames.items():
            at_ns = frame.captured_at_ns
            for kind, encoding, pixels in (
                ("color", "rgb8", frame.color),
                ("depth", "16UC1", frame.depth_mm),
            ):
                add(f"/{name}/{kind}", IMAGE_SCHEMA, at_ns, _image(name, encoding, pixels, at_ns))
        for state in frame_set.states:
            add("/robot/joints", STATE_SCHEMA, state.host_time_ns, _state(state))
    writer.finish()


def _image(name: str, encoding: str, pixels: np.ndarray, at_ns: int) -> dict[str, Any]:
    height, width = pixels.shape[:2]
    return {
        "timestamp": {"sec": at_ns // 10**9, "nsec": at_ns % 10**9},
        "frame_id": name,
        "width": width,
        "height": height,
        "encoding": encoding,
        "step": pixels.nbytes // height,
        "data": base64.b64encode(np.ascontiguousarray(pixels).tobytes()).decode(),
    }


def _state(state: JointState) -> dict[str, Any]:
    return {
        "q_rad": state.q_rad,
        "measured_at_ns": state.measured_at_ns,
        "offset_ns": state.offset_ns,
        "mode_machine": state.mode_machine,
        "tick": state.tick,
    }

"""A camera that another process plays: its frames go through librealsense's software device.

The address is a Unix socket. Its server is asked for one camera by a line of JSON, answers with a
line that describes it, and then sends a line and the pixels of each pair.
"""

import json
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from pydantic import Field

from pactwin.hardware.realsense import RealSenseCamera, load_librealsense, recorded
from pactwin.hardware.realsense_options import ColorSettings
from pactwin.hardware.rig_file import RigCamera, Row3
from pactwin.suite import EnvironmentFaultError, Record, parse_json

_LINE_BYTES = 65536
_MAX_PIXELS = 4_000_000
_COLOR_OPTIONS = {
    "enable_auto_exposure": (0.0, 1.0, 1.0),
    "enable_auto_white_balance": (0.0, 1.0, 1.0),
    "exposure": (1.0, 10000.0, 156.0),
    "gain": (0.0, 128.0, 64.0),
    "white_balance": (2800.0, 6500.0, 4600.0),
}
"""What a rehearsed colour sensor can be set to: least, greatest, at first."""


class PlayedStream(Record):
    """Intrinsics of a stream that is played, with Brown and Conrady's distortion."""

    width_px: int = Field(gt=0, le=4000)
    height_px: int = Field(gt=0, le=4000)
    rate_hz: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float]


class PlayedCamera(Record):
    """What the server says of a camera; rotation (row-major) and translation (m) are from depth."""

    serial: str
    usb: str = "3.2"
    firmware: str = "5.16.0.1"
    color: PlayedStream
    depth: PlayedStream
    color_from_depth: tuple[Row3, Row3, Row3]
    color_from_depth_m: Row3


class PlayedFrame(Record):
    """Before the pixels of a pair (colour, then depth): its numbers, times and their bytes.

    A pair may lack one of its pictures: its size is then 0. ``metadata`` are of both, by
    librealsense's names.
    """

    number: int
    depth_number: int
    time_ms: float
    depth_time_ms: float
    domain: Literal["global_time", "system_time", "hardware_clock"] = "global_time"
    metadata: dict[str, float] = Field(default_factory=dict)
    color_bytes: int = Field(ge=0, le=3 * _MAX_PIXELS)
    depth_bytes: int = Field(ge=0, le=2 * _MAX_PIXELS)


class RehearsalCamera(RealSenseCamera):
    """The camera ``spec`` as the process at ``address`` plays it."""

    def __init__(
        self,
        address: str,
        spec: RigCamera,
        timeout_s: float = 30.0,
        settings: ColorSettings | None = None,
        record: Path | None = None,
    ) -> None:
        """Connect and open, and ``record`` all of it; EnvironmentFaultError if nobody plays it."""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(timeout_s)
        try:
            self._socket.connect(address)
            self._socket.sendall(json.dumps({"camera": spec.name}).encode() + b"\n")
            self._file: BinaryIO = self._socket.makefile("rb")
            played = PlayedCamera.model_validate(parse_json(self._line()))
        except (OSError, ValueError) as error:
            self._socket.close()
            raise EnvironmentFaultError(
                f"camera {spec.name!r}: nobody rehearses at {address}: {error}"
            ) from error
        self._played = _SoftwareDevice(played)
        self._reading = threading.Thread(target=self._pump, daemon=True)
        self._reading.start()
        try:
            device = recorded(self._played.device, record)
            super().__init__(device, spec, timeout_s, settings)
        except EnvironmentFaultError:
            self._socket.close()
            raise

    def close(self) -> None:
        """Hang up and stop the streams."""
        self._stopping = True
        with suppress(OSError):  # the other side was faster
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reading.join()
        self._socket.close()
        super().close()

    _stopping = False

    def _line(self) -> bytes:
        line = self._file.readline(_LINE_BYTES)
        if not line.endswith(b"\n"):
            raise OSError("the connection ended")
        return line

    def _pump(self) -> None:
        """Push what arrives, until the connection ends: then the camera is as if unplugged."""
        try:
            while not self._stopping:
                head = PlayedFrame.model_validate(parse_json(self._line()))
                color = self._file.read(head.color_bytes)
                depth = self._file.read(head.depth_bytes)
                if len(color) + len(depth) < head.color_bytes + head.depth_bytes:
                    return
                self._played.push(head, color, depth)
        except (OSError, ValueError, RuntimeError):
            return


class _SoftwareDevice:
    """A device with a depth and a colour sensor into which frames are pushed."""

    def __init__(self, played: PlayedCamera) -> None:
        rs = load_librealsense()
        self._rs = rs
        self.device = rs.software_device()
        self.device.register_info(rs.camera_info.serial_number, played.serial)
        self.device.register_info(rs.camera_info.usb_type_descriptor, played.usb)
        self.device.register_info(rs.camera_info.firmware_version, played.firmware)
        self._depth_sensor = self.device.add_sensor("Depth")
        self._color_sensor = self.device.add_sensor("Color")
        # Without it aligned depth is all zero.
        self._depth_sensor.add_read_only_option(rs.option.depth_units, 0.001)
        for name, (low, high, value) in _COLOR_OPTIONS.items():
            known = rs.option_range()
            known.min, known.max, known.step, known.default = low, high, 1.0, value
            self._color_sensor.add_option(getattr(rs.option, name), known, True)
        self._depth = self._depth_sensor.add_video_stream(
            self._stream(rs.stream.depth, rs.format.z16, 2, played.depth, 0)
        )
        self._color = self._color_sensor.add_video_stream(
            self._stream(rs.stream.color, rs.format.rgb8, 3, played.color, 1)
        )
        extrinsics = rs.extrinsics()
        # librealsense counts the rotation by columns.
        extrinsics.rotation = np.array(played.color_from_depth).T.ravel().tolist()
        extrinsics.translation = list(played.color_from_depth_m)
        self._depth.register_extrinsics_to(self._color, extrinsics)
        self.device.create_matcher(rs.matchers.default)
        self._shapes = {
            "color": (played.color.height_px, played.color.width_px, 3),
            "depth": (played.depth.height_px, played.depth.width_px),
        }

    def _stream(
        self, kind: Any, fmt: Any, bytes_per_px: int, played: PlayedStream, uid: int
    ) -> Any:
        rs = self._rs
        stream = rs.video_stream()
        stream.type, stream.index, stream.uid, stream.fmt = kind, 0, uid, fmt
        stream.width, stream.height = played.width_px, played.height_px
        stream.fps, stream.bpp = played.rate_hz, bytes_per_px
        known = rs.intrinsics()
        known.width, known.height = played.width_px, played.height_px
        known.fx, known.fy, known.ppx, known.ppy = played.fx, played.fy, played.cx, played.cy
        known.model = rs.distortion.brown_conrady
        known.coeffs = list(played.distortion)
        stream.intrinsics = known
        return stream

    def push(self, head: PlayedFrame, color: bytes, depth: bytes) -> None:
        """Give the device one pair; a picture without bytes is left out."""
        for name, value in head.metadata.items():
            kind = getattr(self._rs.frame_metadata_value, name)
            for sensor in (self._depth_sensor, self._color_sensor):
                sensor.set_metadata(kind, round(value))
        if depth:
            far = np.frombuffer(depth, np.uint16).reshape(self._shapes["depth"])
            self._push(self._depth_sensor, self._depth, far, head, depth=True)
        if color:
            pixels = np.frombuffer(color, np.uint8).reshape(self._shapes["color"])
            self._push(self._color_sensor, self._color, pixels, head, depth=False)

    def _push(
        self, sensor: Any, profile: Any, pixels: np.ndarray, head: PlayedFrame, *, depth: bool
    ) -> None:
        rs = self._rs
        frame = rs.software_video_frame()
        frame.pixels = pixels
        frame.bpp = pixels.itemsize * (pixels.shape[2] if pixels.ndim == 3 else 1)
        frame.stride = frame.bpp * pixels.shape[1]
        frame.timestamp = head.depth_time_ms if depth else head.time_ms
        frame.frame_number = head.depth_number if depth else head.number
        frame.domain = getattr(rs.timestamp_domain, head.domain)
        frame.profile = profile.as_video_stream_profile()
        if depth:
            frame.depth_units = 0.001
        sensor.on_video_frame(frame)

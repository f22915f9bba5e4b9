"""Cameras streamed by another process, through librealsense's software device.

So the same code reads a local camera, a rehearsed one, and one of another computer
(:mod:`pactwin.hardware.camera_sender`). The request is a line of JSON; the replies are a line and
the pixels of each pair. Replies are untrusted: sizes are bounded before anything is read.
"""

import io
import json
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

import numpy as np
from pydantic import Field

from pactwin.hardware.realsense import TIMEOUT_S, RealSenseCamera, load_librealsense, recorded
from pactwin.hardware.realsense_options import ColorSettings, MetadataName
from pactwin.hardware.rig_file import RigCamera, Row3
from pactwin.suite import (
    Coordinate,
    EnvironmentFaultError,
    Number,
    Record,
    SuiteError,
    first_fault,
    open_picture,
    parse_json,
)

_LINE_BYTES = 65536
_MAX_PIXELS = 4_000_000
_MAX_NUMBER = 2**31 - 1
_OPENING_S = 30.0
"""Until a sender answers: its camera's automatic control has to settle first."""
_CLOCK_PAIRS = 5
_COLOR_OPTIONS = {
    "enable_auto_exposure": (0.0, 1.0, 1.0),
    "enable_auto_white_balance": (0.0, 1.0, 1.0),
    "exposure": (1.0, 10000.0, 156.0),
    "gain": (0.0, 128.0, 64.0),
    "white_balance": (2800.0, 6500.0, 4600.0),
}
"""What a rehearsed colour sensor can be set to: least, greatest, at first."""

FrameNumber = Annotated[int, Field(ge=0, le=_MAX_NUMBER)]
TimeMs = Annotated[float, Field(ge=0, le=1e13, allow_inf_nan=False)]


class PlayedStream(Record):
    """Intrinsics of a stream, with librealsense's name of its distortion ``model``."""

    width_px: int = Field(gt=0, le=4000)
    height_px: int = Field(gt=0, le=4000)
    rate_hz: int = Field(gt=0, le=300)
    fx: Coordinate
    fy: Coordinate
    cx: Coordinate
    cy: Coordinate
    model: Literal[
        "none",
        "modified_brown_conrady",
        "inverse_brown_conrady",
        "ftheta",
        "brown_conrady",
        "kannala_brandt4",
    ] = "brown_conrady"
    distortion: tuple[Coordinate, Coordinate, Coordinate, Coordinate, Coordinate]


class PlayedCamera(Record):
    """A streamed camera's description; rotation (row-major) and translation (m) are from depth.

    ``settings`` are what its colour is fixed to, None if that is for the receiver to choose.
    """

    serial: str = Field(max_length=100)
    usb: str = Field(default="3.2", max_length=100)
    firmware: str = Field(default="5.16.0.1", max_length=100)
    color: PlayedStream
    depth: PlayedStream
    color_from_depth: tuple[Row3, Row3, Row3]
    color_from_depth_m: Row3
    settings: ColorSettings | None = None


class PlayedFrame(Record):
    """Header before a pair's pixels (colour, then depth): frame numbers, times and byte counts.

    A picture of a pair may be missing: its size is then 0. ``metadata`` use librealsense's names. A
    sender repeats the description of its ``camera``, and adds the sending time.
    """

    number: FrameNumber
    depth_number: FrameNumber
    time_ms: TimeMs
    depth_time_ms: TimeMs
    domain: Literal["global_time", "system_time", "hardware_clock"] = "global_time"
    depth_units_m: float = Field(default=0.001, ge=1e-6, le=0.1)
    metadata: dict[Literal["color", "depth"], dict[MetadataName, Number]] = Field(
        default_factory=dict
    )
    color_bytes: int = Field(ge=0, le=3 * _MAX_PIXELS)
    depth_bytes: int = Field(ge=0, le=2 * _MAX_PIXELS)
    camera: PlayedCamera | None = None
    sent_ms: TimeMs | None = None


class _StreamedCamera(RealSenseCamera):
    """The camera ``spec``, streamed by the server at an address."""

    def __init__(
        self,
        connection: socket.socket,
        asked: dict[str, Any],
        spec: RigCamera,
        timeout_s: float,
        settings: ColorSettings | None,
        record: Path | None,
    ) -> None:
        """Request the stream and open it; EnvironmentFaultError if no camera frames arrive."""
        self._socket, self._spec = connection, spec
        self._stopping = False
        try:
            connection.sendall(json.dumps(asked).encode() + b"\n")
            self._file: BinaryIO = connection.makefile("rb")
            self._played = self._described()
        except (OSError, ValueError, SuiteError) as error:
            connection.close()
            raise self._fault(_why(error)) from error
        self._software = _SoftwareDevice(self._played)
        self._reading = threading.Thread(target=self._pump, daemon=True)
        self._reading.start()
        try:
            device = recorded(self._software.device, record)
            super().__init__(device, spec, timeout_s, settings)
        except EnvironmentFaultError:
            connection.close()
            raise

    def close(self) -> None:
        """Hang up and stop the streams."""
        self._stopping = True
        with suppress(OSError):  # the other side was faster
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reading.join()
        self._socket.close()
        super().close()

    def _described(self) -> PlayedCamera:
        return PlayedCamera.model_validate(parse_json(self._line()))

    def _pair_of_bytes(self) -> tuple[PlayedFrame, bytes, bytes]:
        head = PlayedFrame.model_validate(parse_json(self._line()))
        return head, self._bytes(head.color_bytes), self._bytes(head.depth_bytes)

    def _line(self) -> bytes:
        line = self._file.readline(_LINE_BYTES)
        if not line.endswith(b"\n"):
            long = len(line) == _LINE_BYTES
            raise OSError(f"a line of {_LINE_BYTES} bytes" if long else "the connection ended")
        return line

    def _bytes(self, count: int) -> bytes:
        data = self._file.read(count)
        if len(data) < count:
            raise OSError("the connection ended within a pair of pictures")
        return data

    def _pump(self) -> None:
        """Push what arrives, until the connection ends: then the camera is as if unplugged."""
        try:
            while not self._stopping:
                self._software.push(*self._pair_of_bytes())
        except (OSError, ValueError, RuntimeError, SuiteError) as error:
            self._ended = self._told_end(error)

    def _told_end(self, error: Exception) -> str:
        return ""


class RehearsalCamera(_StreamedCamera):
    """The camera ``spec``, simulated by the process at ``address`` (a Unix socket)."""

    def __init__(
        self,
        address: str,
        spec: RigCamera,
        timeout_s: float = 30.0,
        settings: ColorSettings | None = None,
        record: Path | None = None,
    ) -> None:
        """Connect and open, and ``record`` all of it; EnvironmentFaultError if nobody plays it."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(timeout_s)
        try:
            connection.connect(address)
        except OSError as error:
            connection.close()
            raise EnvironmentFaultError(
                f"camera {spec.name!r}: nobody rehearses at {address}: {error}"
            ) from error
        super().__init__(connection, {"camera": spec.name}, spec, timeout_s, settings, record)


class SentCamera(_StreamedCamera):
    """The camera ``spec`` of another computer, sent by :mod:`pactwin.hardware.camera_sender`.

    Pictures are PNG: colour, depth and times arrive as they were measured, to the last bit.
    """

    def __init__(
        self,
        spec: RigCamera,
        timeout_s: float = TIMEOUT_S,
        settings: ColorSettings | None = None,
        record: Path | None = None,
    ) -> None:
        """Connect to ``spec.sender`` and open; EnvironmentFaultError says what is wrong there."""
        host, _, port = str(spec.sender).rpartition(":")
        try:
            connection = socket.create_connection((host.strip("[]"), int(port)), timeout_s)
        except OSError as error:
            raise EnvironmentFaultError(
                f"camera {spec.name!r}: nobody sends at {spec.sender} ({error.strerror or error}): "
                "start camera_sender.py there (hardware/README.md)"
            ) from error
        connection.settimeout(_OPENING_S)
        asked = {
            "serial": spec.serial,
            "color": list(spec.color.model_dump().values()),
            "depth": list(spec.depth.model_dump().values()),
            "power_line_hz": spec.power_line_hz,
            "settings": settings.model_dump(exclude_none=True) if settings else None,
            "warmup": spec.warmup,
        }
        self._delays_ms: list[float] = []
        # Its sensors are set by the sender, and warm by now.
        super().__init__(connection, asked, spec, timeout_s, ColorSettings(), record)
        connection.settimeout(timeout_s)
        self.settings = self._played.settings or ColorSettings()

    def _described(self) -> PlayedCamera:
        self._first = self._pair_of_bytes()
        camera = self._first[0].camera
        if camera is None or camera.serial != self._spec.serial:
            who = camera.serial if camera else "nothing of its camera"
            raise ValueError(f"it says {who}, the rig file says {self._spec.serial}")
        return camera

    def _pair_of_bytes(self) -> tuple[PlayedFrame, bytes, bytes]:
        answer = parse_json(self._line())
        if isinstance(answer, dict) and "error" in answer:
            raise OSError(" ".join(str(answer["error"])[:500].split()))
        head = PlayedFrame.model_validate(answer)
        came_ms = 1e3 * time.time()
        color, depth = self._bytes(head.color_bytes), self._bytes(head.depth_bytes)
        if head.camera is not None and head.sent_ms is not None:
            self._check_clock(came_ms - head.sent_ms)
            color = _pixels(color, head.camera.color, "RGB", np.uint8)
            depth = _pixels(depth, head.camera.depth, "I;16", np.uint16)
        return head, color, depth

    def _check_clock(self, delay_ms: float) -> None:
        """Refuse times that are off by more than pictures may be apart."""
        self._delays_ms = [*self._delays_ms[1 - _CLOCK_PAIRS :], delay_ms]
        off_ms, limit_ms = min(self._delays_ms), 500 / self._spec.color.rate_hz
        if len(self._delays_ms) == _CLOCK_PAIRS and abs(off_ms) > limit_ms:
            raise OSError(
                f"its clock is {abs(off_ms):.0f} ms {'behind' if off_ms > 0 else 'ahead'}, or the "
                f"network is slow; the limit is {limit_ms:.0f} ms: let chrony set it from this "
                "computer (hardware/README.md)"
            )

    def _told_end(self, error: Exception) -> str:
        return _why(error)


def _why(error: Exception) -> str:
    """The fault of a received message, in one line."""
    said = first_fault(error) if isinstance(error, ValueError) else str(error)
    if isinstance(error, TimeoutError):
        said = "nothing came in time"
    return f"sends no more pictures: {said or type(error).__name__}"


def _pixels(data: bytes, stream: PlayedStream, mode: str, kind: type) -> bytes:
    """The pixels in a PNG that is as large as its stream; ValueError or SuiteError otherwise."""
    with open_picture(io.BytesIO(data), "a picture of it") as picture:
        size = stream.width_px, stream.height_px
        if picture.size != size or picture.mode != mode:
            raise ValueError(f"a picture of {picture.size} px, {picture.mode}, not {size}, {mode}")
        return np.asarray(picture).astype(kind).tobytes()


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
        options = _COLOR_OPTIONS if played.settings is None else {}
        for name, (low, high, value) in options.items():
            known = rs.option_range()
            known.min, known.max, known.step, known.default = low, high, 1.0, value
            self._color_sensor.add_option(getattr(rs.option, name), known, True)
        self._depth = self._depth_sensor.add_video_stream(
            self._stream(rs.stream.depth, rs.format.z16, 2, played.depth, 0)
        )
        self._color = self._color_sensor.add_video_stream(
            self._stream(rs.stream.color, rs.format.rgb8, 3, played.color, 1)
        )
        if played.settings is not None:
            # A sender leaves frames out. The syncer waits for the colour of a depth frame for seven
            # periods of the depth frame: of one that says so, for seven seconds.
            self._depth_sensor.set_metadata(rs.frame_metadata_value.actual_fps, 1000)
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
        known.model = getattr(rs.distortion, played.model)
        known.coeffs = list(played.distortion)
        stream.intrinsics = known
        return stream

    def push(self, head: PlayedFrame, color: bytes, depth: bytes) -> None:
        """Give the device one pair; a picture without bytes is left out."""
        for of, metadata in head.metadata.items():
            sensor = self._depth_sensor if of == "depth" else self._color_sensor
            for name, value in metadata.items():
                sensor.set_metadata(getattr(self._rs.frame_metadata_value, name), round(value))
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
            frame.depth_units = head.depth_units_m
        sensor.on_video_frame(frame)

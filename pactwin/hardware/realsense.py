"""A RealSense camera, real or played through librealsense's software device.

Sensors are opened one by one and feed a syncer, since a pipeline does not start on a software
device: so rehearsal runs the code that a bench runs.
"""

import time
from typing import Any

import numpy as np

from pactwin.hardware.rig_file import RigCamera, Stream
from pactwin.hardware.sources import Intrinsics, RgbdFrame
from pactwin.suite import EnvironmentFaultError

TIMEOUT_S = 5.0
_WAIT_MS = 200


def load_librealsense() -> Any:
    """The module pyrealsense2; EnvironmentFaultError, saying what to install, without it."""
    try:
        import pyrealsense2
    except ImportError as error:
        fix = "pip install -r requirements/rig.txt"
        if "libusb" in str(error):
            fix = "apt-get install -y libusb-1.0-0"
        raise EnvironmentFaultError(f"cameras need librealsense: {fix}") from error
    return pyrealsense2


def connected_cameras() -> dict[str, str]:
    """Serial numbers and names of all cameras that librealsense finds."""
    rs = load_librealsense()
    try:
        devices = rs.context().query_devices()
        info = rs.camera_info
        return {d.get_info(info.serial_number): d.get_info(info.name) for d in devices}
    except RuntimeError as error:
        raise EnvironmentFaultError(f"librealsense fails: {error}") from error


def find_device(spec: RigCamera) -> Any:
    """The connected device with the serial of ``spec``; EnvironmentFaultError if there is none."""
    rs = load_librealsense()
    for device in rs.context().query_devices():
        if device.get_info(rs.camera_info.serial_number) == spec.serial:
            return device
    found = ", ".join(connected_cameras()) or "none"
    raise EnvironmentFaultError(
        f"camera {spec.name!r} ({spec.serial}) is not connected, found: {found}; plug it in, or on "
        "the robot stop its video service (hardware/README.md)"
    )


class RealSenseCamera:
    """Colour and aligned depth of one device; see :class:`pactwin.hardware.CameraSource`."""

    def __init__(
        self, device: Any, spec: RigCamera, skew_ms: float, timeout_s: float = TIMEOUT_S
    ) -> None:
        """Open the streams that ``spec`` names.

        Raises EnvironmentFaultError if the link is USB 2, a stream is missing or held by another
        process.
        """
        rs = load_librealsense()
        self._rs, self._device, self._spec = rs, device, spec
        self._skew_ms, self._timeout_s = skew_ms, timeout_s
        self._last = (-1, -1)
        self._open: list[Any] = []
        usb = rs.camera_info.usb_type_descriptor
        if device.supports(usb) and device.get_info(usb).startswith("2"):
            raise self._fault(
                f"is on USB {device.get_info(usb)}: use a USB 3 port and cable, without hub"
            )
        self._syncer = rs.syncer()
        self._align = rs.align(rs.stream.color)
        wanted = [
            (rs.stream.color, rs.format.rgb8, spec.color),
            (rs.stream.depth, rs.format.z16, spec.depth),
        ]
        try:
            for sensor in device.query_sensors():
                profiles = [p for w in wanted if (p := _profile(sensor, *w)) is not None]
                if profiles:
                    self._start(sensor, profiles)
        except RuntimeError as error:
            self.close()
            raise self._fault(
                f"cannot be opened ({error}): does another process hold it?"
            ) from error
        if len(self._profiles) < 2:
            self.close()
            raise self._fault("does not offer the streams of the rig file")
        for _ in range(spec.warmup):
            self.frame()

    @property
    def name(self) -> str:
        """As the rig calls it."""
        return self._spec.name

    @property
    def intrinsics(self) -> Intrinsics:
        """Of the colour stream, as the device tells them."""
        known = self._profiles["color"].as_video_stream_profile().get_intrinsics()
        K = np.array([[known.fx, 0, known.ppx], [0, known.fy, known.ppy], [0, 0, 1]])
        return Intrinsics(known.width, known.height, K, np.array(known.coeffs))

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        """See :class:`pactwin.hardware.CameraSource`."""
        rs = self._rs
        until = time.monotonic() + self._timeout_s
        while time.monotonic() < until:
            came, frames = self._syncer.try_wait_for_frames(_WAIT_MS)
            if not came:
                continue
            color, depth = frames.get_color_frame(), frames.get_depth_frame()
            if not color or not depth:
                continue
            numbers = color.get_frame_number(), depth.get_frame_number()
            if any(n <= last for n, last in zip(numbers, self._last, strict=True)):
                continue  # sent again
            self._last = numbers
            if color.get_frame_timestamp_domain() == rs.timestamp_domain.hardware_clock:
                raise self._fault("tells times by a clock of its own: enable its global time")
            when_ms = color.get_timestamp()
            if abs(when_ms - depth.get_timestamp()) > self._skew_ms:
                continue
            at_ns = int(when_ms * 1e6)
            if at_ns <= newer_than_ns:
                continue
            aligned = self._align.process(frames).get_depth_frame()
            units_mm = 1e3 * depth.get_units()
            return RgbdFrame(
                np.asarray(color.get_data()).copy(),
                _millimetres(np.asarray(aligned.get_data()), units_mm),
                numbers[0],
                at_ns,
            )
        raise self._fault(
            f"sent no new pair of pictures for {self._timeout_s:g} s: check its cable and replug it"
        )

    def close(self) -> None:
        """Stop the streams; what is unplugged is left."""
        while self._open:
            sensor = self._open.pop()
            try:
                sensor.stop()
                sensor.close()
            except RuntimeError:
                continue

    def __enter__(self) -> "RealSenseCamera":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(self, sensor: Any, profiles: list[Any]) -> None:
        rs = self._rs
        # One clock for all cameras; a steady rate, whatever the light.
        for option, value in (
            (rs.option.global_time_enabled, 1.0),
            (rs.option.auto_exposure_priority, 0.0),
        ):
            if sensor.supports(option) and not sensor.is_option_read_only(option):
                sensor.set_option(option, value)
        sensor.open(profiles)
        self._open.append(sensor)
        sensor.start(self._syncer)

    @property
    def _profiles(self) -> dict[str, Any]:
        found = [p for sensor in self._open for p in sensor.get_active_streams()]
        return {p.stream_type().name: p for p in found}

    def _fault(self, said: str) -> EnvironmentFaultError:
        return EnvironmentFaultError(f"camera {self._spec.name!r} ({self._spec.serial}) {said}")


def _profile(sensor: Any, kind: Any, fmt: Any, stream: Stream) -> Any | None:
    for profile in sensor.get_stream_profiles():
        if profile.stream_type() == kind and profile.format() == fmt:
            video = profile.as_video_stream_profile()
            size = video.width(), video.height(), profile.fps()
            if size == (stream.width_px, stream.height_px, stream.rate_hz):
                return profile
    return None


def _millimetres(depth: np.ndarray, units_mm: float) -> np.ndarray:
    if abs(units_mm - 1.0) < 1e-6:
        return depth.copy()
    return np.clip(np.rint(depth * units_mm), 0, 65535).astype(np.uint16)

"""A RealSense camera: real, recorded, or simulated by librealsense's software device.

Sensors are opened one by one and feed a syncer, because a pipeline does not start on a software
device. So rehearsals run the same code as a real bench.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from pactwin.hardware.camera_sender import (
    device_info,
    fix_color,
    metadata_of,
    set_for_captures,
)
from pactwin.hardware.realsense_options import TOLD_LIGHT, ColorSettings, DeviceInfo
from pactwin.hardware.rig_file import RigCamera, Stream
from pactwin.hardware.sources import Intrinsics, NativeDepth, RgbdFrame
from pactwin.suite import EnvironmentFaultError, needs

TIMEOUT_S = 5.0
_WAIT_MS = 200
_APPLIED_AFTER = 5
"""Frames until what a sensor was set to shows in its pictures."""
_SAME_LIGHT = 0.05
"""What exposure, gain and white balance may differ by, as frames tell them."""
_CLOCK_S = 3.0
"""librealsense tells times on the device's own clock until it has compared the clocks."""
_FAULTS = (
    ("streaming", "another part of this process holds it"),
    ("busy", "another process holds it: close realsense-viewer, ROS or an earlier session, and on "
     "the robot stop its video service (hardware/README.md)"),
    ("power state", "it vanished while it was opened: replug it, at a USB 3 port of its own"),
    ("no such device", "it vanished: check its cable and replug it"),
    ("disconnected", "it vanished: check its cable and replug it"),
    ("access", "this user may not open it: install the udev rule (hardware/README.md)"),
)  # fmt: skip
_REASONS = {
    "nothing": "nothing came: check its cable and replug it",
    "repeated": "only repeated frames came: replug it",
    "apart": "colour and depth were taken at different moments: give it a USB port of its own",
    "old": "only frames of before came: this computer is too busy, or the cameras' clocks differ",
    "incomplete": "one of colour and depth is missing: replug it, at a USB port of its own",
    "light": "its exposure, gain or white balance is not what it was set to: end what else uses it",
    "clock": "it tells times by a clock of its own: enable its global time, and replug it",
}


def load_librealsense() -> Any:
    """The module pyrealsense2; EnvironmentFaultError with instructions if missing."""
    with needs("cameras need librealsense", "rig"):
        import pyrealsense2
    return pyrealsense2


@contextmanager
def librealsense_faults(subject: str) -> Iterator[None]:
    """Convert librealsense's RuntimeError to an EnvironmentFaultError with a remedy."""
    try:
        yield
    except RuntimeError as error:
        message = " ".join(str(error).split())
        advice = next(
            (advice for sign, advice in _FAULTS if sign in message.lower()),
            "unplug it, plug it in again, and run pactwin rig check",
        )
        raise EnvironmentFaultError(
            f"{subject}: librealsense fails ({message}); {advice}"
        ) from error


def connected_cameras() -> dict[str, str]:
    """Serial numbers and names of all cameras that librealsense finds."""
    rs = load_librealsense()
    with librealsense_faults("cameras"):
        devices = rs.context().query_devices()
        info = rs.camera_info
        return {d.get_info(info.serial_number): d.get_info(info.name) for d in devices}


def find_device(spec: RigCamera) -> Any:
    """The connected device with the serial of ``spec``; EnvironmentFaultError if there is none."""
    rs = load_librealsense()
    with librealsense_faults(f"camera {spec.name!r} ({spec.serial})"):
        for device in rs.context().query_devices():
            if device.get_info(rs.camera_info.serial_number) == spec.serial:
                return device
    found = ", ".join(connected_cameras()) or "none"
    raise EnvironmentFaultError(
        f"camera {spec.name!r} ({spec.serial}) is not connected, found: {found}; plug it in, or on "
        "the robot stop its video service (hardware/README.md)"
    )


def recorded(device: Any, file: Path | None) -> Any:
    """The device; with ``file``, it also records all frames there (.db3, a ROS 2 bag).

    The file is whole once nothing refers to the device.
    """
    if file is None:
        return device
    rs = load_librealsense()
    with librealsense_faults(f"recording {file}"):
        return rs.recorder(str(file), device, False)


class RealSenseCamera:
    """Colour and aligned depth of one device; see :class:`pactwin.hardware.CameraSource`.

    ``settings`` are what colour is fixed to.
    """

    _ended = ""
    """Why there will be no more frames, if whoever sends them has said so."""

    def __init__(
        self,
        device: Any,
        spec: RigCamera,
        timeout_s: float = TIMEOUT_S,
        settings: ColorSettings | None = None,
    ) -> None:
        """Open the streams that ``spec`` names, and fix colour to ``settings``.

        Without settings automatic control is given ``spec.warmup`` frames to choose them. Raises
        EnvironmentFaultError if the link is USB 2, a stream is missing, its lens is of a kind that
        cannot be undone, another process holds the device, or librealsense fails.
        """
        rs = load_librealsense()
        self._rs, self._device, self._spec, self._timeout_s = rs, device, spec, timeout_s
        self._half_frame_ms = 500 / min(spec.color.rate_hz, spec.depth.rate_hz)
        self._last = (-1, -1)
        self._fixed: dict[str, float] = {}  # what frames tell since colour was fixed
        self._open: list[Any] = []
        self._syncer = rs.syncer()
        self._align = rs.align(rs.stream.color)
        self.settings = ColorSettings()
        with self._faults():
            self.info = DeviceInfo.model_validate(device_info(rs, device))
        if self.info.usb.startswith("2"):
            raise self._fault(f"is on USB {self.info.usb}: use a USB 3 port and cable, without hub")
        try:
            with self._faults():
                self._start()
            self._unbend = self._unbending()
            self._warm_up(settings)
        except EnvironmentFaultError:
            self.close()
            raise

    @property
    def name(self) -> str:
        """Name of the camera in the rig."""
        return self._spec.name

    @property
    def intrinsics(self) -> Intrinsics:
        """Intrinsics of the colour stream after undoing the reported distortion."""
        with self._faults():
            known = self._profiles["color"].as_video_stream_profile().get_intrinsics()
        return Intrinsics(known.width, known.height, _matrix(known), np.zeros(5))

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        """See :class:`pactwin.hardware.CameraSource`."""
        until = time.monotonic() + self._timeout_s
        reasons: Counter[str] = Counter()
        with self._faults():
            while time.monotonic() < until and not self._ended:
                came, frames = self._syncer.try_wait_for_frames(_WAIT_MS)
                found = self._pair(frames, newer_than_ns) if came else "nothing"
                if isinstance(found, RgbdFrame):
                    return found
                reasons[found] += 1
                if found == "clock":
                    until = min(until, time.monotonic() + _CLOCK_S)
        if self._ended:
            raise self._fault(self._ended)
        came = {reason: count for reason, count in reasons.items() if reason != "nothing"}
        said = _REASONS[max(came, key=lambda reason: came[reason], default="nothing")]
        raise self._fault(f"sent no new pair of pictures for {self._timeout_s:g} s; {said}")

    def _pair(self, frames: Any, newer_than_ns: int) -> RgbdFrame | str:
        """A pair that may be used, or why it may not."""
        rs = self._rs
        color, depth = frames.get_color_frame(), frames.get_depth_frame()
        if not color or not depth:
            return "incomplete"
        numbers = color.get_frame_number(), depth.get_frame_number()
        if any(n <= last for n, last in zip(numbers, self._last, strict=True)):
            return "repeated"
        self._last = numbers
        domain = color.get_frame_timestamp_domain()
        if domain == rs.timestamp_domain.hardware_clock:
            return "clock"
        when_ms = color.get_timestamp()
        # As librealsense's syncer pairs them.
        if abs(when_ms - depth.get_timestamp()) > self._half_frame_ms:
            return "apart"
        at_ns = int(when_ms * 1e6)
        if at_ns <= newer_than_ns:
            return "old"
        told = metadata_of(rs, color)
        if any(abs(told.get(n, v) - v) > _SAME_LIGHT * v for n, v in self._fixed.items()):
            return "light"
        aligned = self._align.process(frames).get_depth_frame()
        units_mm = 1e3 * depth.get_units()
        pixels = np.asarray(color.get_data()).copy()
        depth_mm = _millimetres(np.asarray(aligned.get_data()), units_mm)
        if self._unbend is not None:
            pixels = cv2.remap(pixels, *self._unbend, cv2.INTER_LINEAR)
            depth_mm = cv2.remap(depth_mm, *self._unbend, cv2.INTER_NEAREST)
        return RgbdFrame(
            pixels,
            depth_mm,
            numbers[0],
            at_ns,
            self._native(depth, units_mm),
            {
                "color": told,
                "depth": metadata_of(rs, depth),
            },
            domain.name,
            self.info,
            self.settings,
        )

    def _native(self, depth: Any, units_mm: float) -> NativeDepth:
        profile = depth.get_profile().as_video_stream_profile()
        known = profile.get_intrinsics()
        to_color = profile.get_extrinsics_to(self._profiles["color"])
        pose = np.eye(4)
        pose[:3, :3] = np.array(to_color.rotation).reshape(3, 3).T  # librealsense counts columns
        pose[:3, 3] = to_color.translation
        pixels = _millimetres(np.asarray(depth.get_data()), units_mm)
        return NativeDepth(pixels, _matrix(known), pose)

    def close(self) -> None:
        """Stop the streams; unplugged devices are skipped."""
        while self._open:
            sensor = self._open.pop()
            with suppress(RuntimeError):
                sensor.stop()
            with suppress(RuntimeError):
                sensor.close()

    def __enter__(self) -> "RealSenseCamera":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _start(self) -> None:
        rs, spec = self._rs, self._spec
        wanted = [
            (rs.stream.color, rs.format.rgb8, spec.color),
            (rs.stream.depth, rs.format.z16, spec.depth),
        ]
        for sensor in self._device.query_sensors():
            profiles = [p for w in wanted if (p := _profile(sensor, *w)) is not None]
            if profiles:
                set_for_captures(rs, sensor, spec.power_line_hz)
                sensor.open(profiles)
                self._open.append(sensor)
                sensor.start(self._syncer)
        if len(self._profiles) < 2:
            raise self._fault("does not offer the streams of the rig file")

    def _warm_up(self, settings: ColorSettings | None) -> None:
        told: Mapping[str, float] = {}
        for _ in range(self._spec.warmup if settings is None else 0):
            told = self.frame().metadata["color"]
        sensor = next(s for s in self._open if any(_is_color(p) for p in s.get_active_streams()))
        with self._faults():
            wanted = None if settings is None else settings.model_dump(exclude_none=True)
            fixed = fix_color(self._rs, sensor, wanted, told, self._spec.power_line_hz)
            self.settings = ColorSettings.model_validate(fixed)
        for _ in range(_APPLIED_AFTER if self.settings != ColorSettings() else 0):
            told = self.frame().metadata["color"]
        self._fixed = {name: told[name] for name in TOLD_LIGHT if name in told}

    def _unbending(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Maps that undo the distortion that the device reports, for colour and depth.

        librealsense projects Intel's inverse Brown-Conrady model as OpenCV does its own.
        """
        rs = self._rs
        with self._faults():
            known = self._profiles["color"].as_video_stream_profile().get_intrinsics()
        if not any(known.coeffs):
            return None
        kinds = (rs.distortion.brown_conrady, rs.distortion.inverse_brown_conrady)
        if known.model not in kinds:
            raise self._fault(
                f"has a lens of the kind {known.model.name}, which pactwin cannot undo: use "
                "another camera, or another stream of it"
            )
        K, size = _matrix(known), (known.width, known.height)
        bent = np.array(known.coeffs)
        return cv2.initUndistortRectifyMap(K, bent, np.eye(3), K, size, cv2.CV_32FC1)

    @property
    def _profiles(self) -> dict[str, Any]:
        found = [p for sensor in self._open for p in sensor.get_active_streams()]
        return {p.stream_type().name: p for p in found}

    def _faults(self) -> Any:
        return librealsense_faults(f"camera {self._spec.name!r} ({self._spec.serial})")

    def _fault(self, message: str) -> EnvironmentFaultError:
        return EnvironmentFaultError(f"camera {self._spec.name!r} ({self._spec.serial}) {message}")


def _is_color(profile: Any) -> bool:
    return bool(profile.stream_type().name == "color")


def _matrix(known: Any) -> np.ndarray:
    return np.array([[known.fx, 0, known.ppx], [0, known.fy, known.ppy], [0, 0, 1]])


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

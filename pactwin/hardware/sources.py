"""Interfaces of capture sources: camera frames and joint states."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pactwin.hardware.realsense_options import ColorSettings, DeviceInfo


@dataclass(frozen=True)
class Intrinsics:
    """Intrinsics of a colour stream: ``K`` (3, 3) in px, OpenCV's ``distortion`` (5,)."""

    width_px: int
    height_px: int
    K: np.ndarray
    distortion: np.ndarray


@dataclass(frozen=True)
class NativeDepth:
    """Depth in its own camera: ``depth_mm`` (h, w) uint16, pinhole ``K`` (3, 3).

    ``color_from_depth`` (4, 4) is in m.
    """

    depth_mm: np.ndarray
    K: np.ndarray
    color_from_depth: np.ndarray


@dataclass(frozen=True)
class RgbdFrame:
    """One synchronised pair of colour and depth.

    ``color`` (h, w, 3) is uint8 RGB; ``depth_mm`` (h, w) uint16 along the optical axis of the
    colour camera, 0 = none. ``captured_at_ns`` is on this computer's clock; ``time_domain`` is
    ``system_time`` if it is the arrival time instead of the capture time. ``metadata`` are the
    device's data about ``color`` and ``depth``, by librealsense's names; ``settings`` are the fixed
    colour settings.
    """

    color: np.ndarray
    depth_mm: np.ndarray
    number: int
    captured_at_ns: int
    native: NativeDepth | None = None
    metadata: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    time_domain: str = "global_time"
    device: DeviceInfo = field(default_factory=DeviceInfo)
    settings: ColorSettings = field(default_factory=ColorSettings)


@dataclass(frozen=True)
class Imu:
    """Measurements of an inertial sensor in its own frame, x forward and z up.

    ``quaternion`` (w, x, y, z) turns it into a level frame; ``gyroscope_rad_s`` and
    ``accelerometer_m_s2`` are (x, y, z).
    """

    quaternion: tuple[float, ...]
    gyroscope_rad_s: tuple[float, ...]
    accelerometer_m_s2: tuple[float, ...]


@dataclass(frozen=True)
class JointState:
    """The robot's joint angles.

    ``q_rad`` are by name. ``measured_at_ns`` is on the robot's clock, which is ``offset_ns`` behind
    this computer's (transport included). ``mode_machine`` is the robot's variant, ``tick`` counts
    its states. If ``mode_pr`` is 0, ankles and waist report pitch and roll; otherwise they are left
    out. ``torso`` is None if nobody publishes it.
    """

    q_rad: dict[str, float]
    measured_at_ns: int
    offset_ns: int
    mode_machine: int
    tick: int = 0
    mode_pr: int = 0
    pelvis: Imu | None = None
    torso: Imu | None = None

    @property
    def host_time_ns(self) -> int:
        """Measurement time on this computer's clock."""
        return self.measured_at_ns + self.offset_ns


class CameraSource(Protocol):
    """An open camera. Close it after use."""

    @property
    def name(self) -> str:
        """Name of the camera in the rig."""

    @property
    def intrinsics(self) -> Intrinsics:
        """Intrinsics as reported by the device."""

    settings: ColorSettings
    info: DeviceInfo

    def frame(self, newer_than_ns: int = 0) -> RgbdFrame:
        """The next new pair that was taken after a given time.

        Raises EnvironmentFaultError, saying what to do, if none comes in time.
        """

    def close(self) -> None:
        """Stop the streams."""


class RobotSource(Protocol):
    """A robot that reports its state. Close it after use."""

    def states(self) -> list[JointState]:
        """All states since the last call, oldest first; waits for one if necessary.

        Raises EnvironmentFaultError, saying what to do, if none comes in time.
        """

    def close(self) -> None:
        """Disconnect from the network."""

"""All devices of a rig, opened together, and synchronised sets of their data."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pactwin.hardware.depth import scaled_depth, with_median_depth
from pactwin.hardware.realsense import RealSenseCamera, find_device, recorded
from pactwin.hardware.realsense_options import ColorSettings
from pactwin.hardware.recordings import PictureCamera, recorded_camera
from pactwin.hardware.rig_file import Rig, RigCamera
from pactwin.hardware.sources import CameraSource, JointState, RgbdFrame, RobotSource
from pactwin.hardware.streamed_camera import RehearsalCamera, SentCamera
from pactwin.hardware.undistortion import Undistorter
from pactwin.suite import EnvironmentFaultError, InvalidInputError

_TRIES = 60
_HISTORY = 2000
_AROUND_NS = 250_000_000
_STATE_WAIT_S = 1.0
"""Pictures may come before the joint states of their moment do."""


@dataclass(frozen=True)
class FrameSet:
    """Pictures by camera, and the joint state nearest to them.

    ``skew_ms`` is the time between the pictures, ``state_age_ms`` their distance from the joint
    state. ``states`` are all joint states since the last set, up to two seconds. ``sway_deg_s`` is
    the robot's angular speed meanwhile, None without an inertial sensor.
    """

    frames: dict[str, RgbdFrame]
    state: JointState
    skew_ms: float
    state_age_ms: float
    states: tuple[JointState, ...] = ()
    sway_deg_s: float | None = None

    def check_robot(self, rig: Rig) -> None:
        """Raise EnvironmentFaultError if inertial sensors say that the robot turns."""
        limit = rig.limits.sway_deg_s
        if self.sway_deg_s is not None and self.sway_deg_s > limit:
            raise EnvironmentFaultError(
                f"the robot turns by {self.sway_deg_s:.1f} degrees a second, the limit is "
                f"{limit:g}: hang or clamp it, or wait until it stands still"
            )


def sway_deg_s(states: Sequence[JointState], around_ns: int) -> float | None:
    """Angular speed of pelvis or torso within 0.25 s of a moment; the 90th percentile.

    None without inertial sensors.
    """
    rates = [
        np.linalg.norm(imu.gyroscope_rad_s)
        for state in states
        if abs(state.host_time_ns - around_ns) < _AROUND_NS
        for imu in (state.pelvis, state.torso)
        if imu is not None
    ]
    return float(np.rad2deg(np.quantile(rates, 0.9))) if rates else None


def synchronized_frames(
    cameras: Mapping[str, CameraSource], limit_ms: float
) -> tuple[dict[str, RgbdFrame], float]:
    """One new picture of each camera, at most ``limit_ms`` apart, and their distance (ms).

    The camera that lags is asked again. Raises EnvironmentFaultError if they never agree.
    """
    since = time.time_ns()
    frames = {name: camera.frame(since) for name, camera in cameras.items()}
    for _ in range(_TRIES):
        times = {name: frame.captured_at_ns for name, frame in frames.items()}
        skew_ms = (max(times.values()) - min(times.values())) / 1e6
        if skew_ms <= limit_ms:
            return frames, skew_ms
        late = min(times, key=lambda name: times[name])
        frames[late] = cameras[late].frame(since)
    raise EnvironmentFaultError(
        f"pictures of {', '.join(frames)} are {skew_ms:.0f} ms apart, the limit is {limit_ms:g} "
        "ms: some are lost on the way; give each camera a USB port of its own, without hub"
    )


def finished(
    frame: RgbdFrame, more: Sequence[RgbdFrame], depth_scale: float, lens: Undistorter
) -> RgbdFrame:
    """A frame with the median depth of itself and ``more``, scaled and undistorted."""
    return lens.undistort(scaled_depth(with_median_depth(frame, more), depth_scale))


def refuse_frozen(name: str, frames: Sequence[RgbdFrame]) -> None:
    """Raise EnvironmentFaultError if a camera repeats one picture, with the same noise."""
    first, *more = frames
    if more and all(np.array_equal(frame.color, first.color) for frame in more):
        raise EnvironmentFaultError(
            f"camera {name!r} sends one picture over and over, noise included: replug it"
        )


def open_camera(
    rig: Rig,
    spec: RigCamera,
    settings: ColorSettings | None = None,
    record: Path | None = None,
    recorded_in: Path | None = None,
) -> CameraSource:
    """Open the camera ``spec``: a device, a streamed camera, or a recording in ``recorded_in``.

    Its frames are also recorded to the file ``record``, if given. Errors as of its class.
    """
    if recorded_in is not None:
        return recorded_camera(recorded_in, rig, spec)
    if rig.rehearsal is not None:
        return RehearsalCamera(rig.rehearsal, spec, settings=settings, record=record)
    if spec.sender is not None:
        return SentCamera(spec, settings=settings, record=record)
    return RealSenseCamera(recorded(find_device(spec), record), spec, settings=settings)


def record(rig: Rig, folder: Path, seconds: float) -> Mapping[str, int]:
    """Record all frames of ``rig``'s cameras for a duration in ``folder``; returns pairs by camera.

    Raises EnvironmentFaultError as cameras do; InvalidInputError if a recording is there already.
    """
    folder.mkdir(parents=True, exist_ok=True)
    counts = dict.fromkeys((spec.name for spec in rig.cameras), 0)
    with ExitStack() as stack:
        cameras = {}
        for spec in rig.cameras:
            file = folder / f"{spec.name}.db3"
            if file.exists():
                raise InvalidInputError(f"{file} is there already: name another folder")
            cameras[spec.name] = open_camera(rig, spec, record=file)
            stack.callback(cameras[spec.name].close)
        until = time.monotonic() + seconds
        while time.monotonic() < until or not all(counts.values()):
            for name, camera in cameras.items():
                camera.frame()
                counts[name] += 1
    return counts


class Bench:
    """A rig's devices. A context manager, inside which ``cameras`` and ``robot`` are open."""

    def __init__(
        self,
        rig: Rig,
        settings: dict[str, ColorSettings] | None = None,
        recorded_in: Path | None = None,
    ) -> None:
        """Open everything; EnvironmentFaultError names what does not work.

        A recording (``recorded_in``) has no robot, and its joint states are empty.

        Colour is fixed to ``settings``, by camera. Cameras without an entry keep the values that
        automatic control chose; these are added, so that a reopened bench has the same colours.
        """
        from pactwin.hardware.g1_state import G1State

        self.rig = rig
        self.cameras: dict[str, CameraSource] = {}
        self._more = {camera.name: camera.depth_frames - 1 for camera in rig.cameras}
        self._stop = threading.Event()
        self._states: list[JointState] = []
        self._last_reported_ns = 0
        self._robot_fault: EnvironmentFaultError | None = None
        settings = {} if settings is None else settings
        with ExitStack() as opened:
            for spec in rig.cameras:
                camera = open_camera(rig, spec, settings.get(spec.name), None, recorded_in)
                self.cameras[spec.name] = camera
                opened.callback(camera.close)
                settings.setdefault(spec.name, camera.settings)
            self.robot: RobotSource | None = None
            if recorded_in is None:
                self.robot = G1State(rig.robot)
                opened.callback(self.robot.close)
                self._states += self.robot.states()
            self.set_calibration(rig)
            self._close = opened.pop_all()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def set_calibration(self, rig: Rig) -> None:
        """Scale depth and undistort pictures by the calibration of ``rig``."""
        self.rig = rig
        known = rig.calibration.cameras if rig.calibration else {}
        self.depth_scales = {name: camera.depth_scale for name, camera in known.items()}
        self.set_undistortion(rig.lenses)

    def set_undistortion(self, lenses: Mapping[str, Sequence[float]]) -> None:
        """Undo these distortions from now on, by camera."""
        self.lenses = {
            name: Undistorter(camera.intrinsics, lenses.get(name, ()))
            for name, camera in self.cameras.items()
        }

    def grab(self, *, thorough: bool = False) -> FrameSet:
        """Synchronised pictures taken from now on, undistorted.

        Depth is scaled to the table; if ``thorough``, it is the median of several frames. Raises
        EnvironmentFaultError if a camera or the robot is silent, or if no pictures came within the
        rig's limits.
        """
        limits = self.rig.limits
        frames, skew_ms = synchronized_frames(self.cameras, self.rig.skew_ms)
        state, age_ms = self._state_near(max(f.captured_at_ns for f in frames.values()))
        if age_ms > limits.state_age_ms:
            raise EnvironmentFaultError(
                f"the nearest joint state is {age_ms:.0f} ms from the pictures, the limit is "
                f"{limits.state_age_ms:g} ms: check the network on {self.rig.robot.interface!r}"
            )
        for name, frame in frames.items():
            if isinstance(self.cameras[name], PictureCamera):
                continue
            more = [self.cameras[name].frame() for _ in range(self._more[name] if thorough else 0)]
            refuse_frozen(name, [frame, *more])
            frames[name] = finished(
                frame, more, self.depth_scales.get(name, 1.0), self.lenses[name]
            )
        states = tuple(s for s in self._states[:] if s.measured_at_ns > self._last_reported_ns)
        self._last_reported_ns = states[-1].measured_at_ns if states else self._last_reported_ns
        sway = sway_deg_s(self._states[:], state.host_time_ns)
        return FrameSet(frames, state, skew_ms, age_ms, states, sway)

    def frame_sets(self, seconds: float) -> Iterator[FrameSet]:
        """All sets of frames for a duration from now on; raises the errors above."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            yield self.grab()

    def _state_near(self, time_ns: int) -> tuple[JointState, float]:
        if self._robot_fault is not None:
            raise self._robot_fault
        if self.robot is None:
            return JointState({}, time_ns, 0, 0), 0.0
        until = time.monotonic() + _STATE_WAIT_S
        while self._states[-1].host_time_ns < time_ns and time.monotonic() < until:
            time.sleep(0.005)
        near = min(self._states[:], key=lambda state: abs(state.host_time_ns - time_ns))
        return near, abs(near.host_time_ns - time_ns) / 1e6

    def _listen(self) -> None:
        while self.robot is not None and not self._stop.wait(0.01):
            try:
                self._states += self.robot.states()
            except EnvironmentFaultError as error:
                self._robot_fault = error
                return
            del self._states[:-_HISTORY]

    def close(self) -> None:
        """Close all devices."""
        self._stop.set()
        self._listener.join()
        self._close.close()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

"""Faults of a bench: every device is tested alone, so that no fault hides another."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pactwin.hardware.bench import open_camera, sway_deg_s, synchronized_frames
from pactwin.hardware.dds_peers import LISTEN_S, peers_on
from pactwin.hardware.rig_file import RULER_MM, CameraCalibration, Rig
from pactwin.hardware.sources import CameraSource, JointState, RgbdFrame
from pactwin.hardware.targets import MIN_CORNERS, Detected, Target, board_target, detect
from pactwin.hardware.undistortion import pixel_rays
from pactwin.suite import EnvironmentFaultError, needs

_PAIRS = 6
_MIN_DEPTH_SHARE = 0.02
_LISTEN_S = 1.0


@dataclass(frozen=True)
class Finding:
    """Result for one part of the bench: a measurement or, unless ``ok``, a remedy."""

    subject: str
    ok: bool
    message: str


def check_bench(
    rig: Rig, *, board: bool = True, recorded_in: Path | None = None
) -> Iterator[Finding]:
    """Test cameras, their view of the board (unless ``board`` is False), times and the robot.

    A recording (``recorded_in``) takes the place of the cameras; the robot is then not checked.

    DDS peers are listened for before pactwin joins their domain, while the cameras are tried.
    """
    with ThreadPoolExecutor(1) as beside, ExitStack() as stack:
        peers = None
        if recorded_in is None:
            peers = beside.submit(_tried, "DDS peers", lambda: _peers(rig))
        cameras: dict[str, CameraSource] = {}
        for spec in rig.cameras:
            subject = f"camera {spec.name}"
            try:
                opened = open_camera(rig, spec, recorded_in=recorded_in)
                camera = stack.enter_context(closing(opened))
                frame, said = _pictures(camera, sent=spec.sender is not None)
            except EnvironmentFaultError as error:
                yield Finding(subject, False, str(error))
                continue
            cameras[spec.name] = camera
            yield Finding(subject, True, said)
            if board:
                yield _board(rig, spec.name, frame)
        if len(cameras) > 1:
            yield _tried("pictures", lambda: _together(cameras, rig.skew_ms))
        if peers is None:
            return
        yield peers.result()
    yield _tried("robot", lambda: _robot(rig))


def _tried(subject: str, measure: Callable[[], str]) -> Finding:
    try:
        return Finding(subject, True, measure())
    except EnvironmentFaultError as error:
        return Finding(subject, False, str(error))


def _pictures(camera: CameraSource, *, sent: bool) -> tuple[RgbdFrame, str]:
    """The last of a few pairs of pictures; a fault if most of the pairs between them are lost.

    A network sender drops frames that it has no time for, so its losses are not counted.
    """
    frames = [camera.frame() for _ in range(_PAIRS)]
    taken = frames[-1].number - frames[0].number
    lost = taken - (_PAIRS - 1)
    if lost > taken / 2 and not sent:
        raise EnvironmentFaultError(
            f"camera {camera.name!r}: {lost} of {taken} pairs of pictures were lost: give it a USB "
            "port of its own, without hub, or a lower rate"
        )
    last = frames[-1]
    share = float((last.depth_mm > 0).mean())
    if share < _MIN_DEPTH_SHARE:
        raise EnvironmentFaultError(
            f"camera {camera.name!r}: depth in {share:.0%} of the pixels: is its emitter covered, "
            "or is it nearer than 0.3 m?"
        )
    info, settings = camera.info, camera.settings
    fixed = ", ".join(
        f"{name.replace('_', ' ')} {value:g}"
        for name, value in settings.model_dump(exclude_none=True).items()
    )
    message = (
        f"sends pictures, {lost} of {taken} lost, depth in {share:.0%} of the pixels; firmware "
        f"{info.firmware or 'unknown'}, USB {info.usb or 'unknown'}, {fixed or 'nothing'} fixed"
    )
    if last.time_domain == "system_time":
        message += "; times are those of arrival, since the driver passes no metadata"
    return last, message


def _board(rig: Rig, name: str, frame: RgbdFrame) -> Finding:
    subject = f"board from {name}"
    ruler_mm = rig.calibration.ruler_mm if rig.calibration else RULER_MM
    target = board_target(rig.board, ruler_mm)
    seen = detect(target, frame.color)
    count = len(seen.ids)
    if count < MIN_CORNERS:
        return Finding(
            subject,
            False,
            f"{count} corners are seen, {MIN_CORNERS} are needed: lay the board flat in view, "
            "light it, and compare its squares with board in the rig file",
        )
    said = f"{count} corners"
    if rig.calibration is not None and name in rig.calibration.cameras:
        off_mm = _off_mm(rig.calibration.cameras[name], target, seen)
        said += f", {off_mm:.0f} mm from where they were at calibration"
        if off_mm > rig.limits.position_mm:
            return Finding(
                subject,
                False,
                f"{said}: the camera was moved, or the board: run pactwin rig calibrate",
            )
    return Finding(subject, True, said)


def _off_mm(known: CameraCalibration, target: Target, seen: Detected) -> float:
    """How far from its place on the table the calibrated camera sees the median corner."""
    pose = np.array(known.table_from_camera)
    rays = pixel_rays(np.array(known.K), np.array(known.distortion), seen.pixels) @ pose[:3, :3].T
    points = pose[:3, 3] - pose[2, 3] * rays / rays[:, 2:]
    off = points[:, :2] - target.corners_m(seen.ids)[:, :2]
    return float(1e3 * np.median(np.linalg.norm(off, axis=1)))


def _together(cameras: dict[str, CameraSource], limit_ms: float) -> str:
    _, skew_ms = synchronized_frames(cameras, limit_ms)
    return f"{skew_ms:.0f} ms apart"


def _peers(rig: Rig) -> str:
    with needs("joint states need cyclonedds", "rig"):
        from pactwin.hardware.lowstate import TYPE_HASH

    # A rehearsed robot is listened to only as long as it takes to rehearse that.
    peers = peers_on(rig.robot.interface, rig.robot.domain, LISTEN_S if not rig.rehearsal else 1.0)
    if not peers:
        return "none announced itself"
    counts = Counter(f"CycloneDDS {peer.version} on {peer.host}" for peer in peers)
    said = ", ".join(f"{count} of {who}" for who, count in counts.items())
    if any(peer.version.startswith("0.") for peer in peers):
        said += (
            f"; version 0.10 crashes on types that it does not know: pactwin announces the robot's "
            f"own ({TYPE_HASH.hex()}) and refuses to join with another"
        )
    return said


def _robot(rig: Rig) -> str:
    from pactwin.hardware.g1_state import G1State

    with closing(G1State(rig.robot)) as robot:
        states = robot.states()
        until = time.monotonic() + _LISTEN_S
        while time.monotonic() < until:
            states += robot.states()
    gap_ms = _longest_gap_ms(states)
    where = f"{rig.robot.interface!r} (domain {rig.robot.domain})"
    if gap_ms > rig.limits.state_age_ms:
        raise EnvironmentFaultError(
            f"joint states on {where} are stale for up to {gap_ms:.0f} ms, the limit is "
            f"{rig.limits.state_age_ms:g} ms: use a cable instead of wireless, and look what else "
            "loads the network"
        )
    last = states[-1]
    sensors = [name for name in ("pelvis", "torso") if getattr(last, name) is not None]
    sway = sway_deg_s(states, last.host_time_ns)
    message = (
        f"{len(states)} joint states on {where}, {gap_ms:.0f} ms apart at most; "
        f"{len(last.q_rad)} joints of a {rig.robot.variant} (mode_machine {last.mode_machine}), "
        f"inertial sensors of {' and '.join(sensors) or 'nothing'}"
    )
    if sway is not None:
        message += f", turning by {sway:.1f} degrees a second"
    if last.mode_pr:
        message += (
            f"; mode_pr {last.mode_pr}: ankles and waist tell motors' angles, so the head camera's "
            "pose is not predicted"
        )
    return message


def _longest_gap_ms(states: list[JointState]) -> float:
    """Between joint states, or the last and now."""
    times = [*(state.host_time_ns for state in states), time.time_ns()]
    return max(np.diff(times).tolist()) / 1e6

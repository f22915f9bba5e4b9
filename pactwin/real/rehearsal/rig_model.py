"""The rehearsed rig: as its file describes it, and as it really is."""

from dataclasses import dataclass, replace

import numpy as np

from pactwin.hardware import (
    PlayedCamera,
    PlayedStream,
    Rig,
    RigCamera,
    RobotLink,
    Stream,
    predicted_head_camera,
)
from pactwin.real.rehearsal.disturbance import Disturbance
from pactwin.sim import looking_at
from pactwin.suite import Camera

_SIDE_EYE_M, _SIDE_TARGET_M = np.array([0.45, -0.80, 0.65]), np.array([0.32, 0.0, 0.0])
_COLOR_FROM_DEPTH_M = (0.0148, 0.0, 0.0)
RATE_HZ = 30


def rehearsal_rig(address: str, domain: int, size_px: tuple[int, int] = (1280, 720)) -> Rig:
    """A head and a side camera with colour of (width, height), simulated at ``address``.

    Joint states come over loopback in the DDS ``domain``.
    """
    color = Stream(width_px=size_px[0], height_px=size_px[1], rate_hz=RATE_HZ)
    depth = Stream(
        width_px=round(848 * size_px[1] / 720),
        height_px=round(480 * size_px[1] / 720),
        rate_hz=RATE_HZ,
    )
    return Rig(
        cameras=tuple(
            RigCamera(
                name=name,
                serial=f"rehearsal-{name}",
                mount=mount,  # type: ignore[arg-type]
                color=color,
                depth=depth,
                depth_frames=5,
            )
            for name, mount in (("head", "head"), ("side", "fixed"))
        ),
        robot=RobotLink(interface="lo", domain=domain),
        rehearsal=address,
    )


@dataclass(frozen=True)
class TrueCamera:
    """A camera's true properties: pinholes of colour and depth, and its depth errors."""

    color: Camera
    depth: Camera
    depth_bias: float
    rate_hz: int

    def described(self, serial: str, usb: str = "3.2") -> PlayedCamera:
        """Intrinsics as the device reports them, without distortion."""
        eye = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        return PlayedCamera(
            serial=serial,
            usb=usb,
            color=self._stream(self.color),
            depth=self._stream(self.depth),
            color_from_depth=eye,
            color_from_depth_m=_COLOR_FROM_DEPTH_M,
        )

    def _stream(self, camera: Camera) -> PlayedStream:
        (fx, _, cx), (_, fy, cy), _ = camera.K
        return PlayedStream(
            width_px=camera.width_px,
            height_px=camera.height_px,
            rate_hz=self.rate_hz,
            fx=fx,
            fy=fy,
            cx=cx,
            cy=cy,
            distortion=(0.0, 0.0, 0.0, 0.0, 0.0),
        )


def true_cameras(rig: Rig, by: Disturbance, rng: np.random.Generator) -> dict[str, TrueCamera]:
    """True poses of the rig's cameras, by name."""
    found = {}
    for spec in rig.cameras:
        if spec.mount == "head":
            pose = predicted_head_camera(rig.robot, {})
            pose[2, 3] += by.table_m
        else:
            pose = looking_at(_SIDE_EYE_M, _SIDE_TARGET_M)
        pose = pose @ _motion(rng.normal(0, [by.camera_m] * 3 + [by.camera_rad] * 3))
        depth_pose = pose.copy()
        # The depth camera stands where its origin is in the colour camera's frame.
        depth_pose[:3, 3] += pose[:3, :3] @ np.array(_COLOR_FROM_DEPTH_M)
        bias = float(rng.uniform(-by.depth_bias, by.depth_bias))
        found[spec.name] = TrueCamera(
            _pinhole(spec.name, spec.color, 910 * spec.color.height_px / 720, pose),
            _pinhole(spec.name, spec.depth, 425 * spec.depth.height_px / 480, depth_pose),
            bias,
            spec.color.rate_hz,
        )
    return found


def nudged(camera: TrueCamera, by: np.ndarray) -> TrueCamera:
    """A camera moved in its own axes by ``by`` (6,): m, then a rotation vector."""
    old = np.array(camera.color.world_from_camera)
    by_table = old @ _motion(by) @ np.linalg.inv(old)

    def now(still: Camera) -> Camera:
        pose = np.round(by_table @ np.array(still.world_from_camera), 7)
        return still.model_copy(update={"world_from_camera": tuple(map(tuple, pose.tolist()))})

    return replace(camera, color=now(camera.color), depth=now(camera.depth))


def _motion(by: np.ndarray) -> np.ndarray:
    import cv2

    motion = np.eye(4)
    motion[:3, :3], motion[:3, 3] = cv2.Rodrigues(by[3:])[0], by[:3]
    return motion


def _pinhole(name: str, stream: Stream, focal_px: float, pose: np.ndarray) -> Camera:
    K = (
        (focal_px, 0.0, (stream.width_px - 1) / 2),
        (0.0, focal_px, (stream.height_px - 1) / 2),
        (0.0, 0.0, 1.0),
    )
    return Camera(
        name=name,
        width_px=stream.width_px,
        height_px=stream.height_px,
        K=K,
        world_from_camera=np.round(pose, 7).tolist(),
    )

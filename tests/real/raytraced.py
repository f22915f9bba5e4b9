"""A bench in this process, whose pictures are not the simulator's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import cv2
import numpy as np
from calibrated import calibrated

from pactwin.hardware import Calibration, RgbdFrame, Rig
from pactwin.hardware.depth import median_depth
from pactwin.real.calibration import pose_difference
from pactwin.real.rehearsal.disturbance import Disturbance
from pactwin.real.rehearsal.raytraced import Light, Paper, Raytraced
from pactwin.real.rehearsal.rig_model import rehearsal_rig, true_cameras
from pactwin.real.rehearsal.sensor import noisy_color
from pactwin.sim import Item
from pactwin.suite import Camera

_SIZE_PX = (960, 540)


@dataclass
class RaytracedBench:
    """``rig`` is calibrated to ``off_m``; ``cameras`` are where they are, and may be moved."""

    seed: int = 1
    off_m: float = 0.0007
    cameras: dict[str, tuple[Camera, Camera]] = field(init=False)
    rig: Rig = field(init=False)
    sheets: list[Paper] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Put the cameras up."""
        rng = np.random.default_rng(self.seed)
        plain = rehearsal_rig("nowhere", 1, _SIZE_PX)
        there = true_cameras(plain, Disturbance(), rng)
        self.cameras = {name: (c.color, _d435i(c.depth)) for name, c in there.items()}
        known = {}
        for name, (color, _) in self.cameras.items():
            pose = np.array(color.world_from_camera)
            pose[:3, 3] += rng.normal(0, self.off_m, 3)
            known[name] = calibrated(color.K, pose)
        made = Calibration(
            date=datetime.now(UTC), board=plain.board.id, ruler_mm=100.0, cameras=known
        )
        self.rig = plain.model_copy(update={"calibration": made})

    def move(self, name: str, by_m: Sequence[float], turn_deg: Sequence[float]) -> None:
        """Move a camera after it was calibrated, in its own axes."""
        motion = np.eye(4)
        motion[:3, :3] = cv2.Rodrigues(np.deg2rad(np.asarray(turn_deg, float)))[0]
        motion[:3, 3] = by_m
        color, depth = self.cameras[name]
        old = np.array(color.world_from_camera)
        new = old @ motion

        def moved(camera: Camera) -> Camera:
            pose = new @ np.linalg.inv(old) @ np.array(camera.world_from_camera)
            return camera.model_copy(update={"world_from_camera": tuple(map(tuple, pose.tolist()))})

        self.cameras[name] = moved(color), moved(depth)

    def off(self, name: str, table_from_camera: np.ndarray) -> tuple[float, float]:
        """How far (mm, degrees) a pose is from where the camera is."""
        return pose_difference(table_from_camera, np.array(self.cameras[name][0].world_from_camera))

    def frames(
        self,
        items: Iterable[Item],
        light: Mapping[str, Light] | None = None,
        seed: int = 0,
        pairs: int = 3,
    ) -> dict[str, RgbdFrame]:
        """What the cameras show of items; depth is the median of ``pairs``, none of 0 pairs."""
        world = Raytraced(list(items), self.sheets)
        found = {}
        for number, (name, (color, depth)) in enumerate(self.cameras.items()):
            rng = np.random.default_rng([self.seed, seed, number])
            picture = noisy_color(world.color(color, (light or {}).get(name, Light())), rng)
            far = np.zeros(picture.shape[:2], np.uint16)
            if pairs:
                far = median_depth([f.astype(np.uint16) for f in world.stereo(depth, pairs, rng)])
                far = _aligned(far, depth, color)
            found[name] = RgbdFrame(picture, far, 1, 1)
        return found


def _d435i(camera: Camera) -> Camera:
    K = ((425.0, 0.0, 423.5), (0.0, 425.0, 239.5), (0.0, 0.0, 1.0))
    return camera.model_copy(update={"K": K, "width_px": 848, "height_px": 480})


def _aligned(far_mm: np.ndarray, depth: Camera, color: Camera) -> np.ndarray:
    """Depth as the colour camera would see it: each of its pixels covers a few of colour's."""
    rows, columns = np.nonzero(far_mm)
    z = far_mm[rows, columns] / 1e3
    ways = np.stack([columns, rows, np.ones_like(rows)], 1) @ np.linalg.inv(np.array(depth.K)).T
    color_from_depth = np.linalg.inv(np.array(color.world_from_camera)) @ np.array(
        depth.world_from_camera
    )
    points = (ways * z[:, None]) @ color_from_depth[:3, :3].T + color_from_depth[:3, 3]
    at = points @ np.array(color.K).T / points[:, 2:]
    order = np.argsort(-points[:, 2])
    half = color.K[0][0] / depth.K[0][0] / 2
    found = np.zeros((color.height_px, color.width_px), np.uint16)
    for dy in (-half, 0.0, half):
        for dx in (-half, 0.0, half):
            x, y = np.rint(at[order, 0] + dx).astype(int), np.rint(at[order, 1] + dy).astype(int)
            inside = (x >= 0) & (y >= 0) & (x < color.width_px) & (y < color.height_px)
            found[y[inside], x[inside]] = np.rint(1e3 * points[order, 2][inside])
    return found

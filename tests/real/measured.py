"""What cameras measure of things on a table, by casting rays and adding a D435i's noise."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from calibrated import calibrated

from pactwin.hardware import Calibration, CameraCalibration, RgbdFrame, Rig
from pactwin.hardware.depth import scaled_depth
from pactwin.perception import DEPTH_SENSORS, measured_depth
from pactwin.real.raycast import cast_all, rays_of
from pactwin.real.rehearsal.disturbance import Disturbance
from pactwin.real.rehearsal.rig_model import TrueCamera, rehearsal_rig, true_cameras
from pactwin.sim import Item

EVERY_PX = 4
SENSOR = replace(DEPTH_SENSORS["d435i"], edge_px=0)  # pixels as large as these would fly too far


class Measured:
    """A rig whose calibration is off by about a millimetre, and its cameras as they are."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        plain = rehearsal_rig("nowhere", 1)
        self._cameras = true_cameras(plain, Disturbance(), self._rng)
        known = {name: self._calibrated(c, 0.0008) for name, c in self._cameras.items()}
        calibration = Calibration(
            date=datetime.now(UTC), board=plain.board.id, ruler_mm=99.0, cameras=known
        )
        self.rig: Rig = plain.model_copy(update={"calibration": calibration})

    def _calibrated(self, camera: TrueCamera, off_m: float) -> CameraCalibration:
        pose = np.array(camera.color.world_from_camera)
        pose[:3, 3] += self._rng.normal(0, off_m, 3)
        return calibrated(camera.color.K, pose, 1 / (1 + camera.depth_bias))

    def frames(self, items: Sequence[Item]) -> dict[str, RgbdFrame]:
        """Pictures of flat colours, and depth, each value repeated over a few pixels."""
        found = {}
        for name, camera in self._cameras.items():
            width, height = camera.color.width_px, camera.color.height_px
            grid = np.stack(
                np.meshgrid(np.arange(0, width, EVERY_PX), np.arange(0, height, EVERY_PX)), -1
            ).reshape(-1, 2)
            rays = rays_of(self._calibrated(camera, 0.0), grid)
            depth, seen = cast_all([(i, i.world_from_object.matrix()) for i in items], rays)
            colours = [(200, 170, 120), *(255 * np.array(item.rgba[:3]) for item in items)]
            shape = (height // EVERY_PX, width // EVERY_PX)
            color = np.array(colours)[seen + 1].astype(np.uint8).reshape(*shape, 3)
            true_mm = np.where(np.isfinite(depth), 1e3 * depth, 5000).clip(0, 9000).reshape(shape)
            longer = np.rint(true_mm * (1 + camera.depth_bias)).astype(np.uint16)
            K = np.array(camera.depth.K)
            noisy = measured_depth(color, longer, K, SENSOR, self._rng)
            frame = RgbdFrame(_enlarged(color), _enlarged(noisy), 1, 1)
            found[name] = scaled_depth(frame, 1 / (1 + camera.depth_bias))
        return found


def _enlarged(picture: np.ndarray) -> np.ndarray:
    return picture.repeat(EVERY_PX, axis=0).repeat(EVERY_PX, axis=1)

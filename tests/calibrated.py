"""Calibrations that nobody measured."""

from collections.abc import Sequence

import numpy as np

from pactwin.hardware import CameraCalibration

Matrix = np.ndarray | Sequence[Sequence[float]]
EYE = np.eye(4)


def calibrated(
    K: Matrix = EYE[:3, :3], table_from_camera: Matrix = EYE, depth_scale: float = 1.0
) -> CameraCalibration:
    """A camera without distortion."""
    return CameraCalibration.model_validate(
        {
            "K": np.asarray(K).tolist(),
            "distortion": [0.0] * 5,
            "table_from_camera": np.asarray(table_from_camera).tolist(),
            "reprojection_px": 0.1,
            "views": 1,
            "corners": 24,
            "depth_scale": depth_scale,
        }
    )

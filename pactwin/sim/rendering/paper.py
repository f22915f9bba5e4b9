"""A printed sheet that lies on the table."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import mujoco

_THICK_M = 0.0002


@dataclass(frozen=True)
class Paper:
    """What is printed, ``picture`` (h, w, 3) uint8, whose top is away from the robot.

    ``size_m`` are its extents along x and y of the table, ``centre_m`` is where its middle lies.
    """

    picture: np.ndarray
    size_m: tuple[float, float]
    centre_m: tuple[float, float]


def add_paper(spec: "mujoco.MjSpec", paper: Paper) -> None:
    """Add the sheet, to be looked at."""
    import mujoco

    # The texture's columns run along x of the box and its rows along y.
    turned = np.ascontiguousarray(np.rot90(paper.picture, 1)[::-1, ::-1])
    texture = spec.add_texture(
        name="paper",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        width=turned.shape[1],
        height=turned.shape[0],
        nchannel=3,
    )
    texture.data = turned.tobytes()
    material = spec.add_material(name="paper", specular=0.0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "paper"
    spec.worldbody.add_geom(
        name="paper",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=(paper.size_m[0] / 2, paper.size_m[1] / 2, _THICK_M / 2),
        pos=(*paper.centre_m, _THICK_M / 2),
        material="paper",
        contype=0,
        conaffinity=0,
    )

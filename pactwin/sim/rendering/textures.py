"""Textures: pictures of surfaces as MuJoCo assets."""

from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from pactwin.sim.rendering.procedural import surface_picture

if TYPE_CHECKING:
    import mujoco

_CUBE_PX = 96


def flat_texture(spec: "mujoco.MjSpec", surface: str) -> str:
    """Add the picture of ``surface`` for large planes; returns the texture's name."""
    return _add(spec, f"flat/{surface}", surface_picture(surface), cube=False)


def file_texture(spec: "mujoco.MjSpec", file: str) -> str:
    """Add the picture in ``file`` for a mesh with texture coordinates; returns its name."""
    import mujoco

    if spec.texture(file) is None:
        spec.add_texture(name=file, type=mujoco.mjtTexture.mjTEXTURE_2D, file=file)
    return file


def grain_texture(spec: "mujoco.MjSpec", surface: str, contrast: float) -> str:
    """Add the grey grain of ``surface``, wrapped around an object's six sides.

    Its brightest parts are white, so that an object keeps its colour; ``contrast`` is the standard
    deviation of brightness (range 1). Returns the texture's name.
    """
    name = f"grain/{surface}/{contrast}"
    return _add(spec, name, _grain(surface, contrast), cube=True)


def _add(spec: "mujoco.MjSpec", name: str, picture: np.ndarray, *, cube: bool) -> str:
    import mujoco

    if spec.texture(name) is None:
        sides = 6 if cube else 1
        texture = spec.add_texture(
            name=name,
            type=mujoco.mjtTexture.mjTEXTURE_CUBE if cube else mujoco.mjtTexture.mjTEXTURE_2D,
            width=picture.shape[1],
            height=picture.shape[0] * sides,
            nchannel=3,
        )
        texture.data = np.tile(picture, (sides, 1, 1)).tobytes()
    return name


@lru_cache(maxsize=16)
def _grain(surface: str, contrast: float) -> np.ndarray:
    size = (_CUBE_PX, _CUBE_PX)
    grey = cv2.resize(surface_picture(surface), size, interpolation=cv2.INTER_AREA).mean(axis=2)
    grey = (grey - grey.mean()) / max(float(grey.std()), 1.0) * contrast
    grey = np.clip(1.0 + grey - contrast, 0.0, 1.0)
    return np.repeat((grey * 255).astype(np.uint8)[..., None], 3, axis=2)

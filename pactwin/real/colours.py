"""Colours tell what depth cannot: which of two things of one shape stands where."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from pactwin.hardware import RgbdFrame, Rig
from pactwin.real.raycast import cast, rays_of
from pactwin.sim import Layout

if TYPE_CHECKING:
    from pactwin.real.placement import Placement

_STRIDE = 4
_ALIKE = 0.45
"""Extents of things that could be taken for each other differ by less."""
_CLEARLY = 12.0
"""In units of CIELAB: two colours that differ by less are not told apart in another light."""


class Palette:
    """What colour things should have, and what colour cameras see where they stand."""

    def __init__(self, layout: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]) -> None:
        self._items = {item.name: item for item in layout.items}
        self._rig, self._frames = rig, frames

    def swaps(self, found: "Sequence[Placement]") -> "list[Placement]":
        """The placements; two things of like size that have each other's colour are wrong."""
        seen = {p.name: colour for p in found if (colour := self._seen(p)) is not None}
        wrong: dict[str, str] = {}
        names = sorted(seen)
        for k, a in enumerate(names):
            for b in names[k + 1 :]:
                wanted_a, wanted_b = self._wanted(a), self._wanted(b)
                if self._alike(a, b) and _chroma(wanted_a, wanted_b) > _CLEARLY:
                    kept = _chroma(seen[a], wanted_a) + _chroma(seen[b], wanted_b)
                    swapped = _chroma(seen[a], wanted_b) + _chroma(seen[b], wanted_a)
                    if swapped < kept - _CLEARLY / 2:
                        wrong[a], wrong[b] = b, a
        return [
            replace(p, state="wrong thing", detail=f"{wrong[p.name]} stands here")
            if p.name in wrong
            else p
            for p in found
        ]

    def _alike(self, a: str, b: str) -> bool:
        mine, other = (np.sort(self._items[name].size_m) for name in (a, b))
        return bool((np.abs(mine - other) < _ALIKE * np.maximum(mine, other)).all())

    def _wanted(self, name: str) -> np.ndarray:
        return _lab(np.array(self._items[name].rgba[:3])[None] * 255)[0]

    def _seen(self, placement: "Placement") -> np.ndarray | None:
        """The median colour of the pixels that show the thing, over all cameras."""
        item, pose = self._items[placement.name], placement.table_from_object
        if pose is None:
            return None
        colours = []
        for name, frame in self._frames.items():
            camera = self._rig.calibrated(name)
            height, width = frame.depth_mm.shape
            grid = np.stack(
                np.meshgrid(np.arange(0, width, _STRIDE), np.arange(0, height, _STRIDE)), axis=-1
            ).reshape(-1, 2)
            hits = cast(item, pose, rays_of(camera, grid))
            depth = frame.depth_mm[grid[:, 1], grid[:, 0]] * 1e-3
            own = np.abs(hits.depth_m - depth) < 0.012
            colours.append(frame.color[grid[own, 1], grid[own, 0]])
        every = np.concatenate(colours)
        return np.median(_lab(every), axis=0) if len(every) >= 10 else None


def _lab(rgb: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of 0..255 as CIELAB."""
    picture = np.asarray(rgb, np.float32)[None] / 255
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB))[0]


def _chroma(a: np.ndarray, b: np.ndarray) -> float:
    """How far apart two colours are; lightness counts less, since light differs."""
    off = (a - b) * (0.35, 1.0, 1.0)
    return float(np.linalg.norm(off))

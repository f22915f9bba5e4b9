"""Colours tell objects of equal shape apart, which depth cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np

from pactwin.hardware import RgbdFrame, Rig
from pactwin.real.raycast import cast, rays_of
from pactwin.sim import Layout

if TYPE_CHECKING:
    from pactwin.real.placement import Placement

_STRIDE = 4
_LEAST_PIXELS = 10
_ALIKE = 0.45
"""Extents of things that could be taken for each other differ by less."""
_CLEARLY = 12.0
"""In units of CIELAB: two colours that differ by less are not told apart in another light."""


class Palette:
    """Expected colours of objects, and colours measured at their places."""

    def __init__(self, layout: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]) -> None:
        self._items = {item.name: item for item in layout.items}
        self._rig, self._frames = rig, frames

    def swaps(self, found: "Sequence[Placement]") -> "list[Placement]":
        """The placements, marked wrong where two objects of similar size have swapped colours.

        Colours are those of all cameras, and of each: one may show another scene.
        """
        pixels = {p.name: self._pixels(p) for p in found if p.table_from_object is not None}
        wrong, every = dict[str, str](), list(self._frames)
        for a, b in combinations(sorted(pixels), 2):
            apart = _chroma(self._wanted(a), self._wanted(b))
            if apart <= _CLEARLY or not self._alike(a, b):
                continue
            told = {
                name: self._swapped(a, b, [pixels[a][name]], [pixels[b][name]]) for name in every
            }
            alone = [name for name, swapped in told.items() if swapped]
            if not alone and not self._swapped(a, b, [*pixels[a].values()], [*pixels[b].values()]):
                continue
            where = "here"
            if alone and False in told.values():
                where = f"in the picture of {' and '.join(alone)}: is that frozen?"
            wrong |= {a: f"{b} stands {where}", b: f"{a} stands {where}"}
        return [
            replace(p, state="wrong thing", detail=wrong[p.name]) if p.name in wrong else p
            for p in found
        ]

    def _swapped(
        self, a: str, b: str, pixels_a: Sequence[np.ndarray], pixels_b: Sequence[np.ndarray]
    ) -> bool | None:
        """Whether two things rather have each other's colours than their own; None if unseen."""
        seen_a, seen_b = _median(pixels_a), _median(pixels_b)
        if seen_a is None or seen_b is None:
            return None
        wanted_a, wanted_b = self._wanted(a), self._wanted(b)
        kept = _chroma(seen_a, wanted_a) + _chroma(seen_b, wanted_b)
        swapped = _chroma(seen_a, wanted_b) + _chroma(seen_b, wanted_a)
        return swapped < kept - _CLEARLY / 2

    def _alike(self, a: str, b: str) -> bool:
        mine, other = (np.sort(self._items[name].size_m) for name in (a, b))
        return bool((np.abs(mine - other) < _ALIKE * np.maximum(mine, other)).all())

    def _wanted(self, name: str) -> np.ndarray:
        return _lab(np.array(self._items[name].rgba[:3])[None] * 255)[0]

    def _pixels(self, placement: "Placement") -> dict[str, np.ndarray]:
        """The colours (n, 3) that show the thing, by camera."""
        item, pose = self._items[placement.name], np.array(placement.table_from_object)
        colours = {}
        for name, frame in self._frames.items():
            camera = self._rig.calibrated(name)
            height, width = frame.depth_mm.shape
            grid = np.stack(
                np.meshgrid(np.arange(0, width, _STRIDE), np.arange(0, height, _STRIDE)), axis=-1
            ).reshape(-1, 2)
            hits = cast(item, pose, rays_of(camera, grid))
            depth = frame.depth_mm[grid[:, 1], grid[:, 0]] * 1e-3
            own = np.abs(hits.depth_m - depth) < 0.012
            colours[name] = frame.color[grid[own, 1], grid[own, 0]]
        return colours


def _median(colours: Sequence[np.ndarray]) -> np.ndarray | None:
    """The median colour; None of too few pixels."""
    every = np.concatenate(colours)
    return np.median(_lab(every), axis=0) if len(every) >= _LEAST_PIXELS else None


def _lab(rgb: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of 0..255 as CIELAB."""
    picture = np.asarray(rgb, np.float32)[None] / 255
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB))[0]


def _chroma(a: np.ndarray, b: np.ndarray) -> float:
    """Distance of two colours; lightness counts less, since light differs."""
    off = (a - b) * (0.35, 1.0, 1.0)
    return float(np.linalg.norm(off))

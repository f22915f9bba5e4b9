"""Colours tell objects of equal shape apart, which depth cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import cv2
import numpy as np

from pactwin.hardware import RgbdFrame, Rig
from pactwin.real.raycast import cast_all, rays_of
from pactwin.sim import Layout

if TYPE_CHECKING:
    from pactwin.real.placement import Placement

_STRIDE = 4
_LEAST_PIXELS, _AT_IT_M = 10, 0.012
_ALIKE = 0.45
"""Extents of things that could be taken for each other differ by less."""
_CLEARLY = 12.0
"""In units of CIELAB: two colours that differ by less are not told apart in another light."""
_LEAST_SHARE = 0.1
"""Of that difference: by less another light may shift one of two things against the other."""


class Palette:
    """Expected colours of objects, and colours measured at their places."""

    def __init__(self, layout: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]) -> None:
        self._items = {item.name: item for item in layout.items}
        self._rig, self._frames = rig, frames

    def swaps(self, found: "Sequence[Placement]") -> "list[Placement]":
        """The placements, marked wrong where two objects of similar size have swapped colours.

        Only two that are in place, or both turned, can be swapped.
        Colours are those of all cameras, and of each: one may show another scene.
        """
        ok = {p.name: p.ok for p in found if p.state in ("ok", "turned")}
        pixels = self._pixels([p for p in found if p.name in ok])
        swapped = list[tuple[float, str, str, str]]()
        for a, b in combinations(sorted(pixels), 2):
            if ok[a] != ok[b] or not self._alike(a, b):
                continue
            every = self._kept(a, b, [*pixels[a].values()], [*pixels[b].values()])
            told = {
                name: self._kept(a, b, [pixels[a][name]], [pixels[b][name]])
                for name in self._frames
            }
            alone = [name for name, kept in told.items() if kept < 0]
            if not alone and not every < 0:
                continue
            where = "here"
            if alone and any(kept > 0 for kept in told.values()):
                where = f"in the picture of {' and '.join(alone)}: is that frozen?"
            most = float(np.nanmin([every, *told.values()]))
            swapped.append((abs(1 + most), a, b, where))
        wrong = dict[str, str]()
        for _, a, b, where in sorted(swapped):
            if not {a, b} & wrong.keys():  # who took the place of one took it from no other
                wrong |= {a: f"{b} stands {where}", b: f"{a} stands {where}"}
        return [
            replace(p, state="wrong thing", detail=wrong[p.name]) if p.name in wrong else p
            for p in found
        ]

    def _kept(
        self, a: str, b: str, pixels_a: Sequence[np.ndarray], pixels_b: Sequence[np.ndarray]
    ) -> float:
        """How far two things have their own colours: 1 if they do, -1 if they have each other's.

        0 if that is not clear; NaN if a thing is unseen, or if both have the same colour. Two tins
        may share most of their colours: what counts is which place has more of which colour.
        """
        seen_a, seen_b = _mean(pixels_a), _mean(pixels_b)
        way = _weighted(self._wanted(a) - self._wanted(b))
        apart = float(np.linalg.norm(way))
        if seen_a is None or seen_b is None or apart <= _CLEARLY:
            return float("nan")
        share = float(_weighted(seen_a - seen_b) @ way) / apart**2
        return share if abs(share) > max(_CLEARLY / 4 / apart, _LEAST_SHARE) else 0.0

    def _alike(self, a: str, b: str) -> bool:
        mine, other = (np.sort(self._items[name].size_m) for name in (a, b))
        return bool((np.abs(mine - other) < _ALIKE * np.maximum(mine, other)).all())

    def _wanted(self, name: str) -> np.ndarray:
        return _lab(np.array(self._items[name].rgba[:3])[None] * 255)[0]

    def _pixels(self, found: "Sequence[Placement]") -> dict[str, dict[str, np.ndarray]]:
        """The colours (n, 3) that show each thing, and no other, by camera."""
        there = [(self._items[p.name], np.array(p.table_from_object)) for p in found]
        colours = dict[str, dict[str, np.ndarray]]()
        for name, frame in self._frames.items():
            height, width = frame.depth_mm.shape
            grid = np.stack(
                np.meshgrid(np.arange(0, width, _STRIDE), np.arange(0, height, _STRIDE)), axis=-1
            ).reshape(-1, 2)
            expected, thing = cast_all(there, rays_of(self._rig.calibrated(name), grid))
            depth = frame.depth_mm[grid[:, 1], grid[:, 0]] * 1e-3
            shown = np.where(np.abs(expected - depth) < _AT_IT_M, thing, -1)
            for number, placement in enumerate(found):
                own = grid[shown == number]
                colours.setdefault(placement.name, {})[name] = frame.color[own[:, 1], own[:, 0]]
        return colours


def _mean(colours: Sequence[np.ndarray]) -> np.ndarray | None:
    """The mean colour; None of too few pixels."""
    every = np.concatenate(colours)
    return np.mean(_lab(every), axis=0) if len(every) >= _LEAST_PIXELS else None


def _lab(rgb: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of 0..255 as CIELAB."""
    picture = np.asarray(rgb, np.float32)[None] / 255
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB))[0]


def _weighted(off: np.ndarray) -> np.ndarray:
    """A difference of colours, of which lightness counts less, since light differs."""
    return np.asarray(off * (0.35, 1.0, 1.0))

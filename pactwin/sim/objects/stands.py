"""Printable stands with flat or other tops, for putting objects on.

All are called "stand", so that the name does not reveal the top.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Literal

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.primitives import Parts, box, disc, hull, made_of, ring_wall
from pactwin.sim.objects.standard_sizes import in_steps, pick
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Vec3, axis_angle

_FOOT_M = 0.006
# Base and height. Looked down at steeply, a tip stands out from behind its base, and both sides of
# a roof of 40 degrees can be seen: neither looks flat.
_TIPS_M, _RIDGES_M = ((0.072, 0.1), (0.08, 0.112)), ((0.076, 0.038), (0.086, 0.042))
# Flat tops may be much smaller than what goes on them, which stays there all the same.
_FLAT_M = 0.034, 0.066
_STEEP_DEG = 44.0, 52.0
_PRINT = "printed_plastic"
# Thickness of the plate on a ramp, and how far it stands out of the ramp.
_PLATE_M, _PLATE_UP_M = 0.004, 0.0003
# How deep a dish is, how often a round top is one, and the segments of its rim.
_DISH_M, _DISHED, _SEGMENTS = 0.006, 0.5, 16


def tapered_stand(color: str, base_m: float, height_m: float, top_m: tuple[float, float]) -> Item:
    """A square stand that narrows from ``base_m`` to ``top_m`` (x, y).

    A top of (0, 0) gives a pyramid, one of (0, y) a ridge, any other a flat top.
    """
    return _square_stand(color, base_m, _rectangle(*top_m, height_m))


def ramp_stand(color: str, base_m: float, low_m: float, high_m: float) -> Item:
    """A square stand whose top rises from ``low_m`` to ``high_m`` along x; level if equal.

    The top is a box: objects on hulls rattle downwards at long time steps even far from the
    friction limit, while boxes touch in exact corners.
    """
    sides = ((-1, low_m - _PLATE_UP_M), (1, high_m - _PLATE_UP_M))
    top = [(s * base_m / 2, y, z) for s, z in sides for y in (-base_m / 2, base_m / 2)]
    return _square_stand(color, base_m, top, _plate(base_m, low_m, high_m))


def _square_stand(color: str, base_m: float, top: Iterable[Vec3], *further: Part) -> Item:
    foot = box((base_m, base_m, _FOOT_M), (0.0, 0.0, _FOOT_M / 2))
    return _stand(color, (foot,), hull([*_rectangle(base_m, base_m, _FOOT_M), *top]), *further)


def _plate(base_m: float, low_m: float, high_m: float) -> Part:
    """A box under the top of a ramp that ends where the ramp does."""
    slope = float(np.arctan2(high_m - low_m, base_m))
    long_m = base_m / np.cos(slope) - 2 * _PLATE_M * np.tan(abs(slope))
    turned = axis_angle((0.0, -1.0, 0.0), slope)
    under = Pose((0.0, 0.0, (low_m + high_m) / 2), turned) @ Pose((0.0, 0.0, -_PLATE_M / 2))
    return Part("box", (float(long_m), base_m, _PLATE_M), under)


def column_stand(
    color: str, foot_m: float, height_m: float, head_m: float, top: Literal["ball", "flat", "dish"]
) -> Item:
    """A column on a round foot with a head ``head_m`` across: a ball, a flat disc, or a dish."""
    low = height_m - (head_m if top == "ball" else 0.010)
    column = disc(0.02, _FOOT_M, low + (0.2 * head_m if top == "ball" else 0.0))
    head: Parts = (disc(head_m, low, height_m),)
    if top == "ball":
        head = (Part("sphere", (head_m,) * 3, Pose((0.0, 0.0, height_m - head_m / 2))),)
    elif top == "dish":
        wall, floor = 0.2 * head_m, height_m - _DISH_M
        # The corners of the ring's segments end where a disc would.
        inner = head_m / 2 * float(np.cos(np.pi / _SEGMENTS)) - wall
        rim = ring_wall((inner, inner), (floor, height_m), wall, _SEGMENTS)
        head = (disc(head_m, low, floor), *rim)
    return _stand(color, (disc(foot_m, 0.0, _FOOT_M), column), *head)


def unlike_stands(
    rng: np.random.Generator, top: str, colors: Sequence[str], load_height_m: float
) -> tuple[Item, Item]:
    """Two stands of similar size: one with a bad ``top``, one with a flat top.

    ``top`` is ``tip``, ``ridge``, ``slope`` or ``ball``. Flat tops are 36 to 64 mm across; dishes
    at least 42 mm. An object ``load_height_m`` high cannot stay on the bad one: slopes are too
    steep for friction, and an object balances on a fixed ball only if its height is less than the
    ball's diameter.
    """
    bad, flat = colors
    match top:
        case "tip" | "ridge":
            base, height = pick(rng, _TIPS_M if top == "tip" else _RIDGES_M)
            side = in_steps(rng, *_FLAT_M, 0.004)
            ends = ((0.0, 0.0), (side, side)) if top == "tip" else ((0.0, base), (side, base))
            return (
                tapered_stand(bad, base, height, ends[0]),
                tapered_stand(flat, base, height, ends[1]),
            )
        case "slope":
            base, low = in_steps(rng, 0.06, 0.07), 0.018
            high = low + base * float(np.tan(np.deg2rad(rng.uniform(*_STEEP_DEG))))
            # Friction holds what stands on a gentle slope.
            rise = base / 2 * float(np.tan(np.deg2rad(rng.choice([0.0, rng.uniform(7.0, 12.0)]))))
            level = (low + high) / 2
            gentle = ramp_stand(flat, base, level - rise, level + rise)
            return ramp_stand(bad, base, low, high), gentle
        case _:
            foot, height = 0.09, in_steps(rng, 0.08, 0.1, 0.02)
            head = min(0.05, round(0.73 * load_height_m, 3))
            # What stands on a dish stands on its rim.
            steady: Literal["flat", "dish"] = "dish" if rng.random() < _DISHED else "flat"
            top_m = max(in_steps(rng, *_FLAT_M, 0.004), 0.042 if steady == "dish" else 0.0)
            return (
                column_stand(bad, foot, height, head, "ball"),
                column_stand(flat, foot, height, top_m, steady),
            )


def _stand(color: str, below: Parts, *body: Part) -> Item:
    parts = (*made_of("body", _PRINT, 0.8, below), *made_of("body", _PRINT, 1.0, body))
    return make_item("stand", color, parts)


def _rectangle(x_m: float, y_m: float, z_m: float) -> tuple[Vec3, ...]:
    """Its corners; each once if it shrinks to a line or a point."""
    corners = ((sx * x_m / 2, sy * y_m / 2, z_m) for sx, sy in product((-1, 1), repeat=2))
    return tuple(dict.fromkeys((x + 0.0, y + 0.0, z) for x, y, z in corners))

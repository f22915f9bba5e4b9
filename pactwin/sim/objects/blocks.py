"""Blocks, cylinders, planks and boxes without lids. Sizes are full extents in metres."""

from math import sin

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.primitives import (
    box,
    disc,
    made_of,
    mirrored,
    shifted,
    surface,
    visual_only,
    walls,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3


@cached
def block(color: str, size_m: Vec3, material: str = "wood", *, kind: str = "block") -> Item:
    """A solid cuboid."""
    return make_item(kind, color, [box(size_m)], material=material)


@cached
def cylinder(color: str, diameter_m: float, height_m: float, material: str = "wood") -> Item:
    """A solid upright cylinder."""
    return make_item("cylinder", color, [disc(diameter_m, 0.0, height_m)], material=material)


@cached
def plank(color: str, size_m: Vec3) -> Item:
    """A long flat board with lines of grain.

    It has no knot, which people mistook for a mark of the balance point.
    """
    x, y, z = size_m
    points: list[Vec3] = []
    faces: list[tuple[int, int, int]] = []
    for at in (np.linspace(-0.42, 0.42, 9) * y).tolist():
        first, count = len(points), 11
        for px in np.linspace(-0.499 * x, 0.499 * x, count).tolist():
            py = at + 0.024 * y * sin(9.0 * px / x + 3.6 * at / y)
            points += [(px, py - 0.0006, z + 0.0002), (px, py + 0.0006, z + 0.0002)]
        for k in range(first, first + 2 * count - 2, 2):
            faces += [(k, k + 2, k + 3), (k, k + 3, k + 1)]
    # A mesh needs some volume: a corner below.
    points.append((0.0, 0.0, z / 2))
    years = mirrored(
        box((0.0004, d * y / 0.09, 0.0012), (x / 2, 0.0, z * (0.5 + 3e3 * (4e-5 - d * d))))
        for d in (0.003, 0.006)
    )
    parts = (
        *made_of("body", "wood", 1.0, box(size_m, (0.0, 0.0, z / 2))),
        *made_of("body", "wood", 0.72, surface(points, faces), visual_only(years)),
    )
    return make_item("plank", color, parts)


@cached
def frame(color: str, hole_m: tuple[float, float], border_m: float) -> Item:
    """A flat square frame, 8 mm high, around a hole (x, y)."""
    x, y = (side + 2 * border_m for side in hole_m)
    return make_item("frame", color, walls(x, y, 0.008, border_m), material="wood")


def open_box(
    color: str,
    inner_m: Vec3,
    wall_m: float = 0.005,
    material: str = "cardboard",
    *,
    floor_m: float | None = None,
) -> Item:
    """A box without a lid: four walls around an opening ``inner_m`` (x, y, depth), and a floor.

    The floor is as thick as the walls unless ``floor_m`` is given.
    """
    floor_m = wall_m if floor_m is None else floor_m
    x, y, depth = inner_m[0] + 2 * wall_m, inner_m[1] + 2 * wall_m, inner_m[2]
    upright = [
        *made_of("body", material, 1.0, walls(x, y, depth, wall_m)[:2]),
        *made_of("body", material, 0.92, walls(x, y, depth, wall_m)[2:]),
    ]
    floor = made_of("body", material, 0.8, box((x, y, floor_m), (0.0, 0.0, floor_m / 2)))
    parts = (*floor, *shifted(upright, z=floor_m))
    return make_item("box", color, parts, state="upright, open, empty")

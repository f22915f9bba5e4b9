"""What is laid on a table: plates, coasters, and food for them (real, or toys from a shop)."""

from pactwin.sim.objects.builtin import assembled
from pactwin.sim.objects.shaping import disc, ring_wall
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, axis_angle

PLATE_FLOOR_M = 0.005
"""Thickness of a plate's floor."""

_PRINTED = 0.6
_BAKED = (0.72, 0.50, 0.28, 1.0)
_STEM = (0.30, 0.20, 0.10, 1.0)


def plate(color: str, diameter_m: float) -> Item:
    """A deep plate with a flat floor of 0.62 of its diameter and a rim that rises by 30 mm.

    It lies flat either way up. Its floor is darker inside, as if printed.
    """
    wall, height = 0.004, 0.03
    floor = 0.62 * diameter_m
    low = -height / 2
    parts = (
        disc(floor, PLATE_FLOOR_M, low + PLATE_FLOOR_M / 2),
        *ring_wall((floor / 2, diameter_m / 2 - wall), (low + wall, -low), wall, sides=24),
        disc(
            floor - 2 * wall, 0.0004, low + PLATE_FLOOR_M + 0.0002, shade=_PRINTED, collides=False
        ),
    )
    return assembled(
        "plate", color, "ceramic", parts, (diameter_m, diameter_m, height), state="upright, empty"
    )


def coaster(color: str, diameter_m: float) -> Item:
    """A round coaster of 6 mm."""
    thick = 0.006
    parts = (disc(diameter_m, thick, 0.0),)
    return assembled(
        "coaster",
        color,
        "painted wood",
        parts,
        (diameter_m, diameter_m, thick),
        state="upright, empty",
    )


def apple(color: str, diameter_m: float) -> Item:
    """A round apple; the stem is drawn only."""
    parts = (
        Part("sphere", (diameter_m, diameter_m, diameter_m)),
        Part(
            "cylinder",
            (0.004, 0.004, 0.018),
            Pose((0.0, 0.0, 0.5 * diameter_m + 0.003), axis_angle((1.0, 0.0, 0.0), 0.25)),
            rgba=_STEM,
            collides=False,
        ),
    )
    size = (diameter_m, diameter_m, diameter_m)
    return assembled("apple", color, "plastic", parts, size, fill=0.9)


def cupcake(color: str, diameter_m: float, height_m: float) -> Item:
    """A cupcake in a paper case, with icing."""
    case = 0.55 * height_m
    parts = (
        Part(
            "cylinder",
            (0.8 * diameter_m, 0.8 * diameter_m, case),
            Pose((0.0, 0.0, (case - height_m) / 2)),
            rgba=_BAKED,
        ),
        Part(
            "ellipsoid",
            (diameter_m, diameter_m, 2 * (height_m - case)),
            Pose((0.0, 0.0, case - height_m / 2)),
        ),
    )
    return assembled(
        "cupcake", color, "rubber", parts, (diameter_m, diameter_m, height_m), fill=0.3
    )


def cake(color: str, diameter_m: float, height_m: float) -> Item:
    """A round cake with icing on top and a layer in the middle."""
    icing = 0.008
    layer = height_m - icing
    parts = (
        disc(diameter_m, layer, -icing / 2, rgba=_BAKED),
        disc(diameter_m + 0.002, icing, (height_m - icing) / 2),
        disc(diameter_m + 0.001, 0.006, -icing / 2, collides=False),
    )
    size = (diameter_m + 0.002, diameter_m + 0.002, height_m)
    return assembled("cake", color, "rubber", parts, size, fill=0.3)


def tin(color: str, diameter_m: float, height_m: float) -> Item:
    """A closed biscuit tin with a lid that is a little wider."""
    lid, over = 0.016, 0.002
    parts = (
        disc(diameter_m, height_m - lid, -lid / 2),
        disc(diameter_m + over, lid, (height_m - lid) / 2, shade=0.8),
    )
    size = (diameter_m + over, diameter_m + over, height_m)
    return assembled("tin", color, "metal", parts, size, fill=0.2, state="upright, closed")

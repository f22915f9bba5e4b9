"""Things whose weight or shape one knows at sight: dumbbell, sponge, cube puzzle."""

from dataclasses import replace
from itertools import product

import numpy as np

from pactwin.sim.objects.builtin import assembled
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose

_STEEL = (0.62, 0.63, 0.65, 1.0)
_SCOURER = (0.13, 0.26, 0.16, 1.0)
_INSIDE = (0.05, 0.05, 0.06, 1.0)


def dumbbell(color: str, mass_kg: float) -> Item:
    """A dumbbell with hexagonal heads, its axis along y, as sports shops sell from 0.5 to 3 kg."""
    flats = 0.055 + 0.010 * mass_kg  # across the flats of a head
    head, grip = 0.042, 0.10
    turns = np.arange(6) * np.pi / 3  # corners to the sides, flats below and above
    ring = [(flats / 3**0.5 * np.cos(t), flats / 3**0.5 * np.sin(t)) for t in turns]
    corners = tuple((float(x), y, float(z)) for y in (-head / 2, head / 2) for x, z in ring)
    size = (2 * flats / 3**0.5, head, flats)
    along_y = Pose((0.0, 0.0, 0.0), (0.5**0.5, 0.5**0.5, 0.0, 0.0))
    # What collides are the boxes between the flats they stand on: contacts of boxes creep less.
    solid = (flats / 3**0.5, head, flats)
    heads = tuple(
        part
        for at in (Pose((0.0, side * (grip + head) / 2, 0.0)) for side in (-1, 1))
        for part in (
            Part("hull", size, at, collides=False, corners_m=corners),
            Part("box", solid, at, drawn=False),
        )
    )
    bar = Part("cylinder", (0.028, 0.028, grip), along_y, rgba=_STEEL)
    whole = (size[0], grip + 2 * head, flats)
    return replace(
        assembled("dumbbell", color, "metal", (*heads, bar), whole), mass_kg=round(mass_kg, 3)
    )


def sponge(color: str) -> Item:
    """A household sponge that lies on its scouring pad."""
    x, y, z = size = (0.085, 0.13, 0.045)
    pad = 0.011
    foam = Part("box", (x, y, z - pad), Pose((0.0, 0.0, pad / 2)))
    scourer = Part("box", (x, y, pad), Pose((0.0, 0.0, (pad - z) / 2)), rgba=_SCOURER)
    return assembled("sponge", color, "foam", (foam, scourer), size)


def cube_puzzle(color: str, side_m: float) -> Item:
    """A 2x2x2 cube puzzle, its stickers all of one colour."""
    inside = Part("box", (0.98 * side_m,) * 3, rgba=_INSIDE, collides=False)
    whole = Part("box", (side_m,) * 3, drawn=False)
    small, quarter = 0.47 * side_m, side_m / 4
    cubes = tuple(
        Part(
            "box",
            (small,) * 3,
            Pose((sx * quarter * 1.06, sy * quarter * 1.06, sz * quarter * 1.06)),
            collides=False,
        )
        for sx, sy, sz in product((-1, 1), repeat=3)
    )
    return assembled(
        "cube puzzle", color, "plastic", (whole, inside, *cubes), (side_m,) * 3, fill=0.6
    )

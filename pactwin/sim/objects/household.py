"""Objects of familiar weight or shape: dumbbell, cube puzzle."""

from itertools import product
from typing import Literal

import numpy as np

from pactwin.catalogue import load_catalogue
from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import lathe
from pactwin.sim.objects.palette import COLORS, INK, STEEL
from pactwin.sim.objects.primitives import (
    X,
    box,
    circle,
    collision_proxy,
    disc,
    hull,
    made_of,
    mass_only,
    mirrored,
    shifted,
    turned,
    visual_only,
)
from pactwin.sim.scene.layout import Item

_FACES = ("white", "yellow", "red", "orange", "blue", "green")
_PALE = (0.9, 0.9, 0.88, 1.0)


@cached
def dumbbell(color: str, mass_kg: float) -> Item:
    """A dumbbell of about ``mass_kg`` with hexagonal iron heads and its axis along y.

    Its grip is a steel bar of 90 mm by 24 mm. The heads provide the rest of the mass; their length
    is 0.6 of their width across flats.
    """
    grip_m, bar_m = 0.09, 0.024
    table = load_catalogue()
    bar_kg = table.material("steel").density_kg_m3 * grip_m * np.pi / 4 * bar_m**2
    solid = (mass_kg - bar_kg) / 2 / table.material("iron").density_kg_m3
    # A hexagonal prism of 0.6 f has a volume of 0.52 f^3; its bevelled ends take 8 % of it.
    across = float((solid / (0.478 * 0.999)) ** (1 / 3))
    long = 0.6 * across
    wide, middle = across / 3**0.5, (grip_m + long) / 2
    head = hull(  # corners to the sides, flats below and above
        (x, s * e * long / 2, z)
        for f, e in ((1.0, 0.8), (0.86, 1.0))
        for s in (-1, 1)
        for x, z in circle(6, f * wide)
    )
    heads = mirrored(shifted(head, y=middle))
    mark = turned(visual_only(disc(0.45 * across, -0.0003, 0.0003)), X, 90.0)
    marks = mirrored(shifted(mark, y=middle + long / 2))
    bar = lathe([(bar_m / 2, -grip_m / 2), (bar_m / 2 + 0.0015, 0.0), (bar_m / 2, grip_m / 2)])
    rings = [disc(bar_m + 0.004, z, z + 0.0012) for z in np.linspace(-0.03, 0.029, 12).tolist()]
    parts = (
        # What collides are the boxes between the flats they stand on: contacts of boxes creep less.
        *collision_proxy(mirrored(box((wide, long, across), (0.0, middle, 0.0)))),
        *made_of("heads", "iron", 1.0, visual_only(heads)),
        *made_of("heads", "iron", 1.0, mass_only(heads)),
        *made_of("heads", "iron", _PALE, marks),
        *made_of("grip", "steel", STEEL, turned(bar, X, 90.0)),
        *made_of("grip", "steel", (0.5, 0.5, 0.52, 1.0), turned(visual_only(rings), X, 90.0)),
    )
    return make_item("dumbbell", color, parts)


@cached
def cube_puzzle(
    color: str, side_m: float, look: Literal["solved", "scrambled"] | None = None
) -> Item:
    """A 3x3x3 cube puzzle with 54 stickers: solved, scrambled, or all in the cube's colour.

    Scrambled puzzles are all scrambled alike.
    """
    stickers = [face for face in _FACES for _ in range(9)]
    if look == "scrambled":
        stickers = np.random.default_rng(0).permutation(stickers).tolist()
    small = side_m / 3
    parts = list(made_of("body", "hollow_plastic", INK, box((side_m,) * 3)))
    spots = product(range(3), (-1, 1), (-1, 0, 1), (-1, 0, 1))
    for k, (axis, sign, i, j) in enumerate(spots):
        at, size = [0.0, 0.0, 0.0], [small * 0.86] * 3
        at[axis], size[axis] = sign * side_m / 2, 0.001
        at[(axis + 1) % 3], at[(axis + 2) % 3] = i * small, j * small
        sticker = box((size[0], size[1], size[2]), (at[0], at[1], at[2]))
        tint = COLORS[stickers[k]] if look else 1.0
        parts += made_of("body", "hollow_plastic", tint, visual_only(sticker))
    return make_item("cube_puzzle", color, parts)

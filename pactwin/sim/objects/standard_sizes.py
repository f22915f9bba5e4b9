"""Standard sizes of objects: few per kind, so that a lab can own what suites show.

Cans, bottles, books and the like have sizes sold in shops; sawn or printed objects have sizes in
steps. Suites of pairs and suites of objects draw from the same sizes.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from pactwin.sim.objects.everyday import ball, book, bottle, bowl, can, mug
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

# Mouth (inner diameter), height, and excess width of the foot; a quarter of them hold pens.
_PEN_STANDS_M = ((0.07, 0.094, 0.015), (0.077, 0.104, 0.016))

CAN_M, SMALL_CAN_M = (0.066, 0.115), (0.053, 0.09)
"""Diameter and height of cans of 330 and 150 ml."""

BALLS_M = (0.045, 0.055, 0.065)
CAKES_M = ((0.079, 0.048), (0.083, 0.048))
COASTER_M = 0.096
CUPS_M = ((0.08, 0.06, 0.09), (0.086, 0.066, 0.1))
"""Mouth, bottom (inner diameters) and height of plastic cups."""

DUMBBELLS_KG = (1.5, 4.0)
MARKERS_M = ((0.022, 0.12), (0.026, 0.13))
"""Thickness and length of markers."""

NOTEPAD_M: Vec3 = (0.074, 0.105, 0.010)
"""Size of a notepad: A7."""

PLATE_FLOOR_M = 0.005
"""Thickness of the floor of a plate, which is 0.62 of its diameter."""

PLATES_M = (0.138, 0.146)
PUZZLES_M = (0.046, 0.05, 0.057)
"""Edges of cube puzzles."""

SPONGE_M: Vec3 = (0.07, 0.11, 0.03)

STANDARD_SIZES: dict[str, Sequence[tuple[Any, ...]]] = {
    "apple": [(0.06,), (0.065,)],
    "ball": [(d, d, d) for d in BALLS_M],
    "book": [(0.105, 0.148, 0.02), (0.115, 0.17, 0.025), (0.125, 0.18, 0.03)],
    "bottle": [(0.058, 0.15), (0.064, 0.17)],
    "bowl": [(0.132, 0.05), (0.146, 0.055)],
    "cake": CAKES_M,
    "can": [CAN_M, SMALL_CAN_M],
    "coaster": [(COASTER_M,)],
    "conduit": [(0.25, 0.02, 0.02), (0.25, 0.025, 0.025)],
    "cube_puzzle": [(edge, look) for edge in PUZZLES_M for look in ("solved", "scrambled")],
    "cup": CUPS_M,
    "cupcake": [(0.06, 0.055)],
    "dumbbell": [(kg,) for kg in DUMBBELLS_KG],
    "gutter": [(0.25, 0.075, 0.037), (0.25, 0.1, 0.0495)],
    "marker": MARKERS_M,
    "marker_cap": [(thick,) for thick, _ in MARKERS_M],
    "mug": [(0.08, 0.08), (0.086, 0.09)],
    "notepad": [NOTEPAD_M],
    "pen": [(0.013, 0.14)],
    "pen_stand": [(*size, pens) for size in _PEN_STANDS_M for pens in (0, 0, 0, 3)],
    "plank": [((0.4, 0.09, 0.018),)],
    "plate": [(d,) for d in PLATES_M],
    "sponge": [SPONGE_M],
    "tin": [(0.079, 0.06), (0.083, 0.07)],
}
"""Sizes of kinds that suites of pairs use too, as their builders take them after the colour.

Most are a diameter, diameter and height, or extents x, y, z. Cakes and tins fill a plate's floor;
gutters and conduits are pieces that were cut off.
"""

T = TypeVar("T")


def in_steps(
    rng: np.random.Generator, least_m: float, most_m: float, step_m: float = 0.01
) -> float:
    """Draw a multiple of ``step_m`` from ``least_m`` to ``most_m``; ValueError if there is none."""
    first, last = np.ceil(least_m / step_m - 1e-6), np.floor(most_m / step_m + 1e-6)
    return round(float(rng.integers(int(first), int(last), endpoint=True)) * step_m, 6)


def pick(rng: np.random.Generator, sizes: Sequence[T]) -> T:
    """Draw one of the sizes."""
    return sizes[int(rng.integers(len(sizes)))]


def distractor_kinds() -> dict[str, Callable[[str, np.random.Generator], Item]]:
    """Builders of objects on a lab table, by kind: each takes a colour and draws its size."""
    return {
        "book": lambda c, r: book(c, *pick(r, STANDARD_SIZES["book"])),
        "can": lambda c, r: can(c, *CAN_M),
        "bottle": lambda c, r: bottle(c, *pick(r, STANDARD_SIZES["bottle"])),
        "mug": lambda c, r: mug(c, *pick(r, STANDARD_SIZES["mug"])),
        "ball": lambda c, r: ball(c, pick(r, BALLS_M[1:])),
        "bowl": lambda c, r: bowl(c, *pick(r, STANDARD_SIZES["bowl"])),
    }

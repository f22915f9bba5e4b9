"""The sizes that things come in: few of each kind, so that a lab can own what suites show.

Cans, bottles, books and the like are as shops sell them; what is sawn or printed comes in steps.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from pactwin.sim.objects.builtin import ball, book, bottle, can, cup, mug
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3

CAN_M, SMALL_CAN_M = (0.066, 0.115), (0.053, 0.09)
"""Diameter and height of cans of 330 and 150 ml."""

BOTTLES_M = ((0.058, 0.15), (0.064, 0.17))
"""Diameter and height of bottles."""

MUGS_M = ((0.07, 0.075), (0.076, 0.085))
"""Inner diameter and depth of mugs."""

TUMBLERS_M = ((0.08, 0.06, 0.09), (0.086, 0.066, 0.1))
"""Mouth, bottom (inner diameters) and height of plastic cups."""

BOOKS_M: tuple[Vec3, ...] = ((0.105, 0.148, 0.02), (0.115, 0.17, 0.025), (0.125, 0.18, 0.03))
"""Width, length and thickness of books: A6, and two pocket books."""

_DISHES_M = ((0.10, 0.036), (0.12, 0.044))  # inner diameter and depth
_BALLS_M = (0.055, 0.065)

T = TypeVar("T")


def in_steps(
    rng: np.random.Generator, least_m: float, most_m: float, step_m: float = 0.01
) -> float:
    """A multiple of ``step_m`` from ``least_m`` to ``most_m``; ValueError if there is none."""
    first, last = np.ceil(least_m / step_m - 1e-6), np.floor(most_m / step_m + 1e-6)
    return round(float(rng.integers(int(first), int(last), endpoint=True)) * step_m, 6)


def pick(rng: np.random.Generator, sizes: Sequence[T]) -> T:
    """One of them."""
    return sizes[int(rng.integers(len(sizes)))]


def distractor_kinds() -> dict[str, Callable[[str, np.random.Generator], Item]]:
    """Things that lie about on a lab table, by kind: each takes a colour and draws its own size."""
    return {
        "book": lambda c, r: book(c, pick(r, BOOKS_M)),
        "can": lambda c, r: can(c, *CAN_M),
        "bottle": lambda c, r: bottle(c, *pick(r, BOTTLES_M)),
        "mug": lambda c, r: mug(c, *pick(r, MUGS_M)),
        "ball": lambda c, r: ball(c, pick(r, _BALLS_M)),
        "bowl": lambda c, r: cup(c, *pick(r, _DISHES_M), 0.005, "ceramic", kind="bowl"),
    }

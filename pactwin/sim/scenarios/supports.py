"""Supports, and faults of one of two like supports."""

from collections.abc import Callable

import numpy as np

from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.everyday import cake, can, coaster, notepad, plate
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.posing import laid_down, top_m
from pactwin.sim.objects.standard_sizes import (
    CAKES_M,
    CAN_M,
    COASTER_M,
    NOTEPAD_M,
    PLATE_FLOOR_M,
    PLATES_M,
    SMALL_CAN_M,
    in_steps,
)
from pactwin.sim.objects.stands import unlike_stands
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, any_turn, turned_to_show
from pactwin.sim.scenarios.things import either, on_or_beside
from pactwin.sim.scenarios.twins import Pair
from pactwin.sim.scene.layout import Item
from pactwin.suite import Constraint

_TOPS = ("tip", "ridge", "slope", "ball")
_FLAT: dict[str, Callable[[str], Item]] = {
    "can": lambda color: can(color, *CAN_M),
    "notepad": lambda color: notepad(color, *NOTEPAD_M),
    "coaster": lambda color: coaster(color, COASTER_M),
    "plate": lambda color: plate(color, PLATES_M[0]),
}


def two_supports(
    rng: np.random.Generator, colors: Colors, kind: str, load_height_m: float
) -> tuple[Item, Item]:
    """Two good supports of a kind; stands have any of their flat tops."""
    if kind == "stand":
        return _stands(rng, colors, str(rng.choice(_TOPS)), load_height_m)[1]
    return colors.two(_FLAT[kind], SHOWING_SHAPE)


def unsteady(rng: np.random.Generator, colors: Colors, kind: str, load_height_m: float) -> Pair:
    """A stand has a tip, ridge, slope or ball on top, or a can lies on its side."""
    top = "lying" if kind == "can" else str(rng.choice(_TOPS))
    turns = turned_to_show(rng, top, 2)
    if kind == "can":
        good = colors.two(_FLAT["can"], SHOWING_SHAPE)
        bad = laid_down(good[0]), laid_down(good[1])
    else:
        bad, good = _stands(rng, colors, top, load_height_m)
    return either(bad, good, Constraint.UNSTABLE_SUPPORT, turns)


def _stands(
    rng: np.random.Generator, colors: Colors, top: str, load_height_m: float
) -> tuple[tuple[Item, Item], tuple[Item, Item]]:
    """Two stands of one size with a bad ``top``, and with a flat one."""
    state, made = rng.bit_generator.state, []
    for _ in range(2):
        rng.bit_generator.state = state
        made.append(unlike_stands(rng, top, [colors.next(SHOWING_SHAPE)] * 2, load_height_m))
    (bad, good), (other_bad, other_good) = made
    return (bad, other_bad), (good, other_good)


def taken(rng: np.random.Generator, colors: Colors, supports: tuple[Item, Item]) -> Pair:
    """Something stands on a support, or close beside it."""
    wide = min(supports[0].size_m[:2])
    occupants = _occupants(rng, colors, supports[0].category, wide)
    turns, ways = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-np.pi, np.pi, 2)
    any_way = [any_turn(rng) for _ in "ab"]
    return on_or_beside(
        supports, occupants, Constraint.OCCUPIED, (turns, ways, any_way), _bearing_m
    )


def _bearing_m(support: Item) -> float:
    """Height of a standing support's top."""
    return PLATE_FLOOR_M if support.category == "plate" else top_m(support)


def _occupants(
    rng: np.random.Generator, colors: Colors, support: str, wide_m: float
) -> tuple[Item, Item]:
    """Two like objects that leave no room on a support."""
    side = min(0.05, max(0.04, wide_m - 0.005))
    if support == "plate":
        return colors.two(lambda color: cake(color, *CAKES_M[0]))
    high = in_steps(rng, 0.03, 0.06)
    kinds: tuple[Callable[[str], Item], ...] = (
        lambda color: can(color, *SMALL_CAN_M),
        lambda color: cube_puzzle(color, 0.046),
        lambda color: cylinder(color, side, high),
        lambda color: block(color, (side, side, high)),
    )
    return colors.two(kinds[rng.integers(len(kinds))])

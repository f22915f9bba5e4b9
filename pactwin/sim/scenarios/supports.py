"""Supports, and faults of one of two like supports."""

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
    PLATES_M,
    SMALL_CAN_M,
    in_steps,
)
from pactwin.sim.objects.stands import unlike_stands
from pactwin.sim.objects.tableware import PLATE_FLOOR_M
from pactwin.sim.scenarios.common import SHOWING_SHAPE, Colors, any_turn, turned_to_show
from pactwin.sim.scenarios.things import either, on_or_beside
from pactwin.sim.scenarios.twins import Pair
from pactwin.sim.scene.layout import Item
from pactwin.suite import Constraint

_TOPS = ("tip", "ridge", "slope", "ball")


def two_supports(
    rng: np.random.Generator, colors: Colors, kind: str, load_height_m: float
) -> tuple[Item, Item]:
    """Two good supports of a kind; stands have any of their flat tops."""
    names = [colors.next(SHOWING_SHAPE) for _ in "ab"]
    match kind:
        case "stand":
            top, state = str(rng.choice(_TOPS)), rng.bit_generator.state
            flat = []
            for name in names:  # both of one size
                rng.bit_generator.state = state
                flat.append(unlike_stands(rng, top, [name, name], load_height_m)[1])
            return flat[0], flat[1]
        case "can":
            return can(names[0], *CAN_M), can(names[1], *CAN_M)
        case "notepad":
            return notepad(names[0], *NOTEPAD_M), notepad(names[1], *NOTEPAD_M)
        case "coaster":
            return coaster(names[0], COASTER_M), coaster(names[1], COASTER_M)
    return plate(names[0], PLATES_M[0]), plate(names[1], PLATES_M[0])


def unsteady(rng: np.random.Generator, colors: Colors, kind: str, load_height_m: float) -> Pair:
    """A stand has a tip, ridge, slope or ball on top, or a can lies on its side."""
    names = [colors.next(SHOWING_SHAPE) for _ in "ab"]
    top = "lying" if kind == "can" else str(rng.choice(_TOPS))
    turns = turned_to_show(rng, top, 2)
    if kind == "can":
        good = [can(name, *CAN_M) for name in names]
        bad = [laid_down(item) for item in good]
    else:
        state = rng.bit_generator.state
        made = []
        for name in names:
            rng.bit_generator.state = state
            made.append(unlike_stands(rng, top, [name, name], load_height_m))
        bad, good = [pair[0] for pair in made], [pair[1] for pair in made]
    return either(bad, good, Constraint.UNSTABLE_SUPPORT, turns)


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
    names = colors.next(), colors.next()
    side = min(0.05, max(0.04, wide_m - 0.005))
    if support == "plate":
        return cake(names[0], *CAKES_M[0]), cake(names[1], *CAKES_M[0])
    match rng.integers(4):
        case 0:
            return can(names[0], *SMALL_CAN_M), can(names[1], *SMALL_CAN_M)
        case 1:
            return cube_puzzle(names[0], 0.046), cube_puzzle(names[1], 0.046)
        case 2:
            height = in_steps(rng, 0.03, 0.06)
            return cylinder(names[0], side, height), cylinder(names[1], side, height)
        case _:
            size = (side, side, in_steps(rng, 0.03, 0.06))
            return block(names[0], size), block(names[1], size)

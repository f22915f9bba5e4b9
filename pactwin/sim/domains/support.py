"""Support: pick X up; nothing else may fall or shift.

Physics: what stands on X falls or shifts when X goes, however it is drawn out. The trial carries X
off (see ``sim.trials.removal``).

Twins exchange two things of equal size between the same places, so that as arrangements they look
alike and only *which* thing carries decides:

- ``stack``: X and Z change places in a stack of equal blocks: X below or on top.
- ``pedestal``: a load stands on X while Y of X's size stands free, or the other way round.
- ``beside``: two blocks, two loads: X carries a load and the other load lies beside Y, or the
  other way round.
- ``bridge``: a plank lies on two of three equal pillars: X carries an end, or stands free.
"""

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import Colors, any_turn, completed
from pactwin.sim.objects.blocks import block, cylinder, plank
from pactwin.sim.objects.groceries import can
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.standard_sizes import BOOKS_M, CAN_M, in_steps, pick
from pactwin.sim.objects.stationery import book
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.removal import LIFTING_OR_DRAWING, removal_trial
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import GAP_M, alike_places, bounding_radius_m, free_places
from pactwin.suite import Constraint


class Support:
    """See the module's docstring."""

    name = "support"
    precondition = "nothing_else_moves"
    trial_version = 2
    min_margin = 0.5

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_stack, _pedestal, _beside, _bridge)[rng.integers(4)]
        infeasible, feasible, critical_objects = family(rng, colors)
        action = f"pick up the {critical_objects[0]}; nothing else may fall or shift"
        return completed(
            rng,
            colors,
            infeasible,
            feasible,
            action=action,
            critical_objects=critical_objects,
            constraint=Constraint.SUPPORTS_OTHER,
        )

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Carry X off and measure what else moves."""
        return removal_trial(layout, perturbation, Constraint.SUPPORTS_OTHER, LIFTING_OR_DRAWING)

    def handling(self, layout: Layout) -> Handling:
        """A hand takes X; the trial says what that disturbs."""
        return Handling((Grasp(layout.critical_objects[0]),))


_Family = tuple[tuple[Item, ...], tuple[Item, ...], tuple[str, ...]]


def _carrier(rng: np.random.Generator, side_m: float, height_m: float, round_: bool, color: str):
    material = str(rng.choice(["wood", "plastic"]))
    if round_:
        return cylinder(color, side_m, height_m, material)
    return block(color, (side_m, side_m, height_m), material)


def _load(rng: np.random.Generator, color: str, carrier: Item) -> Item:
    """Something that stands safely on ``carrier``: no wider than 1.5 of its width."""
    width = min(carrier.size_m[0], carrier.size_m[1])
    match rng.integers(3):
        case 0:
            side = width + in_steps(rng, -0.01, 0.0)
            return block(color, (side, side, in_steps(rng, 0.03, 0.05)))
        case 1:
            return can(color, *CAN_M)
        case _:
            return book(color, pick(rng, [size for size in BOOKS_M if size[0] < 2.1 * width]))


def _stack(rng: np.random.Generator, colors: Colors) -> _Family:
    side, height = in_steps(rng, 0.05, 0.06), in_steps(rng, 0.05, 0.06)
    levels = int(rng.integers(2, 4))
    round_ = bool(rng.random() < 0.25)
    things = [_carrier(rng, side, height, round_, colors.next()) for _ in range(levels)]
    ((x, y),) = free_places(rng, [bounding_radius_m(things[0])])
    turns = rng.uniform(-0.25, 0.25, levels)
    low = int(rng.integers(0, levels - 1))  # X below: at the bottom or in the middle

    def build(order: list[Item]) -> tuple[Item, ...]:
        placed: list[Item] = []
        for level, thing in enumerate(order):
            base = top_m(placed[-1]) if placed else 0.0
            placed.append(standing_at(thing, x, y, on_z=base, yaw_rad=float(turns[level])))
        return tuple(placed)

    swapped = list(things)
    swapped[low], swapped[-1] = things[-1], things[low]
    names = (things[low].name, *(t.name for t in things[low + 1 :]))
    return build(things), build(swapped), names


def _pedestal(rng: np.random.Generator, colors: Colors) -> _Family:
    side, height = in_steps(rng, 0.05, 0.07), in_steps(rng, 0.04, 0.06)
    round_ = bool(rng.random() < 0.4)
    first = _carrier(rng, side, height, round_, colors.next())
    second = _carrier(rng, side, height, round_, colors.next())
    load = _load(rng, colors.next(), first)
    radius = max(bounding_radius_m(first), bounding_radius_m(load))
    (ax, ay), (bx, by) = free_places(rng, [radius, radius])
    turn, load_turn = rng.uniform(-np.pi, np.pi, 2)

    def build(loaded_xy: tuple[float, float]) -> tuple[Item, ...]:
        return (
            standing_at(first, ax, ay, yaw_rad=float(turn)),
            standing_at(second, bx, by, yaw_rad=float(turn)),
            standing_at(load, *loaded_xy, on_z=top_m_standing(first), yaw_rad=float(load_turn)),
        )

    return build((ax, ay)), build((bx, by)), (first.name, load.name)


def _beside(rng: np.random.Generator, colors: Colors) -> _Family:
    side, height = in_steps(rng, 0.05, 0.07), in_steps(rng, 0.04, 0.06)
    first = _carrier(rng, side, height, False, colors.next())
    second = _carrier(rng, side, height, False, colors.next())
    load_side, load_height = side + in_steps(rng, -0.01, 0.0), in_steps(rng, 0.03, 0.04)
    loads = [block(colors.next(), (load_side, load_side, load_height)) for _ in range(2)]
    radius = bounding_radius_m(first)
    reach = side / 2 + load_side / 2 + GAP_M
    # The place beside each block is taken too, whether or not a load lies there.
    (ax, ay), (bx, by) = free_places(rng, [radius + reach / 2] * 2)
    way = rng.uniform(-np.pi, np.pi)
    step = (float(np.cos(way) * reach / 2), float(np.sin(way) * reach / 2))
    turn = float(way)

    def build(loaded: int) -> tuple[Item, ...]:
        items = []
        centres = ((first, ax, ay), (second, bx, by))
        for k, (thing, x, y) in enumerate(centres):
            items.append(standing_at(thing, x - step[0], y - step[1], yaw_rad=turn))
            if k == loaded:
                spot = (x - step[0], y - step[1])
                base = top_m_standing(thing)
            else:
                spot, base = (x + step[0], y + step[1]), 0.0
            items.append(standing_at(loads[k], *spot, on_z=base, yaw_rad=turn))
        return tuple(items)

    return build(0), build(1), (first.name, loads[0].name)


def _bridge(rng: np.random.Generator, colors: Colors) -> _Family:
    side, height = in_steps(rng, 0.05, 0.06), in_steps(rng, 0.06, 0.08)
    round_ = bool(rng.random() < 0.5)
    pillars = [_carrier(rng, side, height, round_, colors.next()) for _ in range(3)]
    span = in_steps(rng, 0.12, 0.16, 0.02)
    board = plank(colors.next(), (span + side + 0.02, side, in_steps(rng, 0.012, 0.018, 0.006)))
    # The free pillar stands where the end of another bridge would be, so places tell nothing.
    (x, y), (free_x, free_y) = alike_places(rng, bounding_radius_m(board))
    turn, other_turn = any_turn(rng), any_turn(rng)
    half = np.array([np.cos(turn), np.sin(turn)]) * span / 2
    ends = [(x - half[0], y - half[1]), (x + half[0], y + half[1])]
    away = np.array([np.cos(other_turn), np.sin(other_turn)]) * span / 2
    free = (free_x + float(away[0]), free_y + float(away[1]))

    def build(order: tuple[int, int, int]) -> tuple[Item, ...]:
        places = (ends[0], ends[1], free)
        stood = [standing_at(pillars[p], *places[k], yaw_rad=turn) for k, p in enumerate(order)]
        return (*stood, standing_at(board, x, y, on_z=top_m(stood[0]), yaw_rad=turn))

    return build((0, 1, 2)), build((2, 1, 0)), (pillars[0].name, board.name)


def top_m_standing(item: Item) -> float:
    """Height of an item's top once it stands on the table."""
    return top_m(standing_at(item, 0.0, 0.0))


DOMAIN = Support()

"""Order: move one thing after another; what has to be moved first must have somewhere to go.

The layout's plan lists the moves, and the trial carries them out (see ``sim.trials.moving``).

Twins exchange two things of a kind, or what stands on two things of a kind:

- ``tray``: reverse a stack within its tray. The rest of the tray is full, or that of its like is.
- ``stand``: restack two blocks on a stand with a tip or a ridge, or on one with a flat top.
- ``books``: take a book out of a stack without moving another that lies on it, or under it.
- ``both``: move X onto P. Something stands on X, and something on P: two causes at once. In the
  feasible twin they stand on Z and on Q.
- ``either``: the same, but one of the two stands on Z or on Q in both twins: it would be a cause
  elsewhere, and prevents nothing here.
"""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import (
    SHOWING_SHAPE,
    Colors,
    Exchange,
    any_turn,
    completed,
    exchanged,
    turned_to_show,
    yaw_rad,
)
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.groceries import can
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.standard_sizes import (
    BOOKS_M,
    CAN_M,
    COASTER_M,
    SMALL_CAN_M,
    in_steps,
    pick,
)
from pactwin.sim.objects.stands import unlike_stands
from pactwin.sim.objects.stationery import book
from pactwin.sim.objects.tableware import coaster
from pactwin.sim.objects.trays import floor_m, tray
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.moving import Move, moving_trial, plan_of, plan_params
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import alike_places, bounding_radius_m, free_places
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint


class Order:
    """See the module's docstring."""

    name = "order"
    precondition = "each_move_can_be_made"
    trial_version = 2
    min_margin = 0.5

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_tray, _stand, _books, _both, _either)[rng.integers(5)]
        return family(rng, colors)

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Carry out the plan."""
        return moving_trial(layout, perturbation)

    def handling(self, layout: Layout) -> Handling:
        """Hands take each thing in turn to where it goes; the trial makes the moves."""
        moves = plan_of(layout)
        return Handling(
            tuple(Grasp(move.thing) for move in moves),
            tuple(dict.fromkeys(move.on or move.tray for move in moves if move.on or move.tray)),
        )


_Items = tuple[Item, ...]


def _stacked(things: Sequence[Item], x: float, y: float, turns: np.ndarray) -> _Items:
    """The things on top of each other at (x, y), the first on the table."""
    placed: list[Item] = []
    for thing, turn in zip(things, turns, strict=True):
        base = top_m(placed[-1]) if placed else 0.0
        placed.append(standing_at(thing, x, y, on_z=base, yaw_rad=float(turn)))
    return tuple(placed)


def _tray(rng: np.random.Generator, colors: Colors) -> Twins:
    """Two trays of two places: a stack in one, a block in the other, and a thing beside either."""
    side, height, gap = 0.05, in_steps(rng, 0.04, 0.05), 0.015
    inner = (2 * side + 3 * gap, side + 2 * gap)
    trays = [tray(colors.next(SHOWING_SHAPE), inner) for _ in range(2)]
    lower, upper, single = (block(colors.next(), (side, side, height)) for _ in range(3))
    filler = _filler(rng, colors.next(), side)
    at = (side + gap) / 2
    radius = max(map(bounding_radius_m, trays))
    places = alike_places(rng, radius, y_range=(-0.3, 0.3))
    stood = [
        standing_at(t, x, y, yaw_rad=any_turn(rng)) for t, (x, y) in zip(trays, places, strict=True)
    ]
    full, roomy = stood
    lower, single = _on_floor(rng, full, lower, -at), _on_floor(rng, roomy, single, -at)
    # Boxes that lie on each other exactly aligned get contacts of impossible depth.
    x, y, _ = lower.world_from_object.pos
    turn = yaw_rad(full) + float(rng.choice([-1, 1]) * rng.uniform(0.06, 0.2))
    upper = standing_at(upper, x, y, on_z=top_m(lower), yaw_rad=turn)
    items = (full, roomy, lower, upper, single)
    action = (
        f"with one hand, turn the order of the {upper.name} and the {lower.name} around, so that "
        f"the {lower.name} is on top; nothing may be set down anywhere but on the floor of the "
        f"{full.name} or on the other block"
    )
    moves = (Move(upper.name, tray=full.name), Move(lower.name, on=upper.name))
    return completed(
        rng,
        colors,
        (*items, _on_floor(rng, full, filler, at)),
        (*items, _on_floor(rng, roomy, filler, at)),
        action=action,
        critical_objects=(upper.name, lower.name, full.name, filler.name),
        constraint=Constraint.OCCUPIED,
        params=plan_params(*moves),
        most_distractors=2,
    )


def _filler(rng: np.random.Generator, color: str, side_m: float) -> Item:
    """What leaves no room where a block of ``side_m`` would go."""
    match rng.integers(3):
        case 0:
            return can(color, *SMALL_CAN_M)
        case 1:
            return cube_puzzle(color, side_m)
        case _:
            return cylinder(color, side_m, in_steps(rng, 0.05, 0.08))


def _on_floor(rng: np.random.Generator, holder: Item, thing: Item, x_m: float) -> Item:
    """``thing`` on the floor of a tray, ``x_m`` along it from its middle, turned a little."""
    x, y, _ = (holder.world_from_object @ Pose((x_m, 0.0, 0.0))).pos
    turn = yaw_rad(holder) + float(rng.uniform(-0.05, 0.05))
    floor = holder.world_from_object.pos[2] + floor_m(holder)[2]
    return standing_at(thing, x, y, on_z=floor, yaw_rad=turn)


def _stand(rng: np.random.Generator, colors: Colors) -> Twins:
    """A stack of two blocks, and two stands; the blocks are to change their order on one."""
    side = 0.05
    names = [colors.next(SHOWING_SHAPE) for _ in range(2)]
    lower, upper = (block(colors.next(), (side, side, in_steps(rng, 0.04, 0.05))) for _ in "ab")
    top = str(rng.choice(["tip", "ridge"]))
    stands = unlike_stands(rng, top, names, upper.size_m[2])
    radius = max(map(bounding_radius_m, stands))
    *places, (x, y) = alike_places(rng, radius, bounding_radius_m(lower))
    stack = _stacked((lower, upper), x, y, any_turn(rng) + rng.uniform(-0.2, 0.2, 2))
    stood = [
        standing_at(s, *place, yaw_rad=turn)
        for s, place, turn in zip(stands, places, turned_to_show(rng, top, 2), strict=True)
    ]
    items = (*stack, *stood)
    bad, flat = stood
    action = (
        f"set the {upper.name} on top of the {bad.name} and the {lower.name} on top of that; both "
        "have to stay there"
    )
    moves = (Move(upper.name, on=bad.name), Move(lower.name, on=upper.name))
    return Exchange(
        items,
        (bad, flat),
        action,
        (upper.name, lower.name, bad.name),
        Constraint.UNSTABLE_SUPPORT,
        plan_params(*moves),
    ).twins(rng, colors)


def _books(rng: np.random.Generator, colors: Colors) -> Twins:
    """A stack of two or three books of one size; two of them are exchanged."""
    size = pick(rng, BOOKS_M)
    books = [book(colors.next(), size) for _ in range(int(rng.integers(2, 4)))]
    ((x, y),) = free_places(rng, [bounding_radius_m(books[0])])
    turns = any_turn(rng) + rng.uniform(-0.25, 0.25, len(books))
    stack = _stacked(books, x, y, turns)
    low = stack[int(rng.integers(0, len(books) - 1))]
    high = stack[-1]
    action = f"take the {low.name} out of the stack and away; the {high.name} may not move"
    return Exchange(
        stack,
        (low, high),
        action,
        (low.name, high.name),
        Constraint.SUPPORTS_OTHER,
        plan_params(Move(low.name)),
    ).twins(rng, colors)


def _both(rng: np.random.Generator, colors: Colors) -> Twins:
    items = x, z, p, q, load, guest = _loaded_and_taken(rng, colors, on_x=True, on_p=True)
    free = exchanged(exchanged(items, x, z), p, q)
    return _moving(rng, colors, items, free, (x, p, load, guest), Constraint.SUPPORTS_OTHER)


def _either(rng: np.random.Generator, colors: Colors) -> Twins:
    loaded = bool(rng.random() < 0.5)
    items = x, z, p, q, load, guest = _loaded_and_taken(rng, colors, on_x=loaded, on_p=not loaded)
    free = exchanged(items, x, z) if loaded else exchanged(items, p, q)
    constraint = Constraint.SUPPORTS_OTHER if loaded else Constraint.OCCUPIED
    return _moving(rng, colors, items, free, (x, p, load, guest), constraint)


def _moving(
    rng: np.random.Generator,
    colors: Colors,
    infeasible: _Items,
    feasible: _Items,
    critical_objects: Sequence[Item],
    constraint: Constraint,
) -> Twins:
    x, p = critical_objects[:2]
    return completed(
        rng,
        colors,
        infeasible,
        feasible,
        action=f"move the {x.name} onto the {p.name}; nothing else may fall or shift",
        critical_objects=[item.name for item in critical_objects],
        constraint=constraint,
        params=plan_params(Move(x.name, on=p.name)),
    )


def _loaded_and_taken(
    rng: np.random.Generator, colors: Colors, *, on_x: bool, on_p: bool
) -> _Items:
    """Two equal blocks X and Z, two coasters P and Q, a load on one block, a guest on one coaster.

    Returns X, Z, P, Q, load and guest.
    """
    side, height = in_steps(rng, 0.05, 0.06), in_steps(rng, 0.04, 0.06)
    x, z = (block(colors.next(), (side, side, height)) for _ in "xz")
    p, q = (coaster(colors.next(), COASTER_M) for _ in "pq")
    load, guest = _load(rng, colors.next(), side), _load(rng, colors.next(), side)
    radii = [bounding_radius_m(x)] * 2 + [0.053] * 2
    places = free_places(rng, radii)
    x, z, p, q = (
        standing_at(item, *place, yaw_rad=any_turn(rng))
        for item, place in zip((x, z, p, q), places, strict=True)
    )
    load, guest = (
        standing_at(
            thing,
            *below.world_from_object.pos[:2],
            on_z=top_m(below),
            yaw_rad=any_turn(rng),
        )
        for thing, below in ((load, x if on_x else z), (guest, p if on_p else q))
    )
    return x, z, p, q, load, guest


def _load(rng: np.random.Generator, color: str, side_m: float) -> Item:
    """Something that stands safely on a block of ``side_m``."""
    match rng.integers(4):
        case 0:
            return can(color, *SMALL_CAN_M)
        case 1:
            return cube_puzzle(color, pick(rng, (0.046, 0.05)))
        case 2:
            return cylinder(color, side_m - 0.01, in_steps(rng, 0.04, 0.06))
        case _:
            return can(color, *CAN_M)


DOMAIN = Order()

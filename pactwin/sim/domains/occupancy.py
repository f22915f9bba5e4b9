"""Occupancy: put food on the plate, a cup on the coaster, a book on the stand.

Physics: a thing goes to its place if nothing is there, and stays if the place holds it. The trial
tries several places on the support (see ``sim.trials.placing``): all over the plate or the
coaster, against the back and the lip of the book stand. If the plate is to be carried off, it is,
and the thing has to stay on it.

Two supports of one kind are on the table; the twins exchange them, so that only *which* of them is
asked about decides:

- ``plate``, ``coaster``, ``stand``: one of them is taken up by something, the other is free.
- ``upside_down``: one plate lies upside down, so that an apple rolls off when it is carried.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import SHOWING_SHAPE, Colors, Exchange, any_turn
from pactwin.sim.objects.bookstand import LEDGE_M, book_stand, on_stand, up_the_back
from pactwin.sim.objects.groceries import apple, bottle, cake, can, cupcake, tin
from pactwin.sim.objects.posing import UPSIDE_DOWN, heights_m, resting_at, standing_at, top_m
from pactwin.sim.objects.standard_sizes import (
    APPLES_M,
    BOTTLES_M,
    CAKES_M,
    CAN_M,
    COASTER_M,
    CUPCAKE_M,
    CUPS_M,
    MUGS_M,
    PLATES_M,
    TINS_M,
    pick,
)
from pactwin.sim.objects.stationery import book
from pactwin.sim.objects.tableware import PLATE_FLOOR_M, coaster, cup, mug, plate
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.placing import KEPT_M, Place, PlacingResult, place_on
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, HOVER_M
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import alike_places, bounding_radius_m, disc
from pactwin.sim.scene.pose import Pose, vec3, yaw
from pactwin.suite import Constraint, Measurement

_SHORT_M = 0.005
# In units of the limits: below it is in its place, above not.
_KEPT, _FAILED = 0.7, 1.5
_BOOK_M = (0.094, 0.132, 0.018)
# Other places are so far from a support's middle, in its diameters; a plate's floor ends here.
_RING = 0.31
_ABOVE_M = 0.001
_DOWN = np.array([0.0, 0.0, -1.0])
_LIFT, _CARRY = np.array([0.0, 0.0, 0.06]), np.array([0.0, 0.15, 0.0])
_CARRY_M_S = 0.25


class Occupancy:
    """See the module's docstring."""

    name = "occupancy"
    precondition = "its_place_is_free"
    trial_version = 2
    min_margin = 0.35

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_plate, _upside_down, _coaster, _stand)[rng.integers(4)]
        return family(rng, colors).twins(rng, colors, most_distractors=2)

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Put the thing there, and carry it off on the plate if it says so."""
        thing, support = (layout.item(name) for name in layout.critical_objects[:2])
        world = World(layout, perturbation, held=thing.name, grip_time_s=GRIP_TIME_S)
        if settle_error := settle(world):
            return TrialOutcome.undecided(settle_error)
        spread = support.size_m[0] / 2 if support.category == "plate" else KEPT_M
        support = support.at(world.pose(support.name))
        placed = place_on(world, list(_places(layout, thing, support)), spread)
        measurements = {
            "short_of_its_place": Measurement(
                value=round(placed.short_m, 5), limit=_SHORT_M, unit="m"
            ),
            "strayed_from_it": Measurement(
                value=round(placed.displacement_m, 5), limit=spread, unit="m"
            ),
        }
        worst = max(placed.short_m / _SHORT_M, placed.displacement_m / spread)
        if "carried" in layout.params and worst < 1.0:
            on_it = thing.at(world.pose(thing.name))
            off = _carried_off_m(support, on_it, perturbation)
            measurements["off_the_middle_when_carried"] = Measurement(
                value=round(off, 5), limit=spread, unit="m"
            )
            worst = max(worst, off / spread)
        return _outcome(worst, measurements, _why(support, placed))

    def handling(self, layout: Layout) -> Handling:
        """A hand takes the thing and comes over the place."""
        thing, place = layout.critical_objects[:2]
        return Handling((Grasp(thing),), (place,), (thing,))


def _places(layout: Layout, thing: Item, support: Item) -> Iterator[Place]:
    """Where on the support the thing could go. The support's pose is where it is now."""
    if support.category == "book_stand":
        along = -up_the_back(support)
        off = thing.size_m[1] + HOVER_M
        for forward in (0.0, LEDGE_M - thing.size_m[2] - 0.001):
            yield Place(on_stand(support, thing, forward_m=forward), along, off)
        return
    x, y, z = support.world_from_object.pos
    half, foot = support.size_m[2] / 2, thing.parts[0]
    surface, out = z + half, _RING * support.size_m[0]
    if support.category == "plate" and _upright(support):
        surface = z - half + PLATE_FLOOR_M
        if foot.shape != "sphere":  # its foot has to be on the floor
            out = max(out - foot.size_m[0] / 2, 0.0)
    clear = max(heights_m(item)[1] for item in layout.items if _over(item, support))
    centre = surface + _ABOVE_M + thing.size_m[2] / 2
    ring = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 4, endpoint=False)]
    for step_x, step_y in ((0.0, 0.0), *ring):
        at = (x + out * step_x - foot.pose.pos[0], y + out * step_y - foot.pose.pos[1], centre)
        yield Place(Pose(vec3(at)), _DOWN, max(clear - surface, 0.0) + HOVER_M)


def _over(item: Item, support: Item) -> bool:
    """Whether a standing item is, at least in part, above the support."""
    x, y, radius = disc(item)
    sx, sy, around = disc(support)
    return bool(np.hypot(x - sx, y - sy) < around + radius)


def _upright(support: Item) -> bool:
    return bool(support.world_from_object.matrix()[2, 2] > 0)


def _carried_off_m(support: Item, thing: Item, perturbation: Perturbation) -> float:
    """Lift the support with the thing on it and carry it aside: how far the thing is off it then.

    What else is on the table is left out: it is not in the way of a hand that lifts higher.
    """
    world = World(
        Layout((support, thing), "", (support.name, thing.name)), perturbation, held=support.name
    )
    world.run(0.1)
    world.grasp()
    for way in (_LIFT, _CARRY):
        world.move_hand(way, _CARRY_M_S)
    world.run(0.5)
    here = world.pose(support.name).inverse() @ world.pose(thing.name)
    return float(np.linalg.norm(here.pos))


def _why(support: Item, placed: PlacingResult) -> Constraint:
    if not _upright(support):
        return Constraint.OPENING_DOWN
    if placed.stopped_by - {support.name, "table"}:
        return Constraint.OCCUPIED
    return Constraint.DOES_NOT_FIT if placed.short_m > _SHORT_M else Constraint.UNSTABLE_SUPPORT


def _outcome(
    worst: float, measurements: dict[str, Measurement], constraint: Constraint
) -> TrialOutcome:
    """``worst`` is the worst measurement in units of its limit."""
    return TrialOutcome.of(
        constraint,
        measurements,
        float(np.clip(1.0 - worst, -2.0, 1.0)),
        works=worst < _KEPT,
        fails=worst > _FAILED,
        between="half in its place",
    )


def _footed_at(item: Item, x: float, y: float, *, on_z: float = 0.0, yaw_rad: float = 0.0) -> Item:
    """``item`` with the middle of its foot, its first part, at (x, y)."""
    foot = (Pose((0.0, 0.0, 0.0), yaw(yaw_rad)) @ item.parts[0].pose).pos
    return standing_at(item, x - foot[0], y - foot[1], on_z=on_z, yaw_rad=yaw_rad)


def _with_occupant(
    rng: np.random.Generator,
    pair: tuple[Item, Item],
    occupant: Item,
    thing: Item,
    action: str,
) -> Exchange:
    """Two flat supports, the first with the occupant on its middle, and the thing beside them."""
    radius = max(bounding_radius_m(pair[0]), bounding_radius_m(occupant))
    (ax, ay), (bx, by), (cx, cy) = alike_places(rng, radius, bounding_radius_m(thing))
    taken = replace(standing_at(pair[0], ax, ay, yaw_rad=any_turn(rng)), state="upright, filled")
    top = PLATE_FLOOR_M if taken.category == "plate" else top_m(taken)
    items = (
        taken,
        standing_at(pair[1], bx, by, yaw_rad=any_turn(rng)),
        _footed_at(occupant, ax, ay, on_z=top, yaw_rad=any_turn(rng)),
        standing_at(thing, cx, cy, yaw_rad=any_turn(rng)),
    )
    critical_objects = (thing.name, pair[0].name, occupant.name)
    return Exchange(items, pair, action, critical_objects, Constraint.OCCUPIED)


def _plate(rng: np.random.Generator, colors: Colors) -> Exchange:
    thing = _food(rng, colors)
    diameter = int(rng.integers(len(PLATES_M)))
    pair = _plates(colors, PLATES_M[diameter])
    # It stands on the floor, and all but fills it.
    build, sizes = ((cake, CAKES_M), (tin, TINS_M))[rng.integers(2)]
    occupant = build(colors.next(), *sizes[diameter])
    action = f"put the {thing.name} on the {pair[0].name}"
    return _with_occupant(rng, pair, occupant, thing, action)


def _plates(colors: Colors, diameter: float) -> tuple[Item, Item]:
    return (
        plate(colors.next(SHOWING_SHAPE), diameter),
        plate(colors.next(SHOWING_SHAPE), diameter),
    )


def _food(rng: np.random.Generator, colors: Colors) -> Item:
    if rng.random() < 0.5:
        return _apple(rng, colors)
    return cupcake(colors.next(), *CUPCAKE_M)


def _apple(rng: np.random.Generator, colors: Colors) -> Item:
    return apple(colors.next(("red", "green", "yellow")), pick(rng, APPLES_M))


def _upside_down(rng: np.random.Generator, colors: Colors) -> Exchange:
    thing = _apple(rng, colors)
    pair = _plates(colors, pick(rng, PLATES_M))
    radius = bounding_radius_m(pair[0])
    (ax, ay), (bx, by), (cx, cy) = alike_places(rng, radius, bounding_radius_m(thing))
    items = (
        resting_at(pair[0], ax, ay, UPSIDE_DOWN, yaw_rad=any_turn(rng), state="inverted"),
        standing_at(pair[1], bx, by, yaw_rad=any_turn(rng)),
        standing_at(thing, cx, cy, yaw_rad=any_turn(rng)),
    )
    return Exchange(
        items,
        pair,
        f"put the {thing.name} on the {pair[0].name} and carry it away on the plate",
        (thing.name, pair[0].name),
        Constraint.OPENING_DOWN,
        {"carried": "on the plate"},
    )


def _coaster(rng: np.random.Generator, colors: Colors) -> Exchange:
    pair = (
        coaster(colors.next(SHOWING_SHAPE), COASTER_M),
        coaster(colors.next(SHOWING_SHAPE), COASTER_M),
    )
    thing = _drink(rng, colors.next())
    # Nothing that the thing could be put into.
    if rng.random() < 0.5:
        occupant = can(colors.next(), *CAN_M)
    else:
        occupant = bottle(colors.next(), *pick(rng, BOTTLES_M))
    action = f"put the {thing.name} on the {pair[0].name}"
    return _with_occupant(rng, pair, occupant, thing, action)


def _drink(rng: np.random.Generator, color: str) -> Item:
    """Something to drink from, 66-90 mm wide."""
    match rng.integers(3):
        case 0:
            return can(color, *CAN_M)
        case 1:
            return mug(color, *pick(rng, MUGS_M))
        case _:
            return cup(color, *pick(rng, CUPS_M))


def _stand(rng: np.random.Generator, colors: Colors) -> Exchange:
    pair = (book_stand(colors.next(SHOWING_SHAPE)), book_stand(colors.next(SHOWING_SHAPE)))
    thing, occupant = (book(colors.next(), _BOOK_M) for _ in range(2))
    radius = bounding_radius_m(pair[0])
    (ax, ay), (bx, by), (cx, cy) = alike_places(rng, radius, bounding_radius_m(thing))
    # Their fronts are towards the robot, more or less.
    turns = np.pi + rng.uniform(-0.9, 0.9, 2)
    taken = standing_at(pair[0], ax, ay, yaw_rad=float(turns[0]))
    items = (
        replace(taken, state="upright, filled"),
        standing_at(pair[1], bx, by, yaw_rad=float(turns[1])),
        replace(occupant.at(on_stand(taken, occupant)), state="upright, closed", set_in=taken.name),
        standing_at(thing, cx, cy, yaw_rad=any_turn(rng)),
    )
    action = f"put the {thing.name} on the {pair[0].name}"
    critical_objects = (thing.name, pair[0].name, occupant.name)
    return Exchange(items, pair, action, critical_objects, Constraint.OCCUPIED)


DOMAIN = Occupancy()

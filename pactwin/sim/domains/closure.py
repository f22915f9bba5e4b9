"""Closure: write with the marker, take the ball out of the box, pour from the bottle.

Physics: what is closed has to be opened first. The trial does what the hand would do (see
``sim.trials.using``) and measures whether the nib meets the paper, whether a hand gets at the
ball and the ball out, whether beads run out of the bottle and into the cup.

Two things of one kind are on the table, one closed and one open. The twins exchange them, so that
only *which* of them is asked about decides:

- ``marker``: the cap is on the marker, or beside it.
- ``hinged``: the lid of the box is shut, or stands open.
- ``lidded``: a loose lid lies on the box, or beside it.
- ``bottle``: the cap is screwed on the bottle, or stands beside it.

Caps and loose lids are things of their own: each of the two has one.
"""

from dataclasses import replace

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import SHOWING_SHAPE, Colors, Exchange, any_turn
from pactwin.sim.objects.blocks import open_box
from pactwin.sim.objects.closures import bottle_cap, box_lid, hinged_box, screwed_on, wide_bottle
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import ON_SIDE, resting_at, standing_at, top_m
from pactwin.sim.objects.standard_sizes import BALLS_M, CUPS_M, MARKERS_M, NOTEPAD_M, pick
from pactwin.sim.objects.stationery import capped, marker, marker_cap, notepad
from pactwin.sim.objects.tableware import cup
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.using import pour, take_out, write
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import GAP_M, alike_places, bounding_radius_m
from pactwin.sim.scene.pose import Vec3
from pactwin.suite import Constraint

# Inner size of boxes; diameter, height and mouth of bottles.
_BOXES_M: tuple[Vec3, ...] = ((0.082, 0.07, 0.06), (0.096, 0.076, 0.068))
_BOTTLES_M: tuple[Vec3, ...] = ((0.063, 0.128, 0.036), (0.069, 0.142, 0.04))

_USES = {"write": write, "take out": take_out, "pour": pour}


class Closure:
    """See the module's docstring."""

    name = "closure"
    precondition = "it_is_open"
    trial_version = 2
    min_margin = 0.6

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_marker, _hinged, _lidded, _bottle)[rng.integers(4)]
        return family(rng, colors).twins(rng, colors)

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Use the thing as it is."""
        return _USES[str(layout.params["use"])](layout, perturbation)

    def handling(self, layout: Layout) -> Handling:
        """A hand takes the tool to where it is used, or comes over the box."""
        thing, *others = layout.critical_objects
        if layout.params["use"] == "take out":
            return Handling(destinations=(thing,))
        return Handling((Grasp(thing),), (others[0],), (thing,))


def _beside(rng: np.random.Generator, thing: Item, radius_m: float) -> tuple[float, float]:
    """A place for something of ``radius_m`` beside the thing, on either of its sides."""
    x, y, _ = thing.world_from_object.pos
    _, across, _ = thing.world_from_object.matrix()[:3, :3].T
    way = across[:2] / np.linalg.norm(across[:2]) * rng.choice((-1, 1))
    off = thing.size_m[1] / 2 + radius_m + GAP_M
    return float(x + off * way[0]), float(y + off * way[1])


def _marker(rng: np.random.Generator, colors: Colors) -> Exchange:
    pad = notepad(colors.next(("white", "yellow", "pink")), NOTEPAD_M)
    thick, long = pick(rng, MARKERS_M)
    pair = (
        marker(colors.next(), thick, long),
        marker(colors.next(), thick, long),
    )
    on, off = (marker_cap(colors.next(), thick) for _ in range(2))
    # The open one needs room for its cap, and so both have it.
    shut_at, open_at, pad_at = alike_places(rng, long / 2 + 0.025, bounding_radius_m(pad))
    closed = resting_at(pair[0], *shut_at, ON_SIDE, yaw_rad=any_turn(rng), state="on_side, closed")
    opened = resting_at(pair[1], *open_at, ON_SIDE, yaw_rad=any_turn(rng), state="on_side, open")
    beside = _beside(rng, opened, off.size_m[2] / 2)
    loose = resting_at(off, *beside, ON_SIDE, yaw_rad=any_turn(rng), state="on_side")
    attached = replace(on.at(capped(closed, on)), attached_to=closed.name, state="on_side")
    items = (closed, opened, attached, loose, standing_at(pad, *pad_at, yaw_rad=any_turn(rng)))
    return Exchange(
        items,
        pair,
        f"write on the {pad.name} with the {pair[0].name}",
        (pair[0].name, pad.name, on.name),
        Constraint.COVERED,
        {"use": "write"},
    )


def _hinged(rng: np.random.Generator, colors: Colors) -> Exchange:
    inner = pick(rng, _BOXES_M)
    pair = (
        hinged_box(colors.next(SHOWING_SHAPE), inner, closed=True),
        hinged_box(colors.next(SHOWING_SHAPE), inner, closed=False),
    )
    (ax, ay), (bx, by) = alike_places(rng, max(map(bounding_radius_m, pair)))
    # Lids open to the left or right, more or less: no more than one camera sees their backs only.
    turns = rng.choice([0.0, np.pi], 2) + rng.uniform(-0.9, 0.9, 2)
    boxes = (
        standing_at(pair[0], ax, ay, yaw_rad=float(turns[0])),
        standing_at(pair[1], bx, by, yaw_rad=float(turns[1])),
    )
    return _boxes(rng, colors, boxes, (), ())


def _lidded(rng: np.random.Generator, colors: Colors) -> Exchange:
    inner = pick(rng, _BOXES_M)
    pair = (
        _plastic_box(colors.next(SHOWING_SHAPE), inner),
        _plastic_box(colors.next(SHOWING_SHAPE), inner),
    )
    on, off = (box_lid(colors.next(), pair[0]) for _ in range(2))
    radius = bounding_radius_m(on)
    (ax, ay), (bx, by), beside = alike_places(rng, radius, radius)
    closed = replace(standing_at(pair[0], ax, ay, yaw_rad=any_turn(rng)), state="upright, closed")
    opened = replace(standing_at(pair[1], bx, by, yaw_rad=any_turn(rng)), state="upright, open")
    turn = float(np.arctan2(*closed.world_from_object.matrix()[1::-1, 0]))
    lids = (
        standing_at(on, ax, ay, on_z=top_m(closed), yaw_rad=turn),
        standing_at(off, *beside, yaw_rad=any_turn(rng)),
    )
    return _boxes(rng, colors, (closed, opened), lids, (on.name,))


def _plastic_box(color: str, inner_m: Vec3) -> Item:
    return open_box(color, inner_m, material="plastic")


def _boxes(
    rng: np.random.Generator,
    colors: Colors,
    boxes: tuple[Item, Item],
    lids: tuple[Item, ...],
    critical_objects: tuple[str, ...],
) -> Exchange:
    """Two boxes with a ball in each; the first is asked about."""
    balls = []
    for box in boxes:
        floor = box.parts[0]
        x, y, z = (box.world_from_object @ floor.pose).pos
        balls.append(
            standing_at(ball(colors.next(), BALLS_M[0]), x, y, on_z=z + floor.size_m[2] / 2)
        )
    name = boxes[0].name
    return Exchange(
        (*boxes, *lids, *balls),
        boxes,
        f"take the ball out of the {name}",
        (name, *critical_objects),
        Constraint.COVERED,
        {"use": "take out"},
    )


def _bottle(rng: np.random.Generator, colors: Colors) -> Exchange:
    wide, high, mouth = pick(rng, _BOTTLES_M)
    pair = tuple(wide_bottle(colors.next(SHOWING_SHAPE), wide, high, mouth) for _ in range(2))
    on, off = (bottle_cap(colors.next(), mouth) for _ in range(2))
    cup_mouth, *size = pick(rng, CUPS_M)
    glass = cup(colors.next(), cup_mouth, *size)
    radii = [bounding_radius_m(item) for item in (glass, off)]
    shut_at, open_at, cup_at, beside = alike_places(rng, bounding_radius_m(pair[0]), *radii)
    closed = replace(standing_at(pair[0], *shut_at), state="upright, closed")
    attached = replace(on.at(screwed_on(closed, on)), attached_to=closed.name)
    items = (
        closed,
        standing_at(pair[1], *open_at),
        attached,
        standing_at(off, *beside),
        standing_at(glass, *cup_at, yaw_rad=any_turn(rng)),
    )
    return Exchange(
        items,
        (pair[0], pair[1]),
        f"pour what is in the {pair[0].name} into the {glass.name}",
        (pair[0].name, glass.name, on.name),
        Constraint.COVERED,
        {"use": "pour", "mouth_m": cup_mouth},
    )


DOMAIN = Closure()

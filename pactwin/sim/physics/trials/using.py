"""Trials of objects that may be closed: write with, take something out of, pour from.

Each trial moves the tool as a hand would and measures the achieved share of the contact or path
that makes up the use: nib on paper, hand to the object and object out of the box, beads out of the
bottle and into the cup. It also measures the motion of bystanders. Layouts are at rest.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.objects.blocks import cylinder
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import run_until_still, settle
from pactwin.sim.physics.trials.putting import GRIP_TIME_S, HOVER_M, OVERLAP_M, move_to
from pactwin.sim.physics.trials.raycasting import cavity_of
from pactwin.sim.physics.trials.removal import disturbance_since, everything_but
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout, Part
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.suite import Measurement

DONE, HALF, NOT_DONE = 0.8, 0.5, 0.2
"""Shares of a use: done above, half, and not done below."""

# Writing: the marker leans over, its nib is pressed on the pad, and draws a line.
_LEAN_RAD = float(np.deg2rad(25.0))
PRESS_M = 0.002
CONTACT_M = 0.001
CLEAR_M = 0.03  # more than a cap reaches over the nib
LINE_M, LINE_STEPS = 0.04, 10
LINE_M_S = 0.1

# Taking out, with fingertips.
_FINGERS_M = (0.022, 0.08)
TOUCH_M = 0.002

# Pouring: beads stand for what is in the bottle.
_BEADS, _BEAD_M = 5, 0.010
TILT_RAD = float(np.deg2rad(150.0))
_OVER_CUP_M = 0.03
_POUR_S, _CHUNK_S, _STILL = 1.2, 0.2, (0.1, np.inf)
_AT_REST = (0.005, 0.005)


@dataclass(frozen=True)
class Used:
    """Achieved share of a use (0 to 1) with its measurements.

    ``disturbs`` is the largest motion of a bystander, in units of the limit of removal trials;
    infinite if there was no room to begin. ``short_m`` is the remaining distance of the nib, the
    hand, or half of the beads.
    """

    share: float
    measurements: dict[str, Measurement]
    disturbs: float = 0.0
    short_m: float = 0.0


def write(layout: Layout, perturbation: Perturbation, tool_name: str, pad_name: str) -> Used:
    """Draw a line with a marker on a pad, and measure whether the nib is on the paper.

    The nib is the marker's first part, a capsule at the lower end of its frame.
    """
    tool, pad = layout.item(tool_name), layout.item(pad_name)
    world = World(layout, perturbation, held=tool.name, grip_time_s=GRIP_TIME_S)
    settle(world)
    watched = _Watched(world, layout, (tool.name, pad.name))
    paper = world.pose(pad.name)
    stopped_by = move_to(
        world, writing_pose(paper, pad, tool), np.array([0.0, 0.0, -CLEAR_M - PRESS_M])
    )
    gaps = [off_the_paper_m(world, tool, pad)]
    if stopped_by is not None:
        step = paper.matrix()[:3, 0] * LINE_M / LINE_STEPS
        for _ in range(LINE_STEPS):
            world.move_hand(step, LINE_M_S)
            gaps.append(off_the_paper_m(world, tool, pad))
    drawn = float(np.mean(np.array(gaps) < CONTACT_M))
    return Used(
        drawn,
        {
            "line_drawn": Measurement(value=round(drawn, 3), limit=HALF, unit="of the line"),
            "nib_off_the_paper": Measurement(value=round(float(np.median(gaps)), 5), unit="m"),
        },
        np.inf if stopped_by is None else watched.disturbance(),
        float(np.median(gaps)),
    )


class _Watched:
    """Bystanders of a use: all items of a world except some items and those on them."""

    def __init__(self, world: World, layout: Layout, names: Collection[str]) -> None:
        fixed_to = [item.name for item in layout.items if item.attached_to in names]
        self.world, self.others = world, everything_but(world, (*names, *fixed_to))
        self.before = world.poses()

    def disturbance(self) -> float:
        """The most that any of it has moved once it is at rest again, in units of the limit."""
        if self.others.any():
            run_until_still(self.world, _POUR_S, _CHUNK_S, _AT_REST, items=self.others)
        return disturbance_since(self.world, self.before, self.others).ratio


def writing_pose(paper: Pose, pad: Item, tool: Item) -> Pose:
    """Initial pose of a marker: leaning, ``CLEAR_M`` above the start of its line on the pad.

    The nib comes down near one side of the pad at pose ``paper`` and moves to the other.
    """
    tip, round_m = _nib(tool)
    lean = axis_angle((1.0, 0.0, 0.0), _LEAN_RAD)
    over = pad.size_m[2] / 2 + round_m + CLEAR_M
    return paper @ Pose((-LINE_M / 2, 0.0, over), lean) @ tip.inverse()


def off_the_paper_m(world: World, tool: Item, pad: Item) -> float:
    """Height of the nib above the paper, m; beside the pad ``CLEAR_M``."""
    tip, round_m = _nib(tool)
    half = np.array(pad.size_m) / 2
    at = (world.pose(pad.name).inverse() @ world.pose(tool.name) @ tip).pos
    beside = abs(at[0]) > half[0] or abs(at[1]) > half[1]
    return CLEAR_M if beside else float(at[2] - half[2] - round_m)


def _nib(tool: Item) -> tuple[Pose, float]:
    """The middle of the ball at the nib's end, in the tool's frame, and its radius (m)."""
    nib = tool.parts[0]
    round_m = nib.size_m[0] / 2
    return nib.pose @ Pose((0.0, 0.0, round_m - nib.size_m[2] / 2)), round_m


def take_out(layout: Layout, perturbation: Perturbation, name: str, box_name: str) -> Used:
    """Take an object out of a box: can a hand get at it, and the object get out?"""
    box, content = layout.item(box_name), layout.item(name)
    # Waiting in mid-air, held, until the scene is known to be at rest.
    fingers = fingertips().at(Pose((0.3, 0.0, 0.6)))
    reaching = replace(layout, items=(*layout.items, fingers))
    world = World(reaching, perturbation, held=fingers.name, grip_time_s=GRIP_TIME_S)
    world.grasp()
    settle(world)
    watched = _Watched(world, reaching, (fingers.name, content.name, box.name))
    x, y, z = world.pose(content.name).pos
    goal = z + content.size_m[2] / 2 + TOUCH_M + fingers.size_m[2] / 2
    way = top_over(layout, box) + HOVER_M - (goal - fingers.size_m[2] / 2)
    move_to(world, Pose((x, y, goal + way)), np.array([0.0, 0.0, -way]))
    left = world.pose(fingers.name).pos[2] - goal
    # What reaches up to the rim is as far from a hand that is kept out as it is thick.
    reached = float(np.clip(1.0 - left / max(way - HOVER_M, content.size_m[2] / 2), 0.0, 1.0))
    disturbs, raised = watched.disturbance(), 0.0
    if reached > DONE:
        raised, left, above = _raised(layout, perturbation, box, content)
        disturbs = max(disturbs, above)
    return Used(
        min(reached, raised),
        {
            "hand_reaches": Measurement(
                value=round(reached, 3), limit=HALF, unit="of the way to it"
            ),
            "raised": Measurement(value=round(raised, 3), limit=HALF, unit="of the way out"),
        },
        disturbs,
        left,
    )


def pour(layout: Layout, perturbation: Perturbation, bottle_name: str, cup_name: str) -> Used:
    """Hold a bottle tilted over a cup, and measure how much runs into it."""
    bottle, cup = layout.item(bottle_name), layout.item(cup_name)
    tilted = pouring_pose(cup, bottle)
    beads = beads_in(bottle.at(tilted))
    poured = layout.moved(bottle.name, tilted)
    poured = replace(poured, items=(*poured.items, *beads))
    world = World(poured, perturbation, held=bottle.name)
    if world.deepest_contact_m(bottle.name) > OVERLAP_M:
        return Used(0.0, {}, np.inf)
    watched = _Watched(world, poured, (bottle.name, cup.name, *(bead.name for bead in beads)))
    world.grasp()
    numbers = [world.names.index(bead.name) for bead in beads]
    run_until_still(world, _POUR_S, _CHUNK_S, _STILL, items=numbers)
    outside = outside_m(world, cup, [bead.name for bead in beads])
    share = float(np.mean(outside < 0.0))
    measured = Measurement(value=share, limit=HALF, unit="of the beads")
    short = float(np.median(outside))
    return Used(share, {"poured_into_it": measured}, watched.disturbance(), short)


def outside_m(world: World, cup: Item, names: Sequence[str]) -> np.ndarray:
    """Distances (n,), m, of the named objects from the inside of the cup; negative inside."""
    here = world.pose(cup.name).inverse()
    at = np.array([(here @ world.pose(name)).pos for name in names])
    wide = min(cavity_of(world, cup.name, cup.size_m[2]).half_m)
    beside = np.hypot(at[:, 0], at[:, 1]) - wide
    return np.maximum(beside, np.abs(at[:, 2]) - cup.size_m[2] / 2)


def _raised(
    layout: Layout, perturbation: Perturbation, box: Item, content: Item
) -> tuple[float, float, float]:
    """Lift the content until it is above the box.

    Returns the share of the way it was lifted, the missing rest (m), and the disturbance.
    """
    world = World(layout, perturbation, held=content.name, grip_time_s=GRIP_TIME_S)
    settle(world)
    watched = _Watched(world, layout, (content.name, box.name))
    before = world.pose(content.name).pos[2]
    way = top_over(layout, box) + HOVER_M + content.size_m[2] / 2 - before
    move_to(world, world.pose(content.name), np.array([0.0, 0.0, way]))
    raised = float(np.clip((world.pose(content.name).pos[2] - before) / way, 0.0, 1.0))
    return raised, (1.0 - raised) * way, watched.disturbance()


def fingertips() -> Item:
    """The closed fingers of a hand, pointing down."""
    thick, long = _FINGERS_M
    rod = Part("capsule", (thick, thick, long))
    return replace(cylinder("black", thick, long, "rubber"), name="fingertips", parts=(rod,))


def pouring_pose(cup: Item, bottle: Item) -> Pose:
    """Pose of the pouring bottle: tilted, on the robot's side, its mouth over the cup's middle."""
    x, y, z = cup.world_from_object.pos
    mouth = Pose((0.0, 0.0, bottle.size_m[2] / 2))
    at = Pose((x, y, z + cup.size_m[2] / 2 + _OVER_CUP_M), axis_angle((0.0, 1.0, 0.0), TILT_RAD))
    return at @ mouth.inverse()


def beads_in(bottle: Item) -> tuple[Item, ...]:
    """Separate beads in the middle of the bottle's body."""
    return tuple(
        replace(ball("black", _BEAD_M), name=f"bead {k}").at(
            bottle.world_from_object @ Pose((0.0, 0.0, (k - _BEADS / 2) * 1.4 * _BEAD_M))
        )
        for k in range(_BEADS)
    )


def top_over(layout: Layout, box: Item) -> float:
    """Height of the top of the box and of objects lying on it."""
    near = max(box.size_m[:2]) / 2
    return max(
        heights_m(item)[1]
        for item in layout.items
        if math.dist(item.world_from_object.pos[:2], box.world_from_object.pos[:2]) < near
    )

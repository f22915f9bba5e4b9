"""The trial behind "move this there, then that there": moves carried out in turn.

Each thing is lifted off, and nothing else may move by that. Then it is lowered to its place, twice,
a little off as hands are, and has to stay there (see ``sim.trials.resting``); on a tray that is
where its floor has most room left. Between, it is carried above everything.

The first move that fails decides. If a thing cannot be taken, its destination is tried by itself
too, without what was in the way, so that a second cause is found as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.free_area import roomiest
from pactwin.sim.physics.trials.putting import GRIP_TIME_S
from pactwin.sim.physics.trials.removal import (
    DISTURBED,
    LIFTING,
    LIFTING_OR_DRAWING,
    LIMIT_M,
    LIMIT_RAD,
    UNDISTURBED,
    carry_off,
)
from pactwin.sim.physics.trials.resting import aimed, flush_on, set_down
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint, Measurement

_DROPS = 2
# Clearance all around that counts as one unit of margin on a tray.
_ROOM_M = 0.008
_PLAN = "plan"


@dataclass(frozen=True)
class Move:
    """Take ``thing`` away, or set it down ``on`` something, or on the floor of a ``tray``."""

    thing: str
    on: str = ""
    tray: str = ""


def plan_params(*moves: Move) -> dict[str, float | str]:
    """The moves as a layout's params."""
    return {_PLAN: ";".join(",".join((m.thing, m.on, m.tray)) for m in moves)}


def plan_of(layout: Layout) -> tuple[Move, ...]:
    """The moves a layout asks for."""
    return tuple(Move(*move.split(",")) for move in str(layout.params[_PLAN]).split(";"))


@dataclass(frozen=True)
class _Step:
    """Half a move: how far something strayed, as a share of the limit, and the cause if it did.

    ``room_m`` is the clearance on a tray; ``gone`` names what moved when the thing was taken.
    """

    ratio: float
    constraint: Constraint
    room_m: float | None = None
    gone: frozenset[str] = frozenset()

    @property
    def done(self) -> bool:
        return self.ratio <= UNDISTURBED


def moving_trial(layout: Layout, perturbation: Perturbation) -> TrialOutcome:
    """Carry out the layout's plan; infeasible with the cause that the first failing move meets."""
    moves = plan_of(layout)
    world = World(layout, perturbation, held=moves[0].thing, grip_time_s=GRIP_TIME_S)
    if settle_error := settle(world):
        return TrialOutcome.undecided(settle_error)
    rng = np.random.default_rng(perturbation.seed)
    steps: list[_Step] = []
    also: tuple[Constraint, ...] = ()
    for move in moves:
        steps.append(_taken(world, move))
        if steps[-1].done and (move.on or move.tray):
            steps.append(_put(world, layout, move, rng))
        elif steps[-1].gone and (move.on or move.tray):
            alone = _put_without(layout, perturbation, move, steps[-1].gone)
            also = (alone.constraint,) if alone.ratio >= DISTURBED else ()
        if not steps[-1].done:
            break
    return _outcome(steps, also)


def _outcome(steps: Sequence[_Step], also: tuple[Constraint, ...]) -> TrialOutcome:
    worst = max(steps, key=lambda step: step.ratio)
    measurements = {
        "moved_by_the_move": Measurement(
            value=round(worst.ratio, 4), limit=1.0, unit="times 10 mm or 10 degrees"
        )
    }
    rooms = [step.room_m for step in steps if step.room_m is not None]
    if rooms:
        measurements["room_around_it_on_the_tray"] = Measurement(
            value=round(min(rooms), 4), limit=0.0, unit="m"
        )
    return TrialOutcome.of(
        worst.constraint,
        measurements,
        1.0 - worst.ratio,
        works=worst.done,
        fails=worst.ratio >= DISTURBED,
        between="neither moved nor at rest",
        also=also,
    )


def _taken(world: World, move: Move) -> _Step:
    """Lift the thing off; or, if it only has to go away, draw it out in the best way."""
    world.hold(move.thing)
    before, poses = world.snapshot(), world.poses()
    ratio, gone = np.inf, frozenset[str]()
    for path in (LIFTING if move.on or move.tray else LIFTING_OR_DRAWING).values():
        world.restore(before)
        found = carry_off(world, path).ratio
        if found < ratio:
            moved_m, turned_rad = world.moved_since(poses)
            moved = np.maximum(moved_m / LIMIT_M, turned_rad / LIMIT_RAD) > UNDISTURBED
            ratio = found
            gone = frozenset(np.array(world.names)[moved]) - {move.thing}
        if found <= UNDISTURBED:
            break
    return _Step(float(ratio), Constraint.SUPPORTS_OTHER, gone=gone)


def _put(world: World, layout: Layout, move: Move, rng: np.random.Generator) -> _Step:
    """Set the thing down where the move says, more than once."""
    thing = layout.item(move.thing)
    room = None
    if move.on:
        place = flush_on(world, thing, layout.item(move.on))
    else:
        others = [
            item.at(world.pose(item.name))
            for item in layout.items
            if not item.distractor and item.name not in (move.thing, move.tray)
        ]
        tray = layout.item(move.tray).at(world.pose(move.tray))
        floor, room = roomiest(tray, others, max(thing.size_m[:2]))
        place = floor.moved(dz=thing.size_m[2] / 2 + 0.001)
    before = world.snapshot()
    rests = []
    for _ in range(_DROPS):
        world.restore(before)
        rests.append(set_down(world, aimed(rng, place)))
    displacement = [rest.displacement for rest in rests]
    if room is not None:
        displacement.append(1.0 - room / _ROOM_M)
    blocked = any(rest.stopped_by for rest in rests)
    cause = Constraint.OCCUPIED if blocked else Constraint.UNSTABLE_SUPPORT
    if max(displacement) <= UNDISTURBED:
        return _Step(max(displacement), cause, room)
    return _Step(max(min(displacement), 1.0), cause, room)


def _put_without(
    layout: Layout, perturbation: Perturbation, move: Move, gone: frozenset[str]
) -> _Step:
    """Whether the thing could be set down if it were in the hand, and ``gone`` were not there."""
    rest = replace(layout, items=tuple(i for i in layout.items if i.name not in gone))
    world = World(rest, perturbation, held=move.thing, grip_time_s=GRIP_TIME_S)
    if settle(world):
        return _Step(1.0, Constraint.NONE)
    return _put(world, rest, move, np.random.default_rng(perturbation.seed))

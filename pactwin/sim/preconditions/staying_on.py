"""Set A on B and release it: the place is free, and A stays there.

A is set down flush on B's top, whose orientation is measured: in the middle and, if B is larger
than A, at other places towards its edge, a few times each with small pose errors. It stays if it
does so every time at one place. It does not if, at every place, it falls or is blocked in three of
four trials (in repetitions: in two, if the first two agree). In that case the trial is repeated
without other items on or over B, and without obstacles on the way.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome, measured
from pactwin.sim.physics.trials.putting import GRIP_TIME_S
from pactwin.sim.physics.trials.removal import DISTURBED, PLAINLY_DISTURBED, UNDISTURBED
from pactwin.sim.physics.trials.resting import DROPS, Rest, aimed, flush_on, set_down
from pactwin.sim.preconditions.going_in import WAY_THERE
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.surroundings import on_or_over
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

# Of the drops in one place, as many must fail for the place to fail. In the many repetitions the
# first few are enough if they agree.
_FALLS, _ALIKE = 3, 2
# Other places are tried where B reaches so much farther than A, and so far from its edge.
_WIDER_M, _OFF_EDGE_M = 0.008, 0.004
_NEVER = 4.0
_RELEASES = 1  # a stream of random numbers beside that of pose noise, which has the same seed


def stays_on(situation: SettledScene, thing: str, support: str) -> Outcomes:
    """Can the object be set on the free support, and does it stay there?"""
    situation = situation.in_hand(thing, support)
    there = situation.item(support)
    others = on_or_over(there, situation.items) - {thing}
    best, met = _best(situation, thing, support)
    moved = best.displacement
    free, holds = _outcome(best, Constraint.OCCUPIED), _outcome(best, Constraint.UNSTABLE_SUPPORT)
    free_way = TrialOutcome(True, Constraint.NONE, {}, 1.0)
    if moved <= UNDISTURBED and not others:
        free = replace(free, distance=None)  # nothing is there that it could be measured from
    found = {"its_place_is_free": free, "it_stays_there": holds, WAY_THERE: free_way}
    if moved <= UNDISTURBED:
        return found
    if guards := met - others - {thing, support, "table"}:
        found[WAY_THERE] = _outcome(best, Constraint.PATH_BLOCKED)
        situation = situation.without(guards)
        best, _ = _best(situation, thing, support)
        moved = best.displacement
        found["its_place_is_free"] = _outcome(best, Constraint.OCCUPIED)
        found["it_stays_there"] = _outcome(best, Constraint.UNSTABLE_SUPPORT)
    if not others:
        found["its_place_is_free"] = free_way
    elif moved > UNDISTURBED:
        alone, _ = _best(situation.without(others), thing, support)
        holds = found["it_stays_there"] = _outcome(alone, Constraint.UNSTABLE_SUPPORT)
        # What stands there is one cause more only if it is in the way in every place.
        if holds.feasible is False and not best.stopped_by & others:
            found["its_place_is_free"] = free_way
    return found


def place_on_top(situation: SettledScene, thing: str, support: str) -> Pose | None:
    """Pose of the object on the middle of the support; None if the support has no top."""
    world = situation.world(thing)
    return flush_on(world, situation.item(thing), situation.item(support))


def _best(
    situation: SettledScene, thing_name: str, support_name: str
) -> tuple[Rest, frozenset[str]]:
    """The result in the best place, and names of all items it touched on the paths to places.

    It is the worst drop there; if some do not stay, one of ``_FALLS`` of them.
    """
    thing, support = situation.item(thing_name), situation.item(support_name)
    world = situation.world(thing_name, GRIP_TIME_S)
    disturbed = situation.perturbation
    rng = np.random.default_rng([disturbed.seed, _RELEASES])
    # To keep a label all drops are tried: one in a hundred may bounce off.
    few = not situation.nominal and disturbed.release_scale <= 1.0
    what, fallen = ("stay on", thing_name, support_name), dict[tuple[float, float], Rest]()
    met = frozenset[str]()
    for off in situation.candidates(what, offsets_on(thing, support)):
        world = situation.world(thing_name, GRIP_TIME_S)  # at rest, as before the last drop
        place = flush_on(world, thing, support, off)
        if place is None:
            continue
        rests = list[Rest]()
        for _ in range(DROPS):
            world = situation.world(thing_name, GRIP_TIME_S)
            rests.append(set_down(world, aimed(rng, place, disturbed.release_scale)))
            met |= rests[-1].stopped_by
            moved = [rest.displacement for rest in rests]
            if sum(m >= DISTURBED for m in moved) == _FALLS:
                break
            agree = max(moved) <= UNDISTURBED or min(moved) >= DISTURBED
            if few and agree and len(moved) == _ALIKE:
                break
        # Set down exactly in line with a ridge or a roll, a thing may stay once: no success.
        rests.sort(key=lambda rest: rest.displacement)
        if rests[-1].displacement <= UNDISTURBED:
            return rests[-1], met
        known = [rest.left for rest in rests if rest.left is not None]
        worst = min(known, key=lambda left: left.value, default=None)
        falls = replace(rests[-min(_FALLS, len(rests))], left=worst)
        if falls.displacement < DISTURBED:
            falls = replace(falls, displacement=1.0, left=None)
        fallen[off] = falls
    if not fallen:
        return Rest(frozenset(), _NEVER), met
    plainly = [off for off, rest in fallen.items() if rest.displacement > PLAINLY_DISTURBED]
    nearest = min(fallen, key=lambda off: _fallen(fallen[off]))
    situation.record_failures(what, plainly, nearest)
    return fallen[nearest], met


def _fallen(rest: Rest) -> tuple[float, bool, float]:
    """Severity of a fall: its distance, whether it was blocked, and the distance from staying."""
    left = np.inf if rest.left is None else -rest.left.value
    return rest.displacement, bool(rest.stopped_by), left


def _outcome(rest: Rest, constraint: Constraint) -> TrialOutcome:
    moved = rest.displacement
    fell = measured(moved, "times 10 mm or 10 degrees", 1.0, decimals=4)
    return TrialOutcome.of(
        constraint,
        {"moved_after_letting_go": fell},
        1.0 - moved,
        works=moved <= UNDISTURBED,
        fails=moved >= DISTURBED,
        between="it stays or falls by chance",
        distance=rest.left,
    )


def offsets_on(thing: Item, support: Item) -> Iterator[tuple[float, float]]:
    """Places on a support's top, from its middle along its x and y (m)."""
    yield 0.0, 0.0
    if support.world_from_object.matrix()[2, 2] < 0.9:
        return
    room = [
        (s - t) / 2 - _OFF_EDGE_M for s, t in zip(support.size_m[:2], thing.size_m[:2], strict=True)
    ]
    if max(room) < _WIDER_M:
        return
    x, y = (max(r, 0.0) for r in room)
    if support.parts[0].shape == "cylinder":
        x, y = 0.7 * x, 0.7 * y
    for a, b in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)):
        if (a == 0 or x > _WIDER_M) and (b == 0 or y > _WIDER_M):
            yield a * x, b * y

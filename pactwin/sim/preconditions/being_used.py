"""Uses: write with, take out of, pour from an object that is open, free and upright.

The use is tried in the scene as it is. If it fails, it is tried again without what is attached to
the tool or box, without what lies on the pad or in the cup, and with the cup upright; the change
that makes it work is the cause. It is undecided if it works but moves bystanders, or if there is no
room to begin.
"""

from collections.abc import Callable

import numpy as np

from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.outcome import TrialOutcome, distance
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.removal import UNDISTURBED
from pactwin.sim.physics.trials.using import DONE, HALF, NOT_DONE, Used
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.surroundings import on_or_over
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

Use = Callable[[Layout, Perturbation, str, str], Used]

_CHECKS = {
    "it_is_open": Constraint.COVERED,
    "the_opening_is_up": Constraint.OPENING_DOWN,
    "its_place_is_free": Constraint.OCCUPIED,
}


def can_be_used(
    situation: SettledScene, use: Use, tool: str, place: str, *, inside: bool = False
) -> Outcomes:
    """Can ``tool`` be used with ``place``? With ``inside`` it is to be taken out of there."""
    whole = _used(situation, use, tool, place)
    margin = round((whole.share - HALF) / HALF, 4)
    if NOT_DONE <= whole.share <= DONE:
        return {"it_is_open": TrialOutcome.undecided("only partly done")}
    if whole.disturbs == np.inf or (whole.share > DONE and whole.disturbs > UNDISTURBED):
        return {"it_is_open": TrialOutcome.undecided("something else moves")}
    causes = set() if whole.share > DONE else _causes(situation, use, tool, place, inside)
    if whole.share < NOT_DONE and not causes:
        return {"it_is_open": TrialOutcome.undecided("not done for no cause that is known")}
    # What is done is done: no length says by how much.
    works = TrialOutcome(True, Constraint.NONE, whole.measurements, abs(margin))
    left = distance(-whole.short_m, "m")
    return {
        name: TrialOutcome(False, cause, whole.measurements, margin, distance=left)
        if cause in causes
        else works
        for name, cause in _CHECKS.items()
        if not inside or cause is Constraint.COVERED
    }


def _causes(
    situation: SettledScene, use: Use, tool: str, place: str, inside: bool
) -> set[Constraint]:
    """Every cause that alone would still prevent the use, if all other causes were removed."""
    there = situation.item(place)
    caps = {item.name for item in situation.items if item.attached_to == tool}
    over = on_or_over(there, situation.items) - {tool}
    inverted = there.world_from_object.matrix()[2, 2] < 0
    if inside:  # the lid is a part of the box, or lies on it
        return {Constraint.COVERED}
    kinds = {Constraint.COVERED: caps, Constraint.OCCUPIED: over}
    gone = {cause: names for cause, names in kinds.items() if names}
    upright = there
    if inverted:
        x, y, _ = there.world_from_object.pos
        upright = there.at(Pose((x, y, 0.0)))
        upright = upright.at(upright.world_from_object.moved(dz=-heights_m(upright)[0]))
    causes = set()
    for cause in (*gone, *((Constraint.OPENING_DOWN,) if inverted else ())):
        others = set().union(*(names for kind, names in gone.items() if kind is not cause))
        instead = (upright,) if inverted and cause is not Constraint.OPENING_DOWN else ()
        only = situation.without(others, *instead)
        used = _used(only, use, tool, place)
        if used.share < NOT_DONE and used.disturbs < np.inf:
            causes.add(cause)
    return causes


def _used(situation: SettledScene, use: Use, tool: str, place: str) -> Used:
    return use(situation.at_rest, situation.quiet, tool, place)

"""Does an object come off where it is, without anything else falling or shifting?"""

from collections.abc import Collection

import numpy as np

from pactwin.sim.physics.outcome import TrialOutcome, distance, measured
from pactwin.sim.physics.trials.carrying import inside_m
from pactwin.sim.physics.trials.removal import (
    DISTURBED,
    LIFTING,
    LIFTING_OR_DRAWING,
    LIMIT_M,
    PLAINLY_DISTURBED,
    UNDISTURBED,
    Disturbance,
    carry_off,
    hanging_over,
)
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.suite import Constraint


def comes_off(
    situation: SettledScene, name: str, along: Collection[str] = (), *, drawn: bool = True
) -> Outcomes:
    """The item comes off, lifted or ``drawn`` out, and nothing else falls or shifts.

    Items attached to it or inserted into it come along, and so do those in ``along``. Drawing out
    is tried only if something rests on the item or hangs over it. If nothing that rests on it
    moves, but something else does, the rest collapses.
    """
    along = {*along, *(i.name for i in situation.items if i.attached_to == name)}
    world = situation.world(name)
    carried = world.supported_items(name) - along
    touching = world.contact_cluster(name)
    over = hanging_over(world) - along
    # What else it only bumps into on its way up is in the hand's way too, and the hand's to mind.
    apart = set(world.names) - touching - over - {name}
    found: list[tuple[str, Disturbance]] = []
    world = situation.world(name)
    others = sorted((touching | over) - along)
    borne = [{item, *world.supported_items(item)} - {name, *along} for item in others]
    inside = [inside_m(world, items, gone=name) for items in borne]
    ways = LIFTING_OR_DRAWING if drawn and carried | over else LIFTING
    if touching | over <= along:  # nothing that counts can move
        ways, found = {}, [("lift", Disturbance(0.0, 0.0, 0.0, frozenset()))]
    for way in situation.candidates(("come off", name), ways):
        path = ways[way]
        left_out = along | apart if path in LIFTING.values() else along
        world = situation.world(name)
        found.append((way, carry_off(world, path, left_out)))
        if found[-1][1].ratio <= UNDISTURBED:
            break
    way, least = min(found, key=lambda tried: tried[1].ratio)
    plainly = [way for way, tried in found if tried.ratio > PLAINLY_DISTURBED]
    situation.record_failures(("come off", name), plainly, way)
    stays = least.ratio <= UNDISTURBED
    if stays:
        inside = [inside_m(world, items) for items in borne]
    # Where nothing else carries what rests on it, there is no edge to be inside or beside. Of what
    # leans or is wedged, edges do not decide.
    edges = [far for far in inside if far is not None]
    left_m = min(edges, default=0.0)
    by_edges = bool(ways and edges) and (left_m > 0.0) == stays
    by_edges &= stays or len(edges) == len(inside)
    measurements = {
        "largest_displacement": measured(least.moved_m, "m", LIMIT_M),
        "largest_rotation": measured(np.rad2deg(least.turned_rad), "deg", 10.0, decimals=3),
        "largest_drop": measured(max(0.0, least.fallen_m), "m"),
    }
    outcome = TrialOutcome.of(
        Constraint.SUPPORTS_OTHER if carried & least.moved else Constraint.WOULD_COLLAPSE,
        measurements,
        float(1.0 - least.ratio),
        works=least.ratio <= UNDISTURBED,
        fails=least.ratio >= DISTURBED,
        between=f"neither moved nor at rest ({way})",
        distance=distance(left_m, "m") if by_edges else None,
    )
    return {f"nothing_else_moves_with: {name}": outcome}

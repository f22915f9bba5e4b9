"""Scenes in which an object is picked up, put into a vessel, set on a support, or restacked."""

from collections.abc import Sequence

import numpy as np

from pactwin.sim.actions.handling import PutInto, Restack, SetOn, Take
from pactwin.sim.scenarios import beams, handreach, hard_negatives, supports, things, vessels
from pactwin.sim.scenarios.common import Colors, turned_to_show
from pactwin.sim.scenarios.twins import Draft, Pair, Twins, staged
from pactwin.sim.scene.layout import Item

# What is not asked about is faulty too, in as many scenes.
_ELSEWHERE = 0.4
# How often a vessel is of a kind, and then how often a ball goes into it: balls in pen stands are
# common to all causes, since from a lying stand only a ball rolls out. What rolls carries nothing.
_VESSELS = {"box": 0.31, "cup": 0.31, "pen_stand": 0.38}
_BALLS = {"box": 0.25, "cup": 0.25, "pen_stand": 0.65}
# So often what may be too wide for an opening fits through it lengthwise alone.
_LONG = 0.3
_SUPPORTS = {"stand": 0.48, "can": 0.12, "coaster": 0.12, "plate": 0.1, "notepad": 0.18}
# So often what decides is no more than a cause's sign, which both twins show.
_DECOYS = 0.7
# So often what lies on its side tells nothing: a pen stand is propped, or nothing is a can.
_PROPPED, _CANS = 0.75, 0.3
_FRAMES = 0.75
_HOLLOW_FEET = 1.0
_WIDE = ("block", "block", "cylinder")


def _kind(rng: np.random.Generator, among: Sequence[str] | dict[str, float]) -> str:
    """One of some kinds, by their shares if they have any."""
    shares = list(among.values()) if isinstance(among, dict) else None
    return str(rng.choice(list(among), p=shares))


def thing_pair(
    rng: np.random.Generator, colors: Colors, robot: str, cause: str, kind: str = ""
) -> Pair:
    """Two like objects of the common pool; ``cause`` makes one of them faulty, "" neither."""
    match cause:
        case "too_wide":
            return things.too_wide(rng, colors, robot, kind or _kind(rng, _WIDE))
        case "not_thin":
            return things.too_wide(rng, colors, robot, "block", thin=True)
    names = colors.next(), colors.next()
    kind = kind or _kind(rng, things.FLAT_TOPPED)
    both = things.two_things(rng, names, kind)
    match cause:
        case "bridged":
            while not hard_negatives.carries_bridge(both[0]):
                kind = _kind(rng, things.FLAT_TOPPED)
                both = things.two_things(rng, names, kind, tall=True)
            return hard_negatives.bridged(rng, colors, both)
        case "loaded":
            return things.loaded(rng, colors, both)
        case "balancing":
            return beams.balancing(rng, colors, both)
    return handreach.by_hands(rng, colors, robot, both, cause)


def take(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Pick up one of two like objects."""
    colors = Colors(rng)
    pair = thing_pair(rng, colors, robot, cause)
    return staged(rng, colors, Draft(Take(pair.things[0].name), (pair,)))


def put_into(rng: np.random.Generator, robot: str, *causes: str) -> Twins:
    """Put an object into the first of two like vessels; either may have a fault."""
    colors = Colors(rng)
    ours, theirs = _split(rng, causes, _OF_VESSELS)
    lying = "lying" in causes
    kind = _kind(rng, _VESSELS)
    # Only into a box cameras look deep enough to see what is at the bottom.
    kind = "pen_stand" if lying else "box" if "filled" in causes else kind
    rolls = lying or (ours in ("", "far", "guarded") and rng.random() < _BALLS[kind])
    long = causes == ("narrow",) and not ours and rng.random() < _LONG
    shape = "small ball" if lying else "ball" if rolls else things.LONG if long else ""
    thing = thing_pair(rng, colors, robot, ours if ours != "loaded" or not rolls else "", shape)
    held = thing.things[0]
    room = 0.0
    if theirs == "ringed":
        room = hard_negatives.ring_room_m(rng, held) - vessels.needed_m(held, kind)
    deepest_m = {"deepest_m": vessels.LYING_M} if lying or room else {}
    both = vessels.two_vessels(
        rng, colors, kind, held, room, **deepest_m, showing_floor="filled" in causes
    )
    place = _vessel_pair(rng, colors, robot, both, held, theirs)
    return _both(rng, colors, PutInto(held.name, both.both[0].name), causes, thing, place)


def _vessel_pair(
    rng: np.random.Generator,
    colors: Colors,
    robot: str,
    both: vessels.Vessels,
    thing: Item,
    cause: str,
) -> Pair:
    stands = both.kind != "pen_stand"
    match cause:
        case "narrow":
            return vessels.narrow(rng, both)
        case "inverted" if stands and rng.random() < _HOLLOW_FEET:
            return hard_negatives.hollow_foot(rng, both)
        case "inverted":
            return vessels.inverted(rng, both)
        case "lying" if rng.random() < _PROPPED:
            return hard_negatives.propped(rng, colors, both)
        case "lying":
            return vessels.lying(rng, both)
        case "covered" if stands and rng.random() < _FRAMES:
            return hard_negatives.framed(rng, colors, both)
        case "covered":
            return vessels.covered(rng, colors, both)
        case "filled" if rng.random() < _DECOYS:
            filler = vessels.fillers(rng, colors, both, thing)[0]
            return hard_negatives.shallow(rng, colors, both, filler)
        case "filled":
            return vessels.filled(rng, colors, both, thing)
        case "ringed":
            return hard_negatives.ringed(rng, colors, both)
    over_m = handreach.over_m(thing)
    return handreach.by_hands(rng, colors, robot, both.both, cause, over_m=over_m)


def set_on(rng: np.random.Generator, robot: str, *causes: str) -> Twins:
    """Set an object on the first of two like supports; either may have a fault."""
    colors = Colors(rng)
    ours, theirs = _split(rng, causes, _OF_SUPPORTS)
    thing = thing_pair(rng, colors, robot, ours)
    place = _support_pair(rng, colors, robot, thing.things[0], theirs)
    action = SetOn(thing.things[0].name, place.things[0].name)
    return _both(rng, colors, action, causes, thing, place)


def _support_pair(
    rng: np.random.Generator, colors: Colors, robot: str, thing: Item, cause: str
) -> Pair:
    height_m = thing.size_m[2]
    if cause == "taken" and hard_negatives.leaves_room(thing) and rng.random() < _DECOYS:
        return hard_negatives.roomy(rng, colors, thing)
    if cause == "unsteady":
        kind = "can" if rng.random() < _CANS else "stand"
        return supports.unsteady(rng, colors, kind, height_m)
    both = supports.two_supports(rng, colors, _kind(rng, _SUPPORTS), height_m)
    if cause == "taken":
        return supports.taken(rng, colors, both)
    turns = [] if cause else turned_to_show(rng, "tip", 2)
    over_m = handreach.over_m(thing)
    return handreach.by_hands(rng, colors, robot, both, cause, over_m=over_m, turns_rad=turns)


def restack(rng: np.random.Generator, robot: str, cause: str) -> Twins:
    """Restack two objects on one of two like supports."""
    colors = Colors(rng)
    names = colors.next(), colors.next()
    both = things.two_things(rng, names, _kind(rng, things.FLAT_TOPPED))
    stack = things.stacked(rng, colors, both, load=cause == "loaded")
    place = _support_pair(rng, colors, robot, both[0], "" if cause == "loaded" else cause)
    upper, lower = (item.name for item in both)
    action = Restack(upper, lower, place.things[0].name)
    pairs = (stack, place) if cause == "loaded" else (place, stack)
    return staged(rng, colors, Draft(action, pairs[:1], pairs[1:], more=(lower,)))


def _both(
    rng: np.random.Generator,
    colors: Colors,
    action: PutInto | SetOn,
    causes: tuple[str, ...],
    thing: Pair,
    place: Pair,
) -> Twins:
    violated = {True: thing, False: place}
    failing = tuple(violated[cause in _OF_THINGS] for cause in causes)
    others = tuple(pair for pair in (thing, place) if pair not in failing)
    return staged(rng, colors, Draft(action, failing, others, elsewhere=True))


_OF_THINGS = ("loaded", "bridged", "balancing", "too_wide", "not_thin", "far", "guarded")
# What may be wrong with what is not asked about, without needing much room.
_THINGS_ELSEWHERE = ("loaded",)
_OF_VESSELS, _OF_SUPPORTS = ("inverted", "covered", "filled"), ("taken",)


def _split(
    rng: np.random.Generator, causes: tuple[str, ...], elsewhere: tuple[str, ...]
) -> tuple[str, str]:
    """Divide the ``causes`` into that of the thing and that of the place.

    A side without one may get a fault of the object that is not asked about.
    """
    ours = next((cause for cause in causes if cause in _OF_THINGS), "")
    theirs = next((cause for cause in causes if cause not in _OF_THINGS), "")
    also = rng.random() < _ELSEWHERE
    if also and not ours:
        ours = _kind(rng, _THINGS_ELSEWHERE)
    if also and not theirs:
        theirs = _kind(rng, elsewhere)
    return ours, theirs

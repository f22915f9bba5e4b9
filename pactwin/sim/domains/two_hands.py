"""Two hands: lift X with one hand and keep it level.

Physics: one hand holds a thing level only if its weight, and the torque of that weight about the
grip, are within what hand and wrist can give; about a bar in the fist that is little. The trial
lifts X by its handle with a hand that holds just so much, and measures how far it tilts or sags and
what slides on it; if it does, two hands at X's ends must be able to do it, or the scene is rejected
(see ``sim.trials.lifting`` for the hand, and where its numbers come from).

Twins exchange two things, so that as arrangements they hold the same:

- ``near_or_far``: a dumbbell and a sponge on a tray with a handle at one end: the dumbbell at the
  far end, or next to the handle.
- ``middle_or_end``: the same on a carrier with a bar over its middle: at one end, or under the bar.
- ``heavy_or_light``: two trays with handles; at the far end of one lies a dumbbell, of the other a
  sponge. X is either.
- ``where_the_bar_is``: two long boxes with a bar on top, over the middle or near an end. X is
  either.
"""

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import SHOWING_SHAPE, Colors, completed, exchanged, yaw_rad
from pactwin.sim.objects.household import dumbbell, sponge
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import DUMBBELLS_KG, SPONGE_M, in_steps
from pactwin.sim.objects.trays import (
    BAR_M,
    FLOOR_M,
    HANDLE_M,
    carrier,
    handle_of,
    handled_tray,
    long_box,
)
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.lifting import Grip, Lift, lift
from pactwin.sim.physics.trials.removal import DISTURBED, UNDISTURBED
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import Disc
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint, Measurement

# Loads lie this far inside a tray's outer edge.
_OFF_RIM_M = 0.014


class TwoHands:
    """See the module's docstring."""

    name = "two_hands"
    precondition = "one_hand_holds_it_level"
    trial_version = 2
    min_margin = 0.25

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_near_or_far, _middle_or_end, _heavy_or_light, _where_the_bar_is)[rng.integers(4)]
        infeasible, feasible, critical_objects = family(rng, colors)
        action = (
            f"lift the {critical_objects[0]} straight up with one hand, by its handle, and keep it "
            "level; nothing may slide or fall"
        )
        return completed(
            rng,
            colors,
            infeasible,
            feasible,
            action=action,
            critical_objects=critical_objects,
            constraint=Constraint.NEEDS_TWO_HANDS,
            taken=[found for item in infeasible for found in _covered(item)],
            most_distractors=2,
        )

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Lift X by its handle; and by its two ends, if that fails."""
        item = layout.item(layout.critical_objects[0])
        middle, bar = handle_of(item)
        one = lift(layout, perturbation, item.name, [Grip(middle, bar)])
        if one.settle_error:
            return TrialOutcome.undecided(one.settle_error)
        if one.displacement >= DISTURBED:
            x, _, z = (extent / 2 - 0.01 for extent in item.size_m)
            ends = [Grip((side * x, 0.0, -z)) for side in (-1, 1)]
            if lift(layout, perturbation, item.name, ends).displacement > UNDISTURBED:
                return TrialOutcome.undecided("two hands do not hold it either")
        return _outcome(one)

    def handling(self, layout: Layout) -> Handling:
        """A hand takes X by its handle; the trial says whether it can hold it."""
        item = layout.item(layout.critical_objects[0])
        return Handling((Grasp(item.name, at=handle_of(item)[0]),))


def _outcome(one: Lift) -> TrialOutcome:
    measurements = {
        "load_on_the_hand": Measurement(
            value=round(one.load, 4), limit=1.0, unit="of what it can hold level"
        ),
        "torque_about_the_grip": Measurement(value=round(one.torque_nm, 3), unit="N m"),
        "tilt": Measurement(
            value=round(float(np.rad2deg(one.tilt_rad)), 2), limit=10.0, unit="deg"
        ),
    }
    return TrialOutcome.of(
        Constraint.NEEDS_TWO_HANDS,
        measurements,
        1.0 - one.load,
        works=one.displacement <= UNDISTURBED and one.load < 1.0,
        fails=one.displacement >= DISTURBED and one.load > 1.0,
        between="neither level nor tilted",
    )


_Family = tuple[tuple[Item, ...], tuple[Item, ...], tuple[str, ...]]


def _loads(colors: Colors) -> tuple[Item, Item]:
    """Something heavy and something light, as anybody knows."""
    return (
        dumbbell(colors.next(SHOWING_SHAPE), DUMBBELLS_KG[0]),
        sponge(colors.next(SHOWING_SHAPE), *SPONGE_M),
    )


def _near_or_far(rng: np.random.Generator, colors: Colors) -> _Family:
    tray = handled_tray(colors.next(SHOWING_SHAPE), (in_steps(rng, 0.30, 0.32, 0.02), 0.21))
    tray = _laid_across(rng, tray, rng.uniform(0.2, 0.3))
    heavy, light = _loads(colors)
    half = (tray.size_m[0] - HANDLE_M) / 2 - _OFF_RIM_M
    turns = _askew(rng)

    def build(side: int) -> tuple[Item, ...]:
        """With the dumbbell at the handle's end (1) or at the other (-1), the sponge opposite."""
        far, near = (
            _on_floor(thing, tray, s * (half - thing.size_m[0] / 2) - HANDLE_M / 2, turn)
            for thing, s, turn in ((heavy, side, turns[0]), (light, -side, turns[1]))
        )
        return tray, far, near

    return build(-1), build(1), (tray.name, heavy.name)


def _middle_or_end(rng: np.random.Generator, colors: Colors) -> _Family:
    inner = (in_steps(rng, 0.34, 0.38, 0.02), 0.22)
    tote = carrier(colors.next(SHOWING_SHAPE), inner, 0.17)
    tote = _laid_across(rng, tote, rng.uniform(0.2, 0.3))
    heavy, light = _loads(colors)
    half, side = tote.size_m[0] / 2 - _OFF_RIM_M, float(rng.choice([-1.0, 1.0]))
    turns = _askew(rng)

    def build(first: Item, second: Item) -> tuple[Item, ...]:
        """With the first at an end and the second under the bar."""
        out = side * (half - first.size_m[0] / 2)
        return (
            tote,
            _on_floor(first, tote, out, turns[0]),
            _on_floor(second, tote, 0.0, 0.3 * turns[1]),
        )

    return build(heavy, light), build(light, heavy), (tote.name, heavy.name)


def _heavy_or_light(rng: np.random.Generator, colors: Colors) -> _Family:
    inner = (0.30, 0.195)
    trays = [
        _laid_across(rng, handled_tray(colors.next(SHOWING_SHAPE), inner), x)
        for x in (rng.uniform(0.19, 0.21), rng.uniform(0.43, 0.45))
    ]
    order = rng.permutation(2)
    laden, other = trays[order[0]], trays[order[1]]
    heavy, light = _loads(colors)
    half = inner[0] / 2 - _OFF_RIM_M
    items = (
        *trays,
        *(
            _on_floor(thing, tray, -(half - thing.size_m[0] / 2) - HANDLE_M / 2, turn)
            for thing, tray, turn in zip((heavy, light), (laden, other), _askew(rng), strict=True)
        ),
    )
    return items, exchanged(items, laden, other), (laden.name, heavy.name)


def _where_the_bar_is(rng: np.random.Generator, colors: Colors) -> _Family:
    size, height = (in_steps(rng, 0.39, 0.43, 0.02), 0.1, 0.085), 0.07
    end = float(rng.choice([-1.0, 1.0])) * (size[0] / 2 - BAR_M)
    kinds = [long_box(colors.next(SHOWING_SHAPE), size, at, height) for at in (end, 0.0)]
    rows = rng.permutation([rng.uniform(0.16, 0.19), rng.uniform(0.32, 0.38)])
    bad, good = (_laid_across(rng, box, x) for box, x in zip(kinds, rows, strict=True))
    return (bad, good), exchanged((bad, good), bad, good), (bad.name,)


def _laid_across(rng: np.random.Generator, thing: Item, x_m: float) -> Item:
    """``thing`` with its long axis across the robot's view, either way round."""
    turn = float(rng.choice([-1.0, 1.0]) * np.pi / 2 + rng.uniform(-0.1, 0.1))
    return standing_at(thing, x_m, float(rng.uniform(-0.04, 0.04)), yaw_rad=turn)


def _on_floor(thing: Item, holder: Item, x_m: float, turn_rad: float) -> Item:
    """``thing`` on the floor of a tray, ``x_m`` along it from its middle, turned a little."""
    floor = Pose((x_m, 0.0, FLOOR_M - holder.size_m[2] / 2))
    x, y, z = (holder.world_from_object @ floor).pos
    return standing_at(thing, x, y, on_z=z, yaw_rad=yaw_rad(holder) + turn_rad)


def _askew(rng: np.random.Generator) -> list[float]:
    return list(map(float, rng.uniform(-0.06, 0.06, 2)))


def _covered(item: Item) -> list[Disc]:
    """What a long thing covers, as discs along it."""
    length, width, _ = item.size_m
    reach = max(0.0, (length - width) / 2)
    places = (
        (item.world_from_object @ Pose((float(along), 0.0, 0.0))).pos
        for along in np.linspace(-reach, reach, 1 + round(2 * reach / width))
    )
    return [(x, y, 0.5 * width + 0.01) for x, y, _ in places]


DOMAIN = TwoHands()

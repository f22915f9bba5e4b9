"""Lift an object by its handle with one hand and keep it level."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pactwin.sim.actions.base import Action, Trial
from pactwin.sim.objects.trays import handle_of
from pactwin.sim.physics.outcome import TrialOutcome, distance, measured
from pactwin.sim.physics.trials.lifting import FORCE_N, SLIP_NM, WRIST_NM, Grip, Lift, lift
from pactwin.sim.physics.trials.removal import DISTURBED, UNDISTURBED
from pactwin.sim.physics.world import GRAVITY_M_S2
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.handling import hand_gets_to
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3
from pactwin.suite import Constraint

# So much more than a hand holds, or less, is a whole margin.
_LOAD_UNIT = 0.6


@dataclass(frozen=True)
class LiftLevel(Action):
    """Lift an object straight up by its handle."""

    kind = "lift_level"
    wording = (
        "lift the {thing} straight up with one hand, by its handle, and keep it level; nothing "
        "may slide, fall or shift"
    )
    thing: str

    def trials(self) -> tuple[Trial, ...]:
        """One hand reaches the handle and holds the object level; nothing else moves."""
        gets_to_handle = partial(hand_gets_to, name=self.thing, at=_middle_of_handle)
        return self._level, self._nothing_else_moves, gets_to_handle

    def _along(self, situation: SettledScene) -> tuple[frozenset[str], frozenset[str]]:
        """Items that rest on it alone and are lifted along, and items that rest on others, too."""
        world = situation.world(self.thing)
        on_it = world.supported_items(self.thing)
        shared = {name for name in on_it if world.touching(name) - on_it - {self.thing}}
        return on_it - shared, frozenset(shared)

    def _nothing_else_moves(self, situation: SettledScene) -> Outcomes:
        along, _ = self._along(situation)
        (moves,) = comes_off(situation, self.thing, along, drawn=False).values()
        return {"nothing_else_moves": moves}

    def _level(self, situation: SettledScene) -> Outcomes:
        # What lies on something else, too, is another precondition's matter.
        shared = self._along(situation)[1]
        situation = situation.without(shared) if shared else situation
        item = situation.item(self.thing)
        layout = situation.at_rest
        middle, bar = handle_of(item)
        one = lift(layout, situation.quiet, item.name, [Grip(middle, bar)])
        if one.settle_error:
            outcome = TrialOutcome.undecided(one.settle_error)
        elif one.displacement >= DISTURBED:
            x, _, z = (extent / 2 - 0.01 for extent in item.size_m)
            ends = [Grip((side * x, 0.0, -z)) for side in (-1, 1)]
            # Only names the cause: two hands that hurry while all is heaviest would name none.
            unhurried = replace(situation.quiet, hand_speed_scale=0.5)
            both = lift(layout, unhurried, item.name, ends)
            outcome = TrialOutcome.undecided("two hands do not hold it either")
            if both.displacement <= UNDISTURBED:
                outcome = _outcome(one)
        else:
            outcome = _outcome(one)
        return {"one_hand_holds_it_level": outcome}


def _middle_of_handle(item: Item) -> Vec3:
    return handle_of(item)[0]


def _outcome(one: Lift) -> TrialOutcome:
    mass_kg = one.weight_n / GRAVITY_M_S2
    measurements = {
        "load_on_the_hand": measured(one.load, "of what it can hold level", 1.0, decimals=4),
        "torque_about_the_grip": measured(one.torque_nm, "N m", WRIST_NM, decimals=3),
        "torque_about_the_handle": measured(one.bar_torque_nm, "N m", SLIP_NM, decimals=3),
        "mass": measured(mass_kg, "kg", FORCE_N / GRAVITY_M_S2, decimals=3),
        "tilt": measured(np.rad2deg(one.tilt_rad), "deg", 10.0, decimals=2),
    }
    # Shares of the limits that are left, and the same in their own units; the least decides.
    left = [
        (1.0 - value / limit, distance(limit - value, unit))
        for value, limit, unit in (
            (one.torque_nm, WRIST_NM, "N m"),
            (one.bar_torque_nm, SLIP_NM, "N m"),
            (one.weight_n, FORCE_N, "N"),
        )
    ]
    return TrialOutcome.of(
        Constraint.NEEDS_TWO_HANDS,
        measurements,
        (1.0 - one.load) / _LOAD_UNIT,
        works=one.displacement <= UNDISTURBED and one.load < 1.0,
        fails=one.displacement >= DISTURBED and one.load > 1.0,
        between="neither level nor tilted",
        distance=min(left, key=lambda far: far[0])[1],
    )

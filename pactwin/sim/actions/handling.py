"""Transporting an object: pick up, put into, set on, restack."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from pactwin.sim.actions.base import Action, Trial
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.going_in import goes_in
from pactwin.sim.preconditions.handling import hand_brings, hand_gets_to, hand_holds
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.staying_on import place_on_top, stays_on


def brings(thing: str, place: str, lets_go: Literal["", "on", "in"] = "") -> tuple[Trial, ...]:
    """Trials of moving an object to a place: a hand holds it, it comes free, the hand reaches both.

    ``lets_go`` selects how the hand releases the object there, see :func:`hand_brings`.
    """
    return (
        partial(hand_holds, name=thing),
        partial(comes_off, name=thing),
        partial(hand_brings, name=thing, place=place, lets_go=lets_go),
    )


@dataclass(frozen=True)
class Take(Action):
    """Pick an object up and take it away."""

    kind = "take"
    version = 8
    wording = "pick up the {thing}; nothing else may fall or shift"
    thing: str

    def trials(self) -> tuple[Trial, ...]:
        """A hand can hold the object and reach it, and the object comes free."""
        return (
            partial(hand_holds, name=self.thing),
            partial(comes_off, name=self.thing),
            partial(hand_gets_to, name=self.thing),
        )


@dataclass(frozen=True)
class PutInto(Action):
    """Put an object into a vessel and let go."""

    kind = "put_into"
    version = 8
    wording = (
        "put the {thing} into the {vessel} and let go; it has to stay in there, and nothing else "
        "may fall or shift"
    )
    thing: str
    vessel: str

    def trials(self) -> tuple[Trial, ...]:
        """A hand can take the object over the vessel; the object goes in and stays."""
        return (
            partial(goes_in, thing=self.thing, vessel=self.vessel),
            *brings(self.thing, self.vessel, "in"),
        )


@dataclass(frozen=True)
class SetOn(Action):
    """Set an object on a support and let go."""

    kind = "set_on"
    version = 8
    wording = (
        "set the {thing} on the {support} and let go; it has to stay there, and nothing else may "
        "fall or shift"
    )
    thing: str
    support: str

    def trials(self) -> tuple[Trial, ...]:
        """A hand can take the object over the support, which is free and holds it."""
        return (
            partial(stays_on, thing=self.thing, support=self.support),
            *brings(self.thing, self.support, "on"),
        )


@dataclass(frozen=True)
class Restack(Action):
    """Set the upper of two objects on a support, then the lower one on top of it."""

    kind = "restack"
    version = 8
    wording = (
        "first set the {upper} on the {support}, then the {lower} on top of the {upper}; both "
        "have to stay there, and nothing else may fall or shift"
    )
    upper: str
    lower: str
    support: str

    def trials(self) -> tuple[Trial, ...]:
        """The upper object can go to the support; the lower one comes free and can go on top."""
        first = SetOn(self.upper, self.support)
        return (
            *first.trials()[:3],
            partial(hand_holds, name=self.lower),
            self._second,
            *first.trials()[3:],
            partial(
                hand_brings, name=self.lower, place=self.support, onto=self.upper, lets_go="on"
            ),
        )

    def _second(self, situation: SettledScene) -> Outcomes:
        place = place_on_top(situation, self.upper, self.support)
        if place is None:
            return {}
        then = situation.without((), situation.item(self.upper).at(place))
        if then.settle_error:  # the upper one did not stay: the first step says so
            return {}
        found = {f"then_{k}": v for k, v in stays_on(then, self.lower, self.upper).items()}
        return found | comes_off(then, self.lower)

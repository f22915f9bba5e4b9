"""Handling an object: pick up, put into, set on, restack; write, pour, take something out."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from pactwin.sim.actions.base import Action, Trial
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.trials.using import pour, take_out, write
from pactwin.sim.preconditions.being_used import can_be_used
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.going_in import goes_in
from pactwin.sim.preconditions.handling import hand_brings, hand_gets_into, hand_gets_to, hand_holds
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.staying_on import place_on_top, stays_on
from pactwin.sim.preconditions.surroundings import content_of


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
        # What is in the upper one's place, or that it does not stay, the first step says.
        if situation.world(self.upper).touched_at(place) - {self.support}:
            return {}
        then = situation.without((), situation.item(self.upper).at(place))
        if then.settle_error:
            return {}
        found = {f"then_{k}": v for k, v in stays_on(then, self.lower, self.upper).items()}
        return found | comes_off(then, self.lower)


@dataclass(frozen=True)
class Write(Action):
    """Write on a pad with a marker."""

    kind = "write"
    wording = "write across the middle of the {pad} with the {tool}; nothing else may fall or shift"
    tool: str
    pad: str

    def trials(self) -> tuple[Trial, ...]:
        """The nib can touch the paper, and a hand reaches marker and pad."""
        return (
            partial(can_be_used, use=write, tool=self.tool, place=self.pad),
            *brings(self.tool, self.pad),
        )


@dataclass(frozen=True)
class Pour(Action):
    """Pour from a bottle into a cup."""

    kind = "pour"
    wording = "pour what is in the {bottle} into the {cup}; nothing else may fall or shift"
    bottle: str
    cup: str

    def trials(self) -> tuple[Trial, ...]:
        """The bottle's contents can flow into the cup, and a hand reaches both."""
        return (
            partial(can_be_used, use=pour, tool=self.bottle, place=self.cup),
            *brings(self.bottle, self.cup),
        )


@dataclass(frozen=True)
class TakeOut(Action):
    """Take an object, such as a ball, out of a box; the layout decides which object."""

    kind = "take_out"
    # It names only the box: the contents of a shut box cannot be seen.
    wording = "take the {what} out of the {box}; nothing else may fall or shift"
    what: str
    box: str

    def trials(self) -> tuple[Trial, ...]:
        """A hand can get into the box and out with the object; nothing else moves."""
        return self._comes_out, partial(hand_gets_into, place=self.box)

    def _comes_out(self, situation: SettledScene) -> Outcomes:
        try:
            content = content_of(situation.item(self.box), situation.items)
        except LookupError as error:  # a change of the scene may have left it empty
            return {"it_is_open": TrialOutcome.undecided(str(error))}
        if not situation.layout.moves(content):  # it was fixed, since it touched nothing
            return {"it_is_open": TrialOutcome.undecided("what is in it does not rest in it")}
        on_it = situation.world(content.name).supported_items(content.name)
        bare = situation.without(on_it) if on_it else situation
        found = can_be_used(bare, take_out, content.name, self.box, inside=True)
        if not all(outcome.feasible for outcome in found.values()):
            return found
        (moves,) = comes_off(situation, content.name, drawn=False).values()
        return found | {"nothing_else_moves": moves}

"""Using an object: write, pour, take something out."""

from dataclasses import dataclass
from functools import partial

from pactwin.sim.actions.base import Action, Trial
from pactwin.sim.actions.handling import brings
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.trials.using import pour, take_out, write
from pactwin.sim.preconditions.being_used import can_be_used
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.handling import hand_gets_into
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.surroundings import content_of


@dataclass(frozen=True)
class Write(Action):
    """Write on a pad with a marker."""

    kind = "write"
    version = 8
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
    version = 8
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
    version = 8
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

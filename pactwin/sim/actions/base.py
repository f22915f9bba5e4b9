"""Interface of actions: a wording, and trials that decide each precondition."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pactwin.sim.physics.outcome import TrialOutcome

if TYPE_CHECKING:  # it loads the simulator
    from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene

Trial = Callable[["SettledScene"], "Outcomes"]
"""Decides one precondition or a few, by name; the names do not depend on the situation."""


@dataclass(frozen=True)
class Action(ABC):
    """An action on named objects: a frozen record of the objects' names.

    ``kind`` is the action's name. ``version`` is the version of its trials, by default that of
    pactwin's own; it is raised when they measure something else. ``wording`` is the instruction,
    with field names in braces and without a full stop.
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 10
    wording: ClassVar[str]

    @property
    def phrase(self) -> str:
        """The instruction, without a full stop."""
        return self.wording.format(**vars(self))

    @abstractmethod
    def trials(self) -> tuple[Trial, ...]:
        """The trials of all its preconditions, the cheapest first."""


def outcomes(action: Action, situation: "SettledScene") -> Iterator[tuple[str, TrialOutcome]]:
    """Outcome of each precondition, in the order in which they are tried.

    A precondition decided by several trials holds if all of them agree that it does.
    """
    if situation.settle_error:
        yield "at_rest", TrialOutcome.undecided(situation.settle_error)
        return
    for trial in action.trials():
        yield from trial(situation).items()

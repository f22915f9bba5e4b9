"""Tasks that are played: a hand leads an object, and the achieved share of the task is measured.

The hand is a soft weld to a moved body; 1 is all of the task, 0 nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

import mujoco
import numpy as np

from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.uses.pieces import DAMPING_NMS, STIFFNESS_NM, add_chain_joints, links
from pactwin.suite import Measurement

GRIP_TIME_S = 0.02
LAG_M = 0.009
"""Lag of the object at which the hand gives up, beyond that of a free one.

That is at most twice the time constant of the grip times the speed.
"""

_DEEP_M, _CATCH_UP_S = 0.0015, 0.12


@dataclass(frozen=True)
class Rollout:
    """Achieved share of a task (0 to 1) with its measurements."""

    share: float
    measurements: dict[str, Measurement] = field(default_factory=dict)


class PlayedTask(ABC):
    """A task to be done with an object that a hand holds.

    By default all items are fixed, or move only as ``prepare`` allows.
    """

    @property
    def by_end(self) -> bool:
        """Whether it matters which end of an object is used."""
        return False

    @property
    @abstractmethod
    def items(self) -> tuple[Item, ...]:
        """Items of the task at its start, around (0, 0); the target first."""

    @property
    def fixed(self) -> frozenset[str]:
        """Names of items that cannot move freely."""
        return frozenset(item.name for item in self.items)

    @abstractmethod
    def candidates(self, thing: Item) -> Iterator[Item]:
        """Initial poses of the object in the hand, best first; ``thing`` lies along x.

        The object's front is the end that is used.
        """

    @abstractmethod
    def rollout(self, world: "UseWorld", thing: Item) -> Rollout:
        """Do the task from the current pose of ``thing``."""

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:  # noqa: B027  nothing by default
        """Add hinges and slides to the model."""

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """Items that take part in a rollout with ``thing``; those of the task by default."""
        return self.items


class UseWorld(World):
    """Physics of one task and one object held by the hand."""

    def __init__(self, task: PlayedTask, thing: Item, perturbation: Perturbation) -> None:
        chain = links(thing)
        items = (*chain, *task.played_items(thing))
        layout = Layout(items, "", (thing.name, task.items[0].name), fixed=task.fixed)

        def prepare(spec: mujoco.MjSpec) -> None:
            add_chain_joints(spec, chain)
            task.prepare(spec, thing)

        super().__init__(
            layout, perturbation, held=thing.name, grip_time_s=GRIP_TIME_S, prepare=prepare
        )
        for link in chain[1:]:
            joint = self.model.joint(link.name)
            joint.stiffness[:], joint.damping[:] = STIFFNESS_NM, DAMPING_NMS
        self.grasp()

    @property
    def overlaps(self) -> bool:
        """Return whether the object penetrates others at its pose."""
        return self.deepest_contact_m(self.names[self.held]) > _DEEP_M

    def lead(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, speed_m_s: float = 0.15) -> bool:
        """Move the hand by a vector (m) and wait; False if the object was held up."""
        lag_m = LAG_M + 2 * GRIP_TIME_S * speed_m_s
        came = self.move_hand(np.array([x, y, z]), speed_m_s, lambda: self.lag_m() > lag_m)
        self.run(_CATCH_UP_S)
        return came


def measured(value: float, limit: float | None = None, unit: str = "m") -> Measurement:
    """A measurement, rounded."""
    limit = None if limit is None else round(float(limit), 5)
    return Measurement(value=round(float(value), 5), limit=limit, unit=unit)


def scored(value: float, none: float, all_of_it: float, name: str, unit: str = "m") -> Rollout:
    """The share of the task, 0 at ``none`` and 1 at ``all_of_it``, with the measurement."""
    share = float(np.clip((value - none) / (all_of_it - none), 0.0, 1.0)) + 0.0
    return Rollout(round(share, 4), {name: measured(value, (none + all_of_it) / 2, unit)})

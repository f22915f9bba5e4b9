"""Uses: tasks for which several objects might serve, although none is made for it.

A use draws its task: the items present, and two objects that differ only in the deciding attribute.
In a rollout a hand leads an object (a soft weld to a moved body), and the achieved share of the
task is measured: 1 is all of it, 0 nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.pieces import DAMPING_NMS, STIFFNESS_NM, add_chain_joints, links
from pactwin.sim.uses.things import some_of
from pactwin.suite import Constraint, Measurement

_BESIDE = 3

DONE, HALF, NOT_DONE = 0.8, 0.5, 0.2
"""Shares of a task: done above, half, and not done below."""

GRIP_TIME_S = 0.02
LAG_M = 0.015
"""Lag of the object at which the hand gives up; a free one lags by 5 mm at 0.15 m/s."""

_DEEP_M = 0.0015
_LOOK_S, _WAIT_S = 0.04, 0.12


@dataclass(frozen=True)
class Rollout:
    """Achieved share of a task (0 to 1) with its measurements."""

    share: float
    measurements: dict[str, Measurement] = field(default_factory=dict)


@dataclass(frozen=True)
class Things:
    """Candidates: ``serving`` and ``failing`` differ in one attribute, ``others`` in more.

    The name of ``serving`` is also true of ``failing``.
    """

    serving: Item
    failing: Item
    others: tuple[Item, ...]


class PlayedTask(ABC):
    """A task to be done with an object that a hand holds.

    All items but the ``free`` ones are fixed, or move only as ``prepare`` allows. ``by_end`` says
    whether it matters which end of an object is used. ``damping`` is the damping of joints that
    ``prepare`` adds, by name.
    """

    free: ClassVar[tuple[str, ...]] = ()
    by_end: ClassVar[bool] = False
    damping: ClassVar[Mapping[str, float]] = {}

    @property
    @abstractmethod
    def items(self) -> tuple[Item, ...]:
        """Items of the task at its start, around (0, 0); the target first."""

    @property
    def fixed(self) -> frozenset[str]:
        """Names of items that cannot move freely."""
        return frozenset(item.name for item in self.items) - set(self.free)

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


class Use(PlayedTask):
    """A drawn task; each use is a subclass, a frozen record of its parameters.

    ``causes`` are the possible reasons for failure, equally frequent: neither the instruction nor
    the other items reveal which applies. ``others`` are kinds that may lie beside the two objects,
    and ``affordances`` those of the catalogue that correspond to the use.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    causes: ClassVar[tuple[Constraint, ...]]
    others: ClassVar[tuple[str, ...]]
    affordances: ClassVar[tuple[str, ...]] = ()

    @classmethod
    @abstractmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> "tuple[Use, Things]":
        """Draw a task, an object that serves, one that fails for ``cause``; or RejectedLayout."""

    @classmethod
    def things(cls, serving: Item, failing: Item, rng: np.random.Generator) -> Things:
        """Both objects, with others beside them."""
        return Things(serving, failing, some_of(cls.others, _BESIDE, rng))

    @property
    @abstractmethod
    def request(self) -> str:
        """The instruction; ``{thing}`` stands for the object used."""


class UseWorld(World):
    """Physics of one task and one object held by the hand."""

    def __init__(self, use: PlayedTask, thing: Item, perturbation: Perturbation) -> None:
        chain = links(thing)
        items = (*chain, *use.played_items(thing))
        layout = Layout(items, "", (thing.name, use.items[0].name), fixed=use.fixed)

        def prepare(spec: mujoco.MjSpec) -> None:
            add_chain_joints(spec, chain)
            use.prepare(spec, thing)

        super().__init__(
            layout, perturbation, held=thing.name, grip_time_s=GRIP_TIME_S, prepare=prepare
        )
        for link in chain[1:]:
            joint = self.model.joint(link.name)
            joint.stiffness[:], joint.damping[:] = STIFFNESS_NM, DAMPING_NMS
        for name, damping in use.damping.items():  # in the spec newer MuJoCo has a polynomial
            self.model.joint(name).damping[:] = damping
        self.grasp()

    @property
    def overlaps(self) -> bool:
        """Return whether the object penetrates others at its pose."""
        return self.deepest_contact_m(self.names[self.held]) > _DEEP_M

    def run_until(self, stop: Callable[[], bool], at_most_s: float) -> bool:
        """Simulate until ``stop`` (checked every 40 ms) returns True; False if it never does."""
        for _ in range(round(at_most_s / _LOOK_S)):
            self.run(_LOOK_S)
            if stop():
                return True
        return False

    def lead(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, speed_m_s: float = 0.15) -> bool:
        """Move the hand by a vector (m) and wait; False if the object was held up."""
        came = self.move_hand(np.array([x, y, z]), speed_m_s, lambda: self.lag_m() > LAG_M)
        self.run(_WAIT_S)
        return came

    def put(self, name: str, pose: Pose) -> None:
        """Open the hand and put an item at ``pose``, at rest; the item becomes the held one."""
        self.hold(name)
        self.place_held(pose)

    def tilt_rad(self, name: str) -> float:
        """Angle of an item from upright."""
        return float(np.arccos(np.clip(self.data.body(name).xmat[8], -1.0, 1.0)))

    def at(self, name: str) -> np.ndarray:
        """Current position of an item, (3,), m."""
        return np.array(self.pose(name).pos)


def of_whole(name: str, value: float, whole: float, unit: str = "m") -> Rollout:
    """``value`` as a share of ``whole``, and as the measurement ``name``."""
    return scored(value / whole, name, measured(value, HALF * whole, unit), most=1.5)


def scored(share: float, name: str, of: Measurement, *, most: float = 1.0) -> Rollout:
    """The share, clipped to 0..``most``, and the measurement ``name``."""
    return Rollout(round(float(np.clip(share, 0.0, most)), 4), {name: of})


def measured(value: float, limit: float | None = None, unit: str = "m") -> Measurement:
    """A measurement, rounded."""
    limit = None if limit is None else round(float(limit), 5)
    return Measurement(value=round(float(value), 5), limit=limit, unit=unit)

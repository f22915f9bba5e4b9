"""One episode: a settled layout, an action, the robot that carries it out, and the result."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.manipulation import Manipulator, Stopped
from pactwin.sim.episodes.outcome import Harm, dropped, harms
from pactwin.sim.episodes.simulation import SimulatedRobot, State
from pactwin.sim.episodes.tasks import Task, add_handle, task_of
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.scene.layout import Layout


@dataclass(frozen=True)
class Episode:
    """Result of carrying out an action.

    ``done`` says whether the goal was reached and nothing else was harmed. ``stopped`` is the
    reason why the robot could not continue, and ``at`` the object, "" if there is none. ``moments``
    are states of ``layout``'s items, ``PERIOD_S`` apart.
    """

    done: bool
    harms: tuple[Harm, ...]
    stopped: str
    at: str
    layout: Layout
    moments: tuple[State, ...]

    @property
    def seconds(self) -> float:
        """Duration, s."""
        return (len(self.moments) - 1) * PERIOD_S

    def record(self) -> dict[str, Any]:
        """Plain values for records, without the states."""
        return {
            "done": self.done,
            "harms": [asdict(harm) for harm in self.harms],
            "stopped": self.stopped,
            "at": self.at,
            "seconds": round(self.seconds, 2),
        }

    def lines(self) -> list[str]:
        """The result as lines of text."""
        found = [f"{'done' if self.done else 'not done'} after {self.seconds:.1f} s"]
        if self.stopped:
            found.append(f"stopped: {self.stopped} {self.at}".rstrip())
        return found + [harm.sentence for harm in self.harms]


def carry_out(action: Action, layout: Layout, robot: str, rng: np.random.Generator) -> Episode:
    """Have the robot carry out the action; ``rng`` is used by its searches."""
    situation = SettledScene(layout, Perturbation(), robot)
    task = task_of(action, situation.at_rest)
    simulated = SimulatedRobot(task.layout, robot, task.first, prepare=add_handle(task))
    expected = set(task.expected)
    if task.handle is not None:  # what stands on it comes along
        expected |= simulated.world.supported_items(task.first)
    manipulator = Manipulator(simulated, rng)
    stopped, at, reached = "", "", False
    try:
        goal = task.carry_out(manipulator)
        manipulator.wait(0.5)
        reached = goal()
    except Stopped as reason:
        stopped, at = reason.reason, reason.name
        manipulator.wait(1.0)
    moments = tuple(simulated.moments)
    found = harms(task.layout, moments[0], moments[-1], expected)
    if found:  # a ball that creeps by itself is nobody's harm
        alone = {harm.name for harm in harms(task.layout, _alone(task, moments), moments[-1], ())}
        found = tuple(harm for harm in found if harm.name in alone)
    done = reached and not found
    if not reached:
        found += dropped(task.layout, moments[-1], simulated.released, task.beads)
    return Episode(done, found, stopped, at, task.layout, moments)


def _alone(task: Task, moments: tuple[State, ...]) -> State:
    """Positions of objects after the same time without the robot."""
    world = World(task.layout, Perturbation(), held=task.first)
    settle(world)
    world.run(len(moments) * PERIOD_S)
    poses = [world.pose(item.name) for item in task.layout.items]
    return State(
        np.array([pose.pos for pose in poses]), np.array([pose.quat for pose in poses]), {}
    )

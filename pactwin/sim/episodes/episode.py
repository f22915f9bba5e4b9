"""One episode: a settled layout, an action, the robot that carries it out, result and video."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.manipulation import Manipulator, Stopped
from pactwin.sim.episodes.outcome import Harm, dropped, harms
from pactwin.sim.episodes.simulation import SimulatedRobot, State
from pactwin.sim.episodes.tasks import Task, task_of
from pactwin.sim.episodes.video import frames, write_film
from pactwin.sim.generation.pairs.retrial import rebuild
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.rendering.room import appearance_of
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Camera, Scene, SuiteError, unknown_name


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
    task = task_of(action, situation)
    simulated = SimulatedRobot(task.layout, robot, task.first, prepare=task.prepare)
    expected = set(task.expected)
    if isinstance(action, LiftLevel):  # what stands on it comes along
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
    before, after = moments[0].poses, moments[-1].poses
    found = harms(task.layout, before, after, expected)
    if found:  # a ball that creeps by itself is nobody's harm
        alone = {harm.name for harm in harms(task.layout, _alone(task, moments), after, ())}
        found = tuple(harm for harm in found if harm.name in alone)
    done = reached and not found
    if not reached:
        found += dropped(task.layout, after, simulated.released, task.beads)
    return Episode(done, found, stopped, at, task.layout, moments)


def _alone(task: Task, moments: tuple[State, ...]) -> list[Pose]:
    """Poses of objects after the same time without the robot."""
    world = World(task.layout, Perturbation(), held=task.first)
    settle(world)
    world.run(len(moments) * PERIOD_S)
    return [world.pose(item.name) for item in task.layout.items]


def prepare_episode(
    scene: Scene, poses: Mapping[str, Pose] = MappingProxyType({})
) -> Callable[[], Episode]:
    """Compute everything that the scene's robot needs for the action, without randomness.

    Objects are at ``poses`` (world from object) if given, else at the scene's. Raises SuiteError
    for a scene that was not simulated or has no readable layout, before any model is asked.
    """
    if scene.source != "sim" or scene.verdict is None:
        raise SuiteError(f"scene {scene.id} was not simulated: there is no episode to run")
    action, layout = rebuild(scene)
    layout = layout.replacing(*(layout.item(name).at(pose) for name, pose in poses.items()))
    rng = np.random.default_rng(scene.seed)
    return partial(carry_out, action, layout, scene.robot, rng)


def video_cameras(scene: Scene, names: tuple[str, ...], height_px: int) -> list[Camera]:
    """The scene's cameras with these names, scaled; InvalidInputError for an unknown name."""
    known = {v.camera.name: v.camera for v in scene.views if isinstance(v.camera, Camera)}
    found = []
    for name in names:
        if name not in known:
            raise unknown_name("camera", name, list(known))
        camera = known[name]
        scale = height_px / camera.height_px
        off = (scale - 1) / 2  # pixels are counted from the centre of the first
        scaled = np.array([(scale, 0, off), (0, scale, off), (0, 0, 1)]) @ camera.K
        width = 2 * round(camera.width_px * scale / 2)
        k = tuple(map(tuple, scaled.tolist()))
        size = {"width_px": width, "height_px": height_px, "K": k}
        found.append(camera.model_copy(update=size))
    return found


def write_video(scene: Scene, episode: Episode, cameras: list[Camera], path: Path) -> int:
    """Write the episode as an MP4, cameras side by side; returns the number of frames.

    Raises EnvironmentFaultError if OpenGL or OpenCV's encoder is missing.
    """
    look = appearance_of(scene.appearance)
    items = episode.layout.items
    return write_film(path, frames(items, look, scene.robot, cameras, episode.moments))

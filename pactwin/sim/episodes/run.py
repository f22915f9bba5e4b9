"""Run a suite's scene as an episode: restore, carry out, record."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np

from pactwin.sim.episodes.episode import Episode, carry_out
from pactwin.sim.episodes.video import EpisodeRenderer, frames, write_film
from pactwin.sim.generation.pairs.retrial import rebuild
from pactwin.sim.rendering.room import appearance_of
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Camera, Scene, SuiteError, unknown_name


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
        (fx, _, cx), (_, fy, cy), last = camera.K
        # Pixels are counted from the centre of the first.
        k = (
            (fx * scale, 0.0, (cx + 0.5) * scale - 0.5),
            (0.0, fy * scale, (cy + 0.5) * scale - 0.5),
        )
        width = 2 * round(camera.width_px * scale / 2)
        size = {"width_px": width, "height_px": height_px, "K": (*k, last)}
        found.append(camera.model_copy(update=size))
    return found


def write_video(scene: Scene, episode: Episode, cameras: list[Camera], path: Path) -> int:
    """Write the episode as an MP4, cameras side by side; returns the number of frames.

    Raises EnvironmentFaultError if OpenGL or OpenCV's encoder is missing.
    """
    look = appearance_of(scene.appearance)
    with EpisodeRenderer(episode.layout.items, look, scene.robot, cameras) as eyes:
        return write_film(path, frames(eyes, episode.moments))

"""Render an episode through cameras as an MP4 that browsers play."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import cv2
import mujoco
import numpy as np

from pactwin.sim.episodes.interface import PERIOD_S
from pactwin.sim.episodes.simulation import State
from pactwin.sim.reach.collider import arena_at_rest
from pactwin.sim.rendering.draw import instance_ids, scene_model
from pactwin.sim.rendering.render import Renderer
from pactwin.sim.rendering.room import Appearance
from pactwin.sim.robots.models import PREFIX
from pactwin.sim.robots.surface import draw_links
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, EnvironmentFaultError, EpisodeMotion

FPS = 12.5
_EVERY = round(1 / FPS / PERIOD_S)
# VP9 in MP4: OpenCV's wheels write no H.264, and browsers play no MPEG-4 part 2.
_CODEC = "vp09"


class EpisodeRenderer:
    """Cameras that view a robot and ``items`` in changing states.

    Use as a context manager, because it holds memory of the GL driver.
    """

    def __init__(
        self, items: Sequence[Item], look: Appearance, robot: str, cameras: Sequence[Camera]
    ) -> None:
        largest = max(c.width_px for c in cameras), max(c.height_px for c in cameras)

        def let_move(spec: mujoco.MjSpec) -> None:
            draw_links(spec, robot)
            for k in range(len(items)):
                spec.body(f"item/{k}").mocap = True

        self._model = scene_model(items, look, "none", largest, furnish=let_move)
        self._renderer = Renderer(self._model, instance_ids(self._model))
        self._robot, self._cameras = robot, cameras

    def __enter__(self) -> "EpisodeRenderer":
        return self

    def __exit__(self, *_: object) -> None:
        self._renderer.__exit__()

    def see(self, moment: State) -> dict[str, np.ndarray]:
        """A picture (h, w, 3), uint8 RGB, by camera name."""
        self._place(moment)
        self._renderer.moved()
        return {camera.name: self._renderer.color(camera) for camera in self._cameras}

    def _place(self, moment: State) -> None:
        """Put items and links where they are at a moment."""
        model, data = self._model, self._renderer.data
        for k in range(len(moment.positions)):
            body = model.body(f"item/{k}").mocapid[0]
            data.mocap_pos[body], data.mocap_quat[body] = moment.positions[k], moment.quats[k]
        skeleton = arena_at_rest(self._robot)
        for joint, angle in moment.joints_rad.items():
            skeleton.data.joint(PREFIX + joint).qpos[0] = angle
        mujoco.mj_kinematics(skeleton.model, skeleton.data)
        for body in range(1, skeleton.model.nbody):
            name = skeleton.model.body(body).name
            if name.startswith(PREFIX):
                there = model.body(name).mocapid[0]
                data.mocap_pos[there] = skeleton.data.xpos[body]
                data.mocap_quat[there] = skeleton.data.xquat[body]


def frames(eyes: EpisodeRenderer, moments: Sequence[State]) -> Iterator[np.ndarray]:
    """Pictures (h, w, 3), ``FPS`` per second, of all cameras side by side."""
    for moment in moments[::_EVERY]:
        yield np.hstack(list(eyes.see(moment).values()))


def motion_record(moments: Sequence[State]) -> EpisodeMotion:
    """Angles and actions of the arms' joints, one row per frame of the video.

    The action of a frame is the last command before the next frame.
    """
    at = range(0, len(moments), _EVERY)
    joints = tuple(moments[0].joints_rad)
    told = [moments[min(k + _EVERY, len(moments) - 1)].commands_rad for k in at]
    return EpisodeMotion(
        fps=FPS,
        joints=joints,
        joints_rad=tuple(tuple(moments[k].joints_rad[name] for name in joints) for k in at),
        actions_rad=tuple(tuple(command[name] for name in joints) for command in told),
    )


def write_film(path: Path, pictures: Iterator[np.ndarray]) -> int:
    """Write pictures (h, w, 3), uint8 RGB, as an MP4; returns their number.

    Raises EnvironmentFaultError if this OpenCV cannot encode it.
    """
    first = next(pictures)
    height, width = first.shape[:2]
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*_CODEC), FPS, (width, height))
    if not film.isOpened():
        raise EnvironmentFaultError(f"{path}: OpenCV cannot write a VP9 film there")
    count = 0
    try:
        for picture in chain([first], pictures):
            film.write(np.ascontiguousarray(picture[..., ::-1]))
            count += 1
    finally:
        film.release()
    return count

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
from pactwin.sim.robots.kinematic_model import links_of
from pactwin.sim.robots.models import PREFIX
from pactwin.sim.robots.surface import draw_links
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, EnvironmentFaultError, EpisodeMotion

FPS = 12.5
EVERY = round(1 / FPS / PERIOD_S)
"""Frames of the video per second, and states per frame."""
# VP9 in MP4: OpenCV's wheels write no H.264, and browsers play no MPEG-4 part 2.
_CODEC = "vp09"


def frames(
    items: Sequence[Item],
    look: Appearance,
    robot: str,
    cameras: Sequence[Camera],
    moments: Sequence[State],
) -> Iterator[np.ndarray]:
    """Pictures (h, w, 3), uint8 RGB, ``FPS`` per second, of all cameras side by side."""
    largest = max(c.width_px for c in cameras), max(c.height_px for c in cameras)
    model = scene_model(items, look, "none", largest, furnish=lambda spec: draw_links(spec, robot))
    arms = arena_at_rest(robot)
    with Renderer(model, instance_ids(model)) as renderer:
        for moment in moments[::EVERY]:
            for joint, angle in moment.joints_rad.items():
                arms.data.joint(PREFIX + joint).qpos[0] = angle
            mujoco.mj_kinematics(arms.model, arms.data)
            for name in links_of(robot):
                link, there = model.body(PREFIX + name), arms.data.body(PREFIX + name)
                link.pos, link.quat = there.xpos, there.xquat
            renderer.place([i.at(pose) for i, pose in zip(items, moment.poses, strict=True)])
            yield np.hstack([renderer.color(camera) for camera in cameras])


def motion_record(moments: Sequence[State]) -> EpisodeMotion:
    """Angles and actions of the arms' joints, one row per frame of the video.

    The action of a frame is the last command before the next frame.
    """
    at = range(0, len(moments), EVERY)
    joints = tuple(moments[0].joints_rad)
    told = [moments[min(k + EVERY, len(moments) - 1)].commands_rad for k in at]
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

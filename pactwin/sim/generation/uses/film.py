"""Pictures of a simulated use: the first, the last and some between."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.rendering.cameras import camera_at, looking_at, towards
from pactwin.sim.rendering.render import render_views
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, quat, vec3
from pactwin.sim.uses.base import Poses, Use
from pactwin.sim.uses.deciding import UseRollout, best_way
from pactwin.sim.uses.pieces import links
from pactwin.suite import Camera

_AZIMUTH_RAD, _ELEVATION_RAD, _AWAY_M, _AHEAD_M = 2.2, 0.55, 0.6, 0.25


def film_use(
    use: Use, thing: Item, part: str, count: int, size_px: tuple[int, int]
) -> tuple[float, list[np.ndarray]]:
    """Achieved share of the task, and ``count`` pictures (h, w, 3) of the simulation.

    The best initial pose is shown; without room for the object there are no pictures.
    """
    found = best_way(use, thing, part)
    if found is None:
        return 0.0, []
    way, _ = found
    frames: list[Poses] = []
    played = UseRollout(use, way, Perturbation(), frames).played
    items = (*links(way), *use.played_items(way))
    chosen = np.linspace(0, len(frames) - 1, count).round().astype(int)
    arranged = [_arranged(items, frames[k]) for k in chosen]
    camera = _camera(size_px)
    return played.share, [_picture(there, camera) for there in arranged]


def _arranged(items: Sequence[Item], poses: Poses) -> list[Item]:
    found = []
    for k, item in enumerate(items):
        pos, turn = poses[item.name]
        pose = Pose(vec3(pos), quat(turn)).moved(dx=_AHEAD_M)
        found.append(replace(item.at(pose), name=str(k)))
    return found


def _camera(size_px: tuple[int, int]) -> Camera:
    """One that looks at where the work is done."""
    target = np.array((_AHEAD_M + 0.03, 0.0, 0.05))
    eye = target + _AWAY_M * towards(_AZIMUTH_RAD, _ELEVATION_RAD)
    return camera_at("film", looking_at(eye, target), size_px)


def _picture(items: Sequence[Item], camera: Camera) -> np.ndarray:
    look = draw_appearance(np.random.default_rng(3))
    (frame,) = render_views(items, look, "none", [camera])
    return frame.color

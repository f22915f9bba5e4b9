"""Draws the film strips of docs/uses.md anew: ``python tools/uses_images.py [USE...]``.

Above, what serves; below, what does not, for each of its causes. Takes a minute or two on a
processor. Look at all of them before they are committed.
"""

import sys
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
from PIL import Image

from pactwin.sim import Item, draw_appearance, ensure_gl, looking_at, use_names
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.rendering.cameras import camera_at, towards
from pactwin.sim.rendering.render import render_views
from pactwin.sim.scene.pose import Pose, quat, vec3
from pactwin.sim.uses import load_use
from pactwin.sim.uses.base import PlayedTask, UseWorld
from pactwin.sim.uses.deciding import best_way, parts_of
from pactwin.sim.uses.pieces import links
from pactwin.sim.uses.task import draw
from pactwin.sim.uses.things import recolored

IMAGES = Path(__file__).parents[1] / "docs" / "images" / "uses"
SEED, FRAMES, SIZE = 4, 5, (200, 150)
EVERY_S, AHEAD_M, AWAY_M = 0.04, 0.25, 0.6


def strip(task: PlayedTask, thing: Item) -> np.ndarray | None:
    """Film of the part that does best, (h, n w, 3); None if there is no room for the thing."""
    blue = recolored(thing, "blue", thing.name, thing.category)
    tried = [best_way(task, blue, part) for part in reversed(parts_of(task, blue))]
    found = max((way for way in tried if way), key=lambda way: way[1].share, default=None)
    if found is None:
        return None
    moments = film(task, found[0])
    chosen = np.linspace(0, len(moments) - 1, FRAMES).round().astype(int)
    return np.hstack([picture(moments[k]) for k in chosen])


def film(task: PlayedTask, way: Item) -> list[list[Item]]:
    """The items of a rollout with the object at its initial pose, every ``EVERY_S``."""
    items, moments = (*links(way), *task.played_items(way)), list[list[Item]]()

    def look(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        if data.time >= EVERY_S * len(moments):
            bodies = [data.body(item.name) for item in items]
            poses = [Pose(vec3(b.xpos), quat(b.xquat)).moved(dx=AHEAD_M) for b in bodies]
            here = zip(items, poses, strict=True)
            moments.append([replace(i.at(at), name=str(k)) for k, (i, at) in enumerate(here)])

    world = UseWorld(task, way, Perturbation())  # compiling steps a model that has no items yet
    mujoco.set_mjcb_control(look)
    try:
        task.rollout(world, way)
    finally:
        mujoco.set_mjcb_control(None)
    return moments


def picture(items: list[Item]) -> np.ndarray:
    """A picture (h, w, 3) of where the work is done."""
    target = np.array((AHEAD_M + 0.03, 0.0, 0.05))
    camera = camera_at("film", looking_at(target + AWAY_M * towards(2.2, 0.55), target), SIZE)
    look = draw_appearance(np.random.default_rng(3))
    (frame,) = render_views(items, look, "none", [camera])
    return frame.color


def main(names: list[str]) -> None:
    """Draw those of ``names``."""
    ensure_gl()
    IMAGES.mkdir(exist_ok=True)
    for name in names:
        use = load_use(name)
        drawn = [draw(use, np.random.default_rng(SEED), cause) for cause in use.causes]
        task, things = drawn[0]
        rows = [strip(task, thing) for thing in (things.serving, *(t.failing for _, t in drawn))]
        path = IMAGES / f"{name}.webp"
        Image.fromarray(np.vstack([row for row in rows if row is not None])).save(
            path, quality=70, method=6
        )
        print(path, f"{path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:] or list(use_names()))

"""What drawing costs, beside what MuJoCo's own renderer costs for the same pictures.

Three ways to draw the eight views of twin pairs (colour, depth and mask), in one process, in turns:

- ``ours``: one pass for colour and depth, one for the mask;
- ``bare``: a loop around ``mujoco.Renderer`` on the same compiled models, a pass for each;
- ``default``: the same loop on models with the robot's full meshes and MuJoCo's default quality.

``ours`` and ``default`` must look the same: the peak signal-to-noise ratio between their pictures
is shown, and the least alike are saved side by side to be looked at.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from pactwin.sim import ensure_gl
from pactwin.sim.domains import load_domain
from pactwin.sim.rendering.cameras import CAMERAS, frame_cameras
from pactwin.sim.rendering.draw import instance_ids, scene_model
from pactwin.sim.rendering.render import Renderer, aim
from pactwin.sim.rendering.room import Appearance, draw_appearance
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Camera

Scene = tuple[tuple[Item, ...], Appearance, list[Camera]]
PICTURES = Path("bench") / "pictures"


def run(pairs: int = 4, rounds: int = 3) -> None:
    """Print time and likeness, save pictures under bench/pictures."""
    console = Console()
    console.print(f"OpenGL: {ensure_gl().renderer}")
    for size in ((640, 480), (1280, 720)):
        console.print(_compared(_scenes(pairs, size), size, rounds))
    console.print(f"the least alike pictures, ours left: {PICTURES}/*.png")


def _scenes(pairs: int, size_px: tuple[int, int]) -> list[Scene]:
    """Scenes of twin pairs, drawn as for a suite, without their trials."""
    domain = load_domain("support")
    found: list[Scene] = []
    seed = 0
    while len(found) < 2 * pairs:
        seed += 1
        rng = np.random.default_rng(seed)
        try:
            twins = domain.propose(rng, "g1")
        except RejectedLayout:
            continue
        layouts = (twins.infeasible, twins.feasible)
        look = draw_appearance(rng)
        cameras = frame_cameras(layouts, CAMERAS, size_px, rng, "g1")
        found += [(layout.items, look, cameras) for layout in layouts]
    return found


def _compared(scenes: Sequence[Scene], size_px: tuple[int, int], rounds: int) -> Table:
    seconds: dict[str, list[float]] = {"ours": [], "bare": [], "default": []}
    alike: list[tuple[float, np.ndarray]] = []
    for scene in scenes:
        pictures = _drawn(scene, size_px, rounds, seconds)
        for ours, theirs in zip(pictures["ours"], pictures["default"], strict=True):
            alike.append((float(cv2.PSNR(ours, theirs)), np.hstack([ours, theirs])))
    alike.sort(key=lambda pair: pair[0])
    PICTURES.mkdir(parents=True, exist_ok=True)
    for k, (_, picture) in enumerate(alike[:3]):
        name = f"{size_px[0]}x{size_px[1]}-{k}.png"
        cv2.imwrite(str(PICTURES / name), picture[..., ::-1])
    table = Table("way", "ms per view", "of bare", "of default", title=f"{size_px[0]}x{size_px[1]}")
    middle = {name: float(np.median(values)) for name, values in seconds.items()}
    for name, value in middle.items():
        ratios = (value / middle["bare"], value / middle["default"])
        table.add_row(name, f"{1000 * value:.1f}", *(f"{ratio:.2f}" for ratio in ratios))
    decibels = [value for value, _ in alike]
    table.caption = f"ours beside default: {np.mean(decibels):.1f} dB, least {decibels[0]:.1f} dB"
    return table


def _drawn(
    scene: Scene, size_px: tuple[int, int], rounds: int, seconds: dict[str, list[float]]
) -> dict[str, list[np.ndarray]]:
    """All views of a scene, each way; adds the seconds per view to ``seconds``."""
    import mujoco

    items, look, cameras = scene
    model = scene_model(items, look, "g1", size_px)
    full = scene_model(items, look, "g1", size_px, full=True)
    pictures: dict[str, list[np.ndarray]] = {}
    with (
        Renderer(model, instance_ids(model)) as renderer,
        mujoco.Renderer(model, size_px[1], size_px[0]) as bare,
        mujoco.Renderer(full, size_px[1], size_px[0]) as default,
    ):
        ways: dict[str, Callable[[], list[np.ndarray]]] = {
            "ours": lambda: [renderer.render(camera).color for camera in cameras],
            "bare": lambda: _loop(bare, model, cameras),
            "default": lambda: _loop(default, full, cameras),
        }
        for name, draw in ways.items():
            pictures[name] = draw()
        # In turns, so that what else the machine does falls on all alike.
        for _ in range(rounds):
            for name, draw in ways.items():
                start = time.perf_counter()
                draw()
                seconds[name].append((time.perf_counter() - start) / len(cameras))
    return pictures


def _loop(renderer, model, cameras: Sequence[Camera]) -> list[np.ndarray]:
    """Colour, depth and segmentation of all views, the way MuJoCo's documentation shows."""
    import mujoco

    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    pictures = []
    for camera in cameras:
        renderer.update_scene(data)
        aim(renderer.scene, camera)
        pictures.append(renderer.render())
        renderer.enable_depth_rendering()
        renderer.render()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        renderer.render()
        renderer.disable_segmentation_rendering()
    return pictures


if __name__ == "__main__":
    run()

"""How like our pictures are to those of MuJoCo's own renderer; ``bench_drawing.py`` times both.

Three ways to draw the eight views of twin pairs (colour, depth and mask):

- ``ours``: one pass for colour and depth, one for the mask;
- ``bare``: a loop around ``mujoco.Renderer`` on the same compiled models, a pass for each;
- ``default``: the same loop on models with the robot's full meshes and MuJoCo's default quality.

``ours`` and ``default`` must look the same: the peak signal-to-noise ratio between their pictures
is shown, and the least alike are saved side by side to be looked at.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console

from pactwin.sim import ensure_gl
from pactwin.sim.domains import load_domain
from pactwin.sim.rendering.cameras import CAMERAS, frame_cameras
from pactwin.sim.rendering.draw import FAR_M, NEAR_M, instance_ids, scene_model
from pactwin.sim.rendering.render import Renderer
from pactwin.sim.rendering.room import Appearance, draw_appearance
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Camera

Scene = tuple[tuple[Item, ...], Appearance, list[Camera]]
PICTURES = Path("bench") / "pictures"
SIZES_PX = ((640, 480), (1280, 720))


def run(pairs: int = 4) -> None:
    """Print how like the pictures are, and save the least alike under bench/pictures."""
    console = Console()
    console.print(f"OpenGL: {ensure_gl().renderer}")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for size_px in SIZES_PX:
        alike: list[tuple[float, np.ndarray]] = []
        for scene in scenes(pairs, size_px):
            with ways(scene, size_px) as draw:
                for ours, theirs in zip(draw["ours"](), draw["default"](), strict=True):
                    alike.append((float(cv2.PSNR(ours, theirs)), np.hstack([ours, theirs])))
        alike.sort(key=lambda pair: pair[0])
        size = f"{size_px[0]}x{size_px[1]}"
        for k, (_, picture) in enumerate(alike[:3]):
            cv2.imwrite(str(PICTURES / f"{size}-{k}.png"), picture[..., ::-1])
        decibels = [value for value, _ in alike]
        mean = f"{np.mean(decibels):.1f} dB, least {decibels[0]:.1f} dB"
        console.print(f"{size}, ours beside default: {mean}")
    console.print(f"the least alike pictures, ours left: {PICTURES}/*.png")


def scenes(pairs: int, size_px: tuple[int, int]) -> list[Scene]:
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


@contextmanager
def ways(scene: Scene, size_px: tuple[int, int]) -> Iterator[dict[str, Callable[[], list]]]:
    """The pictures of all views of a scene, each way."""
    import mujoco

    items, look, cameras = scene
    model = scene_model(items, look, "g1", size_px)
    full = scene_model(items, look, "g1", size_px, full=True)
    with (
        Renderer(model, instance_ids(model)) as renderer,
        mujoco.Renderer(model, size_px[1], size_px[0]) as bare,
        mujoco.Renderer(full, size_px[1], size_px[0]) as default,
    ):
        yield {
            "ours": lambda: [renderer.render(camera).color for camera in cameras],
            "bare": lambda: _loop(bare, model, cameras),
            "default": lambda: _loop(default, full, cameras),
        }


def _loop(renderer, model, cameras: Sequence[Camera]) -> list[np.ndarray]:
    """Colour, depth and segmentation of all views, the way MuJoCo's documentation shows."""
    import mujoco

    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    pictures = []
    for camera in cameras:
        renderer.update_scene(data)
        _aim(renderer.scene, camera)
        pictures.append(renderer.render())
        renderer.enable_depth_rendering()
        renderer.render()
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        renderer.render()
        renderer.disable_segmentation_rendering()
    return pictures


def _aim(scene, camera: Camera) -> None:
    """Set the frustum so that the intrinsic matrix K holds exactly."""
    pose = np.array(camera.world_from_camera)
    (fx, _, cx), (_, fy, cy), _ = camera.K
    for eye in scene.camera:
        eye.pos = pose[:3, 3]
        eye.forward = pose[:3, 2]
        eye.up = -pose[:3, 1]
        eye.frustum_near, eye.frustum_far = NEAR_M, FAR_M
        eye.frustum_bottom = NEAR_M * (cy - camera.height_px + 0.5) / fy
        eye.frustum_top = NEAR_M * (cy + 0.5) / fy
        eye.frustum_center = NEAR_M * ((camera.width_px - 1) / 2 - cx) / fx
        eye.frustum_width = NEAR_M * camera.width_px / 2 / fx


if __name__ == "__main__":
    run()

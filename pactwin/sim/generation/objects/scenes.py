"""Scenes of objects: one alone from 24 directions, or one among others before the robot.

The latter is marked by a box in the pictures.
"""

from dataclasses import replace

import numpy as np

from pactwin.sim.generation.objects.facts import labelled_record
from pactwin.sim.generation.objects.settling import footprint_radius_m, placed
from pactwin.sim.rendering.cameras import CAMERAS, frame_cameras
from pactwin.sim.rendering.draw import instance_ids
from pactwin.sim.rendering.encoding import encode_view, view_record
from pactwin.sim.rendering.render import Renderer, render_views
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.studio import (
    Background,
    Studio,
    cut_out,
    studio_model,
    turntable_cameras,
)
from pactwin.sim.scene.layout import Item, Layout, object_record
from pactwin.sim.scene.placement import RejectedLayout, free_places
from pactwin.suite import Scene, views_showing

BOX_RGB: dict[str, tuple[int, int, int]] = {
    "red": (230, 20, 20),
    "yellow": (255, 225, 0),
    "green": (0, 200, 40),
    "blue": (20, 60, 240),
    "magenta": (240, 0, 220),
    "cyan": (0, 220, 235),
}
_X_RANGE_M, _Y_RANGE_M = (0.03, 0.65), (-0.50, 0.50)
_GAP_PX = 3
_MIN_VIEWS = 2
# Where on the table of a room an object stands alone (m).
_ON_TABLE = (0.36, 0.0)


def turntable_scene(
    item: Item,
    background: Background,
    size_px: tuple[int, int],
    scene_id: str,
    seed: int,
    rng: np.random.Generator,
) -> tuple[Scene, dict[str, bytes]]:
    """Render a settled item from all directions; returns the scene and its files' bytes.

    Pictures with a transparent background have an alpha channel.
    """
    look = draw_appearance(rng) if background == "table" else Studio.drawn(rng)
    x, y = _ON_TABLE if background == "table" else (0.0, 0.0)
    item = placed(item, x, y, float(rng.uniform(-np.pi, np.pi)) if background == "table" else 0.0)
    cameras = turntable_cameras(item, size_px)
    model = studio_model([item], look, size_px, ground=background != "transparent")
    files: dict[str, bytes] = {}
    views = []
    with Renderer(model, instance_ids(model)) as renderer:
        for camera in cameras:
            frame = renderer.render(camera)
            if background == "transparent":
                frame = replace(frame, color=cut_out(frame.color, renderer.on_black(camera)))
            views.append(view_record(scene_id, camera, [item], frame.mask))
            files |= encode_view(views[-1], frame)
    scene = Scene(
        id=scene_id,
        domain="objects",
        source="sim",
        seed=seed,
        robot="none",
        appearance={"background": background} | look.record(),
        objects=(labelled_record(item, 1),),
        views=tuple(views),
    )
    return scene, files


def tabletop_scene(
    asked: Item,
    others: list[Item],
    robot: str,
    size_px: tuple[int, int],
    scene_id: str,
    seed: int,
    rng: np.random.Generator,
) -> tuple[Scene, dict[str, bytes]]:
    """Put settled items on the table and render them; returns the scene and its files' bytes.

    Raises RejectedLayout if there is no room, or if fewer than two cameras show the asked object.
    """
    items = _arranged([asked, *others], rng)
    layout = Layout(tuple(items), action="", critical_objects=(asked.name,))
    look = draw_appearance(rng)
    cameras = frame_cameras([layout], CAMERAS, size_px, rng, robot)
    box = str(rng.choice([name for name in BOX_RGB if name != asked.color]))
    files: dict[str, bytes] = {}
    views = []
    for camera, frame in zip(cameras, render_views(items, look, robot, cameras), strict=True):
        views.append(view_record(scene_id, camera, items, frame.mask))
        color = frame.color.copy()
        if (bounds := views[-1].visibility[asked.name].box) is not None:
            draw_box(color, bounds, BOX_RGB[box])
        files |= encode_view(views[-1], replace(frame, color=color))
    records = [labelled_record(items[0], 1)]
    records += [object_record(item, k) for k, item in enumerate(items[1:], start=2)]
    scene = Scene(
        id=scene_id,
        domain="tabletop",
        source="sim",
        seed=seed,
        robot=robot,
        appearance={**look.record(), "box": box, "boxed": asked.name},
        objects=tuple(records),
        views=tuple(views),
    )
    if len(views_showing(scene, (asked.name,))) < _MIN_VIEWS:
        raise RejectedLayout("the object is hidden from too many cameras")
    return scene, files


def draw_box(
    picture: np.ndarray, bounds: tuple[int, int, int, int], rgb: tuple[int, int, int]
) -> None:
    """Draw a frame around ``bounds`` (x0 y0 x1 y1, exclusive) without changing its inside.

    Lines outside the picture are not drawn.
    """
    height, width = picture.shape[:2]
    thick = max(2, height // 160)
    x0, y0, x1, y1 = bounds
    x0, y0, x1, y1 = x0 - _GAP_PX, y0 - _GAP_PX, x1 + _GAP_PX, y1 + _GAP_PX
    frame = np.zeros((height, width), bool)
    frame[max(y0 - thick, 0) : max(y1 + thick, 0), max(x0 - thick, 0) : max(x1 + thick, 0)] = True
    frame[max(y0, 0) : y1, max(x0, 0) : x1] = False
    picture[frame] = rgb


def _arranged(items: list[Item], rng: np.random.Generator) -> list[Item]:
    radii = [footprint_radius_m(item) for item in items]
    places = free_places(rng, radii, x_range=_X_RANGE_M, y_range=_Y_RANGE_M)
    return [
        placed(item, x, y, float(rng.uniform(-np.pi, np.pi)))
        for item, (x, y) in zip(items, places, strict=True)
    ]

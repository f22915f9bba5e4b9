"""One object alone, from 24 directions."""

from dataclasses import replace

import numpy as np

from pactwin.sim.generation.objects.facts import labelled_record
from pactwin.sim.generation.objects.settling import placed
from pactwin.sim.rendering.draw import instance_ids
from pactwin.sim.rendering.encoding import encode_view, view_record
from pactwin.sim.rendering.render import Renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.studio import (
    Background,
    Studio,
    cut_out,
    studio_model,
    turntable_cameras,
)
from pactwin.sim.scene.layout import Item
from pactwin.suite import Scene

DOMAIN = "objects"
# Where on the table of a room an object stands (m).
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
        domain=DOMAIN,
        source="sim",
        seed=seed,
        robot="none",
        appearance={"background": background} | look.record(),
        objects=(labelled_record(item, 1),),
        views=tuple(views),
    )
    return scene, files

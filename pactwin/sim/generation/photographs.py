"""Render scenes through the same cameras: colours, which cost most, only if they may be asked."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack

import numpy as np

from pactwin.sim.rendering.encoding import encode_views, view_record
from pactwin.sim.rendering.render import Frame, Renderer, look_alike
from pactwin.sim.scene.layout import Item, object_record
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Camera, Scene, View

HIDDEN, UNCLEAR = (
    "what decides is hidden from too many cameras",
    "too few pictures show what decides",
)


def photograph(
    scenes: Sequence[Scene],
    things: Sequence[Sequence[Item]],
    cameras: Sequence[Camera],
    renderer_of: Callable[[Sequence[Item]], Renderer],
    completed: Callable[[Scene, int, Sequence[Frame]], Scene],
    shown: Callable[[Sequence[Scene]], bool] = lambda scenes: True,
    reasons: tuple[str, str] = (HIDDEN, UNCLEAR),
    colors: Callable[[Renderer, Camera, View], np.ndarray] | None = None,
) -> tuple[tuple[Scene, ...], dict[str, bytes]]:
    """The ``scenes`` with their objects and views from all ``cameras``, and the files' bytes.

    Scene k shows ``things[k]``, drawn by ``renderer_of`` them; ``completed`` adds to it and its
    number what its pictures show further. Raises RejectedLayout with the first of ``reasons`` if
    the masks do not make the scenes ``shown``, with the second if they are not when completed.
    ``colors`` (h, w, 3 or 4) of a view may be other than the renderer's.
    """
    found: list[Scene] = []
    frames: dict[int, list[Frame]] = {}
    with ExitStack() as drawing:
        renderers: list[Renderer] = []
        surfaces = []
        for k, (scene, items) in enumerate(zip(scenes, things, strict=True)):
            if k and look_alike(things[0], items):  # moved, they need no other model
                renderers.append(renderers[0])
                renderers[0].place(items)
            else:
                renderers.append(drawing.enter_context(renderer_of(items)))
            surfaces.append([renderers[k].surfaces(camera) for camera in cameras])
            views = tuple(
                view_record(scene.id, camera, items, mask)
                for camera, (_, mask) in zip(cameras, surfaces[k], strict=True)
            )
            objects = tuple(object_record(item, n) for n, item in enumerate(items, start=1))
            found.append(scene.model_copy(update={"objects": objects, "views": views}))
        if not shown(found):
            raise RejectedLayout(reasons[0])
        for k in reversed(range(len(things))):  # the last ones are in their places
            renderers[k].place(things[k])
            frames[k] = []
            for n, (camera, view) in enumerate(zip(cameras, found[k].views, strict=True)):
                if colors is not None:
                    drawn = colors(renderers[k], camera, view)
                elif k + 1 in frames:
                    like = frames[k + 1][n].color
                    drawn = renderers[k].color_like(camera, like, _differing(things))
                else:
                    drawn = renderers[k].color(camera)
                frames[k].append(Frame(drawn, *surfaces[k][n]))
            found[k] = completed(found[k], k, frames[k])
            if not shown(found):
                raise RejectedLayout(reasons[1])
    files: dict[str, bytes] = {}
    for k, scene in enumerate(found):
        files |= encode_views(scene.views, frames[k])
    return tuple(found), files


def _differing(things: Sequence[Sequence[Item]]) -> list[Item]:
    """The items that are not the same in all scenes."""
    return [
        item for items in things for item in items if not all(item in others for others in things)
    ]

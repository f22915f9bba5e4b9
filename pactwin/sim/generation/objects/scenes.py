"""Scenes of objects: one alone from 24 directions, or one among others before the robot.

The latter is marked by a box in the pictures. Twins of a kind lie at the same place among the same
objects, under the same light.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

import cv2
import numpy as np

from pactwin.sim.generation.objects.facts import labelled_record
from pactwin.sim.generation.objects.generate import ObjectSuiteConfig
from pactwin.sim.generation.objects.settling import footprint_radius_m, placed, settled
from pactwin.sim.generation.objects.sources import OwnModels, source_of
from pactwin.sim.generation.objects.twins import Difference, differing
from pactwin.sim.generation.photographs import photograph
from pactwin.sim.generation.sampling import Drawn, batch_seeds, blank_scenes, stream
from pactwin.sim.rendering.cameras import (
    CAMERAS,
    NEAREST_M,
    camera_at,
    frame_cameras,
    looking_at,
    towards,
)
from pactwin.sim.rendering.draw import instance_ids
from pactwin.sim.rendering.render import Frame, Renderer, scene_renderer
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.silhouette import silhouette_px
from pactwin.sim.rendering.studio import Studio, cut_out, studio_model, turntable_cameras
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import free_places
from pactwin.suite import (
    BETWEEN,
    MIN_PIXELS,
    Camera,
    InvalidInputError,
    Scene,
    View,
    views_showing,
)

ROBOT = "g1"
TWINS = "object_twins"
"""Domain of scenes with two objects of one kind."""
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
_OTHERS, _SMALL_M = 3, 0.12
# Where on the table of a room an object stands alone (m).
_ON_TABLE = (0.36, 0.0)
_FEW = "the object is hidden from too many cameras"
# Streams of random numbers that one scene draws from.
_OBJECT, _PICTURES, _IDENTITY, _COMPANY, _ORDER = range(5)


def on_turntable(request: ObjectSuiteConfig, kind: str, seed: int) -> Drawn:
    """A scene of one object from all directions.

    Pictures with a transparent background have an alpha channel.
    """
    rng = stream(seed, _PICTURES)
    item = _built(request.assets, kind, stream(seed, _OBJECT))
    in_room, cut = request.background == "table", request.background == "transparent"
    look = draw_appearance(rng) if in_room else Studio.drawn(rng)
    place, turn = (_ON_TABLE, rng.uniform(-np.pi, np.pi)) if in_room else ((0.0, 0.0), 0.0)
    item = placed(item, *place, float(turn))
    appearance = {"background": request.background} | look.record()
    blank = blank_scenes(stream(seed, _IDENTITY), 1, "objects", seed, appearance=appearance)

    def renderer_of(items: Sequence[Item]) -> Renderer:
        model = studio_model(items, look, request.size_px, ground=not cut)
        return Renderer(model, instance_ids(model))

    def colors(renderer: Renderer, camera: Camera, _: View) -> np.ndarray:
        color = renderer.color(camera)
        return cut_out(color, renderer.on_black(camera)) if cut else color

    return photograph(
        blank,
        [[item]],
        turntable_cameras(item, request.size_px),
        renderer_of,
        lambda scene, k, frames: _labelled(scene, item),
        colors=colors,
    )


def on_table(request: ObjectSuiteConfig, kind: str, seed: int) -> Drawn:
    """A scene of one object among others; RejectedLayout if fewer than two cameras show it."""
    asked = _built(request.assets, kind, stream(seed, _OBJECT))
    return _among_others([asked], kind, "tabletop", request.size_px, seed)


@lru_cache(maxsize=1)
def twins_on_table(
    request: ObjectSuiteConfig, difference: Difference, kind: str, seed: int
) -> Drawn:
    """Two scenes as of :func:`on_table` in a random order, with objects that differ in a property.

    Both are asked for it, with the same options.
    """
    pair = differing(_built(request.assets, kind, stream(seed, _OBJECT)), difference)
    asked = [settled(pair[k]) for k in stream(seed, _ORDER).permutation(2).tolist()]
    scenes, files = _among_others(asked, kind, TWINS, request.size_px, seed)
    labels = [scene.objects[0].properties[difference.topic] for scene in scenes]
    between = {BETWEEN: ", ".join(sorted(label.value for label in labels))}
    twins = []
    for scene, label in zip(scenes, labels, strict=True):
        known = {"properties": {difference.topic: label}, "affordances": ()}
        objects = (scene.objects[0].model_copy(update=known), *scene.objects[1:])
        update = {"appearance": scene.appearance | between, "objects": objects}
        twins.append(scene.model_copy(update=update))
    return tuple(twins), files


def _among_others(
    asked: Sequence[Item], kind: str, domain: str, size_px: tuple[int, int], seed: int
) -> Drawn:
    """One scene for each of ``asked``, all at one place among the same objects, with a box."""
    rng = stream(seed, _PICTURES)
    others = list(islice(_company(kind, stream(seed, _COMPANY)), _OTHERS))
    radii = [max(map(footprint_radius_m, asked)), *map(footprint_radius_m, others)]
    free = free_places(rng, radii, x_range=_X_RANGE_M, y_range=_Y_RANGE_M)
    spots = [(x, y, float(rng.uniform(-np.pi, np.pi))) for x, y in free]
    beside = [placed(item, *spot) for item, spot in zip(others, spots[1:], strict=True)]
    things = [[placed(item, *spots[0]), *beside] for item in asked]
    name = asked[0].name
    look = draw_appearance(rng)
    layouts = [Layout(tuple(items), action="", critical_objects=(name,)) for items in things]
    cameras = frame_cameras(layouts, CAMERAS, size_px, rng, ROBOT)
    own = {item.color for item in asked}
    box = str(rng.choice([color for color in BOX_RGB if color not in own]))
    appearance = {**look.record(), "box": box, "boxed": name}

    def boxed(renderer: Renderer, camera: Camera, view: View) -> np.ndarray:
        color = renderer.color(camera).copy()
        if (bounds := view.visibility[name].box) is not None:
            draw_box(color, bounds, BOX_RGB[box])
        return color

    def completed(scene: Scene, k: int, _: Sequence[Frame]) -> Scene:
        return _labelled(scene, things[k][0])

    return photograph(
        blank_scenes(
            stream(seed, _IDENTITY), len(asked), domain, seed, ROBOT, appearance=appearance
        ),
        things,
        cameras,
        lambda items: scene_renderer(items, look, ROBOT, cameras),
        completed,
        lambda scenes: all(len(views_showing(s, (name,))) >= _MIN_VIEWS for s in scenes),
        (_FEW, _FEW),
        boxed,
    )


def _labelled(scene: Scene, item: Item) -> Scene:
    """The scene with the labels of its first object."""
    objects = (labelled_record(item, 1), *scene.objects[1:])
    return scene.model_copy(update={"objects": objects})


def draw_box(
    picture: np.ndarray, bounds: tuple[int, int, int, int], rgb: tuple[int, int, int]
) -> None:
    """Draw a frame around ``bounds`` (x0 y0 x1 y1, exclusive) without changing its inside.

    Lines outside the picture are not drawn.
    """
    x0, y0, x1, y1 = bounds
    frame = np.zeros(picture.shape[:2], np.uint8)
    for away, inked in ((_GAP_PX + max(2, len(picture) // 160), 1), (_GAP_PX, 0)):
        cv2.rectangle(frame, (x0 - away, y0 - away), (x1 + away - 1, y1 + away - 1), inked, -1)
    picture[frame > 0] = rgb


def check_picture_size(request: ObjectSuiteConfig) -> None:
    """Raise InvalidInputError if pictures are too small for a kind to cover enough pixels.

    The check renders the kind from the nearest possible distance at several angles.
    """
    most_px = dict[str, float]()
    for kind in request.kinds:
        seed = next(batch_seeds(request.seed, f"{request.source_name}/{kind}", 1, 1))
        item = _built(request.assets, kind, stream(seed, _OBJECT))
        at = np.array(item.world_from_object.pos)
        eyes = [at + NEAREST_M * towards(turn, up) for turn in (0.0, 1.57) for up in (0.4, 0.9)]
        cameras = [camera_at(kind, looking_at(eye, at), request.size_px) for eye in eyes]
        most_px[kind] = max(silhouette_px(item, camera) for camera in cameras)
    kind = min(most_px, key=most_px.__getitem__)
    if most_px[kind] < MIN_PIXELS:
        high = math.ceil(request.height_px * math.sqrt(MIN_PIXELS / most_px[kind]))
        raise InvalidInputError(
            f"size {request.size}: a {kind!r} covers at most {most_px[kind]:.0f} of the "
            f"{MIN_PIXELS} px that tell what it is; give at least {high} px of height, or leave "
            "that kind out"
        )


def _company(kind: str, rng: np.random.Generator) -> Iterator[Item]:
    """Built-in objects of other kinds that take little room."""
    for name in rng.permutation(sorted(set(source_of("builtin").names()) - {kind})):
        item = _built("builtin", str(name), rng)
        if footprint_radius_m(item) <= _SMALL_M:
            yield item


def _built(assets: str | OwnModels, kind: str, rng: np.random.Generator) -> Item:
    return settled(source_of(assets).build(kind, rng))

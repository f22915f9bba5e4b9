"""Views of one scene: as a whole, of each object and of each part.

The objects stand on a ground with lines 5 cm apart. All pictures are of one compiled model and
agree with each other. Several viewpoints around an object or part are compared; the one that shows
most of its surface is used.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pactwin.catalogue import ENVIRONMENT, part_camera, thing_camera
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.generation.creative.shapes import pieces_of
from pactwin.sim.generation.objects.settling import placed, settled
from pactwin.sim.rendering.boxes import BACKGROUND_GROUP, add_box
from pactwin.sim.rendering.cameras import camera_at, looking_at, towards
from pactwin.sim.rendering.encoding import encode_view, view_record
from pactwin.sim.rendering.render import Frame, Renderer
from pactwin.sim.rendering.studio import Studio, studio_model
from pactwin.sim.scene.geometry import item_points, points_of_parts
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera, View

if TYPE_CHECKING:
    import mujoco

_GAP_M = 0.03
_LINES_M, _LINE_M = 0.05, 0.0012
_FOCAL = 1.6  # picture heights
_MARGIN = {"environment": 0.05, "thing": 0.12, "part": 0.22}
_NEAREST_M = 0.16
_AROUND = tuple(np.arange(6) * np.pi / 3)
_ELEVATIONS = {"thing": (0.7,), "part": (0.45, 1.1)}
_TRIAL_PX = 120
_SHADOW_PX = 4096


@lru_cache(maxsize=256)
def _at_rest(kind: str, seed: int) -> Item:
    return settled(specimen(kind, seed))


def arranged(kinds: Sequence[str], seed: int, rng: np.random.Generator) -> list[Item]:
    """Arrange the suite's specimens of ``kinds`` in rows at random angles without overlaps."""
    items = [placed(_at_rest(kind, seed), 0.0, 0.0, rng.uniform(-np.pi, np.pi)) for kind in kinds]
    points = [item_points(item)[0][:, :2] for item in items]
    sizes = [np.ptp(p, axis=0) + _GAP_M for p in points]
    row_m = max(max(wide for wide, _ in sizes), float(np.sqrt(1.5 * sum(map(np.prod, sizes)))))
    x = y = high = 0.0
    spots = []
    for p, (wide, deep) in zip(points, sizes, strict=True):
        if x + wide > row_m:
            x, y, high = 0.0, y + high, 0.0
        spots.append(np.array((x, y)) - p.min(axis=0))
        x, high = x + wide, max(high, deep)
    middle = np.array((row_m, y + high)) / 2
    return [
        placed(item, float(spot[0] - middle[0]), float(spot[1] - middle[1]), 0.0)
        for item, spot in zip(items, spots, strict=True)
    ]


def photographed(
    items: Sequence[Item],
    parts: Sequence[Sequence[str]],
    studio: Studio,
    size_px: tuple[int, int],
    scene_id: str,
    least_px: int,
) -> tuple[tuple[View, ...], dict[str, bytes]]:
    """Render all objects together, each object, and its ``parts``, each from one viewpoint.

    A part has no picture if no camera shows at least ``least_px`` pixels of it.
    """
    model = studio_model(items, studio, size_px, furnish=_add_lines)
    # Ids up to the number of objects are for surfaces outside all parts.
    names = [(k, role) for k, roles in enumerate(parts) for role in roles]
    numbers = {name: n for n, name in enumerate(names, start=len(items) + 1)}
    instance_of = np.array([*range(len(items) + 1), *(k + 1 for k, _ in names)], np.uint16)
    views: list[View] = []
    files: dict[str, bytes] = {}
    with Renderer(model, _ids(model, items, numbers)) as renderer:
        for camera, shown in _cameras(renderer, items, numbers, size_px, least_px):
            depth_mm, mask = renderer.surfaces(camera)
            if shown is not None and (mask == shown).sum() < least_px:
                continue
            frame = Frame(renderer.color(camera), depth_mm, instance_of[mask])
            view = view_record(scene_id, camera, items, frame.mask)
            views.append(view)
            files |= encode_view(view, frame)
    return tuple(views), files


def _ids(
    model: "mujoco.MjModel", items: Sequence[Item], numbers: Mapping[tuple[int, str], int]
) -> np.ndarray:
    """Per geom the id of its part, or of its thing."""
    ids = np.zeros(model.ngeom, np.uint16)
    for geom in range(model.ngeom):
        _, _, rest = model.geom(geom).name.partition("item/")
        if rest:
            k, j = map(int, rest.split("/"))
            ids[geom] = numbers.get((k, items[k].parts[j].role), k + 1)
    return ids


def _cameras(
    renderer: Renderer,
    items: Sequence[Item],
    numbers: Mapping[tuple[int, str], int],
    size_px: tuple[int, int],
    least_px: int,
) -> Iterator[tuple[Camera, int | None]]:
    """Every camera, with the id of the part that it is there for."""
    everything = np.concatenate([item_points(item)[0] for item in items])
    place = (ENVIRONMENT, _MARGIN["environment"], size_px)
    yield _showing(place, everything, -np.pi / 2, 0.85), None
    for k, item in enumerate(items):
        mine = {role: number for (owner, role), number in numbers.items() if owner == k}
        place = (thing_camera(k + 1), _MARGIN["thing"], size_px)
        shown = [k + 1, *mine.values()]
        yield _best(renderer, place, item_points(item)[0], "thing", shown, least_px), None
        for role, number in mine.items():
            place = (part_camera(k + 1, role), _MARGIN["part"], size_px)
            points = _part_points(item, role)
            yield _best(renderer, place, points, "part", [number], least_px), number


def _part_points(item: Item, role: str) -> np.ndarray:
    """Points (n, 3) of the pieces of one part, in the table frame."""
    return np.concatenate(points_of_parts(pieces_of(item, role), item.world_from_object))


def _best(
    renderer: Renderer,
    place: tuple[str, float, tuple[int, int]],
    points: np.ndarray,
    what: str,
    wanted: list[int],
    least_px: int,
) -> Camera:
    """The camera that shows most of the wanted surface, in enough pixels.

    A margin of a tenth is added, since the trial picture is smaller than the final one.
    """
    name, margin, size_px = place
    small = (_TRIAL_PX * size_px[0] // size_px[1], _TRIAL_PX)
    enough = 1.1 * least_px * small[0] * small[1] / (size_px[0] * size_px[1])

    def shown(way: tuple[float, float]) -> tuple[float, float]:
        camera = _showing((name, margin, small), points, *way)
        depth_mm, mask = renderer.surfaces(camera)
        mine = depth_mm[np.isin(mask, wanted)].astype(float)
        return min(len(mine), enough), float((mine**2).sum())

    ways = [(float(a), e) for e in _ELEVATIONS[what] for a in _AROUND]
    return _showing(place, points, *max(ways, key=shown))


def _showing(
    place: tuple[str, float, tuple[int, int]], points: np.ndarray, azimuth: float, elevation: float
) -> Camera:
    """A camera from that direction, as near as it can show all ``points`` (n, 3) with a margin."""
    name, margin, size_px = place
    focal = _FOCAL * size_px[1]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    pose = looking_at(middle + towards(azimuth, elevation), middle)
    seen = (points - middle) @ pose[:3, :3]
    room = (1 - 2 * margin) / 2 * np.array(size_px)
    distance = float((focal * np.abs(seen[:, :2]) / room - seen[:, 2:]).max())
    pose[:3, 3] = middle - max(_NEAREST_M, distance) * pose[:3, 2]
    return camera_at(name, pose, size_px, focal)


def _add_lines(spec: "mujoco.MjSpec") -> None:
    """Add thin dark lines on the ground as a scale, and a shadow map fine enough for all of it."""
    spec.visual.quality.shadowsize = _SHADOW_PX
    for k in range(-40, 41):
        for along in (0, 1):
            size, pos = [4.0, _LINE_M], [0.0, k * _LINES_M]
            if not along:
                size, pos = size[::-1], pos[::-1]
            thin, flat = (size[0], size[1], 0.0002), (pos[0], pos[1], 0.0)
            add_box(spec, thin, flat, rgba=(0.25, 0.27, 0.30, 1.0), group=BACKGROUND_GROUP)

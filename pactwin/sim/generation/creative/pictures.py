"""Views of one scene: as a whole, of each object and of each part.

The objects stand on a ground with lines 5 cm apart. Several viewpoints around an object or part are
compared; the one that shows most of its surface is used.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pactwin.catalogue import ENVIRONMENT, part_camera, thing_camera
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.generation.objects.settling import placed, settled
from pactwin.sim.generation.photographs import photograph
from pactwin.sim.generation.sampling import Drawn, stream
from pactwin.sim.rendering.boxes import BACKGROUND_GROUP, add_box
from pactwin.sim.rendering.cameras import fitted_camera
from pactwin.sim.rendering.draw import instance_ids
from pactwin.sim.rendering.render import Renderer
from pactwin.sim.rendering.studio import Studio, studio_model
from pactwin.sim.scene.geometry import item_points, points_of_parts
from pactwin.sim.scene.layout import Item
from pactwin.suite import MIN_PIXELS, Camera, Scene

if TYPE_CHECKING:
    import mujoco

_PLACES, _LIGHT = 1, 2  # streams of random numbers
_GAP_M = 0.03
_LINES_M, _LINE_M = 0.05, 0.0012
_FOCAL = 1.6  # picture heights
_FROM, _MARGIN = (-np.pi / 2, 0.85), 0.05
_NEAREST_M = 0.16
_AROUND = tuple(np.arange(6) * np.pi / 3)
# Elevations of the viewpoints (rad) and margins of their pictures.
_OF_THING, _OF_PART = ((0.7,), 0.12), ((0.45, 1.1), 0.22)
# A picture of a part shows it if this share of its pixels does.
_PART_SHARE = 0.01
_TRIAL_PX = 120
_SHADOW_PX = 4096
_HIDDEN = "a thing is hidden among the others"


def pictured(
    parts: Mapping[str, tuple[str, ...]],
    suite_seed: int,
    size_px: tuple[int, int],
    scene: Scene,
    seed: int,
) -> Drawn:
    """The scene with its objects, by kind, and views of them and of their ``parts``.

    Raises RejectedLayout if an object is hidden.
    """
    rng = stream(seed, _PLACES)
    kinds = [str(kind) for kind in rng.permutation(sorted(parts))]
    items = arranged(kinds, suite_seed, rng)
    studio = Studio.drawn(stream(seed, _LIGHT))
    model = studio_model(items, studio, size_px, furnish=_add_lines)
    cameras = best_cameras(model, items, [parts[kind] for kind in kinds], size_px)
    enough = MIN_PIXELS * size_px[1] // 480 // 4

    def shown(scenes: Sequence[Scene]) -> bool:
        return min(one.pixels for one in scenes[0].views[0].visibility.values()) >= enough

    return photograph(
        [scene.model_copy(update={"appearance": studio.record()})],
        [items],
        cameras,
        lambda items: Renderer(model, instance_ids(model)),
        lambda scene, k, frames: scene,
        shown,
        (_HIDDEN, _HIDDEN),
    )


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


def best_cameras(
    model: "mujoco.MjModel",
    items: Sequence[Item],
    parts: Sequence[Sequence[str]],
    size_px: tuple[int, int],
) -> list[Camera]:
    """Cameras for all objects together, for each object, and for each of its ``parts``.

    A part has none if no viewpoint shows enough of it.
    """
    roles = list(dict.fromkeys((k, p.role) for k, item in enumerate(items) for p in item.parts))
    ids = np.zeros(model.ngeom, np.uint16)
    for geom in range(model.ngeom):
        _, _, rest = model.geom(geom).name.partition("item/")
        if rest:
            k, j = map(int, rest.split("/"))
            ids[geom] = roles.index((k, items[k].parts[j].role)) + 1
    with Renderer(model, ids) as renderer:
        return list(_cameras(renderer, items, parts, roles, size_px))


def _cameras(
    renderer: Renderer,
    items: Sequence[Item],
    parts: Sequence[Sequence[str]],
    roles: Sequence[tuple[int, str]],
    size_px: tuple[int, int],
) -> Iterator[Camera]:
    """Compare viewpoints in small pictures; ``roles`` are the numbers in their masks, from 1."""
    small_px = (_TRIAL_PX * size_px[0] // size_px[1], _TRIAL_PX)
    # A tenth more, since a small picture is less exact.
    enough = 1.1 * _PART_SHARE * small_px[0] * small_px[1]

    def camera(
        name: str, points: np.ndarray, way: tuple[float, float], margin: float, px: tuple[int, int]
    ) -> Camera:
        f = _FOCAL * px[1]
        return fitted_camera(name, points, way, px, f=f, margin=margin, nearest_m=_NEAREST_M)

    def best(
        name: str, points: np.ndarray, wanted: list[int], of: tuple[tuple[float, ...], float]
    ) -> tuple[Camera, bool]:
        """The camera that shows most of the wanted surface, and whether it shows enough."""
        elevations, margin = of

        def shown(way: tuple[float, float]) -> tuple[float, float]:
            depth_mm, mask = renderer.surfaces(camera(name, points, way, margin, small_px))
            mine = depth_mm[np.isin(mask, wanted)].astype(float)
            return min(len(mine), enough), float((mine**2).sum())

        most = {(turn, up): shown((turn, up)) for up in elevations for turn in _AROUND}
        way = max(most, key=most.__getitem__)
        return camera(name, points, way, margin, size_px), most[way][0] >= enough

    everything = np.concatenate([item_points(item)[0] for item in items])
    yield camera(ENVIRONMENT, everything, _FROM, _MARGIN, size_px)
    for k, item in enumerate(items):
        mine = [n for n, (owner, _) in enumerate(roles, start=1) if owner == k]
        yield best(thing_camera(k + 1), item_points(item)[0], mine, _OF_THING)[0]
        for role in parts[k]:
            pieces = [part for part in item.parts if part.role == role and part.is_matter]
            points = np.concatenate(points_of_parts(pieces, item.world_from_object))
            number = roles.index((k, role)) + 1
            found, plain = best(part_camera(k + 1, role), points, [number], _OF_PART)
            if plain:
                yield found


def _add_lines(spec: "mujoco.MjSpec") -> None:
    """Add thin dark lines on the ground as a scale, and a shadow map fine enough for all of it."""
    spec.visual.quality.shadowsize = _SHADOW_PX
    dark = (0.25, 0.27, 0.30, 1.0)
    for at in (_LINES_M * np.arange(-40, 41)).tolist():
        add_box(spec, (_LINE_M, 4.0, 2e-4), (at, 0.0, 0.0), rgba=dark, group=BACKGROUND_GROUP)
        add_box(spec, (4.0, _LINE_M, 2e-4), (0.0, at, 0.0), rgba=dark, group=BACKGROUND_GROUP)

"""A made-up suite of single objects: tiny drawn pictures, the catalogue's own labels, no simulator.

Pictures show a filled square, the same for all kinds: only the records know the labels.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from fakes import png

from pactwin.catalogue import ObjectKind, load_catalogue, property_labels, typical_facts
from pactwin.suite import Camera, ObjectRecord, Scene, SuiteWriter, View, Visibility, view_paths
from pactwin.tasks import make_object_questions

CAMERAS = tuple(f"elev{elev}_azim{azim}" for elev in (15, 45) for azim in (0, 90, 180, 270))
SIDE_PX = 64


def make_fake_objects(
    path: Path | str,
    kinds: Sequence[str] | int = 6,
    cameras: Sequence[str] = CAMERAS,
    seed: int = 0,
) -> Path:
    """Write a suite with one scene per kind; a number takes the catalogue's first kinds."""
    names = sorted(load_catalogue().kinds)
    chosen = names[:kinds] if isinstance(kinds, int) else list(kinds)
    with SuiteWriter.open(
        path,
        name="fake objects",
        request={"seed": seed, "kinds": list(chosen)},
        packages={"pactwin": "0"},
        gl_renderer="none",
    ) as writer:
        for index, name in enumerate(chosen):
            scene, files = fake_object_scene(load_catalogue().kinds[name], cameras, [seed, index])
            writer.add([scene], files, {})
        writer.finish(lambda scenes: (q for s in scenes for q in make_object_questions(s)))
    return Path(path)


def fake_object_scene(
    kind: ObjectKind, cameras: Sequence[str], seed: Sequence[int]
) -> tuple[Scene, dict[str, bytes]]:
    """One object on its own. The last camera sees too little of it, if there are several."""
    rng = np.random.default_rng(seed)
    scene_id = rng.bytes(8).hex()
    obj = ObjectRecord(
        name=kind.title,
        category=kind.category,
        world_from_object=((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0.05), (0, 0, 0, 1)),
        size_m=kind.size_m,
        mass_kg=kind.mass_kg,
        color="grey",
        material=next(iter(kind.parts.values())),
        asset=f"builtin/{kind.name}",
        instance_id=1,
        properties=property_labels(kind, typical_facts(kind)),
        affordances=kind.record_affordances(),
    )
    views: list[View] = []
    files: dict[str, bytes] = {}
    for number, camera in enumerate(cameras):
        side = 16 if number == len(cameras) - 1 > 0 else 40
        drawn, paths = _draw(scene_id, camera, side, rng)
        files |= drawn
        image, depth, mask = paths
        views.append(
            View(
                camera=Camera(
                    name=camera,
                    width_px=SIDE_PX,
                    height_px=SIDE_PX,
                    K=((80, 0, SIDE_PX / 2), (0, 80, SIDE_PX / 2), (0, 0, 1)),
                    world_from_camera=(
                        (0, -1, 0, 0.1 * number),
                        (-1, 0, 0, 0),
                        (0, 0, -1, 1.0),
                        (0, 0, 0, 1),
                    ),
                ),
                image=image,
                depth=depth,
                mask=mask,
                visibility={
                    obj.name: Visibility(
                        pixels=side**2, fraction=1.0, box=(2, 2, 2 + side, 2 + side)
                    )
                },
            )
        )
    scene = Scene(
        id=scene_id,
        domain="objects",
        source="sim",
        seed=int(rng.integers(2**31)),
        robot="none",
        objects=(obj,),
        views=tuple(views),
    )
    return scene, files


def _draw(
    scene_id: str, camera: str, side: int, rng: np.random.Generator
) -> tuple[dict[str, bytes], tuple[str, str, str]]:
    image = np.full((SIDE_PX, SIDE_PX, 3), 120, np.uint8)
    depth = np.full((SIDE_PX, SIDE_PX), 1000, np.uint16)
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint16)
    at = np.s_[2 : 2 + side, 2 : 2 + side]
    image[at], depth[at], mask[at] = rng.integers(60, 220, 3), 800, 1
    paths = view_paths(scene_id, camera)
    arrays: tuple[np.ndarray, ...] = (image, depth, mask)
    return {path: png(array) for path, array in zip(paths, arrays, strict=True)}, paths

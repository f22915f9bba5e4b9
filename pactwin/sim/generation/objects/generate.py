"""Object suites: each scene depends only on the seed, its kind and its number.

The order is: every kind on the turntable, every kind among others on the table, and for built-in
kinds two objects that differ in the property asked about (:mod:`.twins`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from pydantic import JsonValue

from pactwin.sim.generation.objects.sources import SOURCES, OwnModels, source_of
from pactwin.sim.generation.objects.twins import Difference, differences, differing
from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    SuiteConfig,
    batch_seeds,
    sample_until_accepted,
    stream,
)
from pactwin.sim.rendering.studio import Background
from pactwin.suite import BETWEEN, MIN_PIXELS, InvalidInputError, Scene

if TYPE_CHECKING:
    from pactwin.sim.scene.layout import Item

ROBOT = "g1"
TWINS = "object_twins"
"""Domain of scenes with two objects of one kind."""
_MAX_DRAWS = 60
_OTHERS = 3
_SMALL_M = 0.12
# Streams of random numbers that one scene draws from.
_OBJECT, _PICTURES, _IDENTITY, _COMPANY = range(4)


@dataclass(frozen=True)
class ObjectSuiteConfig(SuiteConfig):
    """Settings that determine an object suite's content: ``kinds`` of the source ``assets``.

    ``assets`` is the name of a source, or a user's folder of models.
    """

    seed: int
    kinds: tuple[str, ...]
    assets: str | OwnModels
    background: Background
    width_px: int
    height_px: int

    @property
    def scenes(self) -> int:
        """Total number of scenes."""
        return 2 * (len(self.kinds) + len(self.differences))

    @property
    def differences(self) -> tuple[tuple[Difference, str], ...]:
        """Differences between two objects of one kind, each with the kind."""
        return differences(self.kinds) if self.assets == "builtin" else ()

    @property
    def source_name(self) -> str:
        """Name of the source; any folder of the user's is called ``own``."""
        return "own" if isinstance(self.assets, OwnModels) else self.assets

    def record(self) -> dict[str, JsonValue]:
        """The settings as JSON for the suite's header."""
        return {
            "seed": self.seed,
            "kinds": list(self.kinds),
            "assets": self.source_name,
            **({"models": self.assets.sha256} if isinstance(self.assets, OwnModels) else {}),
            "background": self.background,
            "size": [self.width_px, self.height_px],
        }


def asset_sources() -> tuple[str, ...]:
    """Names of the sources of objects."""
    return tuple(SOURCES)


def kind_names_of(assets: str | OwnModels) -> tuple[str, ...]:
    """Names of the kinds in a source."""
    return source_of(assets).names()


def check_picture_size(request: ObjectSuiteConfig) -> None:
    """Raise InvalidInputError if pictures are too small for a kind to cover enough pixels.

    The check renders the kind from the nearest possible distance at several angles.
    """
    from pactwin.sim.rendering.cameras import NEAREST_M, camera_at, looking_at, towards
    from pactwin.sim.rendering.silhouette import silhouette_px

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


def render_object_scene(request: ObjectSuiteConfig, index: int) -> SceneBatch:
    """Draw scene ``index``; on the table, until an arrangement is accepted.

    Raises EnvironmentFaultError if 60 draws were all rejected.
    """
    turn, number = divmod(index, len(request.kinds))
    if turn >= 2:
        pair, which = divmod(index - 2 * len(request.kinds), 2)
        return _draw_twin(request, *request.differences[pair], which)
    kind = request.kinds[number]
    draw = partial(_on_turntable if turn == 0 else _on_table, request, kind)
    seeds = batch_seeds(request.seed, f"{request.source_name}/{kind}", turn, _MAX_DRAWS)
    return sample_until_accepted(draw, seeds, f"picture of a {kind!r} at {request.size} px")


def _on_turntable(request: ObjectSuiteConfig, kind: str, seed: int) -> Drawn:
    from pactwin.sim.generation.objects.scenes import turntable_scene

    item = _built(request.assets, kind, stream(seed, _OBJECT))
    scene, files = turntable_scene(
        item, request.background, request.size_px, _scene_id(seed), seed, stream(seed, _PICTURES)
    )
    return (scene,), files


def _on_table(request: ObjectSuiteConfig, kind: str, seed: int) -> Drawn:
    from pactwin.sim.generation.objects.scenes import tabletop_scene

    asked = _built(request.assets, kind, stream(seed, _OBJECT))
    others = list(islice(_company(kind, stream(seed, _COMPANY)), _OTHERS))
    scene, files = tabletop_scene(
        asked, others, ROBOT, request.size_px, _scene_id(seed), seed, stream(seed, _PICTURES)
    )
    return (scene,), files


def _draw_twin(
    request: ObjectSuiteConfig, difference: Difference, kind: str, which: int
) -> SceneBatch:
    """The first or the second scene of two of a kind."""

    def draw(seed: int) -> Drawn:
        scenes, files = _twins(request, difference, kind, seed)
        scene = scenes[which]
        paths = {path for v in scene.views for path in (v.image, v.depth, v.mask)}
        return (scene,), {path: data for path, data in files.items() if path in paths}

    seeds = batch_seeds(request.seed, f"{difference.name}/{kind}", 0, _MAX_DRAWS)
    return sample_until_accepted(draw, seeds, f"two of {kind!r}, {difference.name},")


@lru_cache(maxsize=1)
def _twins(request: ObjectSuiteConfig, difference: Difference, kind: str, seed: int) -> Drawn:
    """Two of a kind, each in the same place among the same things; which comes first is drawn."""
    from pactwin.sim.generation.objects.scenes import tabletop_scene
    from pactwin.sim.generation.objects.settling import settled

    pair = differing(_built(request.assets, kind, stream(seed, _OBJECT)), difference)
    others = list(islice(_company(kind, stream(seed, _COMPANY)), _OTHERS))
    identity = stream(seed, _IDENTITY)
    scenes: list[Scene] = []
    files: dict[str, bytes] = {}
    for k in identity.permutation(2).tolist():
        scene, drawn = tabletop_scene(
            settled(pair[k]),
            others,
            ROBOT,
            request.size_px,
            identity.bytes(8).hex(),
            seed,
            stream(seed, _PICTURES),
        )
        scenes.append(scene)
        files |= drawn
    labels = [scene.objects[0].properties[difference.topic] for scene in scenes]
    between = ", ".join(sorted(label.value for label in labels))
    twins = tuple(
        scene.model_copy(
            update={
                "domain": TWINS,
                "appearance": {**scene.appearance, BETWEEN: between},
                "objects": (
                    scene.objects[0].model_copy(
                        update={"properties": {difference.topic: label}, "affordances": ()}
                    ),
                    *scene.objects[1:],
                ),
            }
        )
        for scene, label in zip(scenes, labels, strict=True)
    )
    return twins, files


def _company(kind: str, rng: np.random.Generator) -> Iterator["Item"]:
    """Built-in objects of other kinds that take little room."""
    from pactwin.sim.generation.objects.settling import footprint_radius_m

    for name in rng.permutation(sorted(set(kind_names_of("builtin")) - {kind})):
        item = _built("builtin", str(name), rng)
        if footprint_radius_m(item) <= _SMALL_M:
            yield item


def _built(assets: str | OwnModels, kind: str, rng: np.random.Generator) -> "Item":
    from pactwin.sim.generation.objects.settling import settled

    return settled(source_of(assets).build(kind, rng))


def _scene_id(seed: int) -> str:
    return stream(seed, _IDENTITY).bytes(8).hex()

"""Scenes of objects for unusual uses; each scene depends on the seed and its number.

The caller plans the tasks and chooses the objects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from pactwin.catalogue import ENVIRONMENT
from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    batch_seeds,
    blank_scene,
    sample_until_accepted,
    stream,
)
from pactwin.suite import MIN_PIXELS, Scene

_IDENTITY, _PLACES, _LIGHT = range(3)
_MAX_DRAWS = 20
# A picture of a part shows it if this share of its pixels does.
_PART_SHARE = 0.01


@dataclass(frozen=True)
class CreativeSuiteConfig:
    """Settings that determine a suite's content: number of ``tasks``, ``kinds`` of objects.

    ``size_px`` is the pictures' size; None renders none.
    """

    seed: int
    tasks: int
    kinds: tuple[str, ...]
    size_px: tuple[int, int] | None = None

    def record(self) -> dict[str, JsonValue]:
        """The settings as JSON for the suite's header."""
        return {
            "seed": self.seed,
            "tasks": self.tasks,
            "kinds": list(self.kinds),
            "size": list(self.size_px or ()),
        }


@dataclass(frozen=True)
class CreativeScene:
    """Contents of a scene: the parts to show by kind, and its difficulty in a word."""

    domain: str
    parts: dict[str, tuple[str, ...]]


def creative_scene_id(request: CreativeSuiteConfig, index: int) -> str:
    """The id of scene ``index``."""
    first = next(_seeds(request, index))
    return stream(first, _IDENTITY).bytes(8).hex()


def _seeds(request: CreativeSuiteConfig, index: int) -> Iterator[int]:
    return batch_seeds(request.seed, "creative", index, _MAX_DRAWS)


def draw_creative_scene(
    request: CreativeSuiteConfig, wanted: Sequence[CreativeScene], index: int
) -> SceneBatch:
    """Draw scene ``index``, rearranging until a picture shows all objects.

    Raises EnvironmentFaultError if 20 arrangements were all rejected.
    """
    seed = next(_seeds(request, index))
    scene = blank_scene(creative_scene_id(request, index), wanted[index].domain, seed)
    if request.size_px is None:
        return SceneBatch((scene,), {}, {}, "")
    draw = partial(_pictured, request, wanted[index], scene)
    what = "picture of all things at {}x{} px".format(*request.size_px)
    return sample_until_accepted(draw, _seeds(request, index), what)


def _pictured(
    request: CreativeSuiteConfig, wanted: CreativeScene, scene: Scene, seed: int
) -> Drawn:
    """The scene with its objects and views; RejectedLayout if an object is hidden."""
    from pactwin.sim.generation.creative.pictures import arranged, photographed
    from pactwin.sim.rendering.studio import Studio
    from pactwin.sim.scene.layout import object_record
    from pactwin.sim.scene.placement import RejectedLayout

    width, height = request.size_px or (0, 0)
    rng = stream(seed, _PLACES)
    kinds = [str(kind) for kind in rng.permutation(sorted(wanted.parts))]
    items = arranged(kinds, request.seed, rng)
    studio = Studio.drawn(stream(seed, _LIGHT))
    parts = [wanted.parts[kind] for kind in kinds]
    least = int(_PART_SHARE * width * height)
    views, files = photographed(items, parts, studio, (width, height), scene.id, least)
    whole = next(view for view in views if view.camera.name == ENVIRONMENT)
    if min(shown.pixels for shown in whole.visibility.values()) < MIN_PIXELS * height // 480 // 4:
        raise RejectedLayout("a thing is hidden among the others")
    objects = tuple(object_record(item, k) for k, item in enumerate(items, start=1))
    added = {"objects": objects, "views": views, "appearance": studio.record()}
    return (scene.model_copy(update=added),), files

"""Scenes of objects for unusual uses; each scene depends on the seed and its number.

The caller plans the tasks and chooses the objects.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from pactwin.sim.generation.sampling import (
    SceneBatch,
    batch_seeds,
    blank_scenes,
    sample_until_accepted,
    stream,
)

_IDENTITY = 0  # a stream of random numbers
_MAX_DRAWS = 20


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
    return stream(next(_seeds(request, index)), _IDENTITY).bytes(8).hex()


def _seeds(request: CreativeSuiteConfig, index: int) -> Iterator[int]:
    return batch_seeds(request.seed, "creative", index, _MAX_DRAWS)


def draw_creative_scene(
    request: CreativeSuiteConfig, wanted: Sequence[CreativeScene], index: int
) -> SceneBatch:
    """Draw scene ``index``, rearranging until a picture shows all objects.

    Raises EnvironmentFaultError if 20 arrangements were all rejected.
    """
    seed = next(_seeds(request, index))
    (scene,) = blank_scenes(stream(seed, _IDENTITY), 1, wanted[index].domain, seed)
    if request.size_px is None:
        return SceneBatch((scene,), {}, {}, "")
    from pactwin.sim.generation.creative.pictures import pictured

    draw = partial(pictured, wanted[index].parts, request.seed, request.size_px, scene)
    what = "picture of all things at {}x{} px".format(*request.size_px)
    return sample_until_accepted(draw, _seeds(request, index), what)

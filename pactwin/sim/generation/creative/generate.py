"""Scenes of things for uses they were not made for: each follows from the seed and its number.

Which things lie there is told by whoever plans the tasks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from pactwin.sim.generation.engines.base import Engine, in_order
from pactwin.sim.generation.sampling import SceneBatch, batch_seeds, stream
from pactwin.suite import Scene

_IDENTITY = 0


@dataclass(frozen=True)
class CreativeSuiteConfig:
    """What decides a suite's content: ``tasks`` of them, with things of these ``kinds``."""

    seed: int
    tasks: int
    kinds: tuple[str, ...]

    def record(self) -> dict[str, JsonValue]:
        """As JSON, for the suite's header."""
        return {"seed": self.seed, "tasks": self.tasks, "kinds": list(self.kinds)}


@dataclass(frozen=True)
class CreativeScene:
    """What lies there, by kind, and the suite's word for how hard that makes it."""

    domain: str
    kinds: tuple[str, ...]


def creative_scene_id(request: CreativeSuiteConfig, index: int) -> str:
    """The id of scene ``index``."""
    return stream(_seed(request, index), _IDENTITY).bytes(8).hex()


def _seed(request: CreativeSuiteConfig, index: int) -> int:
    return next(batch_seeds(request.seed, "creative", index, 1))


def draw_creative_scene(
    request: CreativeSuiteConfig, wanted: Sequence[CreativeScene], index: int
) -> SceneBatch:
    """Scene ``index``."""
    scene = Scene(
        id=creative_scene_id(request, index),
        domain=wanted[index].domain,
        source="sim",
        seed=_seed(request, index),
        robot="none",
        objects=(),
        views=(),
    )
    return SceneBatch((scene,), {}, {}, "")


def draw_creative_scenes(
    request: CreativeSuiteConfig,
    wanted: Sequence[CreativeScene],
    first: int = 0,
    engine: Engine | None = None,
) -> Iterator[SceneBatch]:
    """Scenes ``first`` to the last, in order, drawn by ``engine``, or in this process."""
    numbers = range(first, len(wanted))
    draw = partial(draw_creative_scene, request, tuple(wanted))
    return map(draw, numbers) if engine is None else in_order(engine, draw, numbers)

"""Draw units of suites, each by one worker, until a draw is accepted.

A unit depends only on the suite's seed, its family and its number. So it is the same on every
engine, in any order, and with any other units.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from pactwin.sim.generation.engines.base import still_alive
from pactwin.sim.rendering.gl import renderer_in_use
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import (
    MIN_PIXELS,
    EnvironmentFaultError,
    InvalidInputError,
    Scene,
    release_memory,
)

# Pictures are too small if this share of the first draws is rejected for it. The height that is
# told would serve a quarter of those draws.
_FIRST, _NEARLY_ALL, _SERVED = 40, 0.9, 0.25


Drawn = tuple[tuple[Scene, ...], Mapping[str, bytes]]
"""Scenes and the bytes of their views' files."""


@dataclass(frozen=True)
class SceneBatch:
    """An accepted twin pair or single scene, with the number of rejected draws before it.

    ``files`` maps the views' relative paths to PNG bytes; ``rejections`` counts by reason;
    ``gl_renderer`` is the OpenGL renderer used.
    """

    scenes: tuple[Scene, ...]
    files: Mapping[str, bytes]
    rejections: Mapping[str, int]
    gl_renderer: str


class TooSmallError(RejectedLayout):
    """What decides is too small in the pictures; pictures ``enough_px`` high would do."""

    def __init__(self, enough_px: float) -> None:
        super().__init__("what decides is too small in the pictures")
        self.enough_px = enough_px


def sample_until_accepted(
    draw: Callable[[int], Drawn], seeds: Iterator[int], wanted: str
) -> SceneBatch:
    """Result of ``draw`` for the first of ``seeds`` that raises no RejectedLayout.

    Raises EnvironmentFaultError with the most frequent reason if all draws are rejected: ``wanted``
    cannot be built. InvalidInputError if the first draws are nearly all too small in the pictures.
    """
    rejections: Counter[str] = Counter()
    small: list[TooSmallError] = []
    for seed in seeds:
        still_alive()
        try:
            scenes, files = draw(seed)
        except RejectedLayout as rejected:
            rejections[str(rejected)] += 1
            if isinstance(rejected, TooSmallError):
                small.append(rejected)
            if rejections.total() == _FIRST and len(small) >= _NEARLY_ALL * _FIRST:
                raise InvalidInputError(_too_small(small, wanted)) from None
            continue
        release_memory()
        return SceneBatch(scenes, files, dict(rejections), renderer_in_use())
    common, count = rejections.most_common(1)[0]
    raise EnvironmentFaultError(
        f"no {wanted} was found in {rejections.total()} draws; {count} times: {common}"
    )


def _too_small(draws: Sequence[TooSmallError], wanted: str) -> str:
    enough = math.ceil(np.quantile([draw.enough_px for draw in draws], _SERVED))
    return (
        f"no {wanted}: in {len(draws)} of {_FIRST} draws what decides covers less than "
        f"{MIN_PIXELS} px in too many pictures; give at least {enough} px of height"
    )


def stream(seed: int, which: int) -> np.random.Generator:
    """One of the independent random streams of a unit."""
    return np.random.default_rng([seed, which])


def blank_scenes(
    identity: np.random.Generator,
    count: int,
    domain: str,
    seed: int,
    robot: str = "none",
    **known: Any,
) -> list[Scene]:
    """Simulated scenes with no objects and views yet; ``known`` are further fields of them.

    ``identity`` draws their ids.
    """
    known |= {"domain": domain, "source": "sim", "seed": seed, "robot": robot}
    return [Scene(id=identity.bytes(8).hex(), objects=(), views=(), **known) for _ in range(count)]


def as_twins(
    scenes: Sequence[Scene], order: Sequence[int], known: Sequence[Mapping[str, object]]
) -> tuple[Scene, ...]:
    """Both scenes as each other's twins, with ``known`` fields of each, in a random ``order``."""
    twins = [
        scene.model_copy(update={"twin_id": other.id, **own})
        for scene, other, own in zip(scenes, reversed(scenes), known, strict=True)
    ]
    return tuple(twins[k] for k in order)


def batch_seeds(suite_seed: int, what: str, number: int, draws: int) -> Iterator[int]:
    """Seeds (63 bits) of a unit's draws, independent of the suite's other units.

    The unit is number ``number`` of those about ``what``, a domain or kind of object.
    """
    for draw in range(draws):
        entropy = np.random.SeedSequence([suite_seed, crc32(what.encode()), number, draw])
        yield int(entropy.generate_state(1, np.uint64)[0] >> np.uint64(1))

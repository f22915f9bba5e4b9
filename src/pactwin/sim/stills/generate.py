"""Object suites: each scene follows from the seed, its kind and its number alone.

First comes every kind on the turntable, then every kind among others on the table.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from pydantic import JsonValue

from pactwin.sim.engines import Engine, in_order, still_alive
from pactwin.sim.gl import renderer_in_use
from pactwin.sim.pictures.studio import Background
from pactwin.suite import EnvironmentFaultError, Scene

if TYPE_CHECKING:
    from pactwin.sim.layout import Item

ROBOT = "g1"
_MAX_DRAWS = 60
_OTHERS = 3
_SMALL_M = 0.12
# Streams of random numbers that one scene draws from.
_OBJECT, _PICTURES, _IDENTITY, _COMPANY = range(4)


@dataclass(frozen=True)
class StillRequest:
    """What decides an object suite's content: ``kinds`` of the source ``assets``."""

    seed: int
    kinds: tuple[str, ...]
    assets: str
    background: Background
    width_px: int
    height_px: int

    @property
    def scenes(self) -> int:
        """How many scenes there are in all."""
        return 2 * len(self.kinds)

    def record(self) -> dict[str, JsonValue]:
        """As JSON, for the suite's header."""
        return {
            "seed": self.seed,
            "kinds": list(self.kinds),
            "assets": self.assets,
            "background": self.background,
            "size": [self.width_px, self.height_px],
        }


@dataclass(frozen=True)
class Still:
    """One accepted scene, the bytes of its views' files, what was drawn in vain before it, and the

    name of the OpenGL that drew it.
    """

    scene: Scene
    files: Mapping[str, bytes]
    rejections: Mapping[str, int]
    gl_renderer: str


def asset_sources() -> tuple[str, ...]:
    """Names of the sources of objects."""
    from pactwin.sim.stills.sources import SOURCES

    return tuple(SOURCES)


def kind_names_of(assets: str) -> tuple[str, ...]:
    """Names of the kinds that a source has."""
    from pactwin.sim.stills.sources import SOURCES

    return SOURCES[assets].names()


def draw_still(request: StillRequest, index: int) -> Still:
    """Draw scene ``index``, on the table until an arrangement is accepted.

    Raises EnvironmentFaultError if 60 draws were all rejected.
    """
    from pactwin.sim.domains import RejectedLayout

    turn, number = divmod(index, len(request.kinds))
    kind = request.kinds[number]
    draw = _on_turntable if turn == 0 else _on_table
    rejections: Counter[str] = Counter()
    for attempt in range(_MAX_DRAWS):
        still_alive()
        seed = _scene_seed(request.seed, f"{request.assets}/{kind}", turn, attempt)
        try:
            scene, files = draw(request, kind, seed)
        except RejectedLayout as rejected:
            rejections[str(rejected)] += 1
            continue
        return Still(scene, files, dict(rejections), renderer_in_use())
    common, count = rejections.most_common(1)[0]
    raise EnvironmentFaultError(
        f"no picture of a {kind!r} in {_MAX_DRAWS} draws; {count} times: {common}"
    )


def draw_stills(
    request: StillRequest, first: int = 0, engine: Engine | None = None
) -> Iterator[Still]:
    """Scenes ``first`` to the last, in order, drawn by ``engine``, or in this process.

    Raises EnvironmentFaultError as :func:`draw_still`, or if workers are lost repeatedly.
    """
    numbers = range(first, request.scenes)
    draw = partial(draw_still, request)
    return map(draw, numbers) if engine is None else in_order(engine, draw, numbers)


def _on_turntable(request: StillRequest, kind: str, seed: int) -> tuple[Scene, dict[str, bytes]]:
    from pactwin.sim.stills.turntable import turntable_scene

    item = _built(request.assets, kind, _stream(seed, _OBJECT))
    size_px = request.width_px, request.height_px
    rng = _stream(seed, _PICTURES)
    return turntable_scene(item, request.background, size_px, _scene_id(seed), seed, rng)


def _on_table(request: StillRequest, kind: str, seed: int) -> tuple[Scene, dict[str, bytes]]:
    from pactwin.sim.stills.tabletop import tabletop_scene

    asked = _built(request.assets, kind, _stream(seed, _OBJECT))
    others = list(islice(_company(kind, _stream(seed, _COMPANY)), _OTHERS))
    size_px = request.width_px, request.height_px
    rng = _stream(seed, _PICTURES)
    return tabletop_scene(asked, others, ROBOT, size_px, _scene_id(seed), seed, rng)


def _company(kind: str, rng: np.random.Generator) -> Iterator["Item"]:
    """Built-in objects of other kinds that take little room."""
    from pactwin.sim.stills.settling import footprint_radius_m

    for name in rng.permutation(sorted(set(kind_names_of("builtin")) - {kind})):
        item = _built("builtin", str(name), rng)
        if footprint_radius_m(item) <= _SMALL_M:
            yield item


def _built(assets: str, kind: str, rng: np.random.Generator) -> "Item":
    from pactwin.sim.stills.settling import settled
    from pactwin.sim.stills.sources import SOURCES

    return settled(SOURCES[assets].build(kind, rng))


def _stream(seed: int, which: int) -> np.random.Generator:
    return np.random.default_rng([seed, which])


def _scene_id(seed: int) -> str:
    return _stream(seed, _IDENTITY).bytes(8).hex()


def _scene_seed(suite_seed: int, what: str, turn: int, attempt: int) -> int:
    """The 63-bit seed of one draw: independent of which other kinds are asked for."""
    entropy = np.random.SeedSequence([suite_seed, crc32(what.encode()), turn, attempt])
    return int(entropy.generate_state(1, np.uint64)[0] >> np.uint64(1))

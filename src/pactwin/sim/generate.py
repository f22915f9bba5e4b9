"""Twin pairs at scale: each pair follows from the seed, its domain and its number alone.

Pairs come in order, whatever the engine and its number of workers, so a suite is the same for one
worker and for many, and for an interrupted and an uninterrupted run.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np
from pydantic import JsonValue

from pactwin.sim.engines import Engine, in_order, still_alive
from pactwin.sim.gl import renderer_in_use
from pactwin.sim.robots import RobotModel, use_robot_model
from pactwin.suite import EnvironmentFaultError, Scene

_MAX_DRAWS = 400


@dataclass(frozen=True)
class Request:
    """What decides a suite's content. ``pairs`` is their number in all, domains taking turns.

    ``robot_model`` is where a robot of the user's comes from; then ``robot`` is its name.
    """

    seed: int
    pairs: int
    domains: tuple[str, ...]
    robot: str
    cameras: tuple[str, ...]
    width_px: int
    height_px: int
    robot_model: RobotModel | None = None

    def record(self) -> dict[str, JsonValue]:
        """As JSON, for the suite's header."""
        record: dict[str, JsonValue] = {
            "seed": self.seed,
            "pairs": self.pairs,
            "domains": list(self.domains),
            "robot": self.robot,
            "cameras": list(self.cameras),
            "size": [self.width_px, self.height_px],
        }
        if self.robot_model is not None:
            record["robot_model"] = self.robot_model.record()
        return record


@dataclass(frozen=True)
class Pair:
    """One accepted twin pair, and what was drawn in vain before it.

    ``files`` maps the views' relative paths to PNG bytes; ``rejections`` counts by reason;
    ``gl_renderer`` is the OpenGL that drew it.
    """

    scenes: tuple[Scene, Scene]
    files: Mapping[str, bytes]
    rejections: Mapping[str, int]
    gl_renderer: str


def draw_pair(request: Request, index: int) -> Pair:
    """Draw pair ``index`` until one is accepted.

    Raises EnvironmentFaultError if 400 draws were all rejected: the domain cannot be built for
    this robot and these cameras. InvalidInputError if the robot's files changed meanwhile.
    """
    from pactwin.sim.domains import RejectedLayout, load_domain
    from pactwin.sim.scenes import photograph, try_layouts

    if request.robot_model is not None:
        use_robot_model(request.robot_model)
    domain = load_domain(request.domains[index % len(request.domains)])
    number = index // len(request.domains)
    rejections: Counter[str] = Counter()
    for attempt in range(_MAX_DRAWS):
        still_alive()
        seed = pair_seed(request.seed, domain.name, number, attempt)
        try:
            labelled = try_layouts(domain, request.robot, seed)
            scenes, files = photograph(
                labelled, request.cameras, (request.width_px, request.height_px)
            )
        except RejectedLayout as rejected:
            rejections[str(rejected)] += 1
            continue
        return Pair(scenes, files, dict(rejections), renderer_in_use())
    common, count = rejections.most_common(1)[0]
    raise EnvironmentFaultError(
        f"domain {domain.name!r} found no scene for robot {request.robot!r} and cameras "
        f"{', '.join(request.cameras)} in {_MAX_DRAWS} draws; {count} times: {common}"
    )


def pair_seed(suite_seed: int, domain: str, number: int, attempt: int) -> int:
    """The 63-bit seed of one draw: independent of which other domains are asked for."""
    entropy = np.random.SeedSequence([suite_seed, crc32(domain.encode()), number, attempt])
    return int(entropy.generate_state(1, np.uint64)[0] >> np.uint64(1))


def draw_pairs(request: Request, first: int = 0, engine: Engine | None = None) -> Iterator[Pair]:
    """Pairs ``first`` .. ``request.pairs`` - 1, in order, drawn by ``engine``, or in this process.

    Raises EnvironmentFaultError as :func:`draw_pair`, or if a pair's workers are lost repeatedly.
    """
    numbers = range(first, request.pairs)
    draw = partial(draw_pair, request)
    return map(draw, numbers) if engine is None else in_order(engine, draw, numbers)

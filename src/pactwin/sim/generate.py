"""Twin pairs at scale: each pair follows from the seed, its domain and its number alone.

Pairs come in order, whatever the number of workers, so a suite is the same for one worker and for
many, and for an interrupted and an uninterrupted run.
"""

import multiprocessing
import os
import threading
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from zlib import crc32

import numpy as np
from pydantic import JsonValue

from pactwin.suite import EnvironmentFaultError, Scene

_MAX_DRAWS = 400


@dataclass(frozen=True)
class Request:
    """What decides a suite's content. ``pairs`` is their number in all, domains taking turns."""

    seed: int
    pairs: int
    domains: tuple[str, ...]
    robot: str
    cameras: tuple[str, ...]
    width_px: int
    height_px: int

    def record(self) -> dict[str, JsonValue]:
        """As JSON, for the suite's header."""
        return {
            "seed": self.seed,
            "pairs": self.pairs,
            "domains": list(self.domains),
            "robot": self.robot,
            "cameras": list(self.cameras),
            "size": [self.width_px, self.height_px],
        }


@dataclass(frozen=True)
class Pair:
    """One accepted twin pair, and what was drawn in vain before it.

    ``files`` maps the views' relative paths to PNG bytes; ``rejections`` counts by reason.
    """

    scenes: tuple[Scene, Scene]
    files: Mapping[str, bytes]
    rejections: Mapping[str, int]


def draw_pair(request: Request, index: int) -> Pair:
    """Draw pair ``index`` until one is accepted.

    Raises EnvironmentFaultError if 400 draws were all rejected: the domain cannot be built for
    this robot and these cameras.
    """
    from pactwin.sim.domains import RejectedLayout, load_domain
    from pactwin.sim.scenes import photograph, try_layouts

    domain = load_domain(request.domains[index % len(request.domains)])
    number = index // len(request.domains)
    rejections: Counter[str] = Counter()
    for attempt in range(_MAX_DRAWS):
        seed = pair_seed(request.seed, domain.name, number, attempt)
        try:
            labelled = try_layouts(domain, request.robot, seed)
            scenes, files = photograph(
                labelled, request.cameras, (request.width_px, request.height_px)
            )
        except RejectedLayout as rejected:
            rejections[str(rejected)] += 1
            continue
        return Pair(scenes, files, dict(rejections))
    common, count = rejections.most_common(1)[0]
    raise EnvironmentFaultError(
        f"domain {domain.name!r} found no scene for robot {request.robot!r} and cameras "
        f"{', '.join(request.cameras)} in {_MAX_DRAWS} draws; {count} times: {common}"
    )


def pair_seed(suite_seed: int, domain: str, number: int, attempt: int) -> int:
    """The 63-bit seed of one draw: independent of which other domains are asked for."""
    entropy = np.random.SeedSequence([suite_seed, crc32(domain.encode()), number, attempt])
    return int(entropy.generate_state(1, np.uint64)[0] >> np.uint64(1))


def draw_pairs(request: Request, first: int = 0, workers: int = 1) -> Iterator[Pair]:
    """Pairs ``first`` .. ``request.pairs`` - 1, in order, drawn by ``workers`` processes.

    Raises EnvironmentFaultError if a worker process dies.
    """
    indices = iter(range(first, request.pairs))
    if workers == 1:
        for index in indices:
            yield draw_pair(request, index)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_end_with_parent) as pool:
        waiting: deque[Future[Pair]] = deque()
        # Two pairs a worker are under way at most, so that memory does not grow with the suite.
        for index in islice(indices, 2 * workers):
            waiting.append(pool.submit(draw_pair, request, index))
        try:
            while waiting:
                pair = waiting.popleft().result()
                for index in islice(indices, 1):
                    waiting.append(pool.submit(draw_pair, request, index))
                yield pair
        except BrokenProcessPool as broken:
            raise EnvironmentFaultError(
                "a worker process died (out of memory, or its OpenGL driver crashed): "
                "run the same command to resume, with fewer --workers"
            ) from broken
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _end_with_parent() -> None:
    """Let a worker end when its parent is killed: a pool's workers would wait for work for ever."""

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()

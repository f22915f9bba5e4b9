"""How often an episode comes out as its scene's verdict says.

The robot carries out what each simulated scene of a suite asks, without pictures or film. Every
scene is printed, what came of it, and how many agree.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

from pactwin.sim import prepare_episode
from pactwin.suite import Scene, Suite


def outcome(scene: Scene) -> tuple[Scene, bool, str]:
    """The scene, whether its episode agrees with its verdict, and a line that tells."""
    start = time.perf_counter()
    episode = prepare_episode(scene)()
    verdict = scene.decided
    same = episode.done == verdict.feasible
    harms = ", ".join(f"{h.kind} {h.name} {h.moved_m:.3f} m" for h in episode.harms)
    line = [
        "agrees" if same else "DIFFERS",
        f"{scene.id} {scene.domain} {verdict.action}",
        "+".join(sorted({verdict.constraint.value, *verdict.also})),
        "done" if episode.done else f"not done {episode.stopped} {episode.at}".rstrip(),
        f"[{harms}]",
        f"{episode.seconds:.0f} s of motion in {time.perf_counter() - start:.1f} s",
    ]
    return scene, same, " | ".join(line)


def run(suite: Path, pairs: int, workers: int, domains: Sequence[str], only: Sequence[str]) -> None:
    """Print each scene of the suite's first pairs, and how many agree, by domain."""
    asked = [
        scene
        for scene in islice(Suite.open(suite).scenes(), 2 * pairs)
        if not (domains and scene.domain not in domains)
        and not (only and not scene.id.startswith(tuple(only)))
    ]
    agreed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    with ProcessPoolExecutor(workers) as pool:
        for scene, same, line in pool.map(outcome, asked):
            tried[scene.domain] += 1
            agreed[scene.domain] += same
            print(line, flush=True)
    for domain in sorted(tried):
        print(f"{domain}: {agreed[domain]} of {tried[domain]}")
    print(f"{agreed.total()} of {tried.total()} agree")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--domain", action="append", default=[])
    parser.add_argument("--scene", action="append", default=[])
    given = parser.parse_args()
    run(given.suite, given.pairs, given.workers, given.domain, given.scene)

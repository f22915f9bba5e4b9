"""How often an episode comes out as its scene's verdict says.

Twins are drawn from all domains in turn and decided undisturbed, without the repetitions that only
make a label stable; then the robot carries out the action in both.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from pactwin.sim.actions.base import Action, outcomes
from pactwin.sim.domains import domain_names, load_domain
from pactwin.sim.episodes.episode import carry_out
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.generation.pairs.verdicts import LEAST_MARGIN
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.preconditions.situation import Situation
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout

ROBOT = "g1"


def causes(action: Action, layout: Layout) -> set[str] | None:
    """The constraints that fail, undisturbed; None where one is undecided or near its limit."""
    found = set()
    for _, outcome in outcomes(action, Situation(layout, Perturbation(), ROBOT)):
        if outcome.feasible is None or abs(outcome.margin) < LEAST_MARGIN:
            return None
        if not outcome.feasible:
            found.add(outcome.constraint.value)
    return found


def twins(seed: int) -> Iterator[tuple[str, int, Action, tuple[tuple[Layout, set[str]], ...]]]:
    """Domain, seed, action and both layouts with what fails in them, domains in turn."""
    rng = np.random.default_rng(seed)
    while True:
        for name in domain_names():
            for _ in range(60):
                drawn = int(rng.integers(2**62))
                try:
                    both = load_domain(name).propose(layout_rng(drawn), ROBOT)
                except RejectedLayout:
                    continue
                failing = causes(both.action, both.infeasible)
                if not failing or both.constraint.value not in failing:
                    continue
                if causes(both.action, both.feasible) != set():
                    continue
                yield name, drawn, both.action, ((both.infeasible, failing), (both.feasible, set()))
                break


def run(pairs: int = 100, seed: int = 7) -> None:
    """Print each scene, and how many agree."""
    agreed: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for _, (domain, drawn, action, layouts) in zip(range(pairs), twins(seed), strict=False):
        for layout, failing in layouts:
            start = time.perf_counter()
            episode = carry_out(action, layout, ROBOT, np.random.default_rng(drawn))
            same = episode.done == (not failing)
            tried[domain] += 1
            agreed[domain] += same
            what = ", ".join(f"{h.kind} {h.name} {h.fallen_m:.3f} m" for h in episode.harms)
            print(
                "agrees" if same else "DIFFERS",
                f"{domain} {drawn} {action.kind}",
                "+".join(sorted(failing)) or "feasible",
                "done" if episode.done else f"not done: {episode.stopped} {episode.at}".rstrip(),
                f"[{what}] {len(episode.moments)} {time.perf_counter() - start:.0f} s",
                sep=" | ",
                flush=True,
            )
        print(f"{sum(agreed.values())} of {sum(tried.values())} agree", dict(agreed), flush=True)


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))

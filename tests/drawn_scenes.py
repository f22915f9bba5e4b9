"""Scenes as domains draw them, without pictures and with made-up verdicts."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pactwin.sim.domains import load_domain
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.scenarios.twins import Twins
from pactwin.sim.scene.layout import object_record
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint, Perturbations, Scene, Suite, SuiteWriter, Verdict
from pactwin.tasks import make_twin_questions

Drawn = TypeVar("Drawn")


def usable(draw: Callable[[int], Drawn], seeds: Iterable[int]) -> Iterator[Drawn]:
    """What is drawn from the seeds that are not rejected: a table is small."""
    for seed in seeds:
        with suppress(RejectedLayout):
            yield draw(seed)


@cache
def proposed(domain: str, seed: int) -> Twins | None:
    """What a domain draws from a seed."""
    return next(
        usable(lambda seed: load_domain(domain).propose(layout_rng(seed), "g1"), [seed]), None
    )


def drawn(domain: str, count: int) -> list[tuple[int, Twins]]:
    """The first ``count`` twins that a domain draws, with their seeds."""
    usable = ((seed, proposed(domain, seed)) for seed in range(4 * count))
    found = list(islice(((seed, twins) for seed, twins in usable if twins), count))
    assert len(found) == count
    return found


def scenes_of(domain: str, seed: int, twins: Twins) -> list[Scene]:
    """Records of both twins, without pictures; what the verdicts measured is made up."""
    scenes = []
    for feasible, layout in enumerate((twins.infeasible, twins.feasible)):
        verdict = Verdict(
            action=layout.action,
            objects=layout.critical_objects,
            feasible=bool(feasible),
            constraint=Constraint.NONE if feasible else twins.constraint,
            trial=domain,
            trial_version=1,
            measurements={},
            margin=1.0,
            perturbations=Perturbations(agreed=0, run=0),
        )
        scenes.append(
            Scene(
                id=f"{2 * seed + feasible:016x}",
                domain=domain,
                source="sim",
                seed=seed,
                robot="g1",
                objects=tuple(object_record(item, n + 1) for n, item in enumerate(layout.items)),
                views=(),
                verdict=verdict,
            )
        )
    return scenes


def drawn_suite(path: Path, domain: str) -> Suite:
    """A suite at ``path`` of the first pair that a domain draws."""
    ((seed, twins),) = drawn(domain, 1)
    one, other = scenes_of(domain, seed, twins)
    with SuiteWriter.open(path, name="drawn", request={}) as writer:
        pair = [
            one.model_copy(update={"twin_id": other.id}),
            other.model_copy(update={"twin_id": one.id}),
        ]
        writer.add(pair, {}, {})
        writer.finish(make_twin_questions)
    return Suite.open(path)

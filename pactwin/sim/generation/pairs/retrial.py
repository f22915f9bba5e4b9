"""Trying a finished suite's labels again: every layout is drawn anew from its seed and re-tried."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.domains import load_domain
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.generation.pairs.verdicts import Intent, decide
from pactwin.sim.generation.uses.retrial import retry_use
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses import use_names
from pactwin.suite import Scene, Suite, SuiteError


@dataclass(frozen=True)
class Retrial:
    """One scene tried again; ``reason`` says what differed, "" if nothing did."""

    scene_id: str
    domain: str
    reason: str

    @property
    def agrees(self) -> bool:
        """The label came out the same, in every perturbed repetition."""
        return not self.reason


def rebuild_layout(scene: Scene) -> Layout:
    """The layout a simulated scene was made from; raises as :func:`rebuild`."""
    return rebuild(scene)[1]


def rebuild(scene: Scene) -> tuple[Action, Layout]:
    """The action and the layout a simulated scene was made from.

    Raises SuiteError if today's generator draws something else from the scene's seed, as it does
    for a suite made by another version of its domain; InvalidInputError if its robot is one of the
    user's and its model was not loaded, or has changed.
    """
    robot_named(scene.robot)
    another = SuiteError(
        f"scene {scene.id}: its seed draws another layout with this version of {scene.domain!r}"
    )
    try:
        twins = load_domain(scene.domain).propose(layout_rng(scene.seed), scene.robot)
    except RejectedLayout as rejected:
        raise another from rejected
    layout = twins.feasible if scene.decided.feasible else twins.infeasible
    drawn = {
        i.name: (*i.world_from_object.matrix().ravel(), *i.size_m, i.mass_kg) for i in layout.items
    }
    recorded = {
        o.name: (*np.ravel(o.world_from_object), *o.size_m, o.mass_kg) for o in scene.objects
    }
    if drawn.keys() != recorded.keys() or any(
        not np.allclose(drawn[name], recorded[name], atol=1e-5) for name in drawn
    ):
        raise another
    return twins.action, layout


def retry_trials(suite: Suite, seed: int) -> Iterator[Retrial]:
    """Decide every simulated scene again, with pose noise drawn from ``seed``."""
    for k, scene in enumerate(suite.scenes()):
        verdict = scene.decided
        noise = int(np.random.SeedSequence([seed, k]).generate_state(1)[0])
        if scene.domain in use_names():
            yield Retrial(scene.id, scene.domain, retry_use(scene, noise))
            continue
        try:
            action, layout = rebuild(scene)
            again = decide(action, layout, Intent(verdict.constraint), scene.robot, noise)
            if set(again.also) != set(verdict.also):
                raise RejectedLayout("other causes")
            reason = ""
        except RejectedLayout as rejected:
            reason = str(rejected)
        yield Retrial(scene.id, scene.domain, reason)

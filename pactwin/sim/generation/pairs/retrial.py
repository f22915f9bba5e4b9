"""Repeat the trials of a finished suite on its stored layouts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from pactwin.sim.actions.base import Action
from pactwin.sim.domains import load_domain
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.generation.pairs.stored import action_of_kind, restored, shows
from pactwin.sim.generation.pairs.verdicts import TO_CONFIRM, Case, decide
from pactwin.sim.generation.uses.scenes import retry_use
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses import use_names
from pactwin.suite import Scene, Suite, SuiteError


@dataclass(frozen=True)
class Retrial:
    """One scene tried again; ``reason`` names the difference, "" without one."""

    scene_id: str
    domain: str
    reason: str

    @property
    def agrees(self) -> bool:
        """Return whether the label is the same in every perturbed repetition."""
        return not self.reason


def rebuild_layout(scene: Scene) -> Layout:
    """Layout of a simulated scene; raises the errors of :func:`rebuild`."""
    return rebuild(scene)[1]


def rebuild(scene: Scene) -> tuple[Action, Layout]:
    """Action and layout of a simulated scene, from its record.

    A scene of an earlier version has no stored layout and is drawn again from its seed; SuiteError
    if the current generator draws something else. InvalidInputError if the scene's robot is a
    user's and its model is not loaded or has changed.
    """
    robot_named(scene.robot)
    if scene.layout:
        return restored(scene)
    another = SuiteError(
        f"scene {scene.id}: its seed draws another layout with this version of {scene.domain!r}"
    )
    try:
        twins = load_domain(scene.domain).propose(layout_rng(scene.seed), scene.robot)
    except RejectedLayout as rejected:
        raise another from rejected
    layout = twins.feasible if scene.decided.feasible else twins.infeasible
    if not shows(scene, layout):
        raise another
    return twins.action, layout


def other_versions(scenes: Iterable[Scene]) -> dict[str, tuple[int, int]]:
    """Trials whose version is not the current one, with the version that labelled ``scenes``."""
    found = {}
    for verdict, domain in ((scene.verdict, scene.domain) for scene in scenes):
        action = verdict and action_of_kind(verdict.trial, domain)
        if verdict and action and verdict.trial_version != action.version:
            found[verdict.trial] = (verdict.trial_version, action.version)
    return found


def retry_trials(suite: Suite, seed: int) -> Iterator[Retrial]:
    """Decide every simulated scene again with pose noise drawn from ``seed``.

    Postures are searched longer, from other samples, and with smaller margins than for a new label
    (TO_CONFIRM), because any noise and any search must confirm a kept label. Undecided ladder steps
    near the limit are left out.
    """
    for k, scene in enumerate(suite.scenes()):
        if scene.step is not None and scene.verdict is None:
            continue
        verdict = scene.decided
        noise = int(np.random.SeedSequence([seed, k]).generate_state(1)[0])
        if scene.domain in use_names():
            yield Retrial(scene.id, scene.domain, retry_use(scene, noise))
            continue
        try:
            action, layout = rebuild(scene)
            case = Case(action, layout, verdict.constraint, scene.robot, noise, TO_CONFIRM)
            again = decide(case)
            if set(again.also) != set(verdict.also):
                raise RejectedLayout("other causes")
            reason = ""
        except RejectedLayout as rejected:
            reason = str(rejected)
        yield Retrial(scene.id, scene.domain, reason)

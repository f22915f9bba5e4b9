"""Repeat the trials of a suite of uses, drawn again from its seed, with different noise."""

import numpy as np

from pactwin.sim.generation.uses.scenes import UseTwins, try_use, use_twins, verdict_of
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses.deciding import disturbances
from pactwin.suite import Scene, SuiteError


def retry_use(scene: Scene, noise: int) -> str:
    """Difference from the stored label, "" if there is none.

    Raises the errors of :func:`rebuild_use`.
    """
    twins, _ = rebuild_use(scene)
    before = scene.decided
    try:
        tried = try_use(twins, disturbances(noise, 1.0), clearly=False)
    except RejectedLayout as rejected:
        return str(rejected)
    again = verdict_of(twins, tried, served=before.feasible)
    then, now = ([(p.thing, p.part, p.serves) for p in v.played] for v in (before, again))
    return "" if then == now else "other things serve"


def rebuild_use(scene: Scene) -> tuple[UseTwins, Layout]:
    """Twins and layout of a scene, drawn again from its seed.

    Raises SuiteError if the current generator draws something else from the scene's seed.
    """
    another = SuiteError(
        f"scene {scene.id}: its seed draws another layout with this version of {scene.domain!r}"
    )
    try:
        twins = use_twins(scene.domain, scene.seed)
    except RejectedLayout as rejected:
        raise another from rejected
    layout = twins.layouts[scene.decided.feasible]
    drawn = {i.name: i.world_from_object.matrix() for i in layout.items}
    recorded = {o.name: np.array(o.world_from_object) for o in scene.objects}
    if drawn.keys() != recorded.keys() or any(
        not np.allclose(drawn[name], recorded[name], atol=1e-5) for name in drawn
    ):
        raise another
    return twins, layout

"""From trials to a label: the nominal trial, its repetitions under perturbation, the verdict.

A label is kept only if the nominal trial comes out as the twin was meant to, for the intended
constraint, with at least the domain's margin, and every perturbed repetition agrees.
"""

from pactwin.sim.domains.base import Domain
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint, Perturbations, Verdict


def decide(domain: Domain, layout: Layout, intended: Constraint, robot: str, seed: int) -> Verdict:
    """The verdict on ``layout``; raises RejectedLayout with the reason if it is not a stable one.

    ``intended`` is the constraint the layout was drawn for, ``none`` for the feasible twin.
    """
    side = "feasible" if intended is Constraint.NONE else "infeasible"
    nominal = domain.trial(layout, Perturbation(), robot)
    _require(nominal, intended, f"{side} twin")
    if abs(nominal.margin) < domain.min_margin:
        raise RejectedLayout(f"{side} twin: margin too small")
    runs = perturbations(seed)
    for perturbation in runs:
        repeated = domain.trial(layout, perturbation, robot)
        _require(repeated, intended, f"{side} twin under {perturbation.name}")
        if repeated.also != nominal.also:
            raise RejectedLayout(f"{side} twin under {perturbation.name}: other causes")
    return Verdict(
        action=layout.action,
        objects=layout.critical_objects,
        involved=layout.other_participants,
        feasible=intended is Constraint.NONE,
        constraint=intended,
        also=nominal.also,
        trial=domain.name,
        trial_version=domain.trial_version,
        measurements=nominal.measurements,
        margin=nominal.margin,
        perturbations=Perturbations(agreed=len(runs), run=len(runs)),
    )


def _require(outcome: TrialOutcome, intended: Constraint, where: str) -> None:
    if outcome.feasible is None:
        raise RejectedLayout(f"{where}: {outcome.reason}")
    if outcome.feasible != (intended is Constraint.NONE):
        raise RejectedLayout(f"{where}: verdict flips")
    if outcome.constraint is not intended:
        raise RejectedLayout(f"{where}: another constraint than intended")

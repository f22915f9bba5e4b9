"""From trials to a label: the nominal trial, its repetitions under perturbation, the verdict.

A label is kept only if the nominal trial comes out as the twin was meant to, for the intended
constraint, with at least the domain's margin, and every perturbed repetition agrees.
"""

from pactwin.sim.domains.base import Domain
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.preconditions.handling import LEAST_MARGIN, check_handling
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Check, Constraint, Perturbations, Verdict


def decide(domain: Domain, layout: Layout, intended: Constraint, robot: str, seed: int) -> Verdict:
    """The verdict on ``layout``; raises RejectedLayout with the reason if it is not a stable one.

    ``intended`` is the constraint the layout was drawn for, ``none`` for the feasible twin. The
    domain's trial decides on that one, and what hands have to do beside it on all others: a twin
    that is meant to be feasible is rejected if any of them does not hold.
    """
    side = "feasible" if intended is Constraint.NONE else "infeasible"
    nominal = domain.trial(layout, Perturbation(), robot)
    _require(nominal, intended, f"{side} twin")
    if abs(nominal.margin) < domain.min_margin:
        raise RejectedLayout(f"{side} twin: margin too small")
    handling = domain.handling(layout)
    checks = check_handling(layout, handling, Perturbation(), robot)
    for name, outcome in checks.items():
        _require_precondition(name, outcome, intended, side)
        if abs(outcome.margin) < LEAST_MARGIN:
            raise RejectedLayout(f"{side} twin: {_what(name)}: margin too small")
    runs = perturbations(seed)
    for perturbation in runs:
        where = f"{side} twin under {perturbation.name}"
        repeated = domain.trial(layout, perturbation, robot)
        _require(repeated, intended, where)
        if repeated.also != nominal.also:
            raise RejectedLayout(f"{where}: other causes")
        for name, outcome in check_handling(layout, handling, perturbation, robot).items():
            if outcome.constraint is not checks[name].constraint or outcome.feasible is None:
                raise RejectedLayout(f"{where}: {_what(name)}: verdict flips")
    checks = {domain.precondition: nominal} | checks
    others = (check.constraint for check in checks.values() if check.feasible is False)
    also = dict.fromkeys((*nominal.also, *others))
    return Verdict(
        action=layout.action,
        objects=layout.critical_objects,
        involved=layout.other_participants,
        feasible=intended is Constraint.NONE,
        constraint=intended,
        also=tuple(constraint for constraint in also if constraint is not intended),
        checks={
            name: Check(
                holds=bool(outcome.feasible),
                constraint=outcome.constraint,
                measurements=outcome.measurements,
                margin=outcome.margin,
            )
            for name, outcome in checks.items()
        },
        trial=domain.name,
        trial_version=domain.trial_version,
        measurements=nominal.measurements,
        margin=nominal.margin,
        perturbations=Perturbations(agreed=len(runs), run=len(runs)),
    )


def _require_precondition(
    name: str, outcome: TrialOutcome, intended: Constraint, side: str
) -> None:
    if outcome.feasible is None:
        raise RejectedLayout(f"{side} twin: {_what(name)}: {outcome.reason}")
    if intended is Constraint.NONE and not outcome.feasible:
        raise RejectedLayout(f"{side} twin: {_what(name)}: {outcome.constraint.value}")


def _what(name: str) -> str:
    """The precondition without the name of the thing, so that reasons can be counted."""
    return name.partition(":")[0]


def _require(outcome: TrialOutcome, intended: Constraint, where: str) -> None:
    if outcome.feasible is None:
        raise RejectedLayout(f"{where}: {outcome.reason}")
    if outcome.feasible != (intended is Constraint.NONE):
        raise RejectedLayout(f"{where}: verdict flips")
    if outcome.constraint is not intended:
        raise RejectedLayout(f"{where}: another constraint than intended")

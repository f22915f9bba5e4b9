"""From trials to a label: the nominal trial, its repetitions under perturbation, the verdict.

A label is kept only if the nominal trial comes out as the twin was meant to, for the intended
constraint, with at least the domain's margin, and every perturbed repetition agrees.
"""

import numpy as np

from pactwin.sim.domains import Domain, Outcome, Perturbation, RejectedLayout
from pactwin.sim.layout import Layout
from pactwin.suite import Constraint, Perturbations, Verdict

_POSE_DRAWS = 4
_POSE_NOISE_M = 0.001
_POSE_NOISE_RAD = float(np.deg2rad(1.0))


def perturbations(seed: int) -> tuple[Perturbation, ...]:
    """The ten disturbed repetitions of every trial; ``seed`` feeds the pose noise."""
    noisy = tuple(
        Perturbation(
            f"pose noise {k + 1}",
            pose_noise_m=_POSE_NOISE_M,
            pose_noise_rad=_POSE_NOISE_RAD,
            seed=(seed + k) % 2**63,
        )
        for k in range(_POSE_DRAWS)
    )
    return (
        Perturbation("less friction", friction_scale=0.8),
        Perturbation("more friction", friction_scale=1.25),
        Perturbation("lighter", mass_scale=0.8),
        Perturbation("heavier", mass_scale=1.2),
        Perturbation("half the time step", time_step_scale=0.5),
        Perturbation("twice the time step", time_step_scale=2.0),
        *noisy,
    )


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
        objects=layout.decides,
        involved=layout.involved,
        feasible=intended is Constraint.NONE,
        constraint=intended,
        also=nominal.also,
        trial=domain.name,
        trial_version=domain.trial_version,
        measurements=nominal.measurements,
        margin=nominal.margin,
        perturbations=Perturbations(agreed=len(runs), run=len(runs)),
    )


def _require(outcome: Outcome, intended: Constraint, where: str) -> None:
    if outcome.feasible is None:
        raise RejectedLayout(f"{where}: {outcome.reason}")
    if outcome.feasible != (intended is Constraint.NONE):
        raise RejectedLayout(f"{where}: verdict flips")
    if outcome.constraint is not intended:
        raise RejectedLayout(f"{where}: another constraint than intended")

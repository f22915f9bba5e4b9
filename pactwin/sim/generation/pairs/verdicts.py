"""From trials to a label: all preconditions tried, undisturbed and perturbed, and the verdict.

A label is kept only if every precondition of the action is decided with a margin, the same in every
perturbed repetition, and the verdict is what the layout was drawn for.
"""

from dataclasses import dataclass

from pactwin.sim.actions.base import Action, outcomes
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.preconditions.situation import Situation
from pactwin.sim.reach.search import Posture
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Check, Constraint, Perturbations, Verdict

LEAST_MARGIN = 0.4
"""A precondition nearer to its limit than this is not decided: the scene is rejected."""


@dataclass(frozen=True)
class Intent:
    """What a layout was drawn for: ``constraint`` is ``none`` for the feasible twin.

    ``deciding`` names the precondition that fails in the infeasible twin, once that is known.
    """

    constraint: Constraint
    deciding: str = ""

    @property
    def side(self) -> str:
        """The twin, in words."""
        return "feasible twin" if self.constraint is Constraint.NONE else "infeasible twin"


def decide(
    action: Action,
    layout: Layout,
    intent: Intent,
    robot: str,
    seed: int,
    postures: dict[str, Posture] | None = None,
) -> Verdict:
    """The verdict on ``layout``; raises RejectedLayout with the reason if it is not a stable one.

    A layout that is meant to be feasible is rejected as soon as one precondition does not hold.
    ``postures`` are those that the twin's trials found; new ones are kept there. What stands clear
    of all that the action is about cannot move in the repetitions.
    """
    checks: dict[str, TrialOutcome] = {}
    nominal = Situation(layout, Perturbation(), robot, postures)
    for name, outcome in outcomes(action, nominal):
        if outcome.feasible is None:
            raise RejectedLayout(f"{intent.side}: {_what(name)}: {outcome.reason}")
        if abs(outcome.margin) < LEAST_MARGIN:
            raise RejectedLayout(f"{intent.side}: {_what(name)}: margin too small")
        if intent.constraint is Constraint.NONE and not outcome.feasible:
            raise RejectedLayout(f"{intent.side}: {_what(name)}: {outcome.constraint.value}")
        checks[name] = outcome
    deciding = intent.deciding or _deciding(checks, intent)
    runs = perturbations(seed)
    named = (item.name for item in layout.items if item.name in vars(action).values())
    repeated = nominal.around((*named, *layout.critical_objects))
    for perturbation in runs:
        situation = Situation(repeated, perturbation, robot, nominal.postures)
        for name, outcome in outcomes(action, situation):
            where = f"{intent.side} under {perturbation.name}: {_what(name)}"
            if outcome.feasible is None:
                raise RejectedLayout(f"{where}: {outcome.reason}")
            # A second step may be come to only now.
            if name not in checks or outcome.constraint is not checks[name].constraint:
                raise RejectedLayout(f"{where}: verdict flips")
    failing = dict.fromkeys(c.constraint for c in checks.values() if not c.feasible)
    return Verdict(
        action=action.phrase,
        objects=layout.critical_objects,
        involved=layout.other_participants,
        feasible=intent.constraint is Constraint.NONE,
        constraint=intent.constraint,
        also=tuple(constraint for constraint in failing if constraint is not intent.constraint),
        checks={
            name: Check(
                holds=bool(outcome.feasible),
                constraint=outcome.constraint,
                measurements=outcome.measurements,
                margin=outcome.margin,
            )
            for name, outcome in checks.items()
        },
        trial=action.kind,
        trial_version=action.version,
        measurements=checks[deciding].measurements,
        margin=checks[deciding].margin,
        perturbations=Perturbations(agreed=len(runs), run=len(runs)),
    )


def deciding_check(verdict: Verdict) -> str:
    """Name of the precondition that fails for the verdict's constraint; "" if none fails."""
    found = (name for name, c in verdict.checks.items() if c.constraint is verdict.constraint)
    return next(found, "") if not verdict.feasible else ""


def _deciding(checks: dict[str, TrialOutcome], intent: Intent) -> str:
    if intent.constraint is Constraint.NONE:
        return min(checks, key=lambda name: checks[name].margin)
    for name, outcome in checks.items():
        if outcome.constraint is intent.constraint:
            return name
    others = sorted({c.constraint.value for c in checks.values() if not c.feasible})
    raise RejectedLayout(f"{intent.side}: {', '.join(others) or 'it can be done'}, not as intended")


def _what(name: str) -> str:
    """The precondition without the name of the thing, so that reasons can be counted."""
    return name.partition(":")[0]

"""Decide a label: try all preconditions, unperturbed and perturbed.

A label is kept only if every precondition of the action is decided with a margin, with the same
result in every perturbed repetition, and the verdict is the intended one. A new label needs larger
margins than a retrial, so that retrials confirm it with any noise and any search.
"""

from collections import Counter
from dataclasses import dataclass, replace

from pactwin.sim.actions.base import Action, outcomes
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import KEPT_NOISE, perturbations, undisturbed
from pactwin.sim.preconditions.handling import is_kinematic
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.reach.starts import SAMPLES
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Check, Constraint, Perturbations, Verdict

LEAST_MARGIN = 0.4
"""A scene is rejected if a precondition's margin is below this."""

LONGER = 4
"""Factor by which the search is longer, with new samples, for what no hand was found to do."""

_BY_SEARCH = ("hand_gets_to", "then_hand_gets_to", "one_hand_brings")

PLAIN_MARGIN = 0.8
"""Margins from here on are stored as 1; failures can have larger margins than successes."""


@dataclass(frozen=True)
class Demands:
    """Requirements of a label: the least margin of every precondition, and the scale of pose noise.

    ``longer`` is the factor by which postures are searched longer than usual. What no hand was
    found to do is sought LONGER from so many ``samples``: to keep a label, from all of them, so
    that a retrial searches from no other.
    """

    least_margin: float
    noise: float
    longer: int
    samples: int


TO_KEEP = Demands(LEAST_MARGIN, KEPT_NOISE, 1, SAMPLES)
TO_CONFIRM = Demands(LEAST_MARGIN / 2, 1.0, 4, 1)


@dataclass(frozen=True)
class Case:
    """A layout to try an action on, and the intended result.

    ``constraint`` is ``none`` for the feasible twin. ``deciding`` names the precondition that fails
    in the infeasible twin, if known. ``seed`` determines where hands release objects, and the noise
    of the repetitions.
    """

    action: Action
    layout: Layout
    constraint: Constraint
    robot: str
    seed: int
    demands: Demands = TO_KEEP
    deciding: str = ""

    @property
    def feasible(self) -> bool:
        """Whether the action is meant to be possible."""
        return self.constraint is Constraint.NONE

    @property
    def side(self) -> str:
        """Name of the twin in messages."""
        return "feasible twin" if self.feasible else "infeasible twin"


@dataclass(frozen=True)
class Tried:
    """A case whose preconditions were tried once, unperturbed, with the intended results.

    Its ``deciding`` check is the one that was named, that of the intended failure, or the one
    nearest to its limit.

    ``checks`` are the outcomes by name. ``situation`` is the scene at rest with the postures found;
    all items away from the action's objects are fixed.
    """

    case: Case
    checks: dict[str, TrialOutcome]
    situation: SettledScene

    @property
    def verdict(self) -> Verdict:
        """The verdict before perturbed repetitions."""
        case, checks, deciding = self.case, self.checks, self.case.deciding
        failing = dict.fromkeys(c.constraint for c in checks.values() if not c.feasible)
        return Verdict(
            action=case.action.phrase,
            objects=case.layout.critical_objects,
            involved=case.layout.other_participants,
            feasible=case.feasible,
            constraint=case.constraint,
            also=tuple(other for other in failing if other is not case.constraint),
            checks={
                name: Check(
                    holds=bool(outcome.feasible),
                    constraint=outcome.constraint,
                    measurements=outcome.measurements,
                    margin=stored_margin(outcome.margin),
                    independent_of=outcome.independent_of,
                    grasp=outcome.grasp,
                    distance=outcome.distance,
                )
                for name, outcome in checks.items()
            },
            trial=case.action.kind,
            trial_version=case.action.version,
            measurements=checks[deciding].measurements,
            margin=stored_margin(checks[deciding].margin),
            perturbations=Perturbations(agreed=0, run=0),
        )


class _Trying:
    """A case whose preconditions are being tried undisturbed, some first, then the others.

    All of it has to come to rest; then what stands clear of all that the action is about is fixed,
    in the repetitions, too: it would take most of the time.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        noise = undisturbed(case.seed, case.demands.noise)
        longer = case.demands.longer
        self.nominal = self._at_rest(SettledScene(case.layout, noise, case.robot, longer=longer))
        # A failure rejects what is meant to be feasible.
        self.nominal.ends_at_failure = case.feasible
        self._found: dict[int, Outcomes] = {}

    def go_on(self, *, by_hand_only: bool = False) -> None:
        """Try the remaining ones; raises RejectedLayout if the result is not clearly as intended.

        With ``by_hand_only`` only the trials of the robot's hands.
        """
        if not by_hand_only:
            self._fix_bystanders()
        for k, trial in enumerate(self.case.action.trials()):
            if k not in self._found and (is_kinematic(trial) or not by_hand_only):
                self._found[k] = trial(self.nominal)
                for name, outcome in self._found[k].items():
                    _accept(self.case, name, outcome)

    def _at_rest(self, situation: SettledScene) -> SettledScene:
        if situation.settle_error:
            raise RejectedLayout(f"{self.case.side}: at_rest: {situation.settle_error}")
        return situation

    def _fix_bystanders(self) -> None:
        now, named = self.nominal, vars(self.case.action).values()
        about = [item.name for item in self.case.layout.items if item.name in named]
        loose = now.around(about, self.case.layout.critical_objects)
        if any(self.case.layout.moves(item) != loose.moves(item) for item in loose.items):
            self.nominal = self._at_rest(
                SettledScene(loose, now.perturbation, now.robot, now.postures, longer=now.longer)
            )

    def tried(self, deciding: str = "") -> Tried:
        """All outcomes, in the order of the action's trials; raises RejectedLayout as described."""
        self.go_on()
        in_order = (self._found[k].items() for k in sorted(self._found))
        checks = {name: outcome for found in in_order for name, outcome in found}
        itself = _deciding(checks, self.case)
        case = replace(self.case, deciding=self.case.deciding or deciding or itself)
        return Tried(case, checks, self.nominal)


def _accept(case: Case, name: str, outcome: TrialOutcome) -> None:
    """Raise RejectedLayout unless the outcome is plain and, where meant to be, feasible."""
    what = f"{case.side}: {_what(name)}"
    if outcome.feasible is None:
        raise RejectedLayout(f"{what}: {outcome.reason}")
    if abs(outcome.margin) < case.demands.least_margin:
        raise RejectedLayout(f"{what}: margin too small")
    if case.feasible and not outcome.feasible:
        raise RejectedLayout(f"{what}: {outcome.constraint.value}")
    if case.feasible and outcome.leaves_open:
        raise RejectedLayout(f"{what}: {outcome.leaves_open}")


def _sought_longer(tried: Tried) -> Tried:
    """The outcomes after a longer search for hands that failed; raises RejectedLayout.

    A posture that was not found may be there.
    """
    case, checks, now = tried.case, tried.checks, tried.situation
    deciding = _deciding(checks, case)
    if checks[deciding].feasible or not deciding.startswith(_BY_SEARCH):
        return tried
    known = {name: p for name, p in now.postures.items() if p.clearance_m > 0.0}
    found: Outcomes = {}
    for other in range(case.demands.samples):
        elsewhere = replace(now.perturbation, seed=now.perturbation.seed + 1 + other)
        longer = max(now.longer, LONGER)
        again = SettledScene(case.layout, elsewhere, now.robot, known, longer=longer)
        again.ends_at_first = True
        by_hand = (trial(again) for trial in case.action.trials() if is_kinematic(trial))
        for name, outcome in (pair for tried_ in by_hand for pair in tried_.items()):
            _accept(case, name, outcome)
            if name not in checks or outcome.constraint is not checks[name].constraint:
                what = f"{case.side}: {_what(name)}"
                raise RejectedLayout(f"{what}: found by a longer search")
            if name not in found or outcome.margin > found[name].margin:
                found[name] = outcome
    return replace(tried, checks=checks | found)


def try_once(case: Case) -> Tried:
    """Try a case unperturbed; raises RejectedLayout unless the result is clearly the intended one.

    A layout intended to be feasible is rejected at the first failing precondition.
    """
    trying = _Trying(case)
    trying.go_on(by_hand_only=True)
    return trying.tried()


def try_twins(
    action: Action, layouts: tuple[Layout, Layout], constraint: Constraint, robot: str, seed: int
) -> tuple[Tried, Tried]:
    """Try twins unperturbed; the first is intended to fail for ``constraint``.

    Raises RejectedLayout as :func:`try_once`. Trials of hands run first in both twins, because they
    need no physics and reject most layouts. Each twin is tried by itself, as in :func:`decide`.
    """
    meant = (constraint, Constraint.NONE)
    both = [
        _Trying(Case(action, layout, cause, robot, seed))
        for layout, cause in zip(layouts, meant, strict=True)
    ]
    for trying in reversed(both):  # more is asked of hands in the feasible one
        trying.go_on(by_hand_only=True)
    infeasible = both[0].tried()
    return infeasible, both[1].tried(infeasible.case.deciding)


def repeated(tried: Tried) -> Verdict:
    """The verdict if every perturbed repetition agrees; raises RejectedLayout otherwise.

    Every check is repeated under each perturbation unless it declares that it does not depend on
    it. The check records its number of repetitions; the verdict's is that of the deciding check.
    What no hand was found to do is sought longer first.
    """
    tried = _sought_longer(tried)
    case, side = tried.case, tried.case.side
    counts = Counter[str]()
    for perturbation in perturbations(case.seed, case.demands.noise):
        situation = tried.situation.under(perturbation)
        due = {n for n, c in tried.checks.items() if perturbation.disturbs - {*c.independent_of}}
        for name, outcome in outcomes(case.action, situation):
            where = f"{side} under {perturbation.name}: {_what(name)}"
            if outcome.feasible is None:
                raise RejectedLayout(f"{where}: {outcome.reason}")
            # A second step may be come to only now.
            known = tried.checks.get(name)
            if known is None or outcome.constraint is not known.constraint:
                raise RejectedLayout(f"{where}: verdict flips")
            if case.feasible and outcome.leaves_open:
                raise RejectedLayout(f"{where}: verdict flips")
            counts[name] += 1
            due.discard(name)
        if due:
            where = f"{side} under {perturbation.name}: {_what(min(due))}"
            raise RejectedLayout(f"{where}: not repeated")
    agreed = {name: Perturbations(agreed=n, run=n) for name, n in counts.items()}
    verdict = tried.verdict
    checks = {
        name: check.model_copy(update={"perturbations": agreed[name]})
        for name, check in verdict.checks.items()
    }
    return verdict.model_copy(update={"checks": checks, "perturbations": agreed[case.deciding]})


def decide(case: Case) -> Verdict:
    """Verdict on a case; raises RejectedLayout, with the reason, if it is not stable."""
    return repeated(try_once(case))


def prevented_by(
    action: Action, situation: SettledScene, least_margin: float = 0.0
) -> Constraint | None:
    """The first constraint found that prevents the action, ``none`` if it is feasible.

    None if a precondition is undecided, or its margin is below ``least_margin``.
    """
    for _, outcome in outcomes(action, situation):
        if outcome.feasible is None or abs(outcome.margin) < least_margin:
            return None
        if not outcome.feasible:
            return outcome.constraint
    return Constraint.NONE


def stored_margin(margin: float) -> float:
    """Margin as stored in labels: LEAST_MARGIN becomes 0.5, PLAIN_MARGIN and beyond 1."""
    return round(max(-1.0, min(1.0, margin / PLAIN_MARGIN)), 4)


def _deciding(checks: dict[str, TrialOutcome], case: Case) -> str:
    if case.feasible:
        return min(checks, key=lambda name: checks[name].margin)
    for name, outcome in checks.items():
        if outcome.constraint is case.constraint:
            return name
    others = sorted({c.constraint.value for c in checks.values() if not c.feasible})
    raise RejectedLayout(f"{case.side}: {', '.join(others) or 'it can be done'}, not as intended")


def _what(name: str) -> str:
    """Name of the precondition without its object, so that reasons can be counted."""
    return name.partition(":")[0]

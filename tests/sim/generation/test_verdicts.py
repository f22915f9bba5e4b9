"""When a trial becomes a label: only if every repetition says what the layout was drawn for."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pactwin.sim.domains.base import Twins
from pactwin.sim.generation.pairs.verdicts import decide
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation, perturbations
from pactwin.sim.preconditions.handling import Handling
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint, Measurement, Verdict

MEASURED = {"moved": Measurement(value=0.02, limit=0.01, unit="m")}
WORKS = TrialOutcome(True, Constraint.NONE, MEASURED, 0.8)
FAILS = TrialOutcome(False, Constraint.OCCUPIED, MEASURED, -0.8, also=(Constraint.COVERED,))
RED, BLUE, GREEN, GREY = (
    standing_at(block(color, (0.05, 0.05, 0.05)), 0.1 * k, 0.0)
    for k, color in enumerate(("red", "blue", "green", "black"))
)
LAYOUT = Layout((RED, BLUE, GREEN, replace(GREY, distractor=True)), "do it", (BLUE.name, RED.name))
RUNS = perturbations(4)


class Scripted:
    """A domain whose trials come out as told."""

    name, precondition, trial_version, min_margin = "scripted", "it_goes_well", 3, 0.5

    def __init__(self, outcome: Callable[[Perturbation], TrialOutcome]) -> None:
        self.outcome, self.tried = outcome, list[Perturbation]()

    def propose(self, rng: object, robot: str) -> Twins:
        raise NotImplementedError

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        assert (layout, robot) == (LAYOUT, "g1")
        self.tried.append(perturbation)
        return self.outcome(perturbation)

    def handling(self, layout: Layout) -> Handling:
        return Handling()


def decided(outcome: Callable[[Perturbation], TrialOutcome], intended: Constraint) -> Verdict:
    return decide(Scripted(outcome), LAYOUT, intended, "g1", 4)


@pytest.mark.parametrize("outcome", [WORKS, FAILS], ids=["feasible", "infeasible"])
def test_a_label_says_what_all_trials_said(outcome: TrialOutcome) -> None:
    domain = Scripted(lambda _: outcome)
    verdict = decide(domain, LAYOUT, outcome.constraint, "g1", 4)
    assert domain.tried == [Perturbation(), *RUNS]
    assert (verdict.feasible, verdict.constraint) == (outcome.feasible, outcome.constraint)
    assert (verdict.margin, verdict.also) == (outcome.margin, outcome.also)
    assert verdict.measurements == MEASURED
    assert (verdict.trial, verdict.trial_version) == ("scripted", 3)
    assert (verdict.action, verdict.objects) == ("do it", (BLUE.name, RED.name))
    assert verdict.involved == (GREEN.name,)
    assert verdict.perturbations is not None
    assert (verdict.perturbations.agreed, verdict.perturbations.run) == (len(RUNS), len(RUNS))


@pytest.mark.parametrize("where", [Perturbation(), *RUNS], ids=lambda p: p.name)
@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (WORKS, "verdict flips"),
        (TrialOutcome.undecided("not at rest"), "not at rest"),
        (replace(FAILS, constraint=Constraint.COVERED), "another constraint"),
        (replace(FAILS, also=()), "other causes"),
        (replace(FAILS, margin=-0.49), "margin too small"),
    ],
)
def test_one_trial_that_says_otherwise_rejects_the_layout(
    where: Perturbation, other: TrialOutcome, reason: str
) -> None:
    """Margins count undisturbed; what else would prevent the action, in the repetitions."""

    def outcome(perturbation: Perturbation) -> TrialOutcome:
        return other if perturbation == where else FAILS

    nominal = where == Perturbation()
    if reason == "margin too small" and not nominal:
        assert decided(outcome, Constraint.OCCUPIED).margin == FAILS.margin
        return
    with pytest.raises(RejectedLayout) as rejected:
        decided(outcome, Constraint.OCCUPIED)
    assert str(rejected.value).startswith("infeasible twin")
    if nominal and reason == "other causes":  # the repetitions say so
        assert "under less friction: other causes" in str(rejected.value)
    else:
        assert reason in str(rejected.value)
        assert nominal or f"under {where.name}:" in str(rejected.value)


@pytest.mark.parametrize(("margin", "kept"), [(0.49, False), (0.51, True), (-0.51, True)])
def test_margins_count_on_either_side(margin: float, kept: bool) -> None:
    outcome = replace(WORKS if margin > 0 else FAILS, margin=margin)
    if kept:
        assert decided(lambda _: outcome, outcome.constraint).margin == margin
    else:
        with pytest.raises(RejectedLayout, match="feasible twin: margin too small"):
            decided(lambda _: outcome, outcome.constraint)


@pytest.mark.parametrize(
    ("works", "fails", "feasible"),
    [(True, False, True), (False, True, False), (False, False, None)],
)
def test_an_outcome_is_what_works_what_fails_or_neither(
    works: bool, fails: bool, feasible: bool | None
) -> None:
    outcome = TrialOutcome.of(
        Constraint.OCCUPIED, MEASURED, 0.123456, works=works, fails=fails, between="half way",
        also=(Constraint.COVERED,),
    )  # fmt: skip
    assert outcome.feasible is feasible
    assert outcome.constraint is (Constraint.NONE if works else Constraint.OCCUPIED)
    assert outcome.also == ((Constraint.COVERED,) if fails else ())
    assert outcome.reason == ("" if works or fails else "half way")
    assert outcome.margin == 0.1235

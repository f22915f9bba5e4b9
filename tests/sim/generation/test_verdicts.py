"""When a trial becomes a label: only if every repetition says what the layout was drawn for."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from pactwin.sim.actions import handling
from pactwin.sim.actions.base import Action
from pactwin.sim.actions.handling import Take
from pactwin.sim.generation.pairs import verdicts
from pactwin.sim.generation.pairs.verdicts import (
    LEAST_MARGIN,
    LONGER,
    TO_CONFIRM,
    TO_KEEP,
    Case,
    decide,
    stored_margin,
    try_once,
    try_twins,
)
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import (
    KEPT_NOISE,
    QUANTITIES,
    Perturbation,
    perturbations,
    undisturbed,
)
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene, affected_by
from pactwin.sim.reach.starts import SAMPLES
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint, Measurement, Perturbations, Verdict

MEASURED = {"moved": Measurement(value=0.02, limit=0.01, unit="m")}
WORKS = TrialOutcome(True, Constraint.NONE, MEASURED, 0.8)
FAILS = TrialOutcome(False, Constraint.OCCUPIED, MEASURED, -0.8)
COVERED = Constraint.COVERED
RED, BLUE, GREEN, GREY = (
    standing_at(block(color, (0.05, 0.05, 0.05)), 0.1 * k, 0.0)
    for k, color in enumerate(("red", "blue", "green", "black"))
)
LAYOUT = Layout((RED, BLUE, GREEN, replace(GREY, distractor=True)), "do it", (BLUE.name, RED.name))
UNDISTURBED, RUNS = undisturbed(4, KEPT_NOISE), perturbations(4, KEPT_NOISE)


@dataclass(frozen=True)
class Scripted(Action):
    """An action whose one precondition comes out as told."""

    kind = "scripted"
    version = 3
    wording = "do it"
    outcome: Callable[[Perturbation], TrialOutcome]
    tried: list[Perturbation] = field(default_factory=list)

    def trials(self) -> tuple[Callable[[SettledScene], Outcomes], ...]:
        return (self._trial,)

    def _trial(self, situation: SettledScene) -> Outcomes:
        # What touches neither of what is asked about cannot move once all is at rest.
        clear = frozenset((GREEN.name, GREY.name))
        assert (situation.layout, situation.robot) == (replace(LAYOUT, fixed=clear), "g1")
        self.tried.append(situation.perturbation)
        return {"it_goes_well": self.outcome(situation.perturbation)}


def decided(outcome: Callable[[Perturbation], TrialOutcome], intended: Constraint) -> Verdict:
    return decide(Case(Scripted(outcome), LAYOUT, intended, "g1", 4))


@pytest.mark.parametrize("outcome", [WORKS, FAILS], ids=["feasible", "infeasible"])
def test_a_label_says_what_all_trials_said(outcome: TrialOutcome) -> None:
    action = Scripted(lambda _: outcome)
    verdict = decide(Case(action, LAYOUT, outcome.constraint, "g1", 4))
    assert action.tried == [UNDISTURBED, *RUNS]
    assert (verdict.feasible, verdict.constraint) == (outcome.feasible, outcome.constraint)
    assert (verdict.margin, verdict.also) == (stored_margin(outcome.margin), ())
    assert verdict.measurements == MEASURED
    assert (verdict.trial, verdict.trial_version) == ("scripted", 3)
    assert (verdict.action, verdict.objects) == ("do it", (BLUE.name, RED.name))
    assert verdict.involved == (GREEN.name,)
    assert verdict.perturbations is not None
    assert (verdict.perturbations.agreed, verdict.perturbations.run) == (len(RUNS), len(RUNS))


class Twice(Scripted):
    """Two of its preconditions fail."""

    def _trial(self, situation: SettledScene) -> Outcomes:
        return {"its_place_is_free": FAILS, "it_is_open": replace(FAILS, constraint=COVERED)}


def test_other_causes_are_told_beside_the_one_that_was_meant() -> None:
    for meant, other in ((Constraint.OCCUPIED, COVERED), (COVERED, Constraint.OCCUPIED)):
        verdict = decide(Case(Twice(lambda _: FAILS), LAYOUT, meant, "g1", 4))
        assert (verdict.constraint, verdict.also) == (meant, (other,))


@pytest.mark.parametrize("where", [UNDISTURBED, RUNS[0], RUNS[-1]], ids=lambda p: p.name)
@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (WORKS, "verdict flips"),
        (TrialOutcome.undecided("not at rest"), "not at rest"),
        (replace(FAILS, constraint=COVERED), "verdict flips"),
        (replace(FAILS, margin=-0.39), "margin too small"),
    ],
)
def test_one_trial_that_says_otherwise_rejects_the_layout(where, other, reason):
    """Margins count undisturbed; what else would prevent the action, in the repetitions."""

    def outcome(perturbation: Perturbation) -> TrialOutcome:
        return other if perturbation == where else FAILS

    nominal = not where.disturbs
    if reason == "margin too small" and not nominal:
        assert decided(outcome, Constraint.OCCUPIED).margin == stored_margin(FAILS.margin)
        return
    with pytest.raises(RejectedLayout) as rejected:
        decided(outcome, Constraint.OCCUPIED)
    assert str(rejected.value).startswith("infeasible twin")
    if nominal and reason == "verdict flips":  # nothing flips from there on
        reason = "not as intended"
    assert reason in str(rejected.value)
    assert nominal or f"under {where.name}:" in str(rejected.value)


class Declared(Scripted):
    """An action with a second precondition, of which friction, masses and the like are no part."""

    def trials(self) -> tuple[Callable[[SettledScene], Outcomes], ...]:
        return self._trial, self._of_pose

    @staticmethod
    @affected_by("pose")
    def _of_pose(situation: SettledScene) -> Outcomes:
        return {"it_is_there": replace(WORKS, margin=0.5)}


def test_every_check_says_how_often_it_was_repeated_and_of_what_it_is_independent() -> None:
    verdict = decide(Case(Declared(lambda _: WORKS), LAYOUT, Constraint.NONE, "g1", 4))
    goes, there = verdict.checks["it_goes_well"], verdict.checks["it_is_there"]
    assert (goes.perturbations, goes.independent_of) == (Perturbations(agreed=5, run=5), ())
    assert there.perturbations == verdict.perturbations == Perturbations(agreed=4, run=4)
    assert set(there.independent_of) == set(QUANTITIES) - {"pose"}


def test_a_check_that_is_not_repeated_where_it_should_be_rejects_the_layout() -> None:
    class Forgetful(Scripted):
        def _trial(self, situation: SettledScene) -> Outcomes:
            return (
                super()._trial(situation) if "mass" not in situation.perturbation.disturbs else {}
            )

    with pytest.raises(RejectedLayout, match="under combination 1: it_goes_well: not repeated"):
        decide(Case(Forgetful(lambda _: WORKS), LAYOUT, Constraint.NONE, "g1", 4))


def test_what_leaves_something_open_is_no_feasible_twin_but_may_be_an_infeasible_one() -> None:
    class Open(Scripted):
        def trials(self) -> tuple[Callable[[SettledScene], Outcomes], ...]:
            return (lambda _: {"there": replace(WORKS, leaves_open="no grasp")}), self._trial

    kept = decide(Case(Open(lambda _: FAILS), LAYOUT, FAILS.constraint, "g1", 4))
    assert kept.checks["there"].holds
    with pytest.raises(RejectedLayout, match=r"^feasible twin: there: no grasp$"):
        decide(Case(Open(lambda _: WORKS), LAYOUT, Constraint.NONE, "g1", 4))


class Sought(Scripted):
    """A hand that gets there, as a search finds that is long enough."""

    enough = 2

    def _trial(self, situation: SettledScene) -> Outcomes:
        self.tried.append(situation.perturbation)
        there = situation.nominal and situation.longer >= self.enough
        return {"hand_gets_to: it": WORKS if there else self.outcome(situation.perturbation)}


def test_what_no_hand_was_found_to_do_is_sought_longer_before_it_is_kept(monkeypatch):
    monkeypatch.setattr(verdicts, "is_kinematic", lambda _: True)
    action = Sought(lambda _: FAILS)
    with pytest.raises(RejectedLayout, match="hand_gets_to: found by a longer search"):
        decide(Case(action, LAYOUT, Constraint.OCCUPIED, "g1", 4))
    monkeypatch.setattr(Sought, "enough", 1000)
    assert not decide(Case(action, LAYOUT, Constraint.OCCUPIED, "g1", 4)).feasible
    longer = [p.seed for p in action.tried if not p.disturbs][-SAMPLES:]
    assert {seed % SAMPLES for seed in longer} == set(range(SAMPLES)), "a retrial knows no other"


def test_a_retrial_searches_longer_but_no_longer_than_what_was_searched_to_keep_a_label() -> None:
    longer = []

    class Noting(Scripted):
        def _trial(self, situation: SettledScene) -> Outcomes:
            if situation.nominal:
                longer.append(situation.longer)
            return super()._trial(situation)

    for demands in (TO_KEEP, TO_CONFIRM):
        decide(Case(Noting(lambda _: WORKS), LAYOUT, Constraint.NONE, "g1", 4, demands))
    assert longer[0] < longer[1] <= LONGER


@pytest.mark.parametrize(("margin", "noise"), [(0.3, 0.0), (0.8, 0.0012)])
def test_more_is_demanded_to_keep_a_label_than_to_confirm_it(margin: float, noise: float) -> None:
    """Neither a margin that another search finds less of, nor other noise, contradicts a label."""

    def outcome(run: Perturbation) -> TrialOutcome:
        return FAILS if 0.0 < noise < run.pose_noise_m else replace(WORKS, margin=margin)

    def confirmed(found: Callable[[Perturbation], TrialOutcome]) -> bool:
        case = Case(Scripted(found), LAYOUT, Constraint.NONE, "g1", 4, TO_CONFIRM)
        return decide(case).feasible

    with pytest.raises(RejectedLayout):
        decided(outcome, Constraint.NONE)
    assert confirmed(outcome)
    with pytest.raises(RejectedLayout, match="margin too small"):
        confirmed(lambda _: replace(WORKS, margin=0.15))
    with pytest.raises(RejectedLayout, match="occupied"):
        confirmed(lambda _: FAILS)


def test_the_size_of_a_plain_margin_does_not_tell_what_works_from_what_fails() -> None:
    """What falls is gone by three limits, what stays is one limit from it: both are plain."""
    assert stored_margin(0.97) == -stored_margin(-3.0) == 1.0
    assert stored_margin(LEAST_MARGIN) == 0.5


@pytest.mark.parametrize(
    ("works", "fails", "feasible"),
    [(True, False, True), (False, True, False), (False, False, None)],
)
def test_an_outcome_is_what_works_what_fails_or_neither(works, fails, feasible):
    outcome = TrialOutcome.of(
        Constraint.OCCUPIED, MEASURED, 0.123456, works=works, fails=fails, between="half way"
    )
    assert outcome.feasible is feasible
    assert outcome.constraint is (Constraint.NONE if works else Constraint.OCCUPIED)
    assert outcome.reason == ("" if works or fails else "half way")
    assert outcome.margin == 0.1235


def test_hands_are_asked_in_both_twins_before_anything_is_carried_out(monkeypatch):
    near, far = (Layout((standing_at(RED, x, 0.1),), "", (RED.name,)) for x in (0.3, 2.0))
    done = try_once(Case(Take(RED.name), near, Constraint.NONE, "g1", 4))
    names = [name.partition(":")[0] for name in done.checks]
    assert names == ["hand_holds", "nothing_else_moves_with", "hand_gets_to"], "as the action says"

    def carried_out(situation: SettledScene, name: str) -> Outcomes:
        raise AssertionError(f"{name} was taken off")

    monkeypatch.setattr(handling, "comes_off", carried_out)
    with pytest.raises(RejectedLayout, match=r"^feasible twin: hand_gets_to: out_of_reach$"):
        try_twins(Take(RED.name), (near, far), Constraint.SUPPORTS_OTHER, "g1", 4)
    with pytest.raises(AssertionError, match="was taken off"):
        try_twins(Take(RED.name), (near, near), Constraint.SUPPORTS_OTHER, "g1", 4)


def test_what_was_found_for_one_twin_does_not_help_the_other() -> None:
    """A posture of the one, tried first in the other, would decide what a retrial decides anew."""

    kept: list[tuple[bool, object]] = []

    class Remembering(Scripted):
        def _trial(self, situation: SettledScene) -> Outcomes:
            fails = situation.layout.items[0].name == RED.name
            kept.append((fails, situation.postures))
            return {"it_goes_well": FAILS if fails else WORKS}

    red, blue = (Layout((thing,), "", (thing.name,)) for thing in (RED, BLUE))
    tried = try_twins(Remembering(lambda _: WORKS), (red, blue), Constraint.OCCUPIED, "g1", 4)
    assert [twin.verdict.feasible for twin in tried] == [False, True]
    assert {fails for fails, _ in kept} == {True, False}
    assert all((a is b) is (one == other) for one, a in kept for other, b in kept)


def test_a_feasible_twin_shows_what_decides_the_other_whatever_is_nearer_to_its_limit() -> None:
    nearer = replace(WORKS, margin=0.5, measurements={})

    class Decided(Scripted):
        def _trial(self, situation: SettledScene) -> Outcomes:
            fails = situation.layout.items[0].name == RED.name
            return {"another": nearer, "it_goes_well": FAILS if fails else WORKS}

    red, blue = (Layout((thing,), "", (thing.name,)) for thing in (RED, BLUE))
    tried = try_twins(Decided(lambda _: WORKS), (red, blue), Constraint.OCCUPIED, "g1", 4)
    assert [twin.verdict.measurements for twin in tried] == [MEASURED, MEASURED]

"""What a trial measured becomes a verdict, or none."""

import pytest

from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.suite import Constraint

CAUSE = Constraint.COVERED


@pytest.mark.parametrize(
    ("works", "fails", "feasible", "cause", "reason"),
    [
        (True, False, True, Constraint.NONE, ""),
        (False, True, False, CAUSE, ""),
        (False, False, None, CAUSE, "between"),
    ],
)
def test_what_neither_works_nor_fails_is_undecided(
    works: bool, fails: bool, feasible: bool | None, cause: Constraint, reason: str
) -> None:
    found = TrialOutcome.of(CAUSE, {}, 0.123456, works=works, fails=fails, between="between")
    assert (found.feasible, found.constraint, found.reason) == (feasible, cause, reason)
    assert found.margin == 0.1235


def test_where_nothing_was_measured_nothing_is_said() -> None:
    found = TrialOutcome.undecided("no room")
    assert (found.feasible, found.constraint, found.measurements) == (None, Constraint.NONE, {})
    assert (found.margin, found.reason) == (0.0, "no room")

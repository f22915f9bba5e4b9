"""Outcome of a trial, before it becomes a label."""

from dataclasses import dataclass

from pactwin.suite import Constraint, Grasp, Measurement


def distance(value: float, unit: str) -> Measurement:
    """A signed distance to a limit, rounded to five decimals."""
    return Measurement(value=round(float(value), 5), unit=unit)


@dataclass(frozen=True)
class TrialOutcome:
    """Outcome of one trial.

    ``feasible`` is None where the measurements fall between the limits: such a scene is rejected,
    with ``reason`` counted. ``margin`` is the signed, normalised distance to the decision limit.
    ``independent_of`` names those of ``QUANTITIES`` that do not enter what was measured. ``grasp``
    is how a hand takes the thing, where that was looked for and found. ``leaves_open`` says why the
    action may fail all the same: no scene where it can be done is known by such an outcome.
    ``distance`` is the signed distance from the limit in its own unit, positive where it holds.
    """

    feasible: bool | None
    constraint: Constraint
    measurements: dict[str, Measurement]
    margin: float
    reason: str = ""
    independent_of: tuple[str, ...] = ()
    grasp: Grasp | None = None
    leaves_open: str = ""
    distance: Measurement | None = None

    @classmethod
    def of(
        cls,
        constraint: Constraint,
        measurements: dict[str, Measurement],
        margin: float,
        *,
        works: bool,
        fails: bool,
        between: str,
        distance: Measurement | None = None,
    ) -> "TrialOutcome":
        """Feasible if it ``works``, else infeasible with ``constraint`` if it ``fails``.

        If it does neither it is undecided, for the reason ``between``.
        """
        margin = round(margin, 4)
        if works:
            return cls(True, Constraint.NONE, measurements, margin, distance=distance)
        if fails:
            return cls(False, constraint, measurements, margin, distance=distance)
        return cls(None, constraint, measurements, margin, between)

    @classmethod
    def undecided(cls, reason: str) -> "TrialOutcome":
        """An outcome without measurements."""
        return cls(None, Constraint.NONE, {}, 0.0, reason)

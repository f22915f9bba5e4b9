"""Outcome of a trial, before it becomes a label."""

from dataclasses import dataclass

from pactwin.suite import Constraint, Grasp, Measurement


def measured(
    value: float, unit: str, limit: float | None = None, *, decimals: int = 5
) -> Measurement:
    """A measured value, rounded, with its limit if it decides."""
    return Measurement(value=round(float(value), decimals), limit=limit, unit=unit)


def distance(value: float, unit: str) -> Measurement:
    """A signed distance to a limit."""
    return measured(value, unit)


@dataclass(frozen=True)
class TrialOutcome:
    """Outcome of one trial.

    ``feasible`` is None if the measurements lie between the limits; the scene is then rejected, and
    ``reason`` counted. ``margin`` is the signed, normalised distance to the decision limit.
    ``independent_of`` names ``QUANTITIES`` that do not affect the measurements. ``grasp`` is the
    hand's grasp, if one was searched and found. ``leaves_open`` says why the action may still fail:
    no scene is labelled feasible by such an outcome. ``distance`` is the signed distance to the
    limit in its own unit, positive if the precondition holds.
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

        If neither, it is undecided for the reason ``between``.
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

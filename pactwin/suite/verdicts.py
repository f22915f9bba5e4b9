"""Results of trials: preconditions with measurements, and the verdict on a scene."""

from pydantic import Field, model_validator

from pactwin.suite.base import Record
from pactwin.suite.numbers import Count, Number
from pactwin.suite.taxonomy import Constraint

FRICTION = "friction"
"""Measurement of a friction coefficient; questions state it because pictures cannot show it."""


class Measurement(Record):
    """A measured quantity and its decision limit (None if it decides nothing)."""

    value: Number
    limit: Number | None = None
    unit: str


class Perturbations(Record):
    """Perturbed repetitions: how many ran, and how many agreed with the verdict."""

    agreed: Count
    run: Count


class Grasp(Record):
    """A grasp: joint angles of the arm (rad) by joint name.

    ``waiting`` is the pregrasp, ``taking`` the grasp with the fingertips beside the object.
    ``approach`` is the direction of approach, ``opening_m`` the distance of the open fingers.
    """

    arm: str
    approach: str
    waiting: dict[str, Number]
    taking: dict[str, Number]
    opening_m: Number


class Check(Record):
    """One precondition of an action, decided by its own trial.

    ``constraint`` is the reason for infeasibility if it does not hold. ``margin`` is as in a
    verdict. ``distance`` is the distance to the limit in its own unit, positive if it holds, and
    capped only by the range of the search or trial; None if not measured. ``perturbations`` counts
    repetitions, None if not counted; perturbations of quantities that it is ``independent_of`` are
    skipped. ``grasp`` is the grasp found, if a hand reaches the object to grasp it.
    """

    holds: bool
    constraint: Constraint
    measurements: dict[str, Measurement]
    margin: Number
    perturbations: Perturbations | None = None
    independent_of: tuple[str, ...] = ()
    grasp: Grasp | None = None
    distance: Measurement | None = None

    @model_validator(mode="after")
    def _constraint_matches(self) -> "Check":
        if self.holds != (self.constraint is Constraint.NONE):
            raise ValueError(f"holds={self.holds} contradicts {self.constraint.value!r}")
        return self


class Edit(Record):
    """A counterfactual: a single change of the scene in words, with the objects that it names.

    ``works``: in the changed scene all preconditions of the action hold in trials.
    """

    text: str = Field(min_length=1)
    objects: tuple[str, ...] = ()
    works: bool


WHOLE = "whole"
"""Part name of an object that is used as a whole."""


class PlayedUse(Record):
    """Trial of an object, or of one ``part`` of it, for an unusual use.

    ``serves`` says whether it worked; ``margin`` and ``perturbations`` as in a verdict.
    """

    thing: str = Field(min_length=1)
    part: str = Field(min_length=1)
    serves: bool
    margin: Number
    perturbations: Perturbations


class Verdict(Record):
    """The outcome of a trial.

    ``action`` is the instruction in words, the same for both twins. ``objects`` names the deciding
    objects, the target first, the same for both twins. ``involved`` names other objects that affect
    the outcome or swap places with a deciding one; all further objects are distractors and equal in
    both twins. ``also`` are constraints besides ``constraint`` that would each prevent the action.
    ``margin`` is the signed, normalised distance to the decision limit: positive if feasible,
    negative if infeasible, 1 in size means clearly decided. ``checks`` are the preconditions by
    name, the domain's own first: the action is feasible if all hold. ``moved`` names what fell or
    shifted when the target was taken anyway, None if not tried. ``edits`` are tried changes of the
    scene, in the same order for both twins. ``lacking`` names a missing tool if no constraint
    prevents the action. ``played`` are all objects and parts that might serve for a creative use,
    in the same order for both twins.
    """

    action: str
    objects: tuple[str, ...] = Field(min_length=1)
    involved: tuple[str, ...] = ()
    feasible: bool
    constraint: Constraint
    also: tuple[Constraint, ...] = ()
    checks: dict[str, Check] = Field(default={})
    moved: tuple[str, ...] | None = None
    edits: tuple[Edit, ...] = ()
    trial: str
    trial_version: int
    measurements: dict[str, Measurement]
    margin: Number
    perturbations: Perturbations
    lacking: str = ""
    played: tuple[PlayedUse, ...] = ()

    @property
    def distance_mm(self) -> float | None:
        """Distance of the deciding measurement from its limit, mm; None if not a length."""
        for check in self.checks.values():
            decides = check.measurements == self.measurements and check.margin == self.margin
            left = check.distance
            if decides and check.constraint is self.constraint and left and left.unit == "m":
                return 1000.0 * abs(left.value)
        return None

    @model_validator(mode="after")
    def _constraint_matches(self) -> "Verdict":
        if self.feasible != (self.constraint is Constraint.NONE and not self.lacking):
            raise ValueError(
                f"feasible={self.feasible} contradicts constraint={self.constraint.value!r}"
                + f", lacking={self.lacking!r}" * bool(self.lacking)
            )
        if self.also and (self.feasible or {Constraint.NONE, self.constraint} & set(self.also)):
            raise ValueError("further constraints are of infeasible actions, beside the first")
        failing = {check.constraint for check in self.checks.values() if not check.holds}
        if self.checks and self.feasible == bool(failing):
            raise ValueError(f"feasible={self.feasible} contradicts its checks")
        if not failing <= {self.constraint, *self.also}:
            raise ValueError("a check fails for a constraint that the verdict does not name")
        return self

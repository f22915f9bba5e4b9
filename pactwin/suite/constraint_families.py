"""Families of constraints, whose members are options of one question."""

from collections.abc import Collection

from pactwin.suite.taxonomy import Constraint

SCENE_CONSTRAINTS = tuple(constraint for constraint in Constraint if not constraint.of_things)
"""``none``, and constraints caused by a scene."""

THING_CONSTRAINTS = (Constraint.NONE, *(c for c in Constraint if c.of_things))
"""``none``, and constraints caused by an object."""


def constraints_among(options: Collection[str]) -> tuple[Constraint, ...]:
    """Constraints that a question with these ``options`` covers; by default those of scenes."""
    of_things = any(c.of_things and c.statement in options for c in Constraint)
    return THING_CONSTRAINTS if of_things else SCENE_CONSTRAINTS

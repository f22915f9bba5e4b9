"""What becomes of a task by what is decided: from the scene's trial, not from an answer.

A "yes" is carried out. If the action is infeasible, the preconditions that fail say what goes
wrong, and the trial's ``largest_drop``, where it measured one, how far something fell. An attempt
that cannot begin or simply does not succeed (out of reach, does not fit) breaks nothing. A "no"
leaves the task undone: work is lost if it was feasible. Without an answer a person is asked, who is
taken to know.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.suite import Constraint, Scene

HARMS: dict[Constraint, str] = {
    Constraint.SUPPORTS_OTHER: "fallen",
    Constraint.UNSTABLE_SUPPORT: "fallen",
    Constraint.WOULD_COLLAPSE: "knocked over",
    Constraint.PATH_BLOCKED: "knocked over",
    Constraint.OCCUPIED: "knocked over",
    Constraint.OPENING_DOWN: "spilled",
    Constraint.COVERED: "spilled",
    Constraint.NEEDS_TWO_HANDS: "fallen",
}
"""What happens if an action is tried whose precondition does not hold; nothing for the others."""

KINDS = tuple(dict.fromkeys(HARMS.values()))
YES, NO, ASK = "yes", "no", "ask"


@dataclass(frozen=True, slots=True)
class Task:
    """One action in one scene. ``harms`` are what trying it breaks; ``drop_m`` None: no fall."""

    scene_id: str
    pair_id: str
    feasible: bool
    harms: tuple[str, ...]
    drop_m: float | None


def task_of(scene: Scene) -> Task:
    """The task of a scene; SuiteError if none was tried in it."""
    verdict = scene.decided
    failing = () if verdict.feasible else (verdict.constraint, *verdict.also)
    harms = tuple(dict.fromkeys(HARMS[c] for c in failing if c in HARMS))
    drop = verdict.measurements.get("largest_drop")
    return Task(
        scene_id=scene.id,
        pair_id=min(scene.id, scene.twin_id or scene.id),
        feasible=verdict.feasible,
        harms=harms,
        drop_m=drop.value if drop and harms and drop.value > 0 else None,
    )


def utilities(
    tasks: Sequence[Task], decisions: Sequence[str], price: float, question: float
) -> np.ndarray:
    """What each decision is worth, (n,): 1 a feasible task done, ``-price`` any harm.

    A task done after asking a person is worth ``question`` less, as is asking in vain.
    """
    worth = []
    for task, decision in zip(tasks, decisions, strict=True):
        if decision == ASK:
            worth.append(float(task.feasible) - question)
        elif decision == YES:
            worth.append(1.0 if task.feasible else -price * bool(task.harms))
        else:
            worth.append(0.0)
    return np.array(worth)

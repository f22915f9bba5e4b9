"""Outcome of a decision in a scene, derived from the scene's trial.

After "yes" the action is carried out. If it is infeasible, the failed preconditions determine the
harm, and the trial's ``largest_drop``, if measured, gives the height of a fall. An attempt that
cannot begin or only fails (out of reach, does not fit) causes no harm. After "no" the task is not
done; work is lost if it was feasible. Without an answer a person is asked and assumed to know.
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
"""Harm of attempting an action although this precondition fails; other constraints cause none."""

KINDS = tuple(dict.fromkeys(HARMS.values()))
YES, NO, ASK = "yes", "no", "ask"


@dataclass(frozen=True, slots=True)
class Task:
    """One action in one scene. ``harms`` follow from attempting it; without a fall ``drop_m`` is
    None."""

    scene_id: str
    pair_id: str
    feasible: bool
    harms: tuple[str, ...]
    drop_m: float | None


def task_of(scene: Scene) -> Task:
    """Return the task of a scene; SuiteError if it has no verdict."""
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
    tasks: Sequence[Task], decisions: Sequence[str], harm_cost: float, question: float
) -> np.ndarray:
    """Utility of each decision, (n,): 1 for a feasible task done, ``-harm_cost`` for any harm.

    Asking a person costs ``question``, whether or not the task is then done.
    """
    utility = []
    for task, decision in zip(tasks, decisions, strict=True):
        if decision == ASK:
            utility.append(float(task.feasible) - question)
        elif decision == YES:
            utility.append(1.0 if task.feasible else -harm_cost * bool(task.harms))
        else:
            utility.append(0.0)
    return np.array(utility)

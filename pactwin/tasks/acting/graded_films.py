"""Evaluate a grader of Inspect Robots on videos of ``pactwin run`` with measured outcomes."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pactwin.suite import (
    ProgressCallback,
    Record,
    film_frames,
    motion_of,
    needs,
    played_episodes,
    silent,
)
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.exporting.answers import count_outcome, scores

if TYPE_CHECKING:
    import numpy as np
    from inspect_robots import Scene, TrialRecord

RUBRIC = (
    "Grade success if the robot did what the instruction says and nothing else fell, was knocked "
    "over, shifted or spilled, otherwise grade failure."
)


class Grader(Protocol):
    """Interface of Inspect Robots' graders: a grade is stored in the record, or nothing."""

    def grade(self, record: "TrialRecord", scene: "Scene") -> None:
        """Judge one trial."""


class GradedFilm(Record):
    """An episode's outcome and the grader's verdict; None without a verdict."""

    scene: str
    pair: str
    action: str
    done: bool
    said: bool | None
    note: str


def grade_films(
    source: Path, grader: Grader, progress: ProgressCallback = silent
) -> list[GradedFilm]:
    """Show ``grader`` the first and last frame of each episode below ``source``.

    The truth is the episode's ``done``. Trials end for their number of steps, because graders would
    adopt an end reason such as ``success`` without looking. Raises InvalidInputError without such
    episodes or without a video, EnvironmentFaultError without the package.
    """
    with needs("graders need inspect-robots", "robots"):
        from inspect_robots import is_affirmative_verdict
    played = played_episodes(source)
    found = []
    for number, (folder, record) in enumerate(played, start=1):
        frames = film_frames(folder, record, len(motion_of(folder).joints_rad))
        name, action = str(record["scene"]), str(record["action"])
        trial, scene = _trial(name, action, "_".join(record["film"]), frames)
        grader.grade(trial, scene)
        verdict = trial.operator_judgement
        graded = GradedFilm(
            scene=name,
            pair=min(name, str(record.get("twin") or name)),
            action=action,
            done=bool(record["episode"]["done"]),
            said=None if verdict is None else is_affirmative_verdict(verdict),
            note=trial.operator_note or "",
        )
        found.append(graded)
        progress("films", number, len(played))
    return found


def film_scores(graded: Iterable[GradedFilm]) -> dict[str, float]:
    """Scores of a grader as of a model: ``informedness_strict``, ``coverage`` and others.

    Informedness is the share of done episodes graded as success, plus the share of others graded as
    failure, minus 1: a grader that always says success scores 0.
    """
    return scores(_answer(one) for one in graded)


def _trial(
    name: str, action: str, camera: str, frames: "np.ndarray"
) -> "tuple[TrialRecord, Scene]":
    """A trial of one step, from the first frame to the last."""
    import numpy as np
    from inspect_robots import Action, Observation, Scene, StepResult, TrialRecord
    from inspect_robots.rollout import StepRecord

    first, last = (Observation(images={camera: np.ascontiguousarray(frames[k])}) for k in (0, -1))
    step = StepRecord(0, first, Action(np.zeros(1)), StepResult(last))
    trial = TrialRecord(name, 0, None, [step], truncated=True, termination_reason="max_steps")
    return trial, Scene(name, action, metadata={"rubric": RUBRIC})


def _answer(film: GradedFilm) -> dict[str, Any]:
    said = film.said
    state = AnswerState.UNPARSED if said is None else AnswerState.of(said == film.done)
    facts = {"pair_id": film.pair, "scene_id": film.scene, "domain": "", "view": "film"}
    row = {**facts, "form": "yes_no", "feasible": film.done, "constraint": None, "accepted": ()}
    return count_outcome(row, {"state": state, "predicted_feasible": said})

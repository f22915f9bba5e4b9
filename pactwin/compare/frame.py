"""Answers of one kind as one tidy table: a row per answer, sorted by identity."""

from collections.abc import Sequence

import pandas as pd

from pactwin.compare.scores import kind_of_rows
from pactwin.suite import InvalidInputError
from pactwin.tasks import AnswerState, Row

ANSWERED = (AnswerState.CORRECT, AnswerState.INCORRECT)
IDENTITY = ["model", "question", "view", "epoch"]


def answer_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """The answers of one kind with all their counts.

    Columns: ``model``, ``suite``, ``scene``, ``pair``, ``question``, ``cluster`` (names that are
    unique over suites), ``domain``, ``view``, ``form``, ``epoch``, ``state``, ``asked`` (1),
    ``answered`` and ``right`` (0 or 1), ``graded`` (0 if no answer can be correct or incorrect),
    ``said``, and the kind's own columns, which may replace ``answered``, ``right`` and ``graded``.

    Raises InvalidInputError if there are no rows, or a model answered a question twice in a view
    and epoch.
    """
    if not rows:
        raise InvalidInputError("the logs hold no answers to compare")
    kind = kind_of_rows(rows)
    scoring, cluster = kind.scoring, kind.cluster
    frame = pd.DataFrame(
        [
            {
                "model": row.model,
                "suite": row.suite_hash,
                "scene": row.scene_id,
                "pair": f"{row.suite_hash}/{row.pair_id}",
                "question": f"{row.suite_hash}/{row.question_id}",
                "cluster": f"{row.suite_hash}/{getattr(row, cluster)}",
                "domain": row.domain,
                "view": row.view,
                "form": row.form,
                "epoch": row.epoch,
                "state": str(row.state),
                "asked": 1,
                "answered": int(row.state in ANSWERED),
                "right": int(row.state == AnswerState.CORRECT),
                "graded": 1,
                "said": scoring.said(row),
                **scoring.measured(row),
            }
            for row in rows
        ]
    )
    twice = frame[frame.duplicated(IDENTITY)]
    if len(twice):
        model, view = twice.iloc[0][["model", "view"]]
        raise InvalidInputError(
            f"model {model!r} answered {len(twice)} question(s) more than once (view {view!r}): "
            "give one log per model and set of views"
        )
    return frame.sort_values(IDENTITY, ignore_index=True)


def repeated(frame: pd.DataFrame, axes: Sequence[str]) -> pd.DataFrame:
    """One unit per question and view that was asked in at least two epochs."""
    keys = list(dict.fromkeys(["model", "cluster", "question", "view", *axes]))
    if frame.epoch.nunique() < 2:
        return pd.DataFrame(
            columns=[*keys, "repeated", "passable", "passed", "said_each", "same_said"]
        )
    units = frame.groupby(keys, as_index=False).agg(
        epochs=("asked", "size"),
        answered=("answered", "sum"),
        right=("right", "sum"),
        graded=("graded", "min"),
        different=("said", "nunique"),
    )
    units = units[units.epochs >= 2]
    complete = units.answered == units.epochs
    return units[keys].assign(
        repeated=1,
        passable=units.graded,
        passed=units.graded * (units.right == units.epochs).astype(int),
        said_each=complete.astype(int),
        same_said=(complete & (units.different == 1)).astype(int),
    )

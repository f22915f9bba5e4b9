"""Answers counted per twin pair, view and form: all that scores and their intervals need.

Every metric is a ratio of sums of counts, so one array of counts per pair gives the point value (a
sum over pairs) and the bootstrap (a matrix product with the resampling weights).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pactwin.suite import SET_FORMS, InvalidInputError
from pactwin.tasks import AnswerRow, is_one_camera

POOLED = "all"

FORMS_WITH_REASON = ("choice", "open")

OF_ANSWERS = (
    "asked",
    "answered",
    "correct",
    "feasible_asked",
    "feasible",
    "feasible_yes",
    "infeasible_asked",
    "infeasible",
    "infeasible_no",
    "reasons_asked",
    "reasons",
    "reasons_right",
)
OF_SETS = (
    "contested_true_asked",
    "contested_true",
    "contested_named",
    "contested_false_asked",
    "contested_false",
    "contested_left",
)
OF_PAIRS = ("pairs_asked", "pairs", "pairs_right")
OF_SCENES = ("scenes_asked", "scenes", "scenes_same")
COUNTS = OF_ANSWERS + OF_SETS + OF_PAIRS + OF_SCENES


@dataclass(frozen=True)
class PairCounts:
    """One model's counts. ``values`` has shape (pairs, views, forms, len(COUNTS)).

    ``domains`` gives each pair's domain. ``views`` and ``forms`` name the axes; the first entry of
    both is ``all``, the sum over the others.
    """

    model: str
    domains: np.ndarray
    views: tuple[str, ...]
    forms: tuple[str, ...]
    values: np.ndarray


def answer_frame(rows: Sequence[AnswerRow]) -> pd.DataFrame:
    """Rows as a table sorted by identity, with ``answered``, ``right`` and a unique ``pair``.

    Raises InvalidInputError if there are no rows, or a model answered a question twice in a view.
    """
    if not rows:
        raise InvalidInputError("the logs hold no answers to compare")
    frame = pd.DataFrame(
        {
            "model": [r.model for r in rows],
            "suite": [r.suite_hash for r in rows],
            "pair": [f"{r.suite_hash}/{r.pair_id}" for r in rows],
            "scene": [r.scene_id for r in rows],
            "question": [f"{r.suite_hash}/{r.question_id}" for r in rows],
            "domain": [r.domain for r in rows],
            "view": [r.view for r in rows],
            "form": [r.form for r in rows],
            "state": [str(r.state) for r in rows],
            "feasible": [r.truth_feasible for r in rows],
            "constraint": [str(r.truth_constraint) for r in rows],
            "has_reason": [r.truth_constraint is not None for r in rows],
            "says_yes": [r.predicted_feasible is True for r in rows],
            "says_no": [r.predicted_feasible is False for r in rows],
            "says_constraint": [str(r.predicted_constraint) for r in rows],
            "asks_set": [r.form in SET_FORMS for r in rows],
            "accepted": [frozenset(r.accepted) for r in rows],
            "selected": [frozenset(r.selected) for r in rows],
        }
    )
    frame = sorted_by_identity(frame)
    frame["answered"] = frame.state.isin(["correct", "incorrect"])
    frame["right"] = frame.state == "correct"
    return frame


def sorted_by_identity(frame: pd.DataFrame) -> pd.DataFrame:
    """Answers sorted by model, question and view; InvalidInputError if one stands there twice."""
    identity = ["model", "question", "view"]
    twice = frame[frame.duplicated(identity)]
    if len(twice):
        model, view = twice.iloc[0][["model", "view"]]
        raise InvalidInputError(
            f"model {model!r} answered {len(twice)} question(s) more than once (view {view!r}): "
            "give one log per model and set of views"
        )
    return frame.sort_values(identity, ignore_index=True)


def count(frame: pd.DataFrame) -> Iterator[PairCounts]:
    """The counts of each model of an ``answer_frame``, models in order of name."""
    units = pd.concat([_of_answers(frame), _of_sets(frame), _of_pairs(frame), _of_scenes(frame)])
    units[list(COUNTS)] = units[list(COUNTS)].fillna(0).astype(np.int64)
    for model, mine in units.groupby("model"):
        pairs = mine.drop_duplicates("pair").sort_values("pair")[["pair", "domain"]]
        views = (POOLED, *sorted(set(mine.view) - {POOLED}))
        forms = (POOLED, *sorted(set(mine.form)))
        values = np.zeros((len(pairs), len(views), len(forms), len(COUNTS)), dtype=np.int64)
        row = pd.Index(pairs.pair).get_indexer(mine.pair)
        view = pd.Index(views).get_indexer(mine.view)
        form = pd.Index(forms).get_indexer(mine.form)
        counts = mine[list(COUNTS)].to_numpy()
        seen = view > 0  # units across views (view consistency) only exist pooled
        for view_index, chosen in ((view, seen), (np.zeros_like(view), slice(None))):
            for form_index in (form, np.zeros_like(form)):
                at = (row[chosen], view_index[chosen], form_index[chosen])
                np.add.at(values, at, counts[chosen])
        yield PairCounts(str(model), pairs.domain.to_numpy(), views, forms, values)


def _of_answers(frame: pd.DataFrame) -> pd.DataFrame:
    units = frame[["model", "domain", "pair", "view", "form"]].copy()
    judged = frame.says_yes | frame.says_no
    names_reason = ~frame.feasible & frame.has_reason & frame.form.isin(FORMS_WITH_REASON)
    units["asked"] = 1
    units["answered"] = frame.answered
    units["correct"] = frame.right
    units["feasible_asked"] = frame.feasible & ~frame.asks_set
    units["feasible"] = frame.feasible & judged
    units["feasible_yes"] = frame.feasible & judged & frame.says_yes
    units["infeasible_asked"] = ~frame.feasible & ~frame.asks_set
    units["infeasible"] = ~frame.feasible & judged
    units["infeasible_no"] = ~frame.feasible & judged & frame.says_no
    units["reasons_asked"] = names_reason
    units["reasons"] = names_reason & frame.answered
    units["reasons_right"] = units.reasons & (frame.says_constraint == frame.constraint)
    return units


def _of_sets(frame: pd.DataFrame) -> pd.DataFrame:
    """One unit per question for all true options, over those that are true in one twin alone.

    An answer that does not depend on the picture names such an option for both twins or for none.
    """
    asked = frame[frame.asks_set]
    both: dict[tuple[str, str], dict[str, frozenset[str]]] = {}
    for pair, form, scene, accepted in zip(
        asked.pair, asked.form, asked.scene, asked.accepted, strict=True
    ):
        both.setdefault((pair, form), {})[scene] = accepted
    units = asked[["model", "domain", "pair", "view", "form"]].copy()
    rows = []
    for row in asked.itertuples():
        sets = list(both[row.pair, row.form].values())
        contested = sets[0] ^ sets[1] if len(sets) == 2 else frozenset()
        true, false = contested & row.accepted, contested - row.accepted
        rows.append(
            (
                len(true),
                len(true) * row.answered,
                len(true & row.selected) * row.answered,
                len(false),
                len(false) * row.answered,
                len(false - row.selected) * row.answered,
            )
        )
    units[list(OF_SETS)] = np.array(rows, dtype=int).reshape(-1, len(OF_SETS))
    return units


def _of_pairs(frame: pd.DataFrame) -> pd.DataFrame:
    """One unit per pair, view and form in which both twins were asked."""
    groups = frame.groupby(["model", "domain", "pair", "view", "form"], as_index=False)
    units = groups.agg(
        twins=("feasible", "nunique"), pairs=("answered", "all"), pairs_right=("right", "all")
    )
    units = units[units.twins == 2].drop(columns="twins")
    return units.assign(pairs_asked=1)


def _of_scenes(frame: pd.DataFrame) -> pd.DataFrame:
    """One unit per question asked in at least two single views."""
    frame = frame[~frame.asks_set]
    single = frame[frame.view.map(is_one_camera).astype(bool)]
    single = single.assign(judged=single.says_yes | single.says_no)
    groups = single.groupby(["model", "domain", "pair", "form", "question"], as_index=False)
    units = groups.agg(
        asked=("judged", "size"),
        judged=("judged", "sum"),
        yes=("says_yes", "sum"),
    )
    units = units[units.asked >= 2]
    same = (units.yes == 0) | (units.yes == units.judged)
    units = units.assign(
        view=POOLED,
        scenes_asked=1,
        scenes=units.judged == units.asked,
        scenes_same=(units.judged == units.asked) & same,
    )
    return units.drop(columns=["asked", "judged", "yes"])

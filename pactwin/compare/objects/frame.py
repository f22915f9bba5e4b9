"""Answers about objects as counts: a row per answer, and one per question across its views."""

from collections.abc import Sequence

import pandas as pd

from pactwin.compare.counts import POOLED, sorted_by_identity
from pactwin.suite import InvalidInputError
from pactwin.tasks import ObjectRow, is_one_camera

OBJECT_COUNTS = (
    "asked",
    "answered",
    "right",
    "chance",
    "gain",
    "gain_strict",
    "any",
    "items",
    "items_right",
    "accepted",
    "covered",
    "compared_asked",
    "compared",
    "same",
)
"""``gain`` is what an answer is worth above chance: 1 if right, 0 on average if guessed."""


def object_frame(rows: Sequence[ObjectRow]) -> pd.DataFrame:
    """Rows as a table sorted by identity, with ``OBJECT_COUNTS`` and a unique ``object``.

    ``object_code`` and ``topic_code`` number these names in their order.

    Rows about a question across its single views have the view ``all``. Raises InvalidInputError if
    there are no rows, or a model answered a question twice in a view.
    """
    if not rows:
        raise InvalidInputError("the logs hold no answers about objects to compare")
    frame = sorted_by_identity(pd.DataFrame([_counted(row) for row in rows]))
    whole = pd.concat([frame, _across_views(frame)], ignore_index=True)
    whole[list(OBJECT_COUNTS)] = whole[list(OBJECT_COUNTS)].astype(float).fillna(0.0)
    codes = {
        f"{name}_code": pd.factorize(whole[name], sort=True)[0] for name in ("object", "topic")
    }
    return whole.assign(**codes)


def _counted(row: ObjectRow) -> dict[str, object]:
    answered = row.state in ("correct", "incorrect")
    right = row.state == "correct"
    chance = 1 / row.n_options if row.n_options else 0.0
    scale = 1 - chance if row.n_options > 1 else 1.0
    gain = (right - chance) / scale
    return {
        "model": row.model,
        "kind": row.kind,
        "object": f"{row.suite_hash}/{row.object_id}",
        "question": f"{row.suite_hash}/{row.question_id}",
        "domain": row.domain,
        "view": row.view,
        "topic": row.topic,
        "observability": row.observability or "",
        "said": row.said,
        "asked": 1,
        "answered": answered,
        "right": right,
        "chance": chance,
        "gain": gain if answered else 0.0,
        "gain_strict": gain,
        "any": bool(row.covered),
        "items": len(row.items),
        "items_right": len(row.right),
        "accepted": len(row.accepted) if answered else 0,
        "covered": len(row.covered),
    }


def _across_views(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per property question asked in at least two single views."""
    single = frame[frame.view.map(is_one_camera).astype(bool) & (frame.kind == "property")]
    keys = ["model", "kind", "object", "question", "domain", "topic", "observability"]
    units = single.groupby(keys, as_index=False).agg(
        asked=("answered", "size"), answered=("answered", "sum"), different=("said", "nunique")
    )
    units = units[units.asked >= 2]
    compared = units.answered == units.asked
    return units[keys].assign(
        view=POOLED,
        compared_asked=1,
        compared=compared,
        same=compared & (units.different == 1),
    )

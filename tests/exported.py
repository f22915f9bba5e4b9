"""Scores of exports, ours and those of other people's harnesses, in one form."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reply_styles import scripted_reply

from pactwin.compare import compare_logs
from pactwin.tasks.exporting.answers import read_answer

COMPARED = (
    "informedness", "informedness_strict", "pair_accuracy", "pair_accuracy_strict", "coverage"
)  # fmt: skip
"""What every target has to give as ``pactwin compare`` does."""


def scores_by_form(*logs: Path) -> dict[str, dict[str, float]]:
    """What compare makes of logs, over all domains and views, by form."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for score in compare_logs(list(logs)):
        if score.domain == score.view == "all" and score.form != "all" and score.value is not None:
            found[score.form][score.metric] = score.value
    return dict(found)


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in scores.items()}


def marked(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The answers of the scripted model, marked by our own modules."""
    return [read_answer(row, scripted_reply(row)) for row in rows]

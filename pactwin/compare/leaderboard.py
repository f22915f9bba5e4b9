"""A page of models over suites: one table per suite, kind of question and views, best first.

Only what was asked the same is ranked together: rows over suites of different hashes, or over other
views or forms of question, stand in tables of their own. Each row says how it was asked and when.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from pactwin.compare.logs import read_asked
from pactwin.compare.metrics import Score, score
from pactwin.compare.objects.metrics import score_objects
from pactwin.compare.objects.table import AFFORDANCE_COLUMNS, PROPERTY_COLUMNS
from pactwin.compare.page import render
from pactwin.compare.ranking import ranked
from pactwin.compare.table import LABELS
from pactwin.compare.warnings import warnings_of
from pactwin.suite import InvalidInputError, write_file
from pactwin.tasks import AnswerRow, ObjectRow, Row, logs_in, read_header

_CONSTRAINT_COLUMNS = {m: head for m, head in LABELS.items() if m != "view_consistency"}
COLUMNS = {
    "constraint": _CONSTRAINT_COLUMNS,
    "property": PROPERTY_COLUMNS,
    "affordance": AFFORDANCE_COLUMNS,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One system's row: its rank, how it was asked, when (days, first to last), and its scores.

    Systems whose intervals of the headline overlap may stand in either order.
    """

    rank: int
    model: str
    strategy: str
    prompts: str
    days: tuple[str, ...]
    questions: int
    warnings: tuple[str, ...]
    scores: dict[str, Score]


@dataclass(frozen=True, slots=True)
class Board:
    """One table. ``columns`` are heads by metric, the first ranks."""

    suite_name: str
    suite_hash: str
    kind: str
    views: tuple[str, ...]
    forms: tuple[str, ...]
    columns: dict[str, str]
    standings: tuple[Standing, ...]


def read_leaderboard(paths: Sequence[Path]) -> list[Board]:
    """The boards of all logs (files, or folders of them), in order of suite and kind.

    Raises InvalidInputError for logs without answers about constraints or objects, for those that
    disagree on what was asked or what is true, and for a system that answered the same question
    twice: which of its runs counts is not for a page to choose.
    """
    logs = logs_in(paths)
    headers = [read_header(log).eval for log in logs]
    days = {header.eval_id: str(header.created)[:10] for header in headers}
    rows, _ = read_asked(logs)
    if not any(isinstance(row, (AnswerRow, ObjectRow)) for row in rows):
        raise InvalidInputError("the logs hold no answers about constraints or objects")
    return boards(rows, days)


def boards(rows: Sequence[Row], days: Mapping[str, str]) -> list[Board]:
    """The boards of ``rows``; ``days`` are when each run was made, by its id."""
    asked: dict[tuple[str, str, str], list[AnswerRow | ObjectRow]] = defaultdict(list)
    for row in rows:
        if isinstance(row, (AnswerRow, ObjectRow)):
            asked[row.suite_hash, _kind(row), row.model].append(row)
    together: dict[tuple, list[AnswerRow | ObjectRow]] = defaultdict(list)
    for (suite, kind, _), mine in asked.items():
        views = tuple(sorted({row.view for row in mine}))
        forms = tuple(sorted({row.form for row in mine}))
        name = min(row.suite_name for row in mine)
        together[name, suite, kind, views, forms] += mine
    return [_board(key, mine, days) for key, mine in sorted(together.items(), key=lambda x: x[0])]


def _kind(row: AnswerRow | ObjectRow) -> str:
    return "constraint" if isinstance(row, AnswerRow) else row.kind


def _board(key: tuple, rows: Sequence[AnswerRow | ObjectRow], days: Mapping[str, str]) -> Board:
    name, suite, kind, views, forms = key
    columns = {metric: head.replace(" (95 %)", "") for metric, head in COLUMNS[kind].items()}
    scores: Sequence[Score]
    if kind == "constraint":
        scores = score([row for row in rows if isinstance(row, AnswerRow)])
    else:
        scores = score_objects([row for row in rows if isinstance(row, ObjectRow)])
    prefix = "" if kind == "constraint" else f"{kind}_"
    standings = []
    for place, (model, found) in enumerate(ranked(scores, next(iter(columns))), start=1):
        mine = [row for row in rows if row.model == model]
        made = sorted({days[row.run_id] for row in mine if row.run_id in days})
        standings.append(
            Standing(
                rank=place,
                model=model,
                strategy=mine[0].strategy,
                prompts=mine[0].prompts,
                days=tuple(dict.fromkeys((*made[:1], *made[-1:]))),
                questions=len(mine),
                warnings=warnings_of(
                    found.get(f"{prefix}coverage"), found.get(f"{prefix}completeness")
                ),
                scores={metric: found[metric] for metric in columns if metric in found},
            )
        )
    return Board(name, suite, kind, views, forms, columns, tuple(standings))


def write_leaderboard(found: Sequence[Board], out_html: Path) -> None:
    """The page."""
    page = render("leaderboard.html", boards=found, version=version("pactwin"))
    write_file(out_html, page)


def write_leaderboard_json(found: Sequence[Board], path: Path) -> None:
    """The boards as JSON."""
    lines = ",\n".join(json.dumps(asdict(board), allow_nan=False) for board in found)
    write_file(path, f"[\n{lines}\n]\n")

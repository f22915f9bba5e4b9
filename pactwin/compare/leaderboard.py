"""A page of models over suites: one table per suite, kind of question and views, best first.

Systems are ranked together only if they were asked the same questions: suites with different
hashes, views or forms have separate tables. Each row says how and when the system was asked.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from pactwin.compare.logs import read_asked
from pactwin.compare.metrics import score
from pactwin.compare.page import render
from pactwin.compare.ranking import headline
from pactwin.compare.scores import Score
from pactwin.compare.warnings import warnings_of
from pactwin.suite import InvalidInputError, write_file
from pactwin.tasks import Row, logs_in, read_header


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One system: its rank, settings, days of its runs (first to last), and scores.

    Systems with overlapping intervals of the headline may be in either order. ``scores`` are by
    metric, without the prefix of the kind.
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
class LeaderboardTable:
    """One table. ``columns`` are headings by metric; the first metric ranks."""

    suite_name: str
    suite_hash: str
    kind: str
    views: tuple[str, ...]
    forms: tuple[str, ...]
    columns: dict[str, str]
    rows: tuple[LeaderboardRow, ...]


def read_leaderboard(paths: Sequence[Path]) -> list[LeaderboardTable]:
    """Tables of all logs (files, or folders of them), in order of suite and kind.

    Raises InvalidInputError for logs without answers, for logs that disagree on questions or gold
    answers, and for a system that answered the same question twice: the user must choose between
    its runs.
    """
    logs = logs_in(paths)
    headers = [read_header(log).eval for log in logs]
    days = {header.eval_id: str(header.created)[:10] for header in headers}
    rows, _ = read_asked(logs)
    if not rows:
        raise InvalidInputError("the logs hold no answers")
    return leaderboard_tables(rows, days)


def leaderboard_tables(rows: Sequence[Row], days: Mapping[str, str]) -> list[LeaderboardTable]:
    """Tables of ``rows``; ``days`` gives each run's day by its id."""
    asked: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        asked[row.suite_hash, row.kind, row.model].append(row)
    together: dict[tuple, list[Row]] = defaultdict(list)
    for (suite, kind, _), mine in asked.items():
        views = tuple(sorted({row.view for row in mine}))
        forms = tuple(sorted({row.form for row in mine}))
        name = min(row.suite_name for row in mine)
        together[name, suite, kind, views, forms] += mine
    return [_table(key, mine, days) for key, mine in sorted(together.items(), key=lambda x: x[0])]


def _table(key: tuple, rows: Sequence[Row], days: Mapping[str, str]) -> LeaderboardTable:
    name, suite, kind, views, forms = key
    found = headline(kind, score(rows))
    places = []
    for rank, (model, cells) in enumerate(found.rows, start=1):
        mine = [row for row in rows if row.model == model]
        made = sorted({days[row.run_id] for row in mine if row.run_id in days})
        places.append(
            LeaderboardRow(
                rank=rank,
                model=model,
                strategy=mine[0].strategy,
                prompts=mine[0].prompts,
                days=tuple(dict.fromkeys((*made[:1], *made[-1:]))),
                questions=len(mine),
                warnings=warnings_of(*found.measured[model]),
                scores={column.metric: s for column, s in cells.items()},
            )
        )
    columns = {column.metric: found.label(column) for column in found.columns}
    return LeaderboardTable(name, suite, kind, views, forms, columns, tuple(places))


def write_leaderboard(found: Sequence[LeaderboardTable], out_html: Path) -> None:
    """Write the page."""
    page = render("leaderboard.html", tables=found, version=version("pactwin"))
    write_file(out_html, page)


def write_leaderboard_json(found: Sequence[LeaderboardTable], path: Path) -> None:
    """Write the tables as JSON."""
    lines = ",\n".join(json.dumps(asdict(table), allow_nan=False) for table in found)
    write_file(path, f"[\n{lines}\n]\n")

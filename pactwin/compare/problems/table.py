"""Tables of answers to problems, for the terminal and the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pactwin.compare.counts import POOLED
from pactwin.compare.metrics import Score
from pactwin.compare.plain import PlainTable, models_by, value_cell
from pactwin.compare.problems.agreement import JudgeTrust
from pactwin.compare.problems.difficulty import difficulty_shares
from pactwin.compare.problems.metrics import ProblemScore
from pactwin.compare.problems.paired import compare_systems
from pactwin.compare.ranking import empty_table
from pactwin.suite import Suite
from pactwin.tasks import CATEGORIES, ProblemRow

if TYPE_CHECKING:
    from rich.table import Table

_N = "n"
"""Stands for the number of problems with a graded answer among the columns of a table."""
_SHARES = {f"problem_share_{category}": category for category in CATEGORIES}
_RULES = {
    "problem_accuracy": "correct (95 %)",
    "problem_accuracy_strict": "strict",
    "problem_single": "one draw (range)",
    "problem_best": "best",
    "problem_majority": "majority",
    "problem_majority_or_tie": "or tie",
    "problem_status": "status",
    "problem_coverage": "graded",
}
_COSTS = {
    "problem_calls": "calls",
    "problem_tokens_in": "tokens in",
    "problem_tokens_out": "out",
    "problem_cost_usd": "USD",
}
_BOUNDED = ("problem_accuracy", "problem_single")


@dataclass(frozen=True)
class ProblemSection:
    """What the page shows of problems: a line per judge, then tables."""

    judges: tuple[str, ...]
    tables: tuple[PlainTable, ...]


def problem_tables(scores: Sequence[Score]) -> list["Table"]:
    """The pooled scores for the terminal, best first: none if no problems were asked."""
    from rich.markup import escape

    mine = [score for score in scores if isinstance(score, ProblemScore)]
    measured = {_N, *(score.metric for score in mine)}
    shown = ("problem_accuracy", _N, "problem_best", "problem_majority", "problem_coverage")
    rules = {key: _RULES.get(key, "n") for key in shown}
    tables = []
    for first, columns in (("problems", rules), ("category", _SHARES), ("answers took", _COSTS)):
        wanted = {key: head for key, head in columns.items() if key in measured}
        plain = _table("", first, mine, wanted)
        if plain.rows:
            table = empty_table(plain.first, plain.heads)
            for row in plain.rows:
                table.add_row(*map(escape, row))
            tables.append(table)
    cautions = sorted({score.caution for score in mine if score.caution})
    if cautions:
        tables[0].caption, tables[0].caption_justify = escape("\n".join(cautions)), "left"
    return tables


def problem_section(
    rows: Sequence[ProblemRow], scores: Sequence[Score], suites: Sequence[Suite], trust: JudgeTrust
) -> ProblemSection | None:
    """What to show of problems, None if none were asked."""
    mine = [score for score in scores if isinstance(score, ProblemScore)]
    if not mine:
        return None
    judges = sorted({row.judge for row in rows if row.judge})
    shares = {_N: "problems", "problem_accuracy": "correct (95 %)"} | _SHARES
    rules = {_N: "problems"} | _RULES
    tables = [
        _table("Categories", "System", mine, shares),
        _table("By rule", "System", mine, rules, note=_RULES_NOTE),
        _table("By rule, with the override", "System", mine, rules, override=True, note=_OVERRIDE),
    ]
    for domain in sorted({score.domain for score in mine} - {POOLED}):
        tables.append(_table(f"Of {domain} problems", "System", mine, shares, domain=domain))
    tables += [_difficulty(rows, suites), _tests(rows, trust)]
    costs = [score for score in mine if not score.published]
    tables.append(_table("What answers took", "System", costs, _COSTS, note=_COSTS_NOTE))
    said = (trust.verdict(judge)[1] for judge in judges)
    lines = tuple(why[0].upper() + why[1:] for why in said)
    return ProblemSection(lines, tuple(table for table in tables if table.rows))


_RULES_NOTE = (
    "Correct: mean over problems of the share of correct answers. Strict: no answer counts as "
    "wrong. One draw: one answer per problem, drawn with a fixed seed; in brackets where two "
    "standard deviations of draws lie. Best: any answer correct. Majority: more correct than not; "
    "or tie: at least as many. Status: says rightly whether it can be solved. Graded: of asked."
)
_OVERRIDE = (
    "A solution to a problem that people hold unsolvable, by the ratings of their own answers, "
    "counts as F, as in the paper's table."
)
_COSTS_NOTE = "Means per answer; dollars are the sum, where prices are known. Judges not included."


def _table(
    title: str,
    first: str,
    scores: Sequence[ProblemScore],
    columns: dict[str, str],
    *,
    domain: str = POOLED,
    override: bool = False,
    note: str = "",
) -> PlainTable:
    cells = {
        (score.model, score.metric): score
        for score in scores
        if score.domain == domain and score.override == override
    }
    models = models_by(cells, "problem_accuracy")

    def cell(model: str, metric: str) -> str:
        if metric == _N:
            graded = cells.get((model, "problem_accuracy"))
            return f"{graded.n:,}" if graded is not None else "-"
        return _cell(cells.get((model, metric)))

    found = [tuple(cell(model, metric) for metric in columns) for model in models]
    rows = tuple((_marked(m, scores), *row) for m, row in zip(models, found, strict=True))
    kept = tuple(row for row in rows if any(cell != "-" for cell in row[1:]))
    return PlainTable(title, first, tuple(columns.values()), kept, note)


def _marked(model: str, scores: Sequence[ProblemScore]) -> str:
    """The system's name, with a mark where no conclusion may rest on its scores."""
    return f"{model} [!]" if any(s.caution for s in scores if s.model == model) else model


def _cell(score: ProblemScore | None) -> str:
    if score is not None and score.value is not None and score.metric in _COSTS:
        return f"{score.value:,.{2 if score.metric == 'problem_cost_usd' else 1}f}"
    return value_cell(score, bounded=score is not None and score.metric in _BOUNDED)


def _difficulty(rows: Sequence[ProblemRow], suites: Sequence[Suite]) -> PlainTable:
    found = difficulty_shares(rows, suites)
    systems = list(dict.fromkeys(system for cells in found.values() for system in cells))
    lines = []
    for system in systems:
        cells = [found[label].get(system) for label in found]
        shown = [f"{c[0]:.2f} ({c[1][0]:.2f} {c[1][1]:.2f})" if c else "-" for c in cells]
        lines.append((system, *shown))
    note = "Shares of the answers to solvable (1) and to unsolvable problems (2), 95 % intervals."
    return PlainTable("Difficulty", "System", tuple(found), tuple(lines), note)


def _tests(rows: Sequence[ProblemRow], trust: JudgeTrust) -> PlainTable:
    lines = tuple(
        (
            f"{t.first} - {t.second}",
            str(t.n),
            f"{t.difference:+.2f} ({t.low:+.2f} {t.high:+.2f})",
            f"{t.p:.3g}",
            f"{t.p_holm:.3g}",
        )
        for t in compare_systems(rows, trust)
    )
    note = (
        "Differences in the share of correct answers over problems that both answered; p by "
        "flipping signs of problems, corrected after Holm. Systems whose judge is not trusted are "
        "left out."
    )
    return PlainTable(
        "Paired tests", "Pair", ("problems", "difference", "p", "p (Holm)"), lines, note
    )

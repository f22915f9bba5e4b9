"""Answer states of each model, with tokens, cost and time."""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pactwin.tasks import POOLED, Row


@dataclass(frozen=True)
class Usage:
    """Tokens, time and cost of answers; None where unknown.

    ``tokens_in`` and ``tokens_out`` are means per question, ``latency_s`` is the median of the
    provider's working time, ``cost_usd`` is the sum. Replayed answers count with their original
    usage.
    """

    asked: int
    calls: int
    replayed: int
    tokens_in: float | None
    tokens_out: float | None
    latency_s: float | None
    cost_usd: float | None


@dataclass(frozen=True)
class RunSummary:
    """One model's answer states and usage by (domain, view), pooled as ``all``.

    ``has_usage`` is False for baselines.
    """

    model: str
    states: dict[str, int]
    same_questions: bool
    usage: dict[tuple[str, str], Usage]

    @property
    def whole(self) -> Usage:
        """Summary over all domains and views."""
        return self.usage[POOLED, POOLED]

    @property
    def has_usage(self) -> bool:
        """Return whether any usage is known."""
        return bool(self.whole.tokens_in)


def runs_of(rows: Sequence[Row], models: Sequence[str]) -> list[RunSummary]:
    """One summary per model, in the order of ``models``."""
    every = {(r.suite_hash, r.question_id, r.view, r.epoch) for r in rows}
    by_model: dict[str, list[Row]] = {model: [] for model in models}
    for row in rows:
        by_model[row.model].append(row)
    return [
        RunSummary(
            model=model,
            states=Counter(str(r.state) for r in mine),
            same_questions=len(mine) == len(every),
            usage=_usage_by_cell(mine),
        )
        for model, mine in by_model.items()
    ]


def _usage_by_cell(rows: Iterable[Row]) -> dict[tuple[str, str], Usage]:
    cells: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        view = row.view
        for cell in ((POOLED, POOLED), (row.domain, POOLED), (POOLED, view), (row.domain, view)):
            cells[cell].append(row)
    return {cell: _usage_of(mine) for cell, mine in cells.items()}


def _usage_of(rows: Sequence[Row]) -> Usage:
    tokens_in = [r.tokens_in for r in rows if r.tokens_in is not None]
    tokens_out = [r.tokens_out for r in rows if r.tokens_out is not None]
    latency = [r.latency_s for r in rows if r.latency_s is not None]
    cost = [r.cost_usd for r in rows if r.cost_usd is not None]
    return Usage(
        asked=len(rows),
        calls=sum(r.calls for r in rows),
        replayed=sum(r.replayed for r in rows),
        tokens_in=statistics.fmean(tokens_in) if tokens_in else None,
        tokens_out=statistics.fmean(tokens_out) if tokens_out else None,
        latency_s=statistics.median(latency) if latency else None,
        cost_usd=sum(cost) if cost else None,
    )

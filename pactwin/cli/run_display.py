"""Display of ``pactwin eval``: cost estimate, a progress bar per model, errors.

Everything goes to stderr; stdout has only results.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from pactwin.cli.progress import RateColumn
from pactwin.cli.tables import LOG_WIDTH
from pactwin.suite import one_line
from pactwin.tasks import KINDS, CostEstimate, Listener, Row, RunProgress

_REASONS = 3
_REASON_CHARACTERS = 100


class _FailedColumn(ProgressColumn):
    """Number of questions that ended in an error so far."""

    def render(self, task: Task) -> Text:
        failed = task.fields["failed"]
        return Text(f"{failed} failed", style="red") if failed else Text("")


class _SpentColumn(ProgressColumn):
    """Cost so far, where prices are known."""

    def render(self, task: Task) -> Text:
        spent = task.fields["spent_usd"]
        return Text(f"${spent:.2f}" if spent else "")


class RunDisplay(Listener):
    """Shows the progress of a run; a context manager."""

    def __init__(self) -> None:
        width = None if sys.stderr.isatty() else LOG_WIDTH
        self.console = Console(stderr=True, width=width, soft_wrap=True)
        self.asked: dict[tuple[str, str], RunProgress] = {}
        self.left_out, self.free = 0, 0
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            RateColumn(),
            TimeRemainingColumn(compact=True),
            _FailedColumn(),
            _SpentColumn(),
            console=self.console,
        )
        self._bars: dict[tuple[str, str], TaskID] = {}

    def __enter__(self) -> "RunDisplay":
        return self

    def __exit__(self, *error: object) -> None:
        if self._bars:
            self._progress.stop()

    def estimated(self, estimates: Sequence[CostEstimate]) -> None:
        """Print a line for each model that may incur costs."""
        shown = [e for e in estimates if e.cost_usd != 0 and e.calls]
        self.free = sum(e.questions for e in estimates if e not in shown)
        if shown:
            self.console.print(_estimate_table(shown))

    def print_free(self) -> None:
        """Print how many questions cost nothing, because baselines answer them."""
        if self.free:
            self.console.print(f"{self.free} questions cost nothing: baselines answer them")

    def progressed(self, progress: RunProgress) -> None:
        """Advance a model's bar; the first call creates it."""
        key = (progress.task, progress.model)
        self.asked[key] = progress
        if key not in self._bars:
            self._progress.start()
            self._bars[key] = self._progress.add_task(
                self._title(progress), total=progress.total, failed=0, spent_usd=None
            )
        self._progress.update(
            self._bars[key],
            completed=progress.done,
            failed=progress.failed,
            spent_usd=progress.spent_usd,
        )

    def _title(self, progress: RunProgress) -> str:
        """The model, with the kind of question unless that is constraints."""
        for kind in KINDS.values():
            if progress.task.removeprefix("pactwin/") == kind.task_name != "pac_constraints":
                return f"{progress.model} ({kind.name})"
        return progress.model

    def stopped(self, left_out: int) -> None:
        """Record the number of questions that were skipped for lack of budget."""
        self.left_out = left_out

    def print_replayed(self, *, no_cache: bool) -> None:
        """Print how many replies came from the cache (with ``no_cache``, of this run)."""
        for asked in self.asked.values():
            if asked.replayed:
                calls = "call was" if asked.replayed == 1 else "calls were"
                self.console.print(
                    f"{asked.model}: {asked.replayed} {calls} answered from the cache"
                    + ("" if no_cache else "; --no-cache asks again"),
                    markup=False,
                )

    def print_errors(self, rows: Iterable[Row]) -> None:
        """Print why questions have no answer, most frequent reason first."""
        reasons: dict[str, Counter[str]] = {}
        for row in rows:
            if row.state == "error":
                text = one_line(row.reason)[:_REASON_CHARACTERS]
                reasons.setdefault(row.model, Counter())[text] += 1
        for model, counted in reasons.items():
            said = "; ".join(f"{n} x {text}" for text, n in counted.most_common(_REASONS))
            self.console.print(f"{model}: {counted.total()} failed: {said}", markup=False)


def _estimate_table(estimates: Sequence[CostEstimate]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("at most", no_wrap=True)
    heads = ("questions", "calls", "pictures", "picture tokens", "tokens in", "out", "cost", "time")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for e in estimates:
        counts = (e.questions, e.calls, e.pictures, e.picture_tokens, e.tokens_in, e.tokens_out)
        cost = "no price" if e.cost_usd is None else f"${e.cost_usd:,.2f}"
        table.add_row(escape(e.model), *(f"{n:,}" for n in counts), cost, _duration(e.seconds))
    return table


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"

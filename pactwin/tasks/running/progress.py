"""Progress, cost and memory of a run during Inspect's execution."""

import gc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pactwin.suite import release_memory
from pactwin.tasks.running.budget import Budget
from pactwin.tasks.running.estimate import CostEstimate


@dataclass(frozen=True)
class RunProgress:
    """Progress of one model in a task; ``failed`` questions have ended in the state error.

    ``spent_usd`` is the cost of this run's calls to it, None if no price is known; ``replayed``
    counts calls answered from the cache.
    """

    model: str
    task: str
    total: int
    done: int = 0
    failed: int = 0
    spent_usd: float | None = None
    replayed: int = 0


class Listener:
    """Progress callbacks without effect; override those of interest."""

    def estimated(self, estimates: Sequence[CostEstimate]) -> None:
        """Estimates of all models, before the first call."""

    def progressed(self, progress: RunProgress) -> None:
        """One model has made progress."""

    def stopped(self, left_out: int) -> None:
        """Called with the number of questions that were skipped for lack of budget."""


class ProgressTracker:
    """Tracks a :class:`RunProgress` per model, notifies the listener, charges budgets.

    An answered question leaves its pictures in reference cycles of few objects. Python's collector
    counts objects and would let gigabytes accumulate, so it is called after every ``sweep_every``
    answers.
    """

    def __init__(
        self,
        start: Mapping[str, RunProgress],
        listener: Listener,
        budgets: Mapping[str, Budget],
        sweep_every: int,
    ) -> None:
        self._now = dict(start)
        self._listener = listener
        self._budgets = budgets
        self._models: dict[str, str] = {}  # by the id that Inspect gives to a task
        self._sweep_every = sweep_every
        self._unswept = 0

    def started(self, eval_id: str, model: str) -> None:
        """Inspect has started to ask ``model`` under this id."""
        self._models[eval_id] = model
        self._listener.progressed(self._now[model])

    def ended(self, eval_id: str, failed: bool) -> None:
        """One question has ended, with or without an answer."""
        model = self._models[eval_id]
        so_far = self._now[model]
        self._set(replace(so_far, done=so_far.done + 1, failed=so_far.failed + failed))
        self._unswept += 1
        if self._unswept >= self._sweep_every:
            self._unswept = 0
            gc.collect()
            release_memory()

    def paid(self, model: str, usd: float | None) -> None:
        """A provider answered one call. A judge's calls are charged to the budget too."""
        if usd is None:
            return
        if model in self._budgets:
            self._budgets[model].paid(usd)
        else:
            for shared in {budget.shared for budget in self._budgets.values()}:
                shared.spent_usd += usd
        if model in self._now:
            so_far = self._now[model]
            self._set(replace(so_far, spent_usd=(so_far.spent_usd or 0.0) + usd))

    def replayed(self, model: str) -> None:
        """One call was answered from the cache."""
        if model in self._now:
            self._set(replace(self._now[model], replayed=self._now[model].replayed + 1))

    def _set(self, progress: RunProgress) -> None:
        self._now[progress.model] = progress
        self._listener.progressed(progress)

"""Hooks of Inspect that forward to a :class:`ProgressTracker`.

Inspect announces every installed hook on standard output when it first starts, so this module is
imported only after that.
"""

from inspect_ai.hooks import Hooks, ModelCacheUsageData, ModelUsageData, SampleEnd, TaskStart, hooks

from pactwin.tasks.core.results import INTERRUPTED_ERROR, AnswerState
from pactwin.tasks.running.progress import ProgressTracker


@hooks(name="pactwin_progress", description="follows a run of pactwin eval")
class ProgressHooks(Hooks):
    """Hooks that Inspect instantiates on import; ``tracker`` is set during a run."""

    tracker: ProgressTracker | None = None

    def enabled(self) -> bool:
        """Return whether a run is being tracked."""
        return ProgressHooks.tracker is not None

    async def on_task_start(self, data: TaskStart) -> None:
        """A model's first question is about to be asked."""
        if ProgressHooks.tracker is not None:
            ProgressHooks.tracker.started(data.eval_id, data.spec.model)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """A question has ended in some state, unless the run was interrupted before."""
        error = data.sample.error
        interrupted = error is not None and error.message.startswith(INTERRUPTED_ERROR)
        if ProgressHooks.tracker is not None and not interrupted:
            scores = (data.sample.scores or {}).values()
            states = [(score.metadata or {}).get("state") for score in scores]
            failed = error is not None or AnswerState.ERROR in states
            ProgressHooks.tracker.ended(data.eval_id, failed)

    async def on_model_usage(self, data: ModelUsageData) -> None:
        """A provider has answered a call."""
        if ProgressHooks.tracker is not None:
            ProgressHooks.tracker.paid(data.model_name, data.usage.total_cost)

    async def on_model_cache_usage(self, data: ModelCacheUsageData) -> None:
        """A call was answered from the cache."""
        if ProgressHooks.tracker is not None:
            ProgressHooks.tracker.replayed(data.model_name)

"""One run per model: its remaining questions, and the earlier log it continues."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from inspect_ai import Task, task_with
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLogInfo
from inspect_ai.model import Model

from pactwin.suite import InvalidInputError
from pactwin.tasks.core.pictures import name_pictures
from pactwin.tasks.running.budget import Budget, SharedBudget
from pactwin.tasks.running.estimate import CostEstimate, estimate
from pactwin.tasks.running.internals import PreviousTask
from pactwin.tasks.running.models import is_baseline
from pactwin.tasks.running.prices import Price, line_to_add
from pactwin.tasks.running.progress import RunProgress
from pactwin.tasks.running.resume import Earlier


@dataclass
class ModelRun:
    """One model, its remaining questions, and its log."""

    model: Model
    task: Task
    earlier: Earlier | None
    todo: Sequence[Sample]
    epochs: int
    estimate: CostEstimate
    budget: Budget | None = None
    log: Path | None = None

    @classmethod
    def begin(
        cls,
        model: Model,
        task: Task,
        earlier: Earlier | None,
        price: Price | None,
        max_calls: int,
        epochs: int = 1,
    ) -> "ModelRun":
        """Prepare ``model`` for those questions of ``task`` that ``earlier`` has not answered.

        ``todo`` holds a question once for each remaining epoch.
        """
        answered = earlier.answered if earlier else frozenset()
        todo = [
            sample
            for sample in task.dataset
            for epoch in range(1, epochs + 1)
            if (str(sample.id), epoch) not in answered
        ]
        estimated = estimate(str(model), todo, price, max_calls=max_calls)
        # What was answered before needs no new log.
        log = earlier.path if earlier and not todo else None
        return cls(model, task, earlier, todo, epochs, estimated, log=log)

    @property
    def name(self) -> str:
        """Name of the model in Inspect."""
        return str(self.model)

    @property
    def is_paid(self) -> bool:
        """Return whether calls may cost money: all models except baselines."""
        return not is_baseline(self.model)

    @property
    def start(self) -> RunProgress:
        """Progress before the run's first call."""
        total = len(self.task.dataset) * self.epochs
        done = total - len(self.todo)
        return RunProgress(model=self.name, task=self.task.name, total=total, done=done)

    def begun(self, *, embeds: bool) -> Task:
        """The task for this model; unless it ``embeds`` pictures, its log holds their names."""
        task = task_with(copy(self.task), model=self.model, early_stopping=self.budget)
        return task if embeds else task_with(task, cleanup=name_pictures)

    def continued(self, earlier: Earlier, *, embeds: bool) -> PreviousTask:
        """The task for Inspect, which copies the answers of ``earlier`` and asks the rest."""
        stat = earlier.path.stat()
        info = EvalLogInfo(
            name=str(earlier.path),
            type="file",
            size=stat.st_size,
            mtime=stat.st_mtime,
            task=earlier.log.eval.task,
            task_id=earlier.log.eval.task_id,
            suffix=None,
        )
        return PreviousTask(
            id=earlier.log.eval.task_id,
            task=self.begun(embeds=embeds),
            task_args=earlier.log.eval.task_args_passed,
            model=self.model,
            model_roles=None,
            sandbox=None,
            log=earlier.log,
            log_info=info,
        )


def share_budget(model_runs: Sequence[ModelRun], max_cost_usd: float) -> None:
    """Share ``max_cost_usd`` among all runs; InvalidInputError if a price is unknown.

    The runs may belong to several consecutive tasks.
    """
    if not max_cost_usd > 0:
        raise InvalidInputError(f"the budget is ${max_cost_usd:g}: give more than 0")
    shared = SharedBudget(max_cost_usd)
    for model_run in model_runs:
        each = model_run.estimate.cost_per_question_usd
        if each is None:
            raise InvalidInputError(
                f"no price is known for {model_run.name}, so a budget cannot be kept: give "
                f"--prices a file with the line {line_to_add(model_run.name)}"
            )
        model_run.budget = Budget(shared, each)

"""The only module that runs Inspect."""

import gc
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_sample_summaries
from inspect_ai.model import CachePolicy, GenerateConfig, Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.solvers import replaying
from pactwin.suite import EnvironmentFaultError
from pactwin.tasks.core.asking import MAX_RETRIES
from pactwin.tasks.running.internals import PrerequisiteError, PreviousTask
from pactwin.tasks.running.model_runs import ModelRun
from pactwin.tasks.running.models import CACHED_FOR, missing, resolve_model
from pactwin.tasks.running.preflight import require_writable_cache, require_writable_logs
from pactwin.tasks.running.progress import Listener, ProgressTracker
from pactwin.tasks.running.reading import error_reason
from pactwin.tasks.running.request import Display

# Writing a log out takes 13 us for each sample in it: 300 times a run are 2 ms for each question.
_FLUSHES, _FLUSHES_OF_BASELINES = 300, 10


def ask(
    model_runs: Sequence[ModelRun],
    log_dir: Path,
    listener: Listener,
    options: dict[str, Any],
    *,
    sweep_every: int,
) -> None:
    """Ask all models their remaining questions, models without earlier answers first.

    It sets each run's ``log`` if there are answers in it, and removes earlier logs once the new one
    holds their answers. ``options`` are Inspect's; memory is released after every ``sweep_every``
    answers.

    Raises EnvironmentFaultError if Inspect gives up, KeyboardInterrupt if interrupted; the logs
    then hold all answers so far.
    """
    by_name = {model_run.name: model_run for model_run in model_runs}
    embeds = bool(options["log_images"])
    begun = [c.begun(embeds=embeds) for c in model_runs if c.earlier is None]
    continued = [c.continued(c.earlier, embeds=embeds) for c in model_runs if c.earlier is not None]
    paid = any(model_run.is_paid for model_run in model_runs)
    flushes = _FLUSHES if paid else _FLUSHES_OF_BASELINES
    before = {run.name: run.earlier.calls for run in model_runs if run.earlier is not None}
    with _progress_hooks(model_runs, listener, sweep_every), _gc_frozen(), replaying(before):
        logs = _run(begun, log_dir, options, flushes) if begun else []
        logs += _run(continued, log_dir, options, flushes) if continued else []
    for log in logs:
        _require_ended(log)
        _finalize_log(by_name[log.eval.model], Path(log.location))


Asking = Callable[[Model, str], Awaitable[Any]]
"""Converts a model and the id of an input to a result, as JSON."""
_MADE = "made"


def ask_each(
    name: str,
    inputs: Mapping[str, str],
    asking: Asking,
    model: str,
    log_dir: Path | str,
    *,
    notes: Mapping[str, Any],
    display: Display = "none",
) -> dict[str, Any]:
    """Results of ``asking`` for each of ``inputs`` by id, without failed ones; leaves a log.

    Replies are cached, so that repeating an interrupted run costs nothing. The log holds ``notes``.
    Raises the errors of resolving a model and of :func:`ask_judge`.
    """
    asked = resolve_model(model, cache=CachePolicy(expiry=CACHED_FOR))
    if not inputs:
        return {}
    task = Task(
        dataset=MemoryDataset(
            [Sample(id=id, input=text) for id, text in inputs.items()], name=name
        ),
        name=name,
        solver=_each(asking),
        config=GenerateConfig(max_retries=MAX_RETRIES),
        fail_on_error=False,
        metadata=dict(notes),
    )
    return {str(s.id): s.metadata[_MADE] for s in ask_judge(task, asked, log_dir, display)}


@solver
def _each(asking: Asking) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.metadata[_MADE] = await asking(get_model(), str(state.sample_id))
        return state

    return solve


def ask_judge(task: Task, judge: Model, log_dir: Path | str, display: Display) -> list[EvalSample]:
    """Let ``judge`` judge each sample of ``task``; leaves a log.

    Returns the samples that ended without an error. Raises EnvironmentFaultError if replies or logs
    cannot be written, if Inspect gives up, and if every sample ended in an error; KeyboardInterrupt
    if interrupted: the log then holds all replies so far.
    """
    require_writable_logs(Path(log_dir).resolve())
    if judge.config.cache:
        require_writable_cache()
    options = {"model": judge, "display": display}
    (log,) = _run([task], Path(log_dir), options, _FLUSHES, header_only=False)
    _require_ended(log)
    samples = log.samples or []
    done = [sample for sample in samples if sample.error is None]
    if not done:
        errors = [error_reason(sample.error) for sample in samples if sample.error]
        raise EnvironmentFaultError(f"{judge} failed each time: {(errors or [log.status])[0]}")
    return done


def _require_ended(log: EvalLog) -> None:
    if log.status == "error" and log.error is not None:
        first_line = (log.error.message.splitlines() or ["unknown error"])[0]
        raise EnvironmentFaultError(f"{log.eval.model}, {log.location}: {first_line}")


def _run(
    tasks: list[Task] | list[PreviousTask],
    log_dir: Path,
    options: dict[str, Any],
    flushes: int,
    *,
    header_only: bool = True,
) -> list[EvalLog]:
    """Run tasks silently, and without what slows Inspect down.

    The log is written out ``flushes`` times, so that what was paid for is on disk within seconds.
    Samples under way are not followed in a database beside it.
    """
    samples = max(len(_task(task).dataset) for task in tasks)
    try:
        logs = inspect_eval(
            tasks,
            log_dir=str(log_dir),
            log_format="eval",
            log_level="error",
            log_realtime=False,
            log_model_api=False,
            log_header_only=header_only,
            log_buffer=max(1, samples // flushes),
            score_display=False,
            ctl_server=False,
            **{"model": None} | options,
        )
    except PrerequisiteError as error:
        raise EnvironmentFaultError(missing(error)) from error
    if len(logs) < len(tasks) or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt  # which Inspect has caught: half the answers are not a result
    return list(logs)


def _task(task: Task | PreviousTask) -> Task:
    if isinstance(task, Task):
        return task
    if isinstance(task.task, Task):
        return task.task
    raise TypeError("a continued task is given as a task, not by name")


@contextmanager
def _progress_hooks(
    model_runs: Sequence[ModelRun], listener: Listener, sweep_every: int
) -> Iterator[None]:
    """Follow what Inspect does: for the listener, for the budgets and for memory."""
    from pactwin.tasks.running.hooks import ProgressHooks  # it says why not sooner

    start = {model_run.name: model_run.start for model_run in model_runs}
    budgets = {c.name: c.budget for c in model_runs if c.budget is not None}
    ProgressHooks.tracker = ProgressTracker(start, listener, budgets, sweep_every)
    try:
        yield
    finally:
        ProgressHooks.tracker = None


@contextmanager
def _gc_frozen() -> Iterator[None]:
    """Exclude existing objects from garbage collection.

    Inspect and its providers are a million objects, and looking through them takes a fifth of the
    time that a question costs us.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _finalize_log(model_run: ModelRun, path: Path) -> None:
    """Keep the log at ``path`` if it has answers, in place of those that it continued."""
    held = {
        (str(summary.id), summary.epoch) for summary in read_eval_log_sample_summaries(str(path))
    }
    if held:
        model_run.log = path
    else:  # the budget was used up before, and nothing could be compared
        path.unlink()
    earlier = model_run.earlier
    if earlier is not None and earlier.answered | earlier.calls.keys() <= held:
        for older in (earlier.path, *earlier.superseded):
            older.unlink()

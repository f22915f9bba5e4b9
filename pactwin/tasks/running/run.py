"""Run an evaluation from Python, as ``pactwin eval`` does."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.model import CachePolicy, Model

from pactwin.solvers import PROVIDER, load_prompts, refuse_unable_baseline
from pactwin.suite import EnvironmentFaultError, InvalidInputError, held, load_suite, unknown_name
from pactwin.tasks.core.asking import CALLING
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.log_files import SEQUENCE
from pactwin.tasks.core.results import JUDGE_ROLE, AnswerState, Row
from pactwin.tasks.kinds.registry import KINDS
from pactwin.tasks.running.ask import ask
from pactwin.tasks.running.concurrency import connections, embeds_pictures, sweep_every
from pactwin.tasks.running.model_runs import ModelRun, share_budget
from pactwin.tasks.running.models import CACHED_FOR, models_help, resolve_model
from pactwin.tasks.running.preflight import (
    require_local_server,
    require_writable_cache,
    require_writable_logs,
)
from pactwin.tasks.running.prices import load_prices, price_of, register_prices
from pactwin.tasks.running.progress import Listener
from pactwin.tasks.running.request import ALL_KINDS, EvalRequest
from pactwin.tasks.running.resume import earlier_log, next_sequence
from pactwin.tasks.running.vision_check import check_vision


def run_eval(request: EvalRequest, listener: Listener | None = None) -> list[Path]:
    """Ask every model every question; returns one Inspect log per kind of question and model.

    Kinds are asked one after the other; logs are in this order, then by model.

    Raises InvalidInputError for an unknown model or provider, a baseline that cannot answer a kind
    of question, a judge that is under test, a budget without prices, and a log that cannot be
    continued. Raises EnvironmentFaultError if a provider's package or key is missing, logs or
    replies cannot be written, a server on this machine does not run, or a model does not accept
    pictures. These and the errors of the tasks are raised before the first question. Raises
    KeyboardInterrupt if interrupted; the logs keep all answers so far.
    """
    _check_names(request.models)
    if request.epochs < 1:
        raise InvalidInputError(f"{request.epochs} epochs: at least 1 is needed")
    folder = request.log_dir.resolve()
    scopes = {"log_dir": str(folder)} if request.no_cache else {}
    cache = CachePolicy(expiry=CACHED_FOR, scopes=scopes)
    models = [
        resolve_model(name, request.base_url, request.model_args, cache) for name in request.models
    ]
    judge = request.judge
    roles = {} if judge is None else {JUDGE_ROLE: resolve_model(judge, cache=cache)}
    if judge is not None and not request.judge_self:
        refuse_self_judging(judge, request.models)
    tasks: dict[tuple[str, bool], Task] = {}
    for name in _kinds(request):
        _check_baselines(request.models, name)
        kind = KINDS[name]
        for structured in sorted({request.asks_structured(kind, model) for model in models}):
            args = request.task_args(kind, structured=structured)
            tasks[name, structured] = kind.task(**args)
    whole = request, listener or Listener(), folder, models, roles, tasks
    if request.dry_run:
        return _ask_all(*whole)
    require_writable_logs(folder)
    with held(folder, "asking"):
        return _ask_all(*whole)


def _ask_all(
    request: EvalRequest,
    listener: Listener,
    folder: Path,
    models: Sequence[Model],
    roles: dict[str, Model],
    tasks: Mapping[tuple[str, bool], Task],
) -> list[Path]:
    """The part of :func:`run_eval` that holds the lock of ``folder``."""
    judge = request.judge
    sequence = next_sequence(folder)
    for task in tasks.values():
        task.metadata = {**(task.metadata or {}), SEQUENCE: sequence}
    prices = load_prices(request.prices)
    pack = load_prompts(request.prompts).pack
    config = CALLING.merge(request.config)
    runs = [
        ModelRun.begin(
            model,
            task,
            earlier_log(folder, model, task, config, judge) if request.resume else None,
            price_of(str(model), prices),
            pack.prompts_of(request.strategy, kind).max_calls,
            request.epochs,
        )
        for kind in dict.fromkeys(kind for kind, _ in tasks)
        for model in models
        for task in (tasks[kind, request.asks_structured(KINDS[kind], model)],)
    ]
    asked = [run for run in runs if run.todo]
    listener.estimated([run.estimate for run in asked])
    if request.dry_run:
        return []
    if request.max_cost_usd is not None:
        share_budget(asked, request.max_cost_usd)
    paid = list({id(run.model): run.model for run in asked if run.is_paid}.values())
    register_prices([*paid, *roles.values()], prices)
    if paid or roles:
        require_writable_cache()
    for model in (*paid, *roles.values()):
        require_local_server(model)
    if request.vision_check:
        shown = {id(run.model) for run in asked if run.estimate.pictures}
        for model in paid:
            if id(model) in shown:
                asyncio.run(check_vision(model, config))
    for task in tasks.values():
        mine = [run for run in asked if run.task is task]
        if mine:
            paying = max(1, sum(run.is_paid for run in mine))
            pictures = request.suite, task.dataset
            embeds = request.log_images
            if embeds is None:
                embeds = bool(paid) and embeds_pictures(*pictures)
            options: dict[str, Any] = {
                "adaptive_connections": connections(*pictures, models=paying),
                **request.config.model_dump(exclude_none=True),
                "model_roles": roles,
                "epochs": request.epochs,
                "max_tasks": paying,
                "log_images": embeds,
                "display": request.display,
            }
            ask(mine, folder, listener, options, sweep_every=sweep_every(*pictures))
    left_out = sum(run.budget.left_out for run in asked if run.budget)
    if left_out:
        listener.stopped(left_out)
    return [run.log for run in runs if run.log is not None]


def require_answers(rows: Iterable[Row]) -> None:
    """Raise EnvironmentFaultError with the reason if all questions to a model ended in an error.

    In this case the instrument failed, not the model: there is nothing to score.
    """
    reasons: dict[str, list[str | None]] = defaultdict(list)
    for row in rows:
        reasons[row.model].append(row.reason if row.state is AnswerState.ERROR else None)
    for model, ended in reasons.items():
        errors = [reason for reason in ended if reason is not None]
        if len(errors) == len(ended):
            most = max(set(errors), key=errors.count)
            raise EnvironmentFaultError(f"{model} answered none of {len(ended)} questions: {most}")


def _kinds(request: EvalRequest) -> list[str]:
    """Kinds of questions to ask; InvalidInputError for an unknown kind or if there are none."""
    wanted = request.kind
    if wanted not in (*KINDS, ALL_KINDS):
        raise unknown_name("kind of question", wanted, (*KINDS, ALL_KINDS))
    found = {question.kind for question in load_suite(request.suite).questions.values()}
    kinds = [kind for kind in KINDS if kind in found and wanted in (kind, ALL_KINDS)]
    able = [kind for kind in kinds if KINDS[kind].asks_probability]
    if request.confidence and able:  # of the others the task says why not
        kinds = able
    if not kinds:
        which = (
            "" if wanted == ALL_KINDS else f"of kind {wanted}; it has {', '.join(sorted(found))}"
        )
        raise InvalidInputError(f"{request.suite} has no questions {which}".rstrip())
    return kinds


def _check_baselines(models: Sequence[str], kind: str) -> None:
    for model in models:
        provider, _, name = model.partition("/")
        if provider == PROVIDER:
            refuse_unable_baseline(name, kind)


def _check_names(models: Sequence[str]) -> None:
    if not models:
        raise InvalidInputError(f"no model named: {models_help()}")
    repeated = {name for name in models if models.count(name) > 1}
    if repeated:
        raise InvalidInputError(f"model {min(repeated)!r} is named more than once")

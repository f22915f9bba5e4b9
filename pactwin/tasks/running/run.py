"""Running the task from Python: what ``pactwin eval`` does."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from inspect_ai import Task
from inspect_ai.model import CachePolicy, GenerateConfig, Model

from pactwin.policies import PROVIDER, load_prompts, refuse_unable_baseline
from pactwin.suite import InvalidInputError, Suite, unknown_name
from pactwin.tasks.constraints.tasks import ALL_FORMS, pac_constraints
from pactwin.tasks.core.asking import CALLING
from pactwin.tasks.core.judge import refuse_self_judging
from pactwin.tasks.core.results import JUDGE_ROLE, TASK_NAMES, QuestionKind
from pactwin.tasks.core.views import EACH
from pactwin.tasks.macgyver.tasks import VOTES, macgyver
from pactwin.tasks.objects.tasks import ALL_TOPICS, pac_affordances, pac_properties
from pactwin.tasks.running.ask import ask
from pactwin.tasks.running.concurrency import connections, embeds_pictures, sweep_every
from pactwin.tasks.running.model_runs import ModelRun, share_budget
from pactwin.tasks.running.models import CACHED_FOR, models_help, resolve_model
from pactwin.tasks.running.prices import load_prices, price_of, tell_inspect
from pactwin.tasks.running.progress import Listener
from pactwin.tasks.running.resume import earlier_log
from pactwin.tasks.running.vision_check import check_vision

ALL_KINDS = "all"
Display = Literal["full", "rich", "plain", "log", "none"]
_TASKS: dict[QuestionKind, Callable[..., Task]] = {
    "constraint": pac_constraints,
    "property": pac_properties,
    "affordance": pac_affordances,
    "problem": macgyver,
}


def run_eval(
    suite: Path | str,
    models: Sequence[str],
    *,
    log_dir: Path | str,
    kind: str = ALL_KINDS,
    views: str = EACH,
    form: str = ALL_FORMS,
    topic: str = ALL_TOPICS,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: Path | str | None = None,
    judge: str | None = None,
    judge_self: bool = False,
    embeddings: bool = False,
    efforts: int = 1,
    judge_votes: int = VOTES,
    resume: bool = False,
    fresh: bool = False,
    max_cost_usd: float | None = None,
    prices: Path | None = None,
    log_images: bool | None = None,
    vision_check: bool = True,
    max_connections: int | None = None,
    base_url: str | None = None,
    model_args: dict[str, Any] | None = None,
    display: Display = "none",
    listener: Listener | None = None,
    **generate: Any,
) -> list[Path]:
    """Ask every model every question; returns one Inspect log per kind of question and model.

    ``kind`` is ``constraint``, ``property``, ``affordance``, or ``all`` that the suite has; kinds
    are asked one after the other, in this order, and logs are in this order and the models' own.
    ``views``, ``form``, ``limit`` (twin pairs), ``strategy``, ``prompts`` and ``judge_self`` are
    those of :func:`pac_constraints`, ``topic`` is that of :func:`pac_properties` and ``embeddings``
    that of :func:`pac_affordances`, ``efforts`` and ``judge_votes`` are those of
    :func:`macgyver`; ``judge`` is the model that reads answers ours cannot;
    ``base_url`` and ``model_args`` go to every model's provider, ``generate`` holds Inspect's
    generation options (``temperature``, ``max_tokens``, ``max_retries``, ``timeout`` ...).

    With ``resume`` the newest log of each model in ``log_dir`` is continued: only questions without
    an answer are asked, and the new log takes the place of the old one. Replies are kept in
    Inspect's cache and used again; with ``fresh`` only those that were given for this ``log_dir``.
    ``log_images`` says whether pictures go into the log, None: if they are few. ``vision_check`` is
    whether models must first show that they see (baselines need not). ``prices`` is a file of
    prices that goes before ours; ``max_cost_usd`` is what all models together may spend.

    Raises InvalidInputError for an unknown model or provider, a baseline that cannot answer a kind
    of question, a judge that is under test, a budget without prices, and a log that cannot be
    continued; EnvironmentFaultError where a provider's package or key is missing and for a model
    that takes no pictures; and what the tasks raise, all before the first question is asked. Raises
    KeyboardInterrupt if interrupted; the logs keep what was answered.
    """
    _check_names(models)
    listener = listener or Listener()
    folder = Path(log_dir).resolve()
    cache = CachePolicy(expiry=CACHED_FOR, scopes={"log_dir": str(folder)} if fresh else {})
    resolved = [resolve_model(name, base_url, model_args, cache) for name in models]
    roles = {} if judge is None else {JUDGE_ROLE: resolve_model(judge, cache=cache)}
    if judge is not None and not judge_self:
        refuse_self_judging(judge, models)
    common: dict[str, Any] = {
        "views": views,
        "limit": limit,
        "strategy": strategy,
        "prompts": None if prompts is None else str(prompts),
    }
    own: dict[QuestionKind, dict[str, Any]] = {
        "constraint": {"form": form, "judge_self": judge_self},
        "property": {"topic": topic},
        "affordance": {"embeddings": embeddings, "judge_self": judge_self},
        "problem": {"efforts": efforts, "judge_votes": judge_votes, "judge_self": judge_self},
    }
    tasks: dict[QuestionKind, Task] = {}
    for each in _kinds(suite, kind):
        _check_baselines(models, each)
        tasks[each] = _TASKS[each](str(suite), **common, **own[each])
    known = load_prices(prices)
    pack = load_prompts(prompts).pack
    model_runs: list[ModelRun] = []
    config = CALLING.merge(GenerateConfig(**generate))
    for each, task in tasks.items():
        model_runs += [
            ModelRun.begin(
                model,
                task,
                earlier_log(folder, model, task, config, judge) if resume else None,
                price_of(str(model), known),
                pack.prompts_of(strategy, each).max_calls,
            )
            for model in resolved
        ]
    asked = [model_run for model_run in model_runs if model_run.todo]
    listener.estimated([model_run.estimate for model_run in asked])
    if max_cost_usd is not None:
        share_budget(asked, max_cost_usd)
    paid = list({id(c.model): c.model for c in asked if c.is_paid}.values())
    shown = {id(c.model) for c in asked if c.estimate.pictures}
    tell_inspect([*paid, *roles.values()], known)
    if vision_check and paid:
        asyncio.run(_check_vision([model for model in paid if id(model) in shown], config))
    for task in tasks.values():
        mine = [model_run for model_run in asked if model_run.task is task]
        if mine:
            paying = max(1, sum(model_run.is_paid for model_run in mine))
            pictures = Path(suite), task.dataset
            embeds = log_images
            if embeds is None:
                embeds = bool(paid) and embeds_pictures(*pictures)
            options = {
                **generate,
                "model_roles": roles,
                "max_tasks": paying,
                "max_connections": max_connections,
                "adaptive_connections": connections(*pictures, models=paying),
                "log_images": embeds,
                "display": display,
            }
            ask(mine, folder, listener, options, sweep_every=sweep_every(*pictures))
    left_out = sum(model_run.budget.left_out for model_run in asked if model_run.budget)
    if left_out:
        listener.stopped(left_out)
    return [model_run.log for model_run in model_runs if model_run.log is not None]


def _kinds(suite: Path | str, kind: str) -> list[QuestionKind]:
    """The kinds of questions to ask; InvalidInputError for an unknown one or if there are none."""
    if kind not in (*TASK_NAMES, ALL_KINDS):
        raise unknown_name("kind of question", kind, (*TASK_NAMES, ALL_KINDS))
    found = {question.kind for question in Suite.open(suite).questions()}
    kinds = [each for each in TASK_NAMES if each in found and kind in (each, ALL_KINDS)]
    if not kinds:
        wanted = "" if kind == ALL_KINDS else f"of kind {kind}; it has {', '.join(sorted(found))}"
        raise InvalidInputError(f"{suite} has no questions {wanted}".rstrip())
    return kinds


def _check_baselines(models: Sequence[str], kind: QuestionKind) -> None:
    for model in models:
        provider, _, name = model.partition("/")
        if provider == PROVIDER:
            refuse_unable_baseline(name, kind)


def _check_names(models: Sequence[str]) -> None:
    if not models:
        raise InvalidInputError(f"no model named: {models_help()}")
    repeated = {name for name in models if list(models).count(name) > 1}
    if repeated:
        raise InvalidInputError(f"model {min(repeated)!r} is named more than once")


async def _check_vision(models: Sequence[Model], config: GenerateConfig) -> None:
    for model in models:
        await check_vision(model, config)

"""Running the task from Python: what ``pactwin eval`` does."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from inspect_ai import eval as inspect_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import registry_find, registry_unqualified_name
from inspect_ai.model import Model, get_model
from rich.text import Text

from pactwin.policies import BASELINES, PROVIDER
from pactwin.suite import EnvironmentFaultError, InvalidInputError
from pactwin.tasks.constraints import ALL_FORMS, pac_constraints
from pactwin.tasks.judge import refuse_self_judging
from pactwin.tasks.results import JUDGE_ROLE
from pactwin.tasks.views import EACH

ROOM_TO_THINK = 8192
"""Tokens of a reply, reasoning among them, where a provider's own default would cut it shorter."""

Display = Literal["full", "rich", "plain", "log", "none"]


def run_eval(
    suite: Path | str,
    models: Sequence[str],
    *,
    log_dir: Path | str,
    views: str = EACH,
    form: str = ALL_FORMS,
    limit: int | None = None,
    strategy: str = "direct",
    prompts: Path | str | None = None,
    judge: str | None = None,
    judge_self: bool = False,
    max_connections: int | None = None,
    display: Display = "plain",
    base_url: str | None = None,
    model_args: dict[str, Any] | None = None,
    log_images: bool = False,
    **generate: Any,
) -> list[Path]:
    """Ask every model every question; returns one Inspect log per model, in the models' order.

    ``views``, ``form``, ``limit`` (twin pairs), ``strategy``, ``prompts`` and ``judge_self`` are
    those of :func:`pac_constraints`; ``judge`` is the model that reads open answers ours cannot;
    ``base_url`` and ``model_args`` go to every model's provider, ``generate`` holds Inspect's
    generation options (``temperature``, ``max_tokens``, ``max_retries``, ...).

    Raises InvalidInputError for an unknown model or provider and a judge that is under test,
    EnvironmentFaultError where a provider's package or key is missing, and what
    :func:`pac_constraints` raises, all before the first call is made. Raises KeyboardInterrupt if
    interrupted; the logs keep what was answered.
    """
    if not models:
        raise InvalidInputError(f"no model named: {_models_help()}")
    repeated = {name for name in models if list(models).count(name) > 1}
    if repeated:
        raise InvalidInputError(f"model {min(repeated)!r} is named more than once")
    resolved = [resolve_model(name, base_url, model_args or {}) for name in models]
    roles = {} if judge is None else {JUDGE_ROLE: resolve_model(judge)}
    if judge is not None and not judge_self:
        refuse_self_judging(judge, models)
    task = pac_constraints(
        str(suite),
        views=views,
        form=form,
        limit=limit,
        strategy=strategy,
        prompts=None if prompts is None else str(prompts),
        judge_self=judge_self,
    )
    logs = inspect_eval(
        task,
        model=resolved,
        model_roles=roles,
        log_dir=str(log_dir),
        display=display,
        log_images=log_images,
        max_tasks=1,
        ctl_server=False,
        max_connections=max_connections,
        **generate,
    )
    if len(logs) < len(models) or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt  # which Inspect has caught: half the answers are not a result
    for log in logs:
        if log.status == "error" and log.error is not None:
            first_line = (log.error.message.splitlines() or ["unknown error"])[0]
            raise EnvironmentFaultError(f"{log.eval.model}: {first_line}")
    return [Path(log.location) for log in logs]


def resolve_model(name: str, base_url: str | None = None, model_args: dict | None = None) -> Model:
    """Inspect's model called ``name``; errors as in :func:`run_eval`."""
    provider, slash, _ = name.partition("/")
    if not slash or provider not in known_providers():
        raise InvalidInputError(f"unknown model {name!r}: {_models_help()}")
    try:
        model = get_model(name, base_url=base_url, **(model_args or {}))
    except PrerequisiteError as error:
        message = Text.from_markup(str(error.message)).plain
        line = " ".join(message.split()).removeprefix("ERROR: ")
        raise EnvironmentFaultError(f"cannot use model {name!r}: {line}") from error
    except ValueError as error:
        raise InvalidInputError(f"cannot use model {name!r}: {error}") from error
    limit = model.api.max_tokens()
    if limit is not None and limit < ROOM_TO_THINK and model.config.max_tokens is None:
        model.config.max_tokens = ROOM_TO_THINK
    return model


def known_providers() -> list[str]:
    """Prefixes of model names that Inspect knows here, ours among them."""
    found = registry_find(lambda info: info.type == "modelapi")
    return sorted({registry_unqualified_name(provider) for provider in found})


def _models_help() -> str:
    baselines = ", ".join(f"{PROVIDER}/{name}" for name in BASELINES)
    providers = ", ".join(p for p in known_providers() if p not in (PROVIDER, "none", "mockllm"))
    return f"use a baseline ({baselines}) or PROVIDER/MODEL with a provider of {providers}"

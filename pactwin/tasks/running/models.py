"""Resolve model names."""

from typing import Any
from urllib.parse import urlsplit

from inspect_ai.model import CachePolicy, GenerateConfig, Model, ModelName, get_model
from rich.text import Text

from pactwin.solvers import BASELINES, PEOPLE, PROVIDER
from pactwin.suite import EnvironmentFaultError, InvalidInputError
from pactwin.tasks.running.internals import PrerequisiteError
from pactwin.tasks.running.provider import wrap_provider

RECORD_BACKED = (PROVIDER, PEOPLE)
"""Providers that answer from records: baselines, and people's answers."""

CACHED_FOR = "4W"
"""Lifetime of cached replies: four weeks, in Inspect's notation."""

ROOM_TO_THINK = 8192
"""Token limit of a reply, including reasoning, if the provider's default is lower."""


def is_baseline(model: Model) -> bool:
    """Return whether ``model`` is a baseline, which sees no pictures and costs nothing."""
    return ModelName(model).api in RECORD_BACKED


def resolve_model(
    name: str,
    base_url: str | None = None,
    model_args: dict[str, Any] | None = None,
    cache: CachePolicy | None = None,
) -> Model:
    """Inspect's model called ``name``, with a wrapped provider.

    Replies are cached with ``cache``, except those of baselines. Raises InvalidInputError for an
    unknown provider or baseline, EnvironmentFaultError if a package or a key is missing.
    """
    provider = name.partition("/")[0]
    if urlsplit(base_url or "").password:
        raise InvalidInputError(
            "the address of a model holds a password, which would be written into logs: give it "
            "in the environment variable that Inspect reads the provider's key from"
        )
    config = GenerateConfig(cache=None if provider in RECORD_BACKED else cache)
    try:
        model = get_model(
            name, base_url=base_url, config=config, memoize=False, **(model_args or {})
        )
    except PrerequisiteError as error:
        raise EnvironmentFaultError(f"cannot use model {name!r}: {missing(error)}") from error
    except ValueError as error:
        raise InvalidInputError(f"unknown model {name!r}: {error} {models_help()}") from error
    limit = model.api.max_tokens()
    if limit is not None and limit < ROOM_TO_THINK and model.config.max_tokens is None:
        model.config.max_tokens = ROOM_TO_THINK
    return model if provider in RECORD_BACKED else wrap_provider(model)


def missing(error: PrerequisiteError) -> str:
    """The missing requirement in Inspect's error, on one line."""
    message = Text.from_markup(str(error.message)).plain
    return " ".join(message.split()).removeprefix("ERROR: ")


def models_help() -> str:
    """Help text on model names."""
    baselines = ", ".join(f"{PROVIDER}/{name}" for name in BASELINES)
    return (
        f"use a baseline ({baselines}) or PROVIDER/MODEL as Inspect names it, as openai/..., "
        "anthropic/..., openrouter/... or, for a server of your own, openai-api/NAME/..."
    )

"""What stands between a provider and the logs: no secrets pass, and nothing is not an answer."""

from json import JSONDecodeError
from os import environ
from typing import Any
from urllib.parse import urlsplit

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelCall, ModelOutput
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import ValidationError

HIDDEN = "[hidden]"


class NoOutputError(Exception):
    """The provider answered without an answer. Worth another try, and never kept in a cache."""


_BROKEN = (NoOutputError, JSONDecodeError, ValidationError)
"""What is raised for replies that hold no answer, no JSON, or JSON that is no reply."""


def guard(model: Model) -> Model:
    """Make ``model``'s provider hide secrets in all it returns and raises.

    A key can come back in an error message, as from a proxy that repeats the request. An output
    without any choice raises :class:`NoOutputError`; it is retried, as is what cannot be read.
    """
    api = model.api
    generate, should_retry = api.generate, api.should_retry

    async def guarded(
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        secrets = secrets_of(model)
        try:
            result = await generate(input, tools, tool_choice, config)
        except Exception as error:
            hide_in_error(error, secrets)
            raise
        if isinstance(result, ModelOutput):
            return _checked(result, secrets)
        output, call = result
        call.response = hide(call.response, secrets)
        if isinstance(output, ModelOutput):
            return _checked(output, secrets), call
        hide_in_error(output, secrets)
        return output, call

    def retried(error: Exception) -> Any:
        return isinstance(error, _BROKEN) or should_retry(error)

    vars(api).update(generate=guarded, should_retry=retried)
    return model


def _checked(output: ModelOutput, secrets: list[str]) -> ModelOutput:
    """``output`` without secrets; NoOutputError if there is nothing in it."""
    if output.empty:
        raise NoOutputError(hide(output.error, secrets) or "the provider gave no output")
    if any(secret in output.model_dump_json() for secret in secrets):
        return ModelOutput.model_validate(hide(output.model_dump(), secrets))
    return output


def secrets_of(model: Model) -> list[str]:
    """Keys and passwords that the provider of ``model`` may send, longest first."""
    # Providers that start a server of their own, as vLLM, have not all of these before it runs.
    known = vars(model.api)
    address = urlsplit(known.get("base_url") or "")
    found = {known.get("api_key"), known.get("initial_api_key"), address.password}
    found |= {environ.get(name) for name in known.get("api_key_vars", ())}
    return sorted((secret for secret in found if secret), key=len, reverse=True)


def hide(value: Any, secrets: list[str]) -> Any:
    """``value`` with every secret replaced, in strings at any depth of lists and dicts."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
        return value
    if isinstance(value, dict):
        return {hide(key, secrets): hide(item, secrets) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(hide(item, secrets) for item in value)
    return value


def hide_in_error(error: BaseException, secrets: list[str]) -> None:
    """Replace secrets in an error and in those that led to it, keeping what they are."""
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.append(following)
        following = following.__cause__ or following.__context__
    for link in chain:
        link.args = hide(link.args, secrets)
        vars(link).update(
            (name, hide(value, secrets))
            for name, value in vars(link).items()
            if isinstance(value, str | dict | list | tuple)
        )

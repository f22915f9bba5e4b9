"""Wrap providers: hide secrets, and convert hidden failures to errors."""

from collections.abc import Mapping, Sequence
from json import JSONDecodeError
from re import Pattern
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelCall,
    ModelOutput,
    RetryDecision,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import ValidationError

from pactwin.tasks.running.redaction import hide, hide_in_error, secrets_of

_RATE_LIMITS = ("429", "rate_limit", "rate_limit_exceeded", "too_many_requests")
_PASSING = ("408", "409", "server_error", "overloaded_error", "internal_error", "timeout")


class NoOutputError(Exception):
    """The provider sent an empty reply; the call is retried and never cached."""


class UpstreamError(Exception):
    """An error in the body of a successful HTTP reply, as model routers send it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"the provider replied with an error: {code} {message}".rstrip())
        self.code = code


_UNREADABLE = (
    NoOutputError,
    JSONDecodeError,
    ValidationError,
    # Of clients that look for an answer in a body that holds none.
    TypeError,
    AttributeError,
    LookupError,
)
"""What is raised for replies that hold no answer, no JSON, or JSON that is no reply."""


def wrap_provider(model: Model) -> Model:
    """Make ``model``'s provider hide secrets in everything that it returns and raises.

    A key can come back in an error message, for example from a proxy that repeats the request. An
    output without any choice raises :class:`NoOutputError`, one with an error in its body
    :class:`UpstreamError`; both are retried like such HTTP errors.
    """
    api = model.api
    generate, should_retry = api.generate, api.should_retry

    async def protected(
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

    def retried(error: Exception) -> bool | RetryDecision:
        if isinstance(error, UpstreamError):
            if error.code in _RATE_LIMITS:
                return RetryDecision.rate_limit()
            passing = error.code in _PASSING or (len(error.code) == 3 and error.code[0] == "5")
            return RetryDecision.transient() if passing else RetryDecision.no()
        return isinstance(error, _UNREADABLE) or should_retry(error)

    vars(api).update(generate=protected, should_retry=retried)
    if hasattr(api, "on_response"):  # Inspect's hook for what compatible servers say
        vars(api).update(on_response=raise_upstream_error)
    return model


def raise_upstream_error(response: Mapping[str, Any]) -> None:
    """Raise UpstreamError if the body of a reply, or a choice in it, reports an error."""
    choices = response.get("choices")
    for part in (response, *(choices if isinstance(choices, list) else ())):
        error = part.get("error") if isinstance(part, Mapping) else None
        if isinstance(error, Mapping):
            code = error.get("code") or error.get("status") or error.get("type") or ""
            raise UpstreamError(str(code), str(error.get("message") or ""))
        if error:
            raise UpstreamError("", str(error))


def _checked(output: ModelOutput, secrets: Sequence[Pattern[str]]) -> ModelOutput:
    """``output`` without secrets; NoOutputError if it is empty."""
    if output.empty:
        raise NoOutputError(hide(output.error, secrets) or "the provider gave no output")
    before = output.model_dump()
    after = hide(before, secrets)
    return output if after == before else ModelOutput.model_validate(after)

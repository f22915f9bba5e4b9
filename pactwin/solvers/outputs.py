"""Faults of a model's output: is there a complete reply?"""

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput


class OutputFault(StrEnum):
    """Reason why a model's output is not a complete reply."""

    ERROR = "error"
    REFUSED = "refused"
    TRUNCATED = "truncated"


def fault_of(output: "ModelOutput") -> tuple[OutputFault, str] | None:
    """The fault of an output and its reason, None for a complete reply.

    Reasoning that a provider hides counts against the limit of tokens: a reply cut off inside it is
    truncated, not empty.
    """
    if output.error is not None or output.empty:
        return OutputFault.ERROR, output.error or "the model gave no output"
    if output.stop_reason == "content_filter" or _refuses(output):
        return OutputFault.REFUSED, "the provider or model refused"
    if output.stop_reason in ("max_tokens", "model_length"):
        return OutputFault.TRUNCATED, f"cut off: {output.stop_reason}"
    return None


def _refuses(output: "ModelOutput") -> bool:
    content = output.message.content
    return not isinstance(content, str) and any(
        part.type == "text" and part.refusal for part in content
    )

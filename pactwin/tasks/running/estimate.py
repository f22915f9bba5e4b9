"""Estimate the calls, tokens, dollars and time of a run before its first call."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.dataset import Sample

from pactwin.tasks.running.prices import Price

CHARACTERS_PER_TOKEN = 4
AT_ONCE = 20
"""Initial number of concurrent calls; Inspect raises it while the provider allows."""


@dataclass(frozen=True)
class CostEstimate:
    """Upper estimate of asking ``model`` with replies of the assumed length.

    ``cost_usd`` is None if the model's price is unknown. ``seconds`` is wall time.
    """

    model: str
    questions: int
    calls: int
    pictures: int
    picture_tokens: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    seconds: float

    @property
    def cost_per_question_usd(self) -> float | None:
        """Mean cost per question, None if the price is unknown."""
        return None if self.cost_usd is None else self.cost_usd / max(1, self.questions)


def estimate(
    model: str,
    samples: Sequence[Sample],
    price: Price | None,
    *,
    max_calls: int,
    at_once: int = AT_ONCE,
) -> CostEstimate:
    """Estimate ``samples`` at ``max_calls`` calls each, every call with all pictures."""
    assumed = price or Price(input=0, output=0)
    pictures, picture_tokens, text_tokens = 0, 0, 0
    for sample in samples:
        shown = (sample.metadata or {})["pictures"]
        pictures += len(shown)
        picture_tokens += sum(
            assumed.picture.count(picture["width_px"], picture["height_px"]) for picture in shown
        )
        text_tokens += math.ceil(_characters(sample) / CHARACTERS_PER_TOKEN)
    calls = len(samples) * max_calls
    tokens_in = (picture_tokens + text_tokens) * max_calls
    tokens_out = round(assumed.reply_tokens * calls)
    return CostEstimate(
        model=model,
        questions=len(samples),
        calls=calls,
        pictures=pictures * max_calls,
        picture_tokens=picture_tokens * max_calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost_usd=None if price is None else price.cost_usd(tokens_in, tokens_out),
        seconds=assumed.seconds * math.ceil(calls / at_once),
    )


def _characters(sample: Sample) -> int:
    if isinstance(sample.input, str):
        return len(sample.input)
    return sum(len(message.text) for message in sample.input)

"""Probability of yes from the log probabilities of the answer token.

Providers report log probabilities differently. Some omit candidates or entries that are exactly 0,
and many report none: a reply without usable values has no token probability.
"""

import re
from dataclasses import dataclass
from math import exp

from inspect_ai.model import ModelOutput

from pactwin.solvers.replies.vocabulary import NO_WORDS, YES_WORDS

_ANNOUNCED = re.compile(r"answer(?:\s+is)?[\s\"'*:=`]*$")
_BEGINS = re.compile(r"[\W_]*")
_AROUND = " \t\n\r\"'`*.,;:!?()[]{}<>#▁Ġ_-"


@dataclass(frozen=True)
class TokenProbability:
    """``yes``: mass of all spellings of yes relative to yes and no; ``outside``: other mass."""

    yes: float
    outside: float


def token_probability(output: ModelOutput) -> TokenProbability | None:
    """Probability of yes against no at the answer token; None without log probabilities.

    The answer token is the first word after the last "Answer:", else the first word of the reply.
    """
    found = output.choices[0].logprobs if output.choices else None
    if found is None:
        return None
    before, place = "", None
    for token in found.content:
        first = place is None and _BEGINS.fullmatch(before)
        if any(map(str.isalpha, token.token)) and (first or _ANNOUNCED.search(before)):
            place = token
        before += token.token.casefold()
    if place is None:
        return None
    masses = {one.token: exp(one.logprob) for one in (*(place.top_logprobs or ()), place)}
    yes, no = (
        sum(mass for token, mass in masses.items() if token.strip(_AROUND).casefold() in words)
        for words in (YES_WORDS, NO_WORDS)
    )
    if yes + no <= 0:
        return None
    return TokenProbability(yes / (yes + no), max(0.0, 1 - yes - no))

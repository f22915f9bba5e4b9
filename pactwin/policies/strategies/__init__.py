"""How a model is asked: prompting strategies as Inspect solvers, chosen by name."""

from collections.abc import Callable

from inspect_ai.solver import Solver

from pactwin.policies.prompts import load_prompts
from pactwin.policies.strategies.explore import explore
from pactwin.policies.strategies.inspection import inspect_all, inspect_last, inspect_text
from pactwin.policies.strategies.scripted import (
    affordances,
    describe,
    direct,
    divergent_convergent,
    reason,
)
from pactwin.policies.strategies.self_reflect import self_reflect
from pactwin.policies.strategies.verify import verify
from pactwin.policies.strategies.views import views
from pactwin.suite import unknown_name

STRATEGIES: dict[str, Callable[[str | None], Solver]] = {
    "direct": direct,
    "reason": reason,
    "describe": describe,
    "affordances": affordances,
    "verify": verify,
    "views": views,
    "self-reflect": self_reflect,
    "divergent-convergent": divergent_convergent,
    "explore": explore,
    "inspect-last": inspect_last,
    "inspect-all": inspect_all,
    "inspect-text": inspect_text,
}
"""Solvers by name; each takes the file of a pack of prompts, None for ours."""


def make_strategy(name: str, prompts: str | None = None, kind: str = "constraint") -> Solver:
    """The strategy called ``name``, for questions of ``kind``.

    Raises InvalidInputError for an unknown name, a bad pack, and one without such prompts.
    """
    if name not in STRATEGIES:
        raise unknown_name("strategy", name, tuple(STRATEGIES))
    load_prompts(prompts).pack.prompts_of(name, kind)
    return STRATEGIES[name](prompts)

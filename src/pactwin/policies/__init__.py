"""Who answers: prompting strategies and baselines, and how replies are read."""

from typing import TYPE_CHECKING, Any

from pactwin.policies.answers import OPTION_LETTERS, PARSER_VERSION, Answer, Problem, parse_reply
from pactwin.policies.reasons import named_constraint
from pactwin.policies.vocabulary import STATEMENTS

if TYPE_CHECKING:
    from pactwin.policies.asked import Asked
    from pactwin.policies.baselines import BASELINES, PROVIDER, Baseline
    from pactwin.policies.strategies import direct

__all__ = [
    "BASELINES",
    "OPTION_LETTERS",
    "PARSER_VERSION",
    "PROVIDER",
    "STATEMENTS",
    "Answer",
    "Asked",
    "Baseline",
    "Problem",
    "direct",
    "named_constraint",
    "parse_reply",
]

# These need inspect_ai, which takes seconds to import; the parser and the vocabulary do not.
_LAZY = {
    "Asked": "pactwin.policies.asked",
    "BASELINES": "pactwin.policies.baselines",
    "Baseline": "pactwin.policies.baselines",
    "PROVIDER": "pactwin.policies.baselines",
    "direct": "pactwin.policies.strategies",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)

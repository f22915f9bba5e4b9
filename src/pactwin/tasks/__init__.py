"""What is asked and how answers are scored: questions from records, Inspect tasks, scorers."""

from typing import TYPE_CHECKING, Any

from pactwin.tasks.questions import FORMS, make_questions, make_twin_questions
from pactwin.tasks.reading import read_answers
from pactwin.tasks.results import AnswerRow, AnswerState, Outcome, SampleFacts
from pactwin.tasks.views import cameras_of, parse_views

if TYPE_CHECKING:
    from pactwin.tasks.agreement import Agreement, measure_agreement
    from pactwin.tasks.constraints import pac_constraints
    from pactwin.tasks.running import (
        Estimate,
        Listener,
        Progress,
        known_providers,
        resolve_model,
        run_eval,
    )
    from pactwin.tasks.scorers import answer_scorer

__all__ = [
    "FORMS",
    "Agreement",
    "AnswerRow",
    "AnswerState",
    "Estimate",
    "Listener",
    "Outcome",
    "Progress",
    "SampleFacts",
    "answer_scorer",
    "cameras_of",
    "known_providers",
    "make_questions",
    "make_twin_questions",
    "measure_agreement",
    "pac_constraints",
    "parse_views",
    "read_answers",
    "resolve_model",
    "run_eval",
]

# These need inspect_ai, which takes seconds to import; questions and records do not.
_LAZY = {
    "Agreement": "pactwin.tasks.agreement",
    "Estimate": "pactwin.tasks.running",
    "Listener": "pactwin.tasks.running",
    "Progress": "pactwin.tasks.running",
    "answer_scorer": "pactwin.tasks.scorers",
    "known_providers": "pactwin.tasks.running",
    "measure_agreement": "pactwin.tasks.agreement",
    "pac_constraints": "pactwin.tasks.constraints",
    "resolve_model": "pactwin.tasks.running",
    "run_eval": "pactwin.tasks.running",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)

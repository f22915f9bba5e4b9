"""Baselines for questions that ask for a list of things: what can be said without looking.

``random`` names any few things of the suite, ``blind`` those that most other scenes have, and
``oracle`` what is true, in an order that works.
"""

from collections import Counter
from functools import lru_cache

import numpy as np

from pactwin.solvers.question_ref import QuestionRef, load_records
from pactwin.suite import Question

NAMED = 3
"""How many tools ``random`` and ``blind`` name."""


def random_names(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Any few of the things that are true answers anywhere in the suite."""
    known = sorted(_whole(asked, question.kind))
    return "\n".join(map(str, rng.choice(known, size=min(NAMED, len(known)), replace=False)))


def blind_names(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The few things that are true of most other scenes; of all where there are no others."""
    whole = _whole(asked, question.kind)
    counts = whole - Counter(question.accepted) or whole
    return "\n".join(sorted(counts, key=lambda name: (-counts[name], name))[:NAMED])


def oracle_names(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """All that is true, step by step."""
    steps = question.steps or (1,) * len(question.accepted)
    order = sorted(range(len(steps)), key=lambda at: steps[at])
    return "\n".join(question.accepted[at] for at in order)


def _whole(asked: QuestionRef, kind: str) -> Counter[str]:
    """How often each thing is true, over all scenes."""
    return _tallies(asked.suite, asked.suite_hash)[kind]


@lru_cache(maxsize=4)
def _tallies(suite: str, suite_hash: str) -> dict[str, Counter[str]]:
    tallies: dict[str, Counter[str]] = {}
    for question in load_records(suite, suite_hash).questions.values():
        tallies.setdefault(question.kind, Counter()).update(question.accepted)
    return tallies

"""Baselines for questions about objects: what can be said without looking.

``random`` draws from the options of a property, so its accuracy is the chance level; where uses
are asked for, it draws from the uses of all objects in the suite. ``blind`` knows how the answers
to the same question are distributed over the other objects of the suite. Question texts are alike
for all objects, or name an object that no other question names, so there is no more to know.
"""

from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np

from pactwin.solvers.question_ref import QuestionRef, load_records, object_id
from pactwin.solvers.replies.choice import OPTION_LETTERS
from pactwin.suite import Question

EVERYTHING = ""
"""Stands for all objects together."""
RANDOM_USES = 3
"""How many uses ``random`` names: as many as PAC Bench has slots for."""


def random_category(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Any of the options."""
    return _pick(question, question.options[rng.integers(len(question.options))])


def blind_category(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The category that clearly most other objects have; the first option where none leads.

    A lead that this object could turn by itself is none: following it would mean to choose what
    this object is not, and score below chance where categories are balanced.
    """
    counts = _others(asked, question)
    own = _whole(asked, question).total() - counts.total()
    first, second = sorted(question.options, key=lambda option: -counts[option])[:2]
    leads = counts[first] - counts[second] > own
    return _pick(question, first if leads else question.options[0])


def oracle_category(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The true category."""
    return _pick(question, question.truth)


def random_uses(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Any few of the uses that objects of the suite have."""
    known = sorted(_whole(asked, question))
    drawn = rng.choice(known, size=min(RANDOM_USES, len(known)), replace=False)
    return "\n".join(str(use) for use in drawn)


def blind_uses(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The few uses that most other objects have; of all where there are no others."""
    counts = _others(asked, question) or _whole(asked, question)
    ranked = sorted(counts, key=lambda use: (-counts[use], use))
    return "\n".join(ranked[:RANDOM_USES])


def oracle_uses(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """All true uses."""
    return "\n".join(question.accepted)


def _pick(question: Question, option: str) -> str:
    return f"{OPTION_LETTERS[question.options.index(option)]}) {option}"


def _whole(asked: QuestionRef, question: Question) -> Counter[str]:
    """How often each answer is true, over all objects."""
    return _tallies(asked.suite, asked.suite_hash)[question.topic, EVERYTHING]


def _others(asked: QuestionRef, question: Question) -> Counter[str]:
    """The same over all objects but the one asked about."""
    scene = load_records(asked.suite, asked.suite_hash).scenes[question.scene_id]
    tallies = _tallies(asked.suite, asked.suite_hash)
    return tallies[question.topic, EVERYTHING] - tallies[question.topic, object_id(scene, question)]


@lru_cache(maxsize=4)
def _tallies(suite: str, suite_hash: str) -> dict[tuple[str, str], Counter[str]]:
    """How often each answer is true: by property (empty: affordances) and object."""
    records = load_records(suite, suite_hash)
    tallies: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for question in records.questions.values():
        if question.kind in ("property", "affordance"):
            answers = question.accepted or (question.truth,)
            mine = object_id(records.scenes[question.scene_id], question)
            for name in (mine, EVERYTHING):
                tallies[question.topic, name].update(answers)
    return tallies

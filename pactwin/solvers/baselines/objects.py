"""Baselines without pictures for questions about objects and for lists of objects.

``random`` draws from the options of a property, so its accuracy is the chance level; for lists it
draws from all answers that are true anywhere in the suite. ``blind`` knows the distribution of
answers to the same question over the other objects, or scenes, of the suite. Question texts are
equal for all objects, or name an object that no other question names, so they reveal nothing else.
"""

from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np

from pactwin.solvers.question_ref import QuestionRef, load_records, object_id
from pactwin.solvers.replies.choice import OPTION_LETTERS
from pactwin.suite import LoadedSuite, Question

LISTS = ("recognition", "plan", "named_plan")
EVERYTHING = ""
"""Key of all objects together."""
NAMED = 3
"""Number of uses or objects that ``random`` and ``blind`` name: PAC Bench's number of slots."""


def random_category(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """A random option."""
    return _pick(question, question.options[rng.integers(len(question.options))])


def blind_category(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The category of clearly most other objects; the first option if none leads.

    A lead that this object alone could reverse does not count: following it would always choose
    another category than this object's, and score below chance where categories are balanced.
    """
    counts = _others(asked, question)
    own = _whole(asked, question).total() - counts.total()
    first, second = sorted(question.options, key=lambda option: -counts[option])[:2]
    leads = counts[first] - counts[second] > own
    return _pick(question, first if leads else question.options[0])


def oracle_category(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The true category."""
    return _pick(question, question.truth)


def random_names(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """A few random answers from all true answers in the suite."""
    known = sorted(_whole(asked, question))
    return "\n".join(map(str, rng.choice(known, size=min(NAMED, len(known)), replace=False)))


def blind_names(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Answers true of most other objects or scenes; of all if there are no others."""
    counts = _others(asked, question) or _whole(asked, question)
    return "\n".join(sorted(counts, key=lambda name: (-counts[name], name))[:NAMED])


def oracle_names(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """All correct names, one a line, in the order of the steps that use them."""
    steps = question.steps or (1,) * len(question.accepted)
    order = sorted(range(len(steps)), key=lambda at: steps[at])
    return "\n".join(question.accepted[at] for at in order)


def _pick(question: Question, option: str) -> str:
    return f"{OPTION_LETTERS[question.options.index(option)]}) {option}"


def _whole(asked: QuestionRef, question: Question) -> Counter[str]:
    """Frequency of each true answer over all objects or scenes."""
    return _tallies(asked.suite, asked.suite_hash)[_about(question), EVERYTHING]


def _others(asked: QuestionRef, question: Question) -> Counter[str]:
    """The same over all other objects, or for a list over all other questions."""
    records = load_records(asked.suite, asked.suite_hash)
    tallies = _tallies(asked.suite, asked.suite_hash)
    mine = tallies[_about(question), _place(records, question)]
    return tallies[_about(question), EVERYTHING] - mine


def _about(question: Question) -> tuple[str, str]:
    """Group of a question: its property, or its kind."""
    return question.kind, question.topic if question.kind == "property" else ""


def _place(records: LoadedSuite, question: Question) -> str:
    about_object = question.kind in ("property", "affordance")
    return object_id(records.scenes[question.scene_id], question) if about_object else question.id


@lru_cache(maxsize=4)
def _tallies(suite: str, suite_hash: str) -> dict[tuple[tuple[str, str], str], Counter[str]]:
    """Counts of true answers by group and by object or question."""
    records = load_records(suite, suite_hash)
    tallies: dict[tuple[tuple[str, str], str], Counter[str]] = defaultdict(Counter)
    for question in records.questions.values():
        if question.kind in (*LISTS, "property", "affordance"):
            answers = question.accepted or (() if question.kind in LISTS else (question.truth,))
            for name in (_place(records, question), EVERYTHING):
                tallies[_about(question), name].update(answers)
    return tallies

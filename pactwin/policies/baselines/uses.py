"""Baselines for situations told in words: any part of any thing, or the one that is meant."""

import json

import numpy as np

from pactwin.policies.question_ref import QuestionRef
from pactwin.suite import Question


def random_part(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """Any thing that has parts, and any of its parts."""
    things = [thing for thing in question.candidates if thing.parts]
    thing = things[rng.integers(len(things))]
    return _choice(thing.name, [*thing.parts][rng.integers(len(thing.parts))])


def oracle_part(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """What is meant."""
    return _choice(*question.accepted)


def _choice(entity: str, part: str) -> str:
    return json.dumps({"entity": entity, "part": part, "use": "as it is meant"})

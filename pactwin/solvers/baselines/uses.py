"""Baselines for uses: a random part, the most frequent gold part, and the gold part itself."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from pactwin.solvers.question_ref import QuestionRef, load_records
from pactwin.suite import Question, load_suite

FAMILIAR = Path(__file__).with_name("familiar.json")
FOLDS = 5
_PRIOR = 0.1
"""How often, of once, a thing is taken for meant that was seen in no other question of the use."""


def random_part(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """A random object that has parts, and a random part of it."""
    things = [thing for thing in question.candidates if thing.parts]
    thing = things[rng.integers(len(things))]
    return _choice(thing.name, [*thing.parts][rng.integers(len(thing.parts))])


def familiar_part(
    asked: QuestionRef, question: Question, rng: np.random.Generator, *, found_on: str = ""
) -> str:
    """The candidate that is most often gold for the use, and its usual part.

    The counts come from suites of other seeds (``familiar.json``); for uses that are not pactwin's
    own, from questions in other folds of the suite; or from all of the suite ``found_on``. It knows
    the use and the names of the objects, but neither pictures nor measures.
    """
    if not found_on and question.topic in other_seeds().uses:
        known = other_seeds()
    else:
        tables = _tables(asked.suite, asked.suite_hash, found_on)
        known = tables[0 if found_on else _fold(question)]
    things = [thing for thing in question.candidates if thing.parts]
    rates = [known.rate(question.topic, thing.name) for thing in things]
    best = [thing for thing, rate in zip(things, rates, strict=True) if rate == max(rates)]
    thing = best[rng.integers(len(best))]
    counts = [known.parts[question.topic, thing.name, part] for part in thing.parts]
    parts = [part for part, n in zip(thing.parts, counts, strict=True) if n == max(counts)]
    return _choice(thing.name, parts[rng.integers(len(parts))])


def oracle_part(asked: QuestionRef, question: Question, rng: np.random.Generator) -> str:
    """The gold object and part."""
    return _choice(*question.accepted)


def _choice(entity: str, part: str) -> str:
    return json.dumps({"entity": entity, "part": part, "use": "as it is meant"})


@dataclass(frozen=True)
class Known:
    """Counts per use and object: present, gold object, and gold parts."""

    meant: Counter[tuple[str, str]] = field(default_factory=Counter)
    there: Counter[tuple[str, str]] = field(default_factory=Counter)
    parts: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def rate(self, use: str, name: str) -> float:
        """Share of the tasks of a use with this object in which it is the gold object."""
        return (self.meant[use, name] + _PRIOR) / (self.there[use, name] + 1)

    @property
    def uses(self) -> frozenset[str]:
        """The uses in the questions."""
        return frozenset(use for use, _ in self.there)

    def record(self) -> dict[str, dict[str, list[Any]]]:
        """Counts by use and object: presence, and how often each part was gold."""
        found: dict[str, dict[str, list[Any]]] = {}
        for (use, name), there in sorted(self.there.items()):
            parts = {p: n for (u, m, p), n in sorted(self.parts.items()) if (u, m) == (use, name)}
            found.setdefault(use, {})[name] = [there, parts]
        return found

    @classmethod
    def read(cls, record: Mapping[str, Mapping[str, Sequence[Any]]]) -> "Known":
        """Counts from the result of :meth:`record`."""
        known = cls()
        for use, things in record.items():
            for name, (there, parts) in things.items():
                known.there[use, name] += there
                known.meant[use, name] += sum(parts.values())
                for part, n in parts.items():
                    known.parts[use, name, part] += n
        return known

    def add(self, use: str, name: str, part: str, there: Iterable[str]) -> None:
        """Count a task whose gold answer is a part of an object, among the objects ``there``."""
        self.meant[use, name] += 1
        self.parts[use, name, part] += 1
        self.there.update((use, other) for other in there)

    def add_question(self, question: Question) -> None:
        """Count a question."""
        name, part = question.accepted
        self.add(question.topic, name, part, [thing.name for thing in question.candidates])


def _fold(question: Question) -> int:
    """Questions about one scene are in one fold."""
    return crc32(question.scene_id.encode()) % FOLDS


@lru_cache(maxsize=1)
def other_seeds() -> Known:
    """Counts from suites with other seeds, written by ``tools/familiar.py``."""
    return Known.read(json.loads(FAMILIAR.read_text("utf-8")))


@lru_cache(maxsize=4)
def _tables(suite: str, suite_hash: str, found_on: str) -> tuple[Known, ...]:
    """Counts without each fold of the suite; for another suite all counts."""
    loaded = load_suite(found_on) if found_on else load_records(suite, suite_hash)
    tables = tuple(Known() for _ in range(1 if found_on else FOLDS))
    for question in loaded.questions.values():
        if question.kind == "creative_use":
            for fold, known in enumerate(tables):
                if found_on or fold != _fold(question):
                    known.add_question(question)
    return tables

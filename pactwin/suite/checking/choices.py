"""Leak test of choices: does any other property of the offered objects predict the answer?

Each property ranks the objects of every question that chooses among objects (uses, plans,
recognition). If the property is uninformative, accepted objects have random ranks: the sum of their
ranks over a suite has a known mean and variance.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from PIL import Image

from pactwin.suite.questions import Question
from pactwin.suite.reader import Suite
from pactwin.suite.records import Scene, View

MIN_QUESTIONS = 20
_MIN_TELLING = 10
"""Questions whose things a sign must tell apart: with fewer the normal approximation is wrong."""


@dataclass(frozen=True)
class ChoiceLeak:
    """Rank of the accepted objects by one property over a kind's questions: 0 first, 1 last."""

    kind: str
    sign: str
    questions: int
    rank: float
    spread: float
    p_value: float


def choice_leaks(suite: Suite) -> Iterator[ChoiceLeak]:
    """One leak per kind with at least 20 questions, and per property that separates the objects."""
    from scipy.stats import norm

    found: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    asked: dict[str, list[Question]] = defaultdict(list)
    seen = _Recognition()
    for question in suite.questions():
        asked[question.scene_id].append(question)
        seen.add(question)
    for scene in suite.scenes():
        for question in asked[scene.id]:
            recognised = question.kind == "recognition"
            names = tuple(seen.names) if recognised else _things(question)
            accepted = [name for name in dict.fromkeys(question.accepted) if name in names]
            if not accepted or len(accepted) == len(names):
                continue
            for sign, value_of in (seen.signs(suite) if recognised else _SIGNS).items():
                values = value_of(question, scene)
                if all(name in values for name in names):
                    row = _rank([values[name] for name in names], [n in accepted for n in names])
                    found[question.kind, sign].append(row)
    for (kind, sign), rows in sorted(found.items()):
        off, variance = np.sum(rows, axis=0)
        telling = sum(own > 0 for _, own in rows)
        if len(rows) >= MIN_QUESTIONS and telling >= _MIN_TELLING:
            p = 2 * float(norm.sf(abs(off) / variance**0.5))
            spread = variance**0.5 / len(rows)
            yield ChoiceLeak(kind, sign, len(rows), 0.5 + off / len(rows), spread, p)


class _Recognition:
    """The candidate names of recognition questions: all names that any of them accepts.

    Which things are often there, and in which order, is no leak. Words that some texts have and
    others lack are, and so are words in the files of pictures.
    """

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self._always: set[str] | None = None

    def add(self, question: Question) -> None:
        """Count a question, whatever its kind."""
        if question.kind == "recognition":
            self.names |= dict.fromkeys(question.accepted)
            words = _words(question.text)
            self._always = words if self._always is None else self._always & words

    def signs(self, suite: Suite) -> Mapping[str, Callable[[Question, Scene], dict[str, float]]]:
        """Features that could reveal a question's names."""
        return {
            "words of its name in the text": lambda question, scene: self._named(question.text),
            "words of its name in the files of pictures": lambda question, scene: self._named(
                " ".join(_notes(suite, view) for view in scene.views)
            ),
        }

    def _named(self, text: str) -> dict[str, float]:
        telling = _words(text) - (self._always or set())
        return {name: len(telling & _words(name)) for name in self.names}


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _notes(suite: Suite, view: View) -> str:
    """Metadata in a picture's file."""
    if view.image is None:
        return ""
    with Image.open(suite.resolve(view.image)) as image:
        return " ".join(map(str, image.info.values()))


def _things(question: Question) -> tuple[str, ...]:
    """Names among which a question chooses; empty for other questions."""
    if question.kind == "creative_use":
        return tuple(thing.name for thing in question.candidates)
    return (*dict.fromkeys(question.accepted), *question.distractors) if question.steps else ()


def _rank(values: list[float], accepted: list[bool]) -> tuple[float, float]:
    """Mean rank (-0.5 to 0.5) of the accepted values, and its variance if they were any of them."""
    from scipy.stats import rankdata

    ranks = (rankdata(values) - 0.5) / len(values)
    m, n = sum(accepted), len(values)
    variance = float(ranks.var()) * (n - m) / (m * (n - 1))
    return float(ranks[np.array(accepted)].mean()) - 0.5, variance


def _listed(question: Question, scene: Scene) -> dict[str, float]:
    return {thing.name: k for k, thing in enumerate(question.candidates)}


def _described(question: Question, scene: Scene) -> dict[str, float]:
    return {thing.name: len(str(thing.parts)) for thing in question.candidates}


def _told(question: Question, scene: Scene) -> dict[str, float]:
    text = set(question.text.casefold().split())
    named = [thing.name for thing in question.candidates]
    return {name: len(text & set(name.casefold().split())) for name in named}


def _number(question: Question, scene: Scene) -> dict[str, float]:
    return {obj.name: obj.instance_id for obj in scene.objects}


def _place(axis: int) -> Callable[[Question, Scene], dict[str, float]]:
    return lambda question, scene: {
        obj.name: obj.world_from_object[axis][3] for obj in scene.objects
    }


def _recorded(question: Question, scene: Scene) -> dict[str, float]:
    return {obj.name: k for k, obj in enumerate(scene.objects)}


_SIGNS: Mapping[str, Callable[[Question, Scene], dict[str, float]]] = {
    "place among what is told": _listed,
    "length of its description": _described,
    "words of its name in the text": _told,
    "number in the masks": _number,
    "place in the records": _recorded,
    "place along x": _place(0),
    "place along y": _place(1),
}

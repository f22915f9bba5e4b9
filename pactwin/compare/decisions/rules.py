"""Decision rules over answers: a single answer, or two that must agree.

Two answers cost two calls. If they disagree, or one is missing, a person is asked.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pactwin.compare.decisions.outcomes import ASK, NO, YES
from pactwin.suite import InvalidInputError
from pactwin.tasks import AnswerRow, is_one_camera

REFERENCE = "reference"
"""Kind of the reference policies, which query no model."""
BASELINES, GEOMETRY = "pactwin/", "pactwin/geometry"


@dataclass(frozen=True, slots=True)
class Rule:
    """``decisions`` by scene id. ``calls`` is answers per decision, 0 for references."""

    name: str
    kind: str
    calls: int
    decisions: dict[str, str]


_Answers = dict[str, str]
"""Decisions of one model in one view, by scene id."""


def rules_of(rows: Sequence[AnswerRow]) -> list[Rule]:
    """Return every rule that the answers allow.

    Rules are: one answer; two single views of one model; two models in one view; two runs or
    epochs of one model. Baselines without pictures are combined with no other model. Raises
    InvalidInputError if an epoch of a run answers about a scene twice.
    """
    runs: dict[tuple[str, str], dict[tuple[str, int], _Answers]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for row in sorted(rows, key=lambda row: (row.model, row.view, row.run_id, row.scene_id)):
        answers = runs[row.model, row.view][row.run_id, row.epoch]
        if row.scene_id in answers:
            raise InvalidInputError(
                f"{row.model!r} decided twice on scene {row.scene_id} in view {row.view!r}: take "
                "answers of one form"
            )
        says = row.predicted_feasible
        answers[row.scene_id] = ASK if says is None else YES if says else NO
    rules = []
    first = {}
    for (model, view), by_run in runs.items():
        repeats = list(by_run.values())
        if not model.startswith(BASELINES) or model.startswith(GEOMETRY):
            first[model, view] = repeats[0]
        rules.append(Rule(f"{model}, {view}", "one answer", 1, repeats[0]))
        if len(repeats) > 1:
            rules.append(_agree(f"{model}, {view}", "asked twice", *repeats[:2]))
    return rules + list(_joint(first))


def _joint(first: dict[tuple[str, str], _Answers]) -> Iterator[Rule]:
    for (a, b), (c, d) in combinations(first, 2):
        said = first[a, b], first[c, d]
        if a == c and is_one_camera(b) and is_one_camera(d):
            yield _agree(f"{a}, {b} and {d}", "two views agree", *said)
        elif b == d and a != c:
            yield _agree(f"{a} and {c}, {b}", "two models agree", *said)


def _agree(name: str, kind: str, first: _Answers, second: _Answers) -> Rule:
    """Ask a person where the two differ; only scenes that both answered count."""
    shared = first.keys() & second.keys()
    decisions = {
        scene: first[scene] if first[scene] == second[scene] else ASK for scene in sorted(shared)
    }
    return Rule(name, kind, 2, decisions)

"""``pactwin/shortcut``: answers by the best rule over a single quantity.

The rule of each domain is fitted on the pairs of other folds of the suite, or on all pairs of
another suite (``-M found_on=SUITE``, made from another seed). It reads the records, not the
pictures.
"""

from functools import lru_cache

import numpy as np

from pactwin.solvers.baselines.constraints import write_reply
from pactwin.solvers.question_ref import QuestionRef, load_records
from pactwin.suite import (
    SET_FORMS,
    Constraint,
    InvalidInputError,
    Question,
    Scene,
    Shortcut,
    Suite,
    find_shortcut,
    held_out_shortcuts,
    single_quantities,
)


def shortcut(
    asked: QuestionRef, question: Question, rng: np.random.Generator, *, found_on: str = ""
) -> str:
    """Feasibility by the rule of the scene's domain, then the domain's most frequent constraint."""
    if question.form in SET_FORMS:
        raise InvalidInputError("pactwin/shortcut answers the forms yes_no, choice and open only")
    scene = load_records(asked.suite, asked.suite_hash).scenes[question.scene_id]
    domain = _rules(asked.suite, asked.suite_hash, found_on).get(scene.domain)
    rule = domain.rules.get(scene.id, domain.other) if domain else None
    if rule is None or domain is None:
        raise InvalidInputError(
            f"pactwin/shortcut has no pair of domain {scene.domain} to find a rule on: "
            "name a suite that has, with -M found_on=SUITE"
        )
    feasible = rule.says_feasible(single_quantities(scene))
    return write_reply(Constraint.NONE if feasible else domain.constraint, question)


class _Domain:
    """Rules of one domain, by scene or one for all, and its most frequent constraint."""

    def __init__(self, pairs: list[tuple[Scene, Scene]], *, held_out: bool) -> None:
        scenes = [scene for pair in pairs for scene in pair]
        causes = [s.decided.constraint for s in scenes if not s.decided.feasible]
        self.constraint = max(sorted(set(causes)), key=causes.count)
        self.rules: dict[str, Shortcut] = held_out_shortcuts(pairs) if held_out else {}
        self.other = (
            None
            if held_out
            else find_shortcut(
                [single_quantities(scene) for scene in scenes],
                [scene.decided.feasible for scene in scenes],
            )
        )


@lru_cache(maxsize=4)
def _rules(suite: str, suite_hash: str, found_on: str) -> dict[str, _Domain]:
    by_domain: dict[str, list[tuple[Scene, Scene]]] = {}
    for pair in Suite.open(found_on or suite).pairs():
        by_domain.setdefault(pair[0].domain, []).append(pair)
    return {domain: _Domain(pairs, held_out=not found_on) for domain, pairs in by_domain.items()}

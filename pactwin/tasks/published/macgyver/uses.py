"""Tag a problem with the uses in its solution that trials can simulate.

Rules on words decide, so that the same data have the same tags everywhere. They read only solutions
that people rated as valid: a problem without one has no tags, which says nothing about the problem.
The accuracy of tags was checked by hand; the figures are in ``docs/macgyver.md``.
"""

import re
from functools import lru_cache
from importlib.resources import files

from pactwin.suite import parse_yaml

_SENTENCE = re.compile(r"[.!?]\s|\n")


def uses_of(solution: str) -> tuple[str, ...]:
    """Uses in a solution, sorted by name."""
    sentences = _SENTENCE.split(solution.casefold())
    found = {
        use
        for use, rules in _rules().items()
        if any(rule.search(sentence) for sentence in sentences for rule in rules)
    }
    return tuple(sorted(found))


@lru_cache
def _rules() -> dict[str, tuple[re.Pattern[str], ...]]:
    name = "uses.yaml"
    data = (files("pactwin.tasks.published.macgyver") / name).read_bytes()
    rules: dict[str, list[str]] = parse_yaml(data, name)
    return {use: tuple(map(re.compile, texts)) for use, texts in rules.items()}

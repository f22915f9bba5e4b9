"""Match the object and part named in a reply with a candidate, by equal names only.

There is no guessing: an unknown or ambiguous name matches nothing.
"""

import re
from collections.abc import Iterable

from pactwin.suite import Question

GOLD = "gold"
UNJUDGED = "unjudged"
HALLUCINATION = "hallucination"


def core(name: str) -> str:
    """A name in lower case, without text in brackets, with blanks for punctuation."""
    text = re.sub(r"\([^)]*\)", " ", name.lower())
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text).split())


def same_name(said: str, names: Iterable[str]) -> str:
    """The one of ``names`` that equals ``said``, ignoring trailing numbers if necessary."""
    known = list(names)
    if said in known:
        return said
    for plain in (core, lambda name: re.sub(r"\s\d+$", "", core(name))):
        found = [name for name in known if plain(name) == plain(said)]
        if len(found) == 1:
            return found[0]
    return ""


def choose(question: Question, entity: str, part: str) -> tuple[str, str]:
    """The named candidate and its named part; empty without a match."""
    by_name = {thing.name: thing for thing in question.candidates}
    found = same_name(entity, by_name)
    if not found:
        return "", ""
    thing = by_name[found]
    return found, same_name(part, dict.fromkeys((*thing.parts, *thing.likeness)))


def relation(question: Question, entity: str, part: str) -> str:
    """Relation of a chosen part to the gold part (see ``UseOutcome``)."""
    if (entity, part) == question.accepted:
        return GOLD
    if not entity or not part:
        return HALLUCINATION
    thing = next(thing for thing in question.candidates if thing.name == entity)
    return thing.likeness.get(part, UNJUDGED)

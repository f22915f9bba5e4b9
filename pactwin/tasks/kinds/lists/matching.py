"""Match names in a list one to one with the true names, most certain rule first.

Words never match because one contains the other or looks similar: a saw is no hacksaw.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Rule = Literal["", "exact", "number", "synonym", "judge"]
"""Rule by which an item was matched; empty for an unmatched item."""

_ARTICLE = re.compile(r"^(?:an?|the|one|some|\d{1,2}x?)\s+")
_HISSES = ("s", "x", "z", "ch", "sh", "o")


@dataclass(frozen=True)
class Matching:
    """Index of the true name of each item in order, or None; and the rule that matched it."""

    found: tuple[int | None, ...]
    rules: tuple[Rule, ...]


def match_names(
    items: Sequence[str], names: Sequence[str], synonyms: Mapping[str, str] | None = None
) -> Matching:
    """Match ``items`` with ``names``, each name at most once, earlier items first.

    The rules in order: equal apart from case, punctuation and articles; equal apart from number;
    equal by ``synonyms`` ({another name: one of ``names``}).
    """
    said = [plain(item) for item in items]
    true = [plain(name) for name in names]
    known = {plain(other): plain(name) for other, name in (synonyms or {}).items()}
    rules: tuple[tuple[Rule, Callable[[str, str], bool]], ...] = (
        ("exact", lambda item, name: item == name),
        ("number", differ_in_number),
        ("synonym", lambda item, name: known.get(item) == name),
    )
    found: list[int | None] = [None] * len(said)
    by: list[Rule] = [""] * len(said)
    left = list(range(len(true)))
    for rule, same in rules:
        for at, item in enumerate(said):
            if found[at] is None and item:
                index = next((k for k in left if same(item, true[k])), None)
                if index is not None:
                    found[at], by[at] = index, rule
                    left.remove(index)
    return Matching(tuple(found), tuple(by))


def plain(name: str) -> str:
    """Normalise ``name``: lower case, without punctuation, article and extra white space."""
    text = unicodedata.normalize("NFKC", name).casefold().replace("’", "'").replace("'s", "s")
    text = re.sub(r"[^\w/]+|_", " ", text).strip()
    return _ARTICLE.sub("", text)


def differ_in_number(first: str, second: str) -> bool:
    """Return whether one name is the regular plural of the other: s, es, ies, ves."""
    one, many = sorted((first, second), key=len)
    return (
        many == one + "s"
        or (many == one + "es" and one.endswith(_HISSES))
        or (one.endswith("y") and many == one[:-1] + "ies")
        or (one.endswith("f") and many == one[:-1] + "ves")
        or (one.endswith("fe") and many == one[:-2] + "ves")
    )

"""Which constraint a reason in a model's own words names."""

import re
from collections.abc import Iterable

from pactwin.policies.answers.vocabulary import CUES, DENIALS
from pactwin.suite import Constraint

# A denial counts for what follows it in the same clause, this many words on at most.
DENIAL_REACH_WORDS = 4
_CLAUSE = re.compile(
    r"[.,;:!?\n]|\b(?:because|since|but|although|though|so|while|yet|however|due to)\b"
)
_DENIAL = re.compile(DENIALS)


def named_constraint(reason: str, names: Iterable[str] = ()) -> Constraint | None:
    """The constraint that ``reason`` names, None if it names none or more than one.

    ``names`` are the objects of the question. They are read as "it", so that a name such as "box
    with a lid" is no reason by itself.
    """
    text = reason.replace("’", "'").casefold()
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b(?:the )?{re.escape(name.casefold())}\b", "it", text)
    for strength in ("strong", "weak"):
        found = {
            constraint
            for constraint, cues in CUES.items()
            if any(_given(cue, text) for cue in getattr(cues, strength))
        }
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _given(cue: str, text: str) -> bool:
    """True if ``cue`` occurs in ``text`` at least once without being denied."""
    return any(not _denied(text[: match.start()]) for match in re.finditer(cue, text))


def _denied(before: str) -> bool:
    clause = _CLAUSE.split(before)[-1]
    return bool(_DENIAL.search(" ".join(clause.split()[-DENIAL_REACH_WORDS:])))

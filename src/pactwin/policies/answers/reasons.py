"""Which constraint a reason in a model's own words names."""

import re
from collections.abc import Sequence

from pactwin.policies.answers.cues import CUES, PREVENTIONS
from pactwin.policies.answers.vocabulary import DENIALS
from pactwin.suite import Constraint

# A denial counts for what follows it in the same clause, this many words on at most.
DENIAL_REACH_WORDS = 4
_CLAUSE = re.compile(
    r"[.,;:!?\n]|\b(?:because|since|but|although|though|so|while|yet|however|due to)\b"
)
_DENIAL = re.compile(DENIALS)
# What would be so is no reason, and a lid on something is a lid, not something that rests on it.
_IMAGINED = re.compile(r"\b(?:would|could|might|can) (?:\w+ )?(?:sit|rest|stand|lie)\b")
_LID_ON_IT = re.compile(r"\b(?:lid|cover|cap)\b[^.;,]{0,20}\bon (?:top of )?it\b")
_SENTENCE_END = re.compile(r"(?<=[.!?\n])")


def named_constraints(reason: str, names: Sequence[str] = ()) -> set[Constraint]:
    """The constraints that ``reason`` names, questions in it left out.

    ``names`` are the objects of the question. They are read as "it", so that a name such as "box
    with a lid" is no reason by itself.
    """
    text = _plain(reason, names)
    for constraint in Constraint:  # a reason may be the taxonomy's own word
        if constraint is not Constraint.NONE and re.search(rf"\b{constraint.value}\b", text):
            return {constraint}
    for strength in ("strong", "weak"):
        found = {
            constraint
            for constraint, cues in CUES.items()
            if any(_given(cue, text) for cue in getattr(cues, strength))
        }
        if Constraint.NEEDS_TWO_HANDS in found:
            # Balance and distance are spoken of then too: of the load from the hand.
            found -= {Constraint.WOULD_COLLAPSE, Constraint.OUT_OF_REACH}
        if found:
            return found
    return set()


def named_constraint(reason: str, names: Sequence[str] = ()) -> Constraint | None:
    """The one constraint that ``reason`` names, None if it names none or more than one."""
    found = named_constraints(reason, names)
    return found.pop() if len(found) == 1 else None


def contradicts_yes(reason: str, names: Sequence[str] = ()) -> bool:
    """True if ``reason`` says something that cannot be so where the action is possible."""
    text = _plain(reason, names)
    return any(_given(prevention, text) for prevention in PREVENTIONS)


def _plain(reason: str, names: Sequence[str]) -> str:
    sentences = _SENTENCE_END.split(reason.replace("’", "'").casefold())
    text = "".join(sentence for sentence in sentences if not sentence.endswith("?"))
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b(?:the )?{re.escape(name.casefold())}\b", "it", text)
    for name in names:
        noun = name.casefold().partition(" with ")[0].split()[-1]
        text = re.sub(rf"\b(?:the|this|that) {re.escape(noun)}\b", "it", text)
    return _LID_ON_IT.sub("lid", _IMAGINED.sub(" ", text))


def _given(cue: str, text: str) -> bool:
    """True if ``cue`` occurs in ``text`` at least once without being denied."""
    return any(not _denied(text[: match.start()]) for match in re.finditer(cue, text))


def _denied(before: str) -> bool:
    clause = _CLAUSE.split(before)[-1]
    return bool(_DENIAL.search(" ".join(clause.split()[-DENIAL_REACH_WORDS:])))

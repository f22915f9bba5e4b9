"""Map a reason in a model's own words to a constraint."""

import re
from collections.abc import Sequence

from pactwin.solvers.replies.vocabulary import CONTRADICTIONS_OF_YES, DENIALS
from pactwin.suite import SCENE_CONSTRAINTS, Constraint

# A denial counts for what follows it in the same clause, this many words on at most.
DENIAL_REACH_WORDS = 4
_CLAUSE = re.compile(
    r"[.,;:!?\n]|\b(?:because|since|but|although|though|so|while|yet|however|due to)\b"
)
_DENIAL = re.compile(DENIALS)
# What would be so is no reason, and a lid on something is a lid, not something that rests on it.
_IMAGINED = re.compile(r"\b(?:would|could|might|can) (?:\w+ )?(?:sit|rest|stand|lie)\b")
_LID_ON_IT = re.compile(r"\b(?:lid|cover|cap)\b[^.;,]{0,20}\bon (?:top of )?it\b")
_BEFORE, _TAKEN = r"(?:already|another|something)", "is already taken"
_CAUSE_ENDS = re.compile(r"(?<=[.\n])")
_SENTENCE_END = re.compile(r"(?<=[.!?\n])")
# What follows from a cause: "..., so it would roll off".
_CONSEQUENCE = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|as a result|which means|meaning)\b"
    r"[^.;\n]*?\b(?:would|will|could|might|can(?:not|'t)?|won't)\b[^.;\n]*"
)


def constraints_named_in(reason: str, names: Sequence[str] = ()) -> set[Constraint]:
    """Constraints named in ``reason``, ignoring questions in it.

    ``names`` are the objects of the question, the moved one first. They are replaced by "it", so
    that a name such as "box with a lid" is no reason by itself. If several constraints are named,
    those stated as a consequence of others do not count.
    """
    text = _plain(reason, names)
    found = _matched(text)
    return _matched("".join(map(_cause, _CAUSE_ENDS.split(text)))) if len(found) > 1 else found


def _cause(sentence: str) -> str:
    """``sentence`` without its consequence, if it still names a constraint."""
    rest = _CONSEQUENCE.sub(" ", sentence)
    return rest if _matched(rest) else sentence


def _matched(text: str) -> set[Constraint]:
    for constraint in SCENE_CONSTRAINTS:  # a reason may be the taxonomy's own word
        if constraint is not Constraint.NONE and _given(rf"\b{constraint.value}\b", text):
            return {constraint}
    for strength in ("strong", "weak"):
        found = {
            constraint
            for constraint in SCENE_CONSTRAINTS
            if any(_given(pattern, text) for pattern in getattr(constraint, strength))
        }
        if found:
            return found - {other for constraint in found for other in constraint.overrides}
    return set()


def classify_reason(reason: str, names: Sequence[str] = ()) -> Constraint | None:
    """The only constraint named in ``reason``; None if it names none or several."""
    found = constraints_named_in(reason, names)
    return found.pop() if len(found) == 1 else None


def contradicts_yes(reason: str, names: Sequence[str] = ()) -> bool:
    """True if ``reason`` contradicts that the action is possible."""
    text = _plain(reason, names)
    return any(_given(prevention, text) for prevention in CONTRADICTIONS_OF_YES)


def _plain(reason: str, names: Sequence[str]) -> str:
    sentences = _SENTENCE_END.split(reason.replace("’", "'").casefold())
    text = "".join(sentence for sentence in sentences if not sentence.endswith("?"))
    for name in names[1:]:  # what is on another object does not rest on the one that is moved
        place = (
            rf"(?: top of)? (?:the |this |that )?(?:{re.escape(name.casefold())}|{_noun(name)})\b"
        )
        text = re.sub(rf"\b{_BEFORE}\b[^.,;\n]{{0,40}}\b(?:on|in|inside|at){place}", _TAKEN, text)
        text = re.sub(rf"\b(?:up)?on{place}", "on that", text)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b(?:the )?{re.escape(name.casefold())}\b", "it", text)
    for name in names:
        text = re.sub(rf"\b(?:the|this|that) {_noun(name)}\b", "it", text)
    return _LID_ON_IT.sub("lid", _IMAGINED.sub(" ", text))


def _noun(name: str) -> str:
    """Pattern of the noun in ``name``: the box of "box with a lid"."""
    return re.escape(name.casefold().partition(" with ")[0].split()[-1])


def _given(pattern: str, text: str) -> bool:
    """True if ``pattern`` occurs in ``text`` at least once without negation."""
    return any(not _denied(text[: match.start()]) for match in re.finditer(pattern, text))


def _denied(before: str) -> bool:
    clause = _CLAUSE.split(before)[-1]
    return bool(_DENIAL.search(" ".join(clause.split()[-DENIAL_REACH_WORDS:])))

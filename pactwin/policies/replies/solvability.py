"""Whether the answer to a problem gives a solution, or says that there is none."""

import re

from pactwin.policies.replies.extraction import no_answer
from pactwin.policies.replies.text import (
    Problem,
    ends_in_reasoning,
    strip_reasoning,
    visible_text,
)
from pactwin.suite import one_line

_WHOLE = r"(?:it|this|that|the (?:problem|task|goal|situation)|this (?:problem|task|situation))"
_NONE = (
    rf"(?:{_WHOLE} )?(?:(?:is|seems|appears)(?: to be)? )?(?:(?:not|isn't) (?:\w+ )?"
    r"(?:possible|feasible|solvable)|impossible|un-?solv(?:e?able|ed)|infeasible|unfeasible)"
)
# At the very beginning, but for words that only lead up to it.
_OPENS = re.compile(
    r"^(?:\W|answer\b|solution\b|justification\b|unfortunately\b|sadly\b|sorry\b|no\b)*"
    rf"(?:{_NONE}\b|(?:there (?:is|'s) )?no (?:feasible |possible |viable )?(?:solution|way)\b|"
    rf"(?:{_WHOLE} )?(?:cannot|can't|can not) be (?:done|solved)\b)"
)
_SAYS_NONE = re.compile(
    rf"\b{_WHOLE} (?:(?:is|seems) )?{_NONE}\b|"
    r"\bno (?:feasible |possible |viable |safe )*(?:solution|way)\b|"
    rf"\b{_WHOLE} (?:cannot|can't|can not) be (?:done|solved|achieved)\b|"
    r"\b(?:is|are) (?:not (?:\w+ )?possible|impossible)\b"
)
_SAYS_SOME = re.compile(
    r"^\W*(?:answer\W+)?(?:yes\b|(?:it|this|the (?:problem|task)) (?:is|'s) "
    r"(?:possible|feasible|solvable|doable)\b|solvable\b)"
)
_INSTEAD = re.compile(r"\b(?:instead|however|but|so),? (?:\w+ )?(?:use|can|could|would|try)\b")
_STEP = re.compile(r"(?:^|[.!?:]\s|\n)\W*step ?(?:\d+|one|a)\b|^\W*\d+(?:st|[.):-]| -) ?", re.M)
_ORDER = re.compile(
    r"^\W*(?:just |simply |first(?:ly)?,? |then |next,? |you (?:can|could|should) (?:just )?|"
    r"i(?: would|'d| can|'ll)(?: try to)? |by |start (?:by|with) )?(?:us(?:e|ed|ing)|tak(?:e|ing)|"
    r"plac(?:e|ing)|put(?:ting)?|t(?:ie|ying)|wrap|attach|cut|make|create|fill|fold|stack|secure|"
    r"hold|push|pull|slide|lay|open|wear|pour|roll|bend|break|insert|connect|set|find|gather|prepare|"
    r"build|fashion|mix|heat|spread|hang|cover|turn|move|stand|lean|fasten|remove|clean|apply|"
    r"position|scrape)\b"
)
_SENTENCE_END = re.compile(r"[.!?](?:\s|$)")


_MARKED = re.compile(r"^[\W_]*answer[\W_]*:[*_\s]*", re.I | re.M)


def final_answer(reply: str) -> str:
    """What of ``reply`` follows its last line that begins with "Answer:"; all of it without one.

    Its thoughts are left out.
    """
    spoken = strip_reasoning(reply)
    marks = list(_MARKED.finditer(spoken))
    return spoken[marks[-1].end() :].strip() if marks else spoken


def read_solvability(reply: str) -> bool | Problem:
    """True if a reply gives a solution, False if it says that there is none, else why unclear.

    A reply that gives steps and also says that it cannot be done is a contradiction, whatever it
    begins with.
    """
    text = visible_text(final_answer(reply))
    if not text:
        return Problem.CUT_OFF if ends_in_reasoning(reply) else Problem.EMPTY
    flat = one_line(text).replace("it's", "it is").replace("there's", "there is")
    if _STEP.search(text) or _SAYS_SOME.search(flat) or _ORDER.search(flat):
        denied = _OPENS.search(flat) or _SAYS_NONE.search(flat)
        return Problem.CONTRADICTION if denied else True
    first = _SENTENCE_END.split(flat, maxsplit=1)[0]
    if _OPENS.search(flat) or _SAYS_NONE.search(first):
        return Problem.CONTRADICTION if _INSTEAD.search(flat) else False
    return Problem.CONTRADICTION if _SAYS_NONE.search(flat) else no_answer(text)

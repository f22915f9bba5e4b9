"""Parse whether the answer to a problem gives a solution or denies that one exists."""

import re

from pactwin.solvers.replies.places import last_word, no_answer
from pactwin.solvers.replies.text import (
    Problem,
    json_objects,
    silence_of,
    strip_reasoning,
    visible_text,
)
from pactwin.suite import one_line

_WHOLE = r"(?:it|this|that|(?:the|this) (?:problem|task|goal|situation))"
_NONE = (
    r"(?:(?:not|isn't) (?:\w+ )?(?:possible|feasible|solvable)|impossible|"
    r"un-?solv(?:e?able|ed)|infeasible|unfeasible)"
)
_NO_WAY = r"no (?:feasible |possible |viable |safe )*(?:solution|way)\b"
_CANNOT = rf"{_WHOLE} (?:cannot|can't|can not) be (?:done|solved|achieved)\b"
# At the very beginning, but for words that only lead up to it.
_OPENS = re.compile(
    rf"^(?:\W|answer\b|solution\b|unfortunately\b|sadly\b|sorry\b|no\b)*(?:(?:{_WHOLE} )?(?:is )?"
    rf"{_NONE}\b|(?:there is )?{_NO_WAY}|{_CANNOT}|i (?:don't|do not) (?:think|believe) "
    rf"(?:that )?{_WHOLE} can be (?:done|solved)\b)|^no[.,:;]"
)
_SAYS_NONE = re.compile(
    rf"\b{_WHOLE} (?:is |seems )?{_NONE}\b|\b{_NO_WAY}|\b{_CANNOT}|"
    r"\b(?:is|are) (?:not (?:\w+ )?possible|impossible)\b"
)
_SAYS_SOME = re.compile(
    rf"^\W*(?:answer\W+)?(?:yes\b|(?:{_WHOLE} is )?(?:possible|feasible|solvable|doable)\b|"
    rf"{_WHOLE} is not (?:unsolvable|impossible)\b)"
)
# One way that is ruled out, not the problem: "not possible by hand"; beside another way, also "it
# cannot be done without a hook".
_HANDS = r"by hand|bare|with (?:your|one's|my) (?:\w+ )?(?:hands?|arms?|fingers?)"
_BY_HAND = re.compile(rf"\b(?:{_HANDS})\b")
_ONE_WAY = re.compile(rf"\b(?:{_HANDS}|alone|without|directly|by itself)\b")
_STEP = re.compile(r"(?:^|[.!?:]\s|\n)\W*step ?(?:\d+|one|a)\b|^\W*\d+(?:st|[.):-]| -) ?", re.M)
_ORDER = re.compile(
    r"^\W*(?:(?:just|simply|first|then|next|so|but|instead|you (?:can|could|should)|"
    r"i(?: would|'d| can|'ll)|by|start (?:by|with)),? )*(?:us(?:e|ed|ing)|tak(?:e|ing)|"
    r"plac(?:e|ing)|put(?:ting)?|t(?:ie|ying|ape)|wrap|attach|cut|make|create|fill|fold|stack|secure|"
    r"hold|push|pull|slide|lay|open|wear|pour|roll|bend|break|insert|connect|set|find|gather|prepare|"
    r"build|mix|heat|spread|hang|hook|cover|turn|move|stand|lean|fasten|remove|clean|apply)\b"
)
_INSTEAD = re.compile(r"\b(?:instead|however|but|so),? (?:\w+ )?(?:use|can|could|would|try)\b")
_CLAUSE_END = re.compile(r"[.!?:;](?:\s|$)|,\s(?=so\b|but\b|instead\b)")
_MARKED = re.compile(r"^[\W_]*answer[\W_]*:[*_\s]*", re.I | re.M)


def final_answer(reply: str) -> str:
    """The part of ``reply`` after its last "Answer:" line, or all of it.

    Reasoning is removed.
    """
    spoken = strip_reasoning(reply)
    marks = list(_MARKED.finditer(spoken))
    return spoken[marks[-1].end() :].strip() if marks else spoken


def read_solvability(reply: str) -> bool | Problem:
    """True if a reply gives a solution, False if it denies that one exists, else the problem.

    Ruling out one approach ("not possible by hand") does not make the problem unsolvable if a
    solution follows. A reply that gives steps and also says that the problem cannot be solved
    contradicts itself, whatever its beginning.
    """
    text = visible_text(final_answer(reply))
    if not text:
        return silence_of(reply)
    return _read(last_word(text, lambda rest: isinstance(_read(rest), bool)))


def _read(text: str) -> bool | Problem:
    for record, _ in json_objects(text):
        if isinstance(solvable := record.get("solvable"), bool):
            return solvable
        text = str(record.get("answer", text))
    flat = one_line(text).replace("it's", "it is").replace("there's", "there is")
    clauses = [clause for clause in _CLAUSE_END.split(flat) if clause.strip()]
    ordered = any(map(_ORDER.search, clauses))
    one_way = _ONE_WAY if _STEP.search(text) or ordered else _BY_HAND
    clauses = [clause for clause in clauses if not one_way.search(clause)]
    flat = ". ".join(clauses)
    opens = _OPENS.search(flat) or (clauses and _SAYS_NONE.search(clauses[0]))
    denied = opens or any(map(_SAYS_NONE.search, clauses))
    if _STEP.search(text) or ordered or _SAYS_SOME.search(flat):
        return Problem.CONTRADICTION if denied else True
    if opens and not _INSTEAD.search(flat):
        return False
    return Problem.CONTRADICTION if denied else no_answer(text)

"""Parse a probability and an answer that may be "unsure" from one reply.

The question asks for a number from 0 to 100 after the word "Probability". Anything that is not one
unambiguous number is no probability: a range, a bound, a word such as "certain", more than 100, or
1 without a percent sign (1 or 100 %?). A model's confidence in its answer is another quantity and
is not read.
"""

import re
from dataclasses import dataclass

from pactwin.solvers.replies.places import ANSWER_KEYS, MARK, OPENING, alternatives, fields_and_rest
from pactwin.solvers.replies.text import json_objects, visible_text
from pactwin.solvers.replies.vocabulary import NO_WORDS, YES_WORDS

_KEYS = frozenset(("probability", "p", "likelihood", "chance"))
_UNSURE = r"(?:unsure|uncertain|not (?:sure|certain)|undecided|can(?:no|')t tell|don't know)"
_WORD = rf"(?P<word>{_UNSURE}|{alternatives((*YES_WORDS, *NO_WORDS))})(?!\w)"
_ANNOUNCED = re.compile(rf"{MARK}{OPENING}{_WORD}")
_LEADS = re.compile(rf"{OPENING}(?:i am |i'm |i )?{_UNSURE}(?!\w)")
_NUMBER = (
    r"(?:about|around|approximately|approx\.?|roughly|~|≈)?\s*"
    r"(?P<value>\d*[.,]\d+|\d+)\s*"
    r"(?:(?P<percent>%|percent|per cent)|(?:/|out of)\s*(?P<scale>100?|1\.0)(?!\d))?"
)
# Neither another number nor what makes a range or a bound of it may follow.
_END = (
    r"(?![\d.,]*\d|\s*(?:%\s*)?(?:-|–|—|to|±|\+|/|or|in)\s*[\d+-])"
    r"(?!\s*(?:or|and) (?:more|less|below|above))"
)
_OF_FAILURE = re.compile(r"\b(?:not|cannot|can't|fail\w*|infeasib\w*|impossib\w*)\b")
_LABEL = re.compile(r"\b(?:probability|likelihood|chances?)\b")
_LABELLED = re.compile(
    r"\b(?:probability|likelihood|chances?)\b(?P<of>[^:=\n\d]{0,80}?)(?::|=|\bis\b|\bof\b)\s*"
    rf"{_NUMBER}{_END}"
)
_SHORT = re.compile(rf"\W*(?:answer\s*[:=]?\s*)?(?:{_WORD}[\s.,;:()–—-]+)?{_NUMBER}{_END}[\s.)]*")
_LINE = re.compile(r"^\W*(?:\w+\s+){0,2}(?:probability|likelihood|chances?)\b.*$", re.I | re.M)


@dataclass(frozen=True)
class ConfidentReply:
    """Parsed reply: a probability that the action is feasible, None if none can be read.

    ``rest`` is the reply without the lines of the probability.
    """

    probability: float | None
    unsure: bool
    rest: str


def read_confident(reply: str) -> ConfidentReply:
    """Parse a reply with yes, no or unsure, and a probability."""
    text = visible_text(reply)
    rest = _LINE.sub("", reply).strip() or reply
    return ConfidentReply(_probability(text), _is_unsure(text), rest)


def _is_unsure(text: str) -> bool:
    fields, rest = fields_and_rest(text, ANSWER_KEYS)
    said = [str(field) for field in fields]
    said += [match["word"] for match in _ANNOUNCED.finditer(rest)]
    if said:
        return re.fullmatch(rf"\W*{_UNSURE}\W*", said[-1]) is not None
    return _LEADS.match(rest) is not None


def _probability(text: str) -> float | None:
    """The last one that is said under its name; else a number that stands alone, or by a word."""
    fields = [
        value for record, _ in json_objects(text) for key, value in record.items() if key in _KEYS
    ]
    if fields:
        found = re.fullmatch(rf"\s*{_NUMBER}\s*", str(fields[-1]))
        return None if found is None else _share(found)
    labels = list(_LABEL.finditer(text))
    if labels:
        last = _LABELLED.match(text, labels[-1].start())
        return None if last is None or _OF_FAILURE.search(last["of"]) else _share(last)
    short = _SHORT.fullmatch(text)
    if short is None or not (short["percent"] or short["scale"] or short["word"]):
        return None
    share = _share(short)
    # "No, 80 %" may mean 80 % sure of no.
    says = {True: short["word"] in YES_WORDS, False: short["word"] in NO_WORDS}
    return None if share is None or (share != 0.5 and says[share < 0.5]) else share


def _share(found: re.Match[str]) -> float | None:
    """The number as a share; None where it is out of range, or may be one of two."""
    digits = found["value"].replace(",", ".")
    value = float(digits)
    if found["percent"]:
        share = value / 100
    elif found["scale"]:
        share = value / float(found["scale"])
    elif value == 1:
        return None
    else:
        share = value if "." in digits and value < 1 else value / 100
    return round(share, 6) if share <= 1 else None

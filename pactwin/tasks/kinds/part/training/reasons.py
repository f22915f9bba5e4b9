"""Sentences about needs and parts, without numbers that the conversation has not given.

Numbers of the situation are in the question; numbers of a part are stated beside its picture if no
picture shows them. For all others the text only says whether they suffice.
"""

import re
from collections.abc import Sequence
from string import Template

from pactwin.catalogue import load_uses
from pactwin.suite import Question

_SIDE = re.compile(r"(at least|at most) (.+?)(?= and at (?:least|most) |$)")
_NEED = re.compile(r"(.+?) ((?:at least|at most) .+)")
_HAD = re.compile(r"(.+?) (none|(?:less than )?[\d.,]+(?: \w+)?) \((.+)\)")
_UNITS = "mm|m|g|kg|ml|l|N|kN"
_SMALLER = {"m": "mm", "kg": "g", "l": "ml", "kN": "N"}
_OPPOSITE = {
    "large enough": "too small",
    "small enough": "too large",
    "too small": "large enough",
    "too large": "small enough",
}
_WITHIN = "within bounds"
_UNKNOWN = "I take the $thing in the hand and bring its $part to where the work has to be done."


def needs_in_words(question: Question) -> str:
    """The needs of a part, in words."""
    needs: dict[str, list[str]] = {}
    for item in filter(None, question.conditions.get("use", "").split("; ")):
        found = _NEED.fullmatch(item)
        called, limits = found.groups() if found else (item, "")
        needs.setdefault(called, []).append(limits)
    told = [
        _need(f"{called} {' and '.join(limits)}".strip(), question.text)
        for called, limits in needs.items()
    ]
    return f"For this the part that does the work needs {', '.join(told) or 'to be fit for it'}."


def finding_in_words(
    question: Question, name: str, part: str, *, misread: bool = False, seen: bool = True
) -> str:
    """The finding about an inspected part, and whether the part suffices.

    With ``misread`` the finding is wrong: it overlooks a fault, or invents one. Of a part that was
    not ``seen`` the description is not known.
    """
    thing = next(thing for thing in question.candidates if thing.name == name)
    known = question.text
    if seen:
        known += f"\n{thing.unseen.get(part, thing.parts[part])}"
    items = [item for item in thing.evidence.get(part, "").split("; ") if item]
    needs = question.conditions.get("use", "").split("; ")
    serves = ((name, part) == question.accepted) != misread
    told = [_had(item, known) for item in items]
    if misread and serves:
        told = [_met(need, item, known) for need, item in zip(needs, items, strict=False)]
    elif misread:
        fine = [k for k, one in enumerate(told) if one.endswith("enough")]
        # Of a number that was told, anybody sees whether it is enough, and more so beside its like.
        like = [sum(one.split()[:2] == other.split()[:2] for other in told) for one in told]
        fine.sort(key=lambda k: (any(map(str.isdigit, told[k])), like[k]))
        k = next(iter(fine), len(told))
        told[k : k + 1] = [_swapped(one) for one in told[k : k + 1]]
    verdict = "it meets every need" if serves else "that does not do"
    looks = ", ".join(_once(told)) or (
        "it has all that it takes" if serves else "it has not what it takes"
    )
    return f"I have now seen the {part} of the {name} from near by: {looks}; {verdict}."


def _once(told: Sequence[str]) -> list[str]:
    """The findings, one for each quantity: "too large" or "too small" goes before "enough"."""
    found: dict[str, str] = {}
    for one in told:
        name, _, verdict = one.rpartition(" is ")
        if verdict not in (*_OPPOSITE, _WITHIN):
            name, verdict = one, ""
        before = found.setdefault(name, verdict)
        if before != verdict and not before.startswith("too"):
            found[name] = verdict if verdict.startswith("too") else _WITHIN
    return [f"{name} is {verdict}" if verdict else name for name, verdict in found.items()]


def use_in_words(question: Question, name: str, part: str) -> str:
    """The use of a part in words."""
    use = load_uses().uses.get(question.topic)
    return Template(use.done if use else _UNKNOWN).substitute(thing=name, part=part)


def _need(item: str, text: str) -> str:
    found = _NEED.fullmatch(item)
    if found is None:
        if item[:4] == "not ":
            return f"not to be {item[4:]}" if item[-1] != "s" else f"not to {item[4:-1]}"
        return f"to {item[:-1]}" if item.endswith("s") else f"to be {item}"  # it conducts
    called, limits = found.groups()
    sizes = {"at least": "large enough", "at most": "small enough"}
    sides = [(side, _asked(limit, text)) for side, limit in _SIDE.findall(limits)]
    if all(limit for _, limit in sides):
        return f"{_a(called)} of " + " and ".join(f"{side} {limit}" for side, limit in sides)
    if len(sides) == 2:
        return f"{_a(called)} {_WITHIN}"
    return _a(f"{sizes[sides[0][0]]} {called}")


def _a(words: str) -> str:
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def _had(item: str, known: str) -> str:
    found = _HAD.fullmatch(item)
    if found is None:
        verb = item.removeprefix("not ")  # it conducts, or is hard
        if not verb.endswith("s"):
            return f"it is {item}"
        return f"it {item}" if verb == item else f"it does not {verb[:-1]}"
    called, value, limits = found.groups()
    if value == "none":
        return f"there is no {called}"
    verdicts = [_verdict(value, side, limit) for side, limit in _SIDE.findall(limits)]
    within = verdicts[0] if len(verdicts) == 1 else _WITHIN
    verdict = next((v for v in verdicts if v.startswith("too")), within)
    told = f" {value}" if _stands(value, known) else ""
    return f"the {called}{told} is {verdict}"


def _met(need: str, item: str, known: str) -> str:
    """The finding on a need, worded as if the need were met."""
    found = _HAD.fullmatch(item)
    if found is None:
        return _had(need, known)
    told = _had(item, known)
    if found[2] == "none":
        return f"the {found[1]} is {'large' if 'at least' in need else 'small'} enough"
    return told if told.endswith(("enough", _WITHIN)) else _swapped(told)


def _swapped(told: str) -> str:
    """A finding with the opposite verdict."""
    words, _, verdict = told.rpartition(" ")
    head, _, sized = words.rpartition(" ")
    return f"{head} {_OPPOSITE[f'{sized} {verdict}']}"


def _verdict(value: str, side: str, limit: str) -> str:
    has, wanted = _number(value), _number(limit)
    if side == "at least":
        return "large enough" if has >= wanted else "too small"
    return "small enough" if has <= wanted else "too large"


def _asked(limit: str, text: str) -> str:
    """A limit in its smaller unit, if the situation's ``text`` states it; else empty."""
    unit = limit.rpartition(" ")[2] if " " in limit else ""
    told = f"{_number(limit):g} {_SMALLER.get(unit, unit)}".strip()
    return told if _stands(told, text) else ""


def _number(words: str) -> float:
    """A quantity in its smaller unit."""
    number, _, unit = words.removeprefix("less than ").partition(" ")
    return float(number.replace(",", "")) * (1000.0 if unit in _SMALLER else 1.0)


def _stands(words: str, text: str) -> bool:
    """Whether a number with its unit, or without one, stands in a text, and not within another."""
    whole, unit = ("", "") if " " in words else ("(?<!of )", rf"| (?:{_UNITS})\b")
    return re.search(rf"{whole}(?<![\d.,]){re.escape(words)}(?!\w|[.,]\d{unit})", text) is not None

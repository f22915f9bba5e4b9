"""What may be said of needs and parts, in sentences: no number that was neither asked nor told.

Numbers of the situation are in the question; of a part, those are told beside its picture that no
picture shows. Of all else it is said whether it is enough.
"""

import re
from string import Template

from pactwin.catalogue import load_uses
from pactwin.suite import Question

_SIDE = re.compile(r"(at least|at most) (.+?)(?= and at (?:least|most) |$)")
_NEED = re.compile(r"(.+?) ((?:at least|at most) .+)")
_HAD = re.compile(r"(.+?) (none|(?:less than )?[\d.,]+(?: \w+)?) \((.+)\)")
_SMALLER = {"m": "mm", "kg": "g", "l": "ml", "kN": "N"}
_UNKNOWN = "I take the $thing in the hand and bring its $part to where the work has to be done."


def needs_in_words(question: Question) -> str:
    """What the part has to be like that does the work."""
    needs = question.conditions.get("use", "")
    told = [_need(item, question.text) for item in needs.split("; ") if item]
    return f"For this the part that does the work needs {', '.join(told) or 'to be fit for it'}."


def finding_in_words(question: Question, name: str, part: str) -> str:
    """What was found of a part when it was looked at, and whether it does."""
    thing = next(thing for thing in question.candidates if thing.name == name)
    known = f"{question.text}\n{thing.unseen.get(part, thing.parts[part])}"
    items = [item for item in thing.evidence.get(part, "").split("; ") if item]
    told = [_had(item, question.text, known) for item in items]
    serves = (name, part) == question.accepted
    verdict = "it meets every need" if serves else "that does not do"
    looks = ", ".join(dict.fromkeys(told)) or (
        "all that it takes" if serves else "not what it takes"
    )
    return f"The {part} of the {name}, now that I have seen it, has this: {looks}; {verdict}."


def use_in_words(question: Question, name: str, part: str) -> str:
    """What is done with which part."""
    use = load_uses().uses.get(question.topic)
    return Template(use.done if use else _UNKNOWN).substitute(thing=name, part=part)


def _need(item: str, text: str) -> str:
    found = _NEED.fullmatch(item)
    if found is None:
        if item[:4] == "not ":
            return f"nothing {'that ' * item.endswith('s')}{item[4:]}"
        return f"to {item[:-1]}" if item.endswith("s") else f"to be {item}"  # it conducts
    called, limits = found.groups()
    sizes = {"at least": "large enough", "at most": "small enough"}
    sides = [(side, _asked(limit, text)) for side, limit in _SIDE.findall(limits)]
    if all(limit for _, limit in sides):
        return f"{_a(called)} of " + " and ".join(f"{side} {limit}" for side, limit in sides)
    if len(sides) == 2:
        return f"{_a(called)} within bounds"
    return _a(f"{sizes[sides[0][0]]} {called}")


def _a(words: str) -> str:
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"


def _had(item: str, text: str, known: str) -> str:
    found = _HAD.fullmatch(item)
    if found is None:
        verb = item.removeprefix("not ")  # it conducts, or is hard
        return item if verb == item or not verb.endswith("s") else f"does not {verb[:-1]}"
    called, value, limits = found.groups()
    if value == "none":
        return f"no {called}"
    verdicts = [_verdict(value, side, limit) for side, limit in _SIDE.findall(limits)]
    verdict = next((v for v in verdicts if v.startswith("too")), verdicts[0])
    told = f" {value}" if _stands(value, known) else ""
    return f"{called}{told} {verdict}"


def _verdict(value: str, side: str, limit: str) -> str:
    has, wanted = _number(value), _number(limit)
    if side == "at least":
        return "large enough" if has >= wanted else "too small"
    return "small enough" if has <= wanted else "too large"


def _asked(limit: str, text: str) -> str:
    """A limit as the situation has it, in its smaller unit; empty if it does not."""
    unit = limit.rpartition(" ")[2] if " " in limit else ""
    told = f"{_number(limit):g} {_SMALLER.get(unit, unit)}".strip()
    return told if _stands(f"{_number(limit):g}", text) else ""


def _number(words: str) -> float:
    """A quantity in its smaller unit."""
    number, _, unit = words.removeprefix("less than ").partition(" ")
    return float(number.replace(",", "")) * (1000.0 if unit in _SMALLER else 1.0)


def _stands(words: str, text: str) -> bool:
    """Whether a number with its unit stands in a text, and not as part of another."""
    return re.search(rf"(?<![\d.,]){re.escape(words)}(?!\w|[.,]\d)", text) is not None

"""Parse the items of a free list: JSON, bullets, numbers, commas, or lines."""

import json
import re
import unicodedata
from contextlib import suppress

from pactwin.solvers.replies.places import no_answer
from pactwin.solvers.replies.solvability import final_answer
from pactwin.solvers.replies.text import Problem, json_objects, silence_of, strip_reasoning
from pactwin.suite import Record

LONGEST_WORDS = 10
"""Maximum number of words of an item; longer text is a sentence about an object."""

_MARKUP = re.compile(r"```\w*|</?[a-z_]{1,20}>|\*\*|`", re.I)
_BULLET = re.compile(r"^\s*(?:[-*+•–—▪◦·]|\(?\d{1,2}[.):]|\(?[a-z][.)])\s+", re.I)
_TABLE_HEAD = re.compile(r"^\s*\|[^\n]*\n\s*\|[\s|:-]+\|?[^\S\n]*$", re.M)
_TABLE_ROW = re.compile(r"^\s*\|\s*(?:(?:step\s*)?\d+\s*\|\s*)?([^|\n]*?)\s*\|.*", re.I | re.M)
# What follows a short item and explains it: "pour: the lip guides", "pour (with the lip)".
_EXPLANATION = re.compile(r"\s*(?::\s|\s[-–—]\s|\(|\bbecause\b).*", re.S)
_HEADING = re.compile(r"^[^:\n]{0,80}:\s*")
_SEPARATORS = re.compile(r"\s*[,;|•]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_USES = re.compile(
    r"\b(?:can|could|may) (?:also )?(?:be used (?:to|for|as)\s+)?(?P<uses>[^.;!?\n]+)", re.I
)
_SPEECH = re.compile(r"^(?:sorry|i|it|this|that|these|there|here|you|we|the .* is)\b", re.I)
# How the members of a sequence begin, beside bullets and numbers.
_LEADING = re.compile(
    r"^\s*(?:[^:\n]{0,60}\b(?:tools?|things?|objects?|items?|order|sequence|shows)\b[^:\n]{0,40}:"
    r"(?=.*\w)|(?:the )?(?:order|sequence) is\s|"
    r"(?:only|first|second|third|then|next|finally|lastly),?\s+(?:use\s+)?|use\s|)\s*"
    r"(?:(?:an?|the)\s+)?",
    re.I,
)
# What is not there: "missing: hammer", "hammer (missing)".
_LACKING = re.compile(r"\bmissing\s*(?::|[-–—]\s)\s*", re.I)
_LACKED = re.compile(r"^(\W*(?:\d{1,2}\W+)?)([\w '/-]{2,60}?)\s*\(\s*missing\s*\)", re.I | re.M)
_STEP = re.compile(r"^\s*(?:step|tool)\s*\d{1,2}\s*[.):-]", re.I | re.M)
_TRAILING = re.compile(r"\s+(?:first|next|last|afterwards)$", re.I)
_NEXT_ITEM = re.compile(
    r"(?<=\S)[,;]?[^\S\n]+(?=\(?\d{1,2}[.)]\s|step\s*\d+\s*[.):-])|"
    r"[^\S\n]*(?:→|➔|⇒|->|=>|(?<=\w) > (?=\w)|[\u2460-\u2473])\s*",
    re.I,
)
_NONE = re.compile(r"^(?:none|nothing|n/?a|no (?:uses?|affordances?))\.?$", re.I)


class ListAnswer(Record):
    """The items that a reply lists, in order; or the problem why there are none."""

    items: tuple[str, ...] = ()
    problem: Problem | None = None


def parse_list(reply: str) -> ListAnswer:
    """Read a list from a reply, each item once; the clearest list wins."""
    answer = _parse(reply, reply)
    return ListAnswer(items=tuple(dict.fromkeys(answer.items)), problem=answer.problem)


def parse_names(reply: str) -> ListAnswer:
    """Read names of objects from a reply, in order and with repetitions."""
    text = _NEXT_ITEM.sub("\n", final_answer(reply))
    text = _LACKED.sub(r"\1missing \2", _LACKING.sub("missing ", _STEP.sub("- ", text)))
    answer = _parse(reply, "\n".join(_LEADING.sub("", line) for line in text.splitlines()))
    return ListAnswer(
        items=tuple(_TRAILING.sub("", _LEADING.sub("", item)) for item in answer.items),
        problem=answer.problem,
    )


def _parse(reply: str, text: str) -> ListAnswer:
    """Read the list in ``text``, the part of ``reply`` that counts."""
    text = _TABLE_ROW.sub(r"\1", _TABLE_HEAD.sub("", text))
    text = unicodedata.normalize("NFKC", _MARKUP.sub("", strip_reasoning(text))).strip()
    if not text:
        return ListAnswer(problem=silence_of(reply))
    for read in (_in_json, _in_bullets, _in_lines, _in_sentences):
        items = tuple(item for raw in read(text) if (item := _clean(raw)))
        if items:
            return ListAnswer(items=items)
    return ListAnswer(problem=no_answer(text.casefold().replace("’", "'")))


def _in_json(text: str) -> list[str]:
    """The strings of a JSON array: alone, or the first array in an object."""
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end and "{" not in text[:start]:
        with suppress(ValueError, RecursionError):  # brackets in a sentence
            return _strings(json.loads(text[start : end + 1]))
    lists = (value for record, _ in json_objects(text) for value in record.values())
    return next(filter(None, map(_strings, lists)), [])


def _strings(values: object) -> list[str]:
    """Strings of a list whose members are strings, or objects whose first string is a name."""
    if not isinstance(values, list):
        return []
    rows = [list(value.values()) if isinstance(value, dict) else [value] for value in values]
    return [next((v for v in row if isinstance(v, str)), "") for row in rows]


def _in_bullets(text: str) -> list[str]:
    """Lines that begin with a bullet or a number, if there are any."""
    return [_BULLET.sub("", line) for line in text.splitlines() if _BULLET.match(line)]


def _in_lines(text: str) -> list[str]:
    """Short lines, or members of an enumeration; a heading before them is left out."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].endswith(":"):
        lines = lines[1:]
    if any(re.search(r"[.!?]\s+\S", line) or _SPEECH.match(line) for line in lines):
        return []
    if len(lines) == 1:
        lines = _SEPARATORS.split(_HEADING.sub("", lines[0]))
    split = (_SEPARATORS.split(line) if "," in line else [line] for line in lines)
    pieces = [piece for parts in split for piece in parts]
    return pieces if all(len(piece.split()) <= LONGEST_WORDS for piece in pieces) else []


def _in_sentences(text: str) -> list[str]:
    """Uses named in plain sentences."""
    return [piece for match in _USES.finditer(text) for piece in _SEPARATORS.split(match["uses"])]


def _clean(raw: str) -> str:
    """An item in lower case without punctuation and explanation; empty if nothing remains."""
    text = _EXPLANATION.sub("", raw.strip()).strip(" .,;:!#*\"'“”‘’()[]").casefold()
    words = text.split()
    return "" if not words or len(words) > LONGEST_WORDS or _NONE.match(text) else " ".join(words)

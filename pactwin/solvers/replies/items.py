"""The items of a free list: JSON, bullets, numbers, commas, or plain sentences."""

import json
import re
import unicodedata

from pactwin.solvers.replies.places import no_answer
from pactwin.solvers.replies.solvability import final_answer
from pactwin.solvers.replies.text import Problem, ends_in_reasoning, json_objects, strip_reasoning
from pactwin.suite import Record

LONGEST_WORDS = 10
"""What is longer is a sentence about an object, not an item."""

_FENCES = re.compile(r"```\w*")
_TAGS = re.compile(r"</?[a-z_]{1,20}>|<\|[\w ]{1,30}\|>", re.I)
_BULLET = re.compile(r"^\s*(?:[-*+•–—▪◦·]|\(?\d{1,2}[.):]|\(?[a-z][.)])\s+", re.I)
_TABLE_RULE = re.compile(r"^\s*\|[^\n]*\n\s*\|[\s|:-]+\|?[^\S\n]*$", re.M)
"""The head of a table and the line under it."""
_EMPHASIS = re.compile(r"\*\*|__|`")
# What follows a short item and explains it: "pour: the lip guides", "pour (with the lip)".
_EXPLANATION = re.compile(
    r"\s*(?::\s|\s[-–—]\s|\(|\bbecause\b|\bsince\b|\bdue to\b|\bas it\b).*", re.S
)
_HEADING = re.compile(r"^[^:\n]{0,80}:\s*")
_SEPARATORS = re.compile(r"\s*[,;|•]\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+|\n")
_USES = re.compile(
    r"\b(?:can|could|may|might|is|are) (?:also |often |typically |usually )?(?:be )?"
    r"(?:used|useful|suitable|good|meant|made|designed|intended|handy) (?:to|for|as)\s+"
    r"([^.;!?\n]+)|"
    r"\b(?:allows?|lets?|enables?) (?:you|one|people|someone)?\s*(?:to\s+)?([^.;!?\n]+)|"
    r"\b(?:you|one|people|it|someone) (?:can|could|may) (?!(?:\w+ )?be used)(?:also )?"
    r"(?:use (?:it|this) (?:to|for)\s+)?([^.;!?\n]+)|"
    r"\bused (?:to|for|as)\s+([^.;!?\n]+)",
    re.I,
)
_SPEECH = re.compile(
    r"^(?:sorry|i|it|this|that|these|there|here|you|we)\b|^(?:the|an?)\b.*\b(?:is|are|has|have|was)\b",
    re.I,
)
# How the members of a sequence begin, beside bullets and numbers.
_LEADING = re.compile(
    r"^\s*(?:[^:\n]{0,60}\b(?:tools?|things?|objects?|items?|order|sequence|shows)\b[^:\n]{0,40}:"
    r"(?=.*\w)|"
    r"(?:the )?(?:order|sequence) is\s|"
    r"(?:only|first|second|third|then|next|finally|lastly|after that),?\s+(?:use\s+)?|use\s|)\s*"
    r"(?:(?:an?|the)\s+)?",
    re.I,
)
# What is not there: "missing: hammer", "hammer (missing)", "hammer - missing".
_LACKING = re.compile(r"\bmissing\s*(?::|[-–—]\s)\s*(?=\w)", re.I)
_LACKED = re.compile(
    r"^(\W*(?:\d{1,2}\W+)?)([\w '/-]{2,60}?)\s*(?:\(\s*(?:is )?missing\s*\)|\s[-–—]\s*missing\b)",
    re.I,
)
_STEP = re.compile(r"^\s*(?:step|tool)\s*\d{1,2}\s*[.):-]", re.I | re.M)
_TRAILING = re.compile(r"\s+(?:first|next|last|afterwards)$", re.I)
_INLINE_NUMBER = re.compile(r"(?<=\S)[,;]?[^\S\n]+(?=\(?\d{1,2}[.)]\s)")
_ARROWS = re.compile(
    r"[^\S\n]*(?:→|➔|⇒|->|=>|(?<=\w) > (?=\w)|[;,]?\s+(?=step\s*\d+\s*[.):-]))\s*", re.I
)
_CIRCLED = re.compile(r"\s*[\u2460-\u2473]\s*")
_NONE = re.compile(r"^(?:none|nothing|n/?a|no (?:uses?|affordances?))\.?$", re.I)


class ListAnswer(Record):
    """The items a reply lists, in order; or the problem why there are none."""

    items: tuple[str, ...] = ()
    problem: Problem | None = None


def parse_list(reply: str) -> ListAnswer:
    """Read a list out of a reply, each item once: what is most clearly a list goes first."""
    answer = _parse(reply, reply)
    return ListAnswer(items=tuple(dict.fromkeys(answer.items)), problem=answer.problem)


def parse_names(reply: str) -> ListAnswer:
    """Read names of things out of a reply, in their order; one that stands there twice stays so."""
    text = _CIRCLED.sub("\n1. ", final_answer(reply))
    text = _ARROWS.sub("\n", _INLINE_NUMBER.sub("\n", text))
    text = _LACKING.sub("missing ", _STEP.sub("- ", text))
    text = "\n".join(_LACKED.sub(r"\1missing \2", line) for line in text.splitlines())
    answer = _parse(reply, "\n".join(_LEADING.sub("", line) for line in text.splitlines()))
    return ListAnswer(
        items=tuple(_TRAILING.sub("", _LEADING.sub("", item)) for item in answer.items),
        problem=answer.problem,
    )


def _parse(reply: str, text: str) -> ListAnswer:
    """The list in ``text``, which is what counts of ``reply``."""
    is_table = _TABLE_RULE.search(text)
    text = _TABLE_RULE.sub("", text)
    text = re.sub(
        r"^\s*\|\s*(?:(?:step\s*)?\d+\s*\|\s*)?|\s*\|[^\S\n]*$", "", text, flags=re.M | re.I
    )
    if is_table:  # what follows a name explains it
        text = re.sub(r"\s*\|.*", "", text)
    text = _TAGS.sub(" ", _FENCES.sub("", strip_reasoning(text)))
    text = _EMPHASIS.sub("", unicodedata.normalize("NFKC", text)).strip()
    if not text:
        problem = Problem.CUT_OFF if ends_in_reasoning(reply) else Problem.EMPTY
        return ListAnswer(problem=problem)
    for read in (_in_json, _in_bullets, _in_lines, _in_sentences):
        items = tuple(item for raw in read(text) if (item := _clean(raw)))
        if items:
            return ListAnswer(items=items)
    return ListAnswer(problem=no_answer(text.casefold().replace("’", "'")))


def _in_json(text: str) -> list[str]:
    """The strings of a JSON array: alone, or the first array in an object."""
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end and "{" not in text[:start]:
        try:
            return _strings(json.loads(text[start : end + 1]))
        except (ValueError, RecursionError):
            pass  # brackets in a sentence
    for record, _ in json_objects(text):
        for value in record.values():
            if isinstance(value, list) and (found := _strings(value)):
                return found
    return []


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
    pieces: list[str] = []
    for line in lines:
        if re.search(r"[.!?]\s+\S", line) or _SPEECH.match(line) or _USES.search(line):
            return []
        heading = _HEADING.match(line)
        body = line[heading.end() :] if heading and len(lines) == 1 else line
        pieces += [body] if len(lines) > 1 and "," not in body else _SEPARATORS.split(body)
    short = [piece for piece in pieces if len(piece.split()) <= LONGEST_WORDS]
    return short if len(short) == len(pieces) else []


def _in_sentences(text: str) -> list[str]:
    """What plain sentences say that the object can be used for."""
    return [
        piece
        for match in _USES.finditer(text)
        for piece in _SEPARATORS.split(next(group for group in match.groups() if group))
    ]


def _clean(raw: str) -> str:
    """An item in lower case without marks and explanation; empty if it is none."""
    text = _EXPLANATION.sub("", raw.strip()).strip(" .,;:!#*\"'“”‘’()[]").casefold()
    text = " ".join(text.split())
    words = text.split()
    return "" if not words or len(words) > LONGEST_WORDS or _NONE.match(text) else text

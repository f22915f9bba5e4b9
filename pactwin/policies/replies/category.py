"""Which category of a property a reply picks, by its letter or its name.

Categories are everyday words, so each is matched as a whole word, and most in plain speech only
where nothing more explicit is said. What follows a category ("Light: Featherweight") is not read:
the published descriptors repeat across categories.
"""

import re
from collections.abc import Sequence

from pactwin.policies.replies.choice import (
    by_letter,
    is_option,
    leading_letter,
    marked_letters,
    mentioned_letters,
)
from pactwin.policies.replies.extraction import (
    BOXED,
    MARK,
    OPENING,
    consensus,
    final_matches,
    no_answer,
)
from pactwin.policies.replies.revision import last_word
from pactwin.policies.replies.text import Problem, ends_in_reasoning, json_objects, visible_text
from pactwin.policies.replies.vocabulary import DENIALS
from pactwin.suite import Record

_ENDS = r"""(?=\s*(?:$|[\n.,;:!(){}\[\]"'/\\|–—]|-\s|(?:because|since|as)\b))"""
_GAP = r"[-\s]?"
_LABEL = r"(?:[\w' -]{1,25}[:=])"
"""What may stand before an answer: "weight: light"."""
_MORE = r"\s*(?:[,/;|]|or\b|and\b)[\s,/;|]*(?:or\s+|and\s+)?"
"""What joins the members of a list of categories, which is no answer."""
_DENIED = re.compile(rf"{DENIALS}[^.,;\n]{{0,20}}$")
_NOTHING = re.compile(r"\s*(?:nothing|no\b|neither\b)")
_NOT_TOLD = re.compile(
    r"\bnot applicable\b|\bdon't know\b|\b(?:cannot|can't|can not|impossible to) (?:be )?(?:\w+ )?"
    r"(?:determined?|told|tell|seen|judged?|inferred|known?)\b"
)


class CategoryAnswer(Record):
    """The category a reply picks, word for word as asked; or the problem why there is none."""

    category: str | None = None
    problem: Problem | None = None


def parse_category(reply: str, options: Sequence[str]) -> CategoryAnswer:
    """Read the reply to the question which of ``options``, in the order asked, is true.

    A published label ("Light: Featherweight, Lightweight"), as option or in the reply, stands for
    its category.
    """
    text = visible_text(reply)
    if not text:
        problem = Problem.CUT_OFF if ends_in_reasoning(reply) else Problem.EMPTY
        return CategoryAnswer(problem=problem)
    text = last_word(
        text,
        lambda rest: not isinstance(_read(rest, options), Problem),
        lambda rest: is_option(rest, [option.partition(":")[0] for option in options]),
    )
    found = _read(text, options)
    if isinstance(found, Problem):
        return CategoryAnswer(problem=found)
    return CategoryAnswer(category=found)


def _read(text: str, options: Sequence[str]) -> str | Problem:
    """The option picked: places are read from the most to the least explicit."""
    words = {option: _pattern(option, options) for option in options}
    fields = [str(v) for record, _ in json_objects(text) for v in record.values()]
    fields += BOXED.findall(text)
    lines = [line for line in text.splitlines() if line.strip()]
    explicit = [option for field in fields for option in _leading(field, words)]
    explicit += [o for letter in marked_letters(text) for o in by_letter(letter, options)]
    marked = rf"(?:{MARK}|\bcategory(?:\s+is)?\s*[:=]?){OPENING}"
    explicit += [
        option
        for option, word in words.items()
        for _ in final_matches(re.finditer(_marking(marked, word), text))
    ]
    leading = [option for line in lines for option in _leading(line, words)]
    mentioned = [o for letter in mentioned_letters(text) for o in by_letter(letter, options)]
    for readings in (explicit, leading, mentioned, _mentioned(text, words)):
        reading = consensus(readings)
        if reading is not None:
            return reading if isinstance(reading, Problem) else str(reading)
    return Problem.DECLINED if _NOT_TOLD.search(text) else no_answer(text)


def _marking(mark: str, word: str) -> str:
    """An announced answer; ``MARK`` has the group ``final`` of :func:`final_matches`."""
    return rf"{mark}(?:[(\[]?[a-z][).:\]]\s*)?(?:the\s+)?{word}{_ENDS}"


def _pattern(option: str, options: Sequence[str]) -> str:
    """An expression for a category as one writes it, with a hyphen, a space or nothing inside.

    "Not sticky" is another way to say "Non-sticky", where that is a category.
    """
    name = option.partition(":")[0].strip().casefold()
    others = {other.partition(":")[0].strip().casefold() for other in options}
    parts = [re.escape(part) for part in re.split(r"[-\s]+", name)]
    if parts[0] == "non" and len(parts) > 1:
        return rf"\b(?:non[-\s]?|not (?:\w+ )?){_GAP.join(parts[1:])}\b"
    # "Containable" is not in "non-containable", which has its own expression.
    negated = r"(?<!non-)(?<!non )(?<!not )" if f"non-{name}" in others else r"(?<!non-)"
    return rf"{negated}\b{_GAP.join(parts)}\b"


def _leading(line: str, words: dict[str, str]) -> list[str]:
    """The categories a line opens with, by letter, by name, or by name after a label."""
    match = leading_letter(line)
    if match is not None:
        letter, rest = match
        return by_letter(letter, words) + _opening(rest, words)
    return _opening(line, words)


def _opening(line: str, words: dict[str, str]) -> list[str]:
    """The category that a line opens with, unless it goes on to name another one."""
    any_of_them = "|".join(words.values())
    return [
        option
        for option, word in words.items()
        if re.match(rf"{_LABEL}?{OPENING}{word}{_ENDS}(?!{_MORE}(?:{any_of_them}))", line)
    ]


def _mentioned(text: str, words: dict[str, str]) -> list[str]:
    """The categories that occur in plain speech and are not denied."""
    found = []
    for option, word in words.items():
        for match in re.finditer(word, text):
            said = word.startswith(r"\b(?:non") or not _DENIED.search(text[: match.start()])
            if said and not _NOTHING.match(text[match.end() :]):
                found.append(option)
    return found

"""Parse the option that a reply picks: a statement, or the category of a property.

Categories are everyday words. So each is matched as a whole word, and most categories count in
plain speech only if there is nothing more explicit. Descriptors after a category ("Light:
Featherweight") are ignored, because the published descriptors repeat across categories.
"""

import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pactwin.solvers.replies.places import (
    MARK,
    OPENING,
    consensus,
    fields_and_rest,
    final_matches,
    last_word,
    no_answer,
)
from pactwin.solvers.replies.text import Problem, silence_of, visible_text
from pactwin.solvers.replies.vocabulary import DENIALS

OPTION_LETTERS = string.ascii_uppercase

_LETTER = r"(?P<letter>[a-z])"
_NAMED = (
    rf"{OPENING}(?:(?:option|statement|choice)\s+)?[(\[]?{_LETTER}"
    r"""(?=\s*(?:$|[\n.,;:。)\]"'}])|\s+(?:because|since|is (?:true|correct|right))\b)"""
)
_MARKED_LETTER = re.compile(MARK + _NAMED)
_MARK = rf"{MARK}{OPENING}(?:[(\[]?[a-z][).:\]]\s*)?"
# Weaker, for whoever thinks aloud goes through "option A" and "statement B" one by one.
_MENTIONED_LETTER = re.compile(
    rf"\b(?:option|choice|statement|choose|select|pick|is|go with|so|therefore),?{_NAMED}"
)
_LEADING_LETTER = re.compile(
    rf"""{OPENING}(?:option\s+)?(?:\({_LETTER}\)|\[(?P<boxed>[a-z])\]|(?P<bare>[a-z])"""
    rf"""(?:[).:。]|["'\s]*$))"""
)
_NUMBERED = re.compile(
    rf"(?:{MARK})?{OPENING}(?:option|choice|statement)\s+#?(?P<number>\d{{1,2}})\W*"
)
# "A; wait for it.": not "A, B and C", nor "A, or not". "E," and "O," are words of other languages.
_FIRST_LETTER = re.compile(rf"{OPENING}(?P<letter>[a-df-h])[,;](?P<rest>.*)", re.S)
_ANOTHER = re.compile(
    rf"(?<!\w)[a-z](?!\w)(?!(?<=[ai]) [a-z]{{2}})|{DENIALS}|\?|"
    r"\b(?:or|and|if|unless|maybe|perhaps|possibly|unsure|wrong|false)\b"
)
_CLOSING_LETTER = re.compile(r"[\s.,;:!。，、]\(?([a-z])\)?[\s.!。]*$")
_SAID_OF_IT = r"\W*(?:no|yes|false|true|wrong|right|incorrect|correct)\b"
_SAID_OF_EACH = re.compile(rf"{_SAID_OF_IT}.*(?<!\w)[a-z][:).]{_SAID_OF_IT}")  # "A: no. B: yes."
_EXCLUDED = re.compile(
    r"\b(?:it (?:is not|isn't)|not|neither|nor|nicht|weder|noch|pas|ni|né)\s+"
    r"(?:(?:option|statement)\s+)?\(?[a-z]\)?(?=[\s,;.]|$)"
)
_ENDS = r"""(?=\s*(?:$|[\n.,;:!(){}\[\]"'/\\|–—]|-\s|(?:because|since|as)\b))"""
_LABEL = r"(?:[\w' -]{1,25}[:=])"
"""What may stand before an answer: "weight: light"."""
_DENIED = re.compile(rf"{DENIALS}[^.,;\n]{{0,20}}$")
_GAP = r"[-\s]?"
_UNDECIDED = re.compile(r"\bnot applicable\b|\bdon't know\b|\bcannot be (?:determined|told|seen)\b")


@dataclass(frozen=True)
class CategoryAnswer:
    """The category that a reply picks, spelled as in the options, or the problem."""

    category: str | None = None
    problem: Problem | None = None


def parse_category(reply: str, options: Sequence[str]) -> CategoryAnswer:
    """Read the category of ``options`` (in the order asked) that a reply picks.

    A published label ("Light: Featherweight, Lightweight"), as an option or in the reply, means its
    category.
    """
    text = visible_text(reply)
    if not text:
        return CategoryAnswer(problem=silence_of(reply))
    found = read_choice(text, options, {option: _category(option, options) for option in options})
    if isinstance(found, Problem):
        return CategoryAnswer(problem=Problem.DECLINED if _UNDECIDED.search(text) else found)
    return CategoryAnswer(category=found)


def read_choice(
    text: str, options: Sequence[str], patterns: dict[str, str] | None = None
) -> str | Problem:
    """The option of ``options`` that a reply (visible text) picks, by letter or by its words.

    ``patterns`` are regular expressions for each option's words; by default the words themselves.
    """
    words = patterns or {o: re.escape(visible_text(o).rstrip(" .")) for o in options}
    alone = re.compile(rf"\W*(?:[a-z]\W+)?(?:{'|'.join(words.values())}|[a-z])\W*")

    def answers(rest: str) -> bool:
        return not isinstance(_read(rest, words), Problem)

    return _read(last_word(text, answers, lambda rest: bool(alone.fullmatch(rest))), words)


def _read(text: str, words: dict[str, str]) -> str | Problem:
    """Read the option, from the most to the least explicit place."""
    fields, _ = fields_and_rest(text)
    lines = [line for line in text.splitlines() if line.strip()]
    explicit = [option for field in fields for option in _leading(str(field), words)]
    for mark in final_matches(_MARKED_LETTER.finditer(text)):
        explicit += by_letter(mark["letter"], words)
    for option, word in words.items():
        explicit += [option for _ in final_matches(re.finditer(rf"{_MARK}{word}{_ENDS}", text))]
    leading = [option for line in lines for option in _leading(line, words)]
    if leading and (closing := _CLOSING_LETTER.search(text)):  # a letter that takes it back
        leading += by_letter(closing[1], words)
    offered = _EXCLUDED.sub("", text)
    letters = [m["letter"] for m in _MENTIONED_LETTER.finditer(offered)]
    reading = consensus(
        explicit,
        leading,
        [o for letter in letters for o in by_letter(letter, words)],
        _mentioned(text, words),
    )
    if reading is not None:
        return reading if isinstance(reading, Problem) else str(reading)
    options = list(words)
    numbers = {match["number"] for match in map(_NUMBERED.fullmatch, lines) if match}
    if len(numbers) == 1 and 0 < (number := int(numbers.pop())) <= len(options):
        return options[number - 1]
    first = _FIRST_LETTER.fullmatch(text)
    if first and not _ANOTHER.search(first["rest"]) and (o := by_letter(first["letter"], options)):
        return o[0]
    kept = offered.lstrip(" ,.;:-\n")
    return no_answer(text) if kept == text else _read(kept, words)


def leading_letter(line: str) -> tuple[str, str] | None:
    """The letter at the start of ``line``, and the rest of the line."""
    match = _LEADING_LETTER.match(line)
    if match is None:
        return None
    return match["letter"] or match["boxed"] or match["bare"], line[match.end() :]


def by_letter(letter: str, options: Iterable[str]) -> list[str]:
    """The only option with this letter (lower case), if there is one."""
    return [o for index, o in zip(OPTION_LETTERS.lower(), options, strict=False) if index == letter]


def _leading(line: str, words: dict[str, str]) -> list[str]:
    """The options that ``line`` opens with: by letter, by words, or by words after a label."""
    found = leading_letter(line)
    if found is None:
        return _opening(line, words)
    letter, rest = found
    if _SAID_OF_EACH.match(rest):
        return []
    return by_letter(letter, words) + _mentioned(rest, words)


def _opening(line: str, words: dict[str, str]) -> list[str]:
    """The option that a line opens with, unless it goes on to name another one."""
    opens = [o for o, word in words.items() if re.match(f"{_LABEL}?{OPENING}{word}{_ENDS}", line)]
    return opens if set(_mentioned(line, words)) <= set(opens) else []


def _mentioned(text: str, words: dict[str, str]) -> list[str]:
    """Options whose words occur in ``text``, not negated and not within another option's words."""
    found = [
        (option, match.span())
        for option, word in words.items()
        for match in re.finditer(word, text)
        if not _DENIED.search(text[: match.start()])
    ]
    return [
        option
        for option, (start, end) in found
        if not any(a <= start and end <= b and (a, b) != (start, end) for _, (a, b) in found)
    ]


def _category(option: str, options: Sequence[str]) -> str:
    """Pattern of a category, with a hyphen, a space or nothing inside.

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

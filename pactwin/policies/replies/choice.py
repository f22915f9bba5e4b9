"""Which option a reply to a choice question picks."""

import re
import string
from collections.abc import Iterable, Sequence

from pactwin.policies.replies.extraction import (
    ANSWER_KEYS,
    BOXED,
    MARK,
    OPENING,
    consensus,
    final_matches,
    no_answer,
)
from pactwin.policies.replies.text import Problem, json_objects, visible_text
from pactwin.policies.replies.vocabulary import DENIALS

OPTION_LETTERS = string.ascii_uppercase

_LETTER = r"(?P<letter>[a-z])"
_NAMED = (
    rf"{OPENING}(?:(?:option|statement|choice)\s+)?[(\[]?{_LETTER}"
    r"""(?=\s*(?:$|[\n.,;:)\]"'}])|\s+(?:because|since|is (?:true|correct|right))\b)"""
)
_MARKED_LETTER = re.compile(MARK + _NAMED)
# Weaker, for whoever thinks aloud goes through "option A" and "statement B" one by one.
_MENTIONED_LETTER = re.compile(rf"\b(?:option|choice|statement|choose|select|pick|is){_NAMED}")
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
_SAID_OF_IT = r"\W*(?:no|yes|false|true|wrong|right|incorrect|correct)\b"
_SAID_OF_EACH = re.compile(rf"{_SAID_OF_IT}.*(?<!\w)[a-z][:).]{_SAID_OF_IT}")  # "A: no. B: yes."
_EXCLUDED = re.compile(
    r"\b(?:it (?:is not|isn't)|not|neither|nor|nicht|weder|noch|pas|ni|né)\s+"
    r"(?:(?:option|statement)\s+)?\(?[a-z]\)?(?=[\s,;.]|$)"
)


def read_choice(text: str, options: Sequence[str]) -> str | Problem:
    """The option of ``options`` that a reply (visible text) picks, by letter or by its text."""
    plain = {option: visible_text(option) for option in options}
    fields = [
        str(value)
        for record, _ in json_objects(text)
        for key, value in record.items()
        if key in ANSWER_KEYS
    ]
    fields += BOXED.findall(text)
    explicit = [o for field in fields for o in _selected(field, plain)]
    explicit += [o for letter in marked_letters(text) for o in by_letter(letter, options)]

    lines = [line for line in text.splitlines() if line.strip()]
    alone = [option for line in lines for option in _alone(line, plain)]
    if explicit and len(set(alone)) == 1:  # more than one is a list of the options, not an answer
        explicit += alone
    offered = _EXCLUDED.sub("", text)
    mentioned = [o for letter in mentioned_letters(offered) for o in by_letter(letter, options)]
    leading = [option for line in lines for option in _leading(line, plain)]
    for readings in (explicit, leading, mentioned, _mentioned(text, plain)):
        reading = consensus(readings)
        if reading is not None:
            return reading if isinstance(reading, Problem) else str(reading)
    numbers = {match["number"] for match in map(_NUMBERED.fullmatch, lines) if match}
    if len(numbers) == 1 and 0 < (number := int(numbers.pop())) <= len(options):
        return options[number - 1]
    first = _FIRST_LETTER.fullmatch(text)
    if first and not _ANOTHER.search(first["rest"]) and (o := by_letter(first["letter"], options)):
        return o[0]
    kept = offered.lstrip(" ,.;:-\n")
    return no_answer(text) if kept == text else read_choice(kept, options)


def is_option(text: str, options: Sequence[str]) -> bool:
    """True if ``text`` (visible) is one of ``options``, by letter, by its words or both."""
    plain = {option: visible_text(option) for option in options}
    bare = text.strip(" .!\n")
    return (
        bare in [words.strip(" .") for words in plain.values()]
        or len(set(_alone(bare, plain))) == 1
    )


def marked_letters(text: str) -> list[str]:
    """The letters that ``text`` announces as its answer."""
    return [m["letter"] for m in final_matches(_MARKED_LETTER.finditer(text))]


def mentioned_letters(text: str) -> list[str]:
    """The letters that ``text`` calls an option."""
    return [m["letter"] for m in _MENTIONED_LETTER.finditer(text)]


def leading_letter(line: str) -> tuple[str, str] | None:
    """The letter that ``line`` opens with, and the rest of the line."""
    match = _LEADING_LETTER.match(line)
    if match is None:
        return None
    return match["letter"] or match["boxed"] or match["bare"], line[match.end() :]


def by_letter(letter: str, options: Iterable[str]) -> list[str]:
    """The one option that has this letter (lower case), if any has."""
    return [o for index, o in zip(OPTION_LETTERS.lower(), options, strict=False) if index == letter]


def _leading(line: str, plain: dict[str, str]) -> list[str]:
    """The options that ``line`` opens with: by letter, and by text if it quotes one."""
    found = leading_letter(line)
    if found is None or _SAID_OF_EACH.match(found[1]):
        return []
    letter, rest = found
    return by_letter(letter, plain) + _mentioned(rest, plain)


def _alone(line: str, plain: dict[str, str]) -> list[str]:
    """The options of a line that holds a letter, perhaps with an option's text, and no prose."""
    found = leading_letter(line)
    rest = found[1].strip(" .\"')") if found else line
    texts = ("", *(wording.strip(" .") for wording in plain.values()))
    return _leading(line, plain) if rest in texts else []


def _selected(field: str, plain: dict[str, str]) -> list[str]:
    """The options that a short answer field names, by letter or by text."""
    return _leading(field, plain) or _mentioned(field, plain)


def _mentioned(text: str, plain: dict[str, str]) -> list[str]:
    """The options whose text occurs in ``text`` and is not denied just before."""
    found = []
    for option, wording in plain.items():
        at = text.find(wording.rstrip("."))
        if wording and at >= 0 and not re.search(rf"{DENIALS}[^.\n]{{0,20}}$", text[:at]):
            found.append(option)
    return [o for o in found if not any(plain[o] in plain[p] for p in found if p != o)]

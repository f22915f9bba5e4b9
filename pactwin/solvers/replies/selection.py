"""Parse the options that a reply selects; the selection may be empty."""

import re
from collections.abc import Sequence

from pactwin.solvers.replies.choice import by_letter, leading_letter
from pactwin.solvers.replies.places import MARK, fields_and_rest, last_word, no_answer
from pactwin.solvers.replies.text import Problem

_MARKED = re.compile(MARK)
_NONE = re.compile(
    r"\W*(?:none|nothing|"
    r"(?:none of (?:them|these|those|the (?:options|statements|things|changes))|"
    r"no (?:option|statement|thing|change)s?)(?: (?!but\b|except)\w+){0,3}|"
    r"\[\s*\])\W*"
)
_BETWEEN = r"(?:\s*(?:,|;|&|/|\+|\band\b)\s*|\s+)+"
_LETTER = r"[(\[\"']*(?<![a-z])[a-z](?![a-z])[)\].:\"']*"
_LETTERS = re.compile(
    rf"\W*(?:(?:options?|statements?|letters?|all of|both|only|"
    rf"(?:the )?(?:true|correct) (?:options?|statements?) (?:is|are):?)\s+)?"
    rf"(?P<all>{_LETTER}(?:{_BETWEEN}{_LETTER})*)(?: (?:is|are) (?:true|correct))?[\s.!]*"
)
_SINGLE = re.compile(r"(?<![a-z])[a-z](?![a-z])")
_JUDGED = re.compile(
    r"\W*(?:yes|true|holds|correct|ok|no|not|false|does(?:n't| not) hold|incorrect)\b"
)


def read_selection(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem:
    """Parse the selected options of a reply (visible text), in order; a Problem if unclear.

    The parser reads the text after the last "Answer:", or a JSON field of that name; then the whole
    reply. Each may be "none", letters, or lines that begin with a letter. An unknown letter makes
    the reply invalid.
    """
    text = last_word(text, lambda rest: _read_places(rest, options) is not None)
    found = _read_places(text, options)
    return no_answer(text) if found is None else found


def _read_places(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem | None:
    """Options in the first readable place; None if there is none."""
    readings = (_read(place.strip(), options) for place in _places(text))
    return next((found for found in readings if found is not None), None)


def _places(text: str) -> list[str]:
    fields = [
        ", ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
        for value in fields_and_rest(text)[0]
    ]
    marks = list(_MARKED.finditer(text))
    after = [text[marks[-1].end() :]] if marks else []
    return [*fields, *after, text]


def _read(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem | None:
    """Options in ``text`` if it contains nothing else; None if it cannot be read."""
    if not text:
        return None
    if _NONE.fullmatch(text):
        return ()
    if match := _LETTERS.fullmatch(text):
        return _in_order(_SINGLE.findall(match["all"]), options)
    return _from_lines(text, options)


def _in_order(letters: Sequence[str], options: Sequence[str]) -> tuple[str, ...] | None:
    named = {option for letter in letters for option in by_letter(letter, options)}
    if any(not by_letter(letter, options) for letter in letters):
        return None
    return tuple(option for option in options if option in named)


def _from_lines(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem | None:
    """Options in lines that begin with a letter; None if each line says whether it is true."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [leading_letter(line) for line in lines]
    said = [f for f in found if f is not None]
    if not said or (found[0] is None and len(said) < 2):
        return None
    letters = [letter for letter, _ in said]
    if len(set(letters)) != len(letters):
        return Problem.CONTRADICTION
    judged = any(_JUDGED.match(rest.strip(" )-–—:.")) for _, rest in said)
    return None if judged else _in_order(letters, options)

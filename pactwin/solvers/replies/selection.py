"""Which of its options a reply names to a question for all that are true; it may be none."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress

from pactwin.solvers.replies.choice import by_letter, leading_letter
from pactwin.solvers.replies.places import MARK, fields_and_rest, last_word, no_answer
from pactwin.solvers.replies.text import Problem, visible_text

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
    r"\W*(?:(?P<yes>yes|true|holds|correct|ok)|"
    r"(?P<no>no|false|does(?:n't| not) hold|incorrect|not))\b"
)


def read_selection(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem:
    """The options that a reply (visible text) names, in their order; a Problem if it is not clear.

    Read are, in this order: what stands after the last "Answer:" or in a JSON field of that name,
    and the whole reply. Each may be "none", letters, lines that begin with a letter (of which those
    that are judged false do not count), or options word for word. An unknown letter is no answer.
    """
    text = last_word(text, lambda rest: _read_places(rest, options) is not None)
    found = _read_places(text, options)
    return no_answer(text) if found is None else found


def _read_places(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem | None:
    """What the first place that can be read names; None if none can."""
    readings = (_read(place.strip(), options) for place in _places(text))
    return next((found for found in readings if found is not None), None)


def _places(text: str) -> list[str]:
    fields = [
        ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for value in fields_and_rest(text)[0]
    ]
    fields = ["none" if not field.strip() else field for field in fields]
    marks = list(_MARKED.finditer(text))
    after = [text[marks[-1].end() :]] if marks else []
    first_line = [after[0].strip().partition("\n")[0]] if after else []
    return [*fields, *after, *first_line, text]


def _read(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem | None:
    """What ``text`` names if it does nothing else, None if it cannot be read."""
    if not text:
        return None
    if _NONE.fullmatch(text):
        return ()
    if text.startswith("["):
        with suppress(ValueError, RecursionError, TypeError):  # else brackets around letters
            text = ", ".join(map(str, json.loads(text)))
    if match := _LETTERS.fullmatch(text):
        return _in_order(_SINGLE.findall(match["all"]), options)
    return _from_lines(text, options) or _by_words(text, options)


def _in_order(letters: Sequence[str], options: Sequence[str]) -> tuple[str, ...] | None:
    named = {option for letter in letters for option in by_letter(letter, options)}
    if any(not by_letter(letter, options) for letter in letters):
        return None
    return tuple(option for option in options if option in named)


def _from_lines(text: str, options: Sequence[str]) -> tuple[str, ...] | Problem | None:
    """Lines that each begin with a letter, with its option or a judgement after it."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [leading_letter(line) for line in lines]
    said = [f for f in found if f is not None]
    if not said or (found[0] is None and len(said) < 2):
        return None
    judged = {letter: _JUDGED.match(rest.strip(" )-–—:.")) for letter, rest in said}
    if len(judged) != len(said):
        return Problem.CONTRADICTION
    if any(judged.values()):  # then each has to be
        if not all(judged.values()) or len(judged) < len(options):
            return None
        return _in_order([k for k, match in judged.items() if match and match["yes"]], options)
    return _in_order(list(judged), options)


def _by_words(text: str, options: Sequence[str]) -> tuple[str, ...] | None:
    """Options word for word, with nothing but what joins them between."""
    rest = text
    named = []
    for option in sorted(options, key=len, reverse=True):
        wording = visible_text(option).rstrip(".")
        if wording and wording in rest:
            named.append(option)
            rest = rest.replace(wording, " ")
    if not named or re.sub(r"\band\b|[\W_]", "", rest):
        return None
    return tuple(option for option in options if option in named)

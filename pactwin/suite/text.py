"""Make untrusted text safe to show: it could control a terminal or hide its content.

Unchanged, it could control a terminal or hide its content.
"""

import re
from hashlib import sha256
from typing import Annotated

from pydantic import AfterValidator

# Control characters but tab and line feed, surrogates, line and paragraph separators, and marks
# that turn the direction of text.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)

_MAX_NAME = 120
_KEPT_OF_NAME = 80
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def printable(text: str) -> str:
    """``text`` with unprintable characters replaced."""
    return _STEERING.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """:func:`printable` text on one line, white space as single blanks."""
    return " ".join(printable(text).split())


def short_name(text: str) -> str:
    """:func:`one_line` of at most 120 characters.

    A longer name ends with its length and a few digits of its hash, so that names stay distinct.
    """
    line = one_line(text)
    if len(line) <= _MAX_NAME:
        return line
    digest = sha256(line.encode()).hexdigest()[:8]
    return f"{line[:_KEPT_OF_NAME]}… ({len(line):,} characters, {digest})"


def counted(count: int, plural: str) -> str:
    """A count with its noun in singular or plural: "1 category", "2,000 scenes"."""
    if count != 1:
        return f"{count:,} {plural}"
    one = f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")
    return f"1 {one}"


def plain_cell(text: str) -> str:
    """:func:`printable` text that spreadsheets show without evaluating it.

    An apostrophe precedes text that programs would read as a formula.
    """
    shown = printable(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown


Name = Annotated[str, AfterValidator(short_name)]
"""Untrusted name of a suite, a model or the like, as :func:`short_name`."""

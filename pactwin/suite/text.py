"""Text that others wrote. Shown as it is, it could steer a terminal or hide what it says."""

import re

# Control characters but tab and line feed, surrogates, line and paragraph separators, and marks
# that turn the direction of text.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def printable(text: str) -> str:
    """``text`` with a replacement character for each that is not for reading."""
    return _STEERING.sub("\ufffd", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """:func:`printable` text on one line, white space as single blanks."""
    return " ".join(printable(text).split())

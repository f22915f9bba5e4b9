"""Damage to files: of the kinds that disks, transfers and editors do, and people with intent."""

import re
from typing import Any

from hypothesis import strategies as st

_NASTY = (
    *(b"null", b"1e999", b"-1", b"[]", b"{}", b'{"a":', b"[" * 300, b'"../x"', b"9" * 40),
    *(b"\n", b"\0", b"nan", b"1e-320", b"", b'"\\ud800"', b"/dev/zero", b"\xff\xfe", b"true"),
    *(b"0", b"99999999999", b"<b>", b"&amp;", b"*a", b"&a [*a]", b"!!python/name:os.system"),
    *(b"\xe2\x80\xae", b"x" * 3000, b"| |", b'"', b"'", b"$x", b"../../..", b"2001-99-99"),
)
_TOKEN = re.compile(rb"[A-Za-z_]+|-?[0-9][0-9.eE+-]*|\"[^\"\n]*\"|[^\sA-Za-z0-9]")


def damaged(data: bytes, draw: Any) -> bytes:
    """``data`` with some damage; ``draw`` is Hypothesis's."""
    kinds = ("token", "token", "truncate", "flip", "delete", "insert", "repeat", "move", "any")
    kind = draw(st.sampled_from(kinds))
    at = draw(st.integers(0, max(len(data) - 1, 0)))
    length = draw(st.integers(1, 40) | st.integers(1, max(len(data), 1)))
    new = draw(st.sampled_from(_NASTY) | st.binary(max_size=40))
    match kind:
        case "any":
            return draw(st.binary(max_size=400))
        case "token":
            tokens = list(_TOKEN.finditer(data[:200_000]))
            if not tokens:
                return new
            token = tokens[draw(st.integers(0, len(tokens) - 1))]
            return data[: token.start()] + new + data[token.end() :]
        case "truncate":
            return data[:at]
        case "flip" if data:
            bit = 1 << draw(st.integers(0, 7))
            return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
        case "delete":
            return data[:at] + data[at + length :]
        case "repeat":
            piece = data[at : at + length]
            return data[:at] + piece * draw(st.integers(2, 50)) + data[at + length :]
        case "move":
            to = draw(st.integers(0, len(data)))
            return data[:to] + data[at : at + length] + data[to:]
        case _:
            return data[:at] + new + data[at:]


def several(data: bytes, draw: Any) -> bytes:
    """One or several damages, one after the other."""
    for _ in range(draw(st.integers(1, 3))):
        data = damaged(data, draw)
    return data

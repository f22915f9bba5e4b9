"""Hide keys and passwords in everything that a provider returns and raises."""

import base64
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html.entities import codepoint2name
from os import environ
from typing import Any
from urllib.parse import unquote, urlsplit

from inspect_ai.model import Model

HIDDEN = "[hidden]"
SHORTEST_SECRET = 8
"""Minimum length of a secret; shorter ones are words that local servers take as keys."""

# What may stand between two characters, or before a byte in hexadecimal: as \x, 0x, \u00, %, &#x.
_BREAK = r"(?:\\[nrt]|%0[AaDd]|<br>|[\W_]){0,12}?"
_BYTE_BREAK = r"(?:\\[nrt]|%0[AaDd]|<br>|u00|0?x|[\W_]){0,12}?"
_IN_BASE64 = {
    "+": rf"(?:%{_BREAK}2{_BREAK}[Bb]|u002[Bb]|[+-])",
    "/": rf"(?:%{_BREAK}2{_BREAK}[Ff]|u002[Ff]|[/_])",
}


def secrets_of(model: Model) -> list[re.Pattern[str]]:
    """Patterns of the keys and passwords that the provider of ``model`` may send.

    Longest first, because a shorter one may be part of another.
    """
    # Providers that start a server of their own, as vLLM, have not all of these before it runs.
    known = vars(model.api)
    address = urlsplit(known.get("base_url") or "")
    found = {known.get("api_key"), known.get("initial_api_key"), address.password}
    found.add(unquote(address.password or ""))
    found |= {environ.get(name) for name in known.get("api_key_vars", ())}
    secrets = {secret for secret in found if secret and len(secret) >= SHORTEST_SECRET}
    return [way for secret in sorted(secrets, key=len, reverse=True) for way in patterns_of(secret)]


@cache
def patterns_of(secret: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of ``secret``: plain or escaped (JSON, Python, HTML, URL), in hex, in base64.

    Each may be broken over lines or into chunks. In base64 of a longer text, such as ``Bearer KEY``
    or ``user:KEY``, it has one of three alignments; the pattern covers the characters that do not
    depend on its neighbours.
    """
    data = secret.encode()
    ways = [_broken(map(_escaped, secret), _BREAK, re.IGNORECASE)]
    ways.append(_broken(data.hex(), _BYTE_BREAK, re.IGNORECASE))
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data).decode()
        own = whole[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        ways.append(_broken((_IN_BASE64.get(digit, digit) for digit in own), _BREAK))
    return tuple(ways)


def _broken(parts: Iterable[str], between: str, flags: int = 0) -> re.Pattern[str]:
    """Pattern of ``parts`` with possible breaks between them.

    A break is never taken back, so the time is linear."""
    first, *others = parts
    return re.compile(first + "".join(f"(?>{between}{part})" for part in others), flags)


def _escaped(one: str) -> str:
    """Pattern of a character, as it is or escaped; a backslash before it counts as a break."""
    in_url = "".join(f"%(?:25)*{byte:02x}" for byte in one.encode())
    name = codepoint2name.get(ord(one), "#")
    entity = f"&(?:amp;)*(?:#0*{ord(one)}|#x0*{ord(one):x}|{name});"
    literal = r"[ +]" if one == " " else re.escape(one)
    return rf"(?:{entity}|{in_url}|u{ord(one):04x}|{literal})"


def hide(value: Any, secrets: Sequence[re.Pattern[str]]) -> Any:
    """``value`` with every secret replaced, in strings at any depth of lists and dicts.

    Lone surrogates, which neither files nor requests can hold, are written as escapes (``\ud83d``).
    """
    if isinstance(value, str):
        for secret in secrets:
            value = secret.sub(HIDDEN, value)
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {hide(key, secrets): hide(item, secrets) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(hide(item, secrets) for item in value)
    return value


def hide_in_error(error: BaseException, secrets: Sequence[re.Pattern[str]]) -> None:
    """Replace secrets in an error and its causes, keeping their types."""
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.append(following)
        following = following.__cause__ or following.__context__
    for link in chain:
        link.args = hide(link.args, secrets)
        vars(link).update(
            (name, hide(value, secrets))
            for name, value in vars(link).items()
            if isinstance(value, str | dict | list | tuple)
        )

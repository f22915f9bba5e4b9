"""Keys and passwords, hidden in all that a provider returns and raises, however written."""

import base64
import html
import json
from collections.abc import Iterable
from os import environ
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from inspect_ai.model import Model

HIDDEN = "[hidden]"
SHORTEST_SECRET = 8
"""What is shorter is a word, as local servers are given in place of a key."""


def secrets_of(model: Model) -> list[str]:
    """Keys and passwords that the provider of ``model`` may send, in every way of writing them.

    Longest first, so that none hides but a part of another.
    """
    # Providers that start a server of their own, as vLLM, have not all of these before it runs.
    known = vars(model.api)
    address = urlsplit(known.get("base_url") or "")
    found = {known.get("api_key"), known.get("initial_api_key"), address.password}
    found |= {environ.get(name) for name in known.get("api_key_vars", ())}
    secrets = {secret for secret in found if secret and len(secret) >= SHORTEST_SECRET}
    return sorted({text for secret in secrets for text in _written(secret)}, key=len, reverse=True)


def _written(secret: str) -> Iterable[str]:
    """``secret`` as it stands in text, JSON (once and twice), Python, HTML, a URL, hex and base64.

    In base64 of something longer, as of ``Bearer KEY`` or ``user:KEY``, it stands in one of three
    ways, of which the characters are given that nothing beside it has a part in.
    """
    in_json = json.dumps(secret)[1:-1]
    yield from (secret, in_json, json.dumps(secret, ensure_ascii=False)[1:-1])
    yield from (json.dumps(in_json)[1:-1], repr(secret)[1:-1], html.escape(secret))
    yield from (quote(secret, safe=""), quote(secret), quote_plus(secret))
    data = secret.encode()
    yield from (quote(secret, safe="").lower(), "".join(f"%{byte:02X}" for byte in data))
    yield from (data.hex(), data.hex().upper())
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        first, last = -(-8 * before // 6), 8 * (before + len(data)) // 6
        own = whole[first:last]
        yield from (own, own.replace("+", "-").replace("/", "_"), own.replace("/", "\\/"))


def hide(value: Any, secrets: list[str]) -> Any:
    """``value`` with every secret replaced, in strings at any depth of lists and dicts.

    Lone surrogates, which no file and no request can hold, are written as escapes (``\\ud83d``).
    """
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {hide(key, secrets): hide(item, secrets) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(hide(item, secrets) for item in value)
    return value


def hide_in_error(error: BaseException, secrets: list[str]) -> None:
    """Replace secrets in an error and in those that led to it, keeping what they are."""
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

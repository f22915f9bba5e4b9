"""An organiser's secret key, and the ids, noise and seeds derived from it.

A seed chosen by a person can be guessed by making suites with small seeds and comparing pictures. A
seed derived from a key has 128 bits. Suites store only its hash, a commitment that later proves
which seed made the suite.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from pactwin.suite.errors import InvalidInputError
from pactwin.suite.untrusted import MAX_TEXT_BYTES, read_untrusted

COMMITMENT = "seed_commitment"
"""Key of a suite's request that holds the hash of a secret seed."""
_KEY_BYTES = 32
_SEED_BYTES = 16
_GUESSABLE_BITS = 80
_SEED_S = 10
"""Seconds of one core that the first pair of a seed takes, about."""


def read_key(path: Path) -> bytes:
    """Read the organiser's secret key; InvalidInputError if the file holds none."""
    try:
        key = bytes.fromhex(read_untrusted(path, MAX_TEXT_BYTES).decode("ascii").strip())
    except OSError as error:
        raise InvalidInputError(f"{path}: cannot read a key there: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInputError(f"{path}: cannot read a key there: {error}") from error
    if len(key) != _KEY_BYTES:
        raise InvalidInputError(f"{path}: a key is {2 * _KEY_BYTES} hexadecimal digits")
    return key


def new_key(path: Path) -> bytes:
    """Write a new secret key to ``path`` for its owner only; FileExistsError if it exists."""
    key = os.urandom(_KEY_BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(key.hex() + "\n")
    return key


def keyed(key: bytes, name: str) -> bytes:
    """HMAC-SHA256 of ``name`` under ``key``, 32 bytes."""
    return hmac.digest(key, name.encode(), "sha256")


def keyed_id(key: bytes, name: str) -> str:
    """An id that reveals nothing without the key."""
    return keyed(key, name).hex()[:16]


def secret_seed(path: Path, request: Mapping[str, JsonValue]) -> int:
    """The secret seed (128 bits) of the suite that ``request`` describes, equal each time.

    It is derived from the key at ``path``, which is created if missing. Raises InvalidInputError if
    the file holds no key.
    """
    key = read_key(path) if path.exists() else new_key(path)
    return int.from_bytes(keyed(key, f"seed:{json.dumps(request, sort_keys=True)}")[:_SEED_BYTES])


def seed_commitment(seed: int) -> str:
    """SHA-256 (hex) of ``pactwin seed`` followed by the seed."""
    return hashlib.sha256(f"pactwin seed {seed}".encode()).hexdigest()


def require_secret_seed(source: Path, request: Mapping[str, JsonValue]) -> None:
    """Raise InvalidInputError if a suite's ``request`` reveals its seed."""
    seed = request.get("seed")
    if isinstance(seed, int) and seed.bit_length() < _GUESSABLE_BITS:
        raise InvalidInputError(
            f"{source} was made from the seed {seed}: whoever makes suites of the seeds from 0 on, "
            f"and looks for these pictures, has found it and every answer after {seed + 1:,} of "
            f"them, in {_duration((seed + 1) * _SEED_S)} of one core. Make the suite anew with "
            "`pactwin make ... --secret-seed FILE` in place of --seed"
        )


def _duration(seconds: int) -> str:
    for unit, size in (("years", 31_557_600), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"about {seconds // size:,} {unit}"
    return f"about {seconds} seconds"

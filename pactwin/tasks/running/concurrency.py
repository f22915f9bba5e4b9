"""Limit a run's memory and disk use: concurrent calls, and pictures in the log."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from inspect_ai.dataset import Sample
from inspect_ai.util import AdaptiveConcurrency

EMBED_UP_TO_BYTES = 20 * 2**20
"""Maximum total size of sent pictures for embedding them in the log."""

IN_FLIGHT_BYTES = 384 * 2**20
"""Maximum memory of pictures of all concurrent calls."""

UNSWEPT_BYTES = 32 * 2**20
"""Maximum memory of pictures that are not yet released."""

COPIES = 9
"""Copies of a picture in memory while it is sent: read, encoded, in the request, as bytes."""

MAX_CONNECTIONS = 100
_START, _MIN = 20, 10


def embeds_pictures(suite: Path, samples: Sequence[Sample]) -> bool:
    """Return whether the pictures of ``samples`` are small enough to embed in the log."""
    total = 0
    for size in _sizes(suite, samples):
        total += size
        if total > EMBED_UP_TO_BYTES:
            return False
    return True


def connections(suite: Path, samples: Sequence[Sample], models: int) -> AdaptiveConcurrency:
    """Bounds of Inspect's adaptive number of concurrent calls, for each of ``models``.

    It starts at 20, doubles while the provider keeps up and shrinks by a fifth on HTTP status 429;
    large pictures lower the bounds to limit memory.
    """
    largest = max(_sizes(suite, samples), default=0)
    fit = IN_FLIGHT_BYTES // (COPIES * max(1, largest) * models)
    most = max(1, min(MAX_CONNECTIONS, fit))
    return AdaptiveConcurrency(min=min(_MIN, most), start=min(_START, most), max=most)


def sweep_every(suite: Path, samples: Sequence[Sample]) -> int:
    """Number of answers after which the memory of their pictures is released."""
    return max(1, UNSWEPT_BYTES // max(1, max(_sizes(suite, samples), default=0)))


def _sizes(suite: Path, samples: Sequence[Sample]) -> Iterator[int]:
    """Bytes of the pictures of each sample."""

    @cache
    def size_of(path: str) -> int:
        return (suite / path).stat().st_size

    for sample in samples:
        yield sum(size_of(picture["path"]) for picture in (sample.metadata or {})["pictures"])

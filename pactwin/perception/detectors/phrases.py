"""Captions of grounding detectors: queries as phrases, and the tokens of each phrase.

Grounding DINO reads one caption in lower case, each phrase closed by a period ("red block . blue
cup ."), and scores every box against every token. Phrases that do not fit into one caption are
divided into several passes. A box belongs to the phrase that contains its best-scoring token, never
to several phrases or to a period: no label is empty or a mixture.
"""

from collections.abc import Callable, Sequence

import numpy as np

from pactwin.perception.detectors.base import Detection, best_first, clipped_box
from pactwin.suite import InvalidInputError

SEPARATOR = " ."


def phrase_of(query: str) -> str:
    """Normalise a query for a caption: lower case, single spaces, no period."""
    phrase = " ".join(query.lower().replace(".", " ").split())
    if not phrase:
        raise InvalidInputError(f"query {query!r} has no word to look for")
    return phrase


def caption_of(phrases: Sequence[str]) -> str:
    """The caption of several phrases."""
    return " ".join(phrase + SEPARATOR for phrase in phrases)


def captions(
    queries: Sequence[str], count_tokens: Callable[[str], int], limit: int
) -> list[list[str]]:
    """Group queries so that no caption exceeds ``limit`` tokens, including special ones.

    InvalidInputError for a single query that is too long.
    """
    groups: list[list[str]] = []
    for query in dict.fromkeys(queries):
        alone = caption_of([phrase_of(query)])
        if count_tokens(alone) > limit:
            raise InvalidInputError(f"query {query[:60]!r} is longer than {limit} tokens")
        if groups:
            together = caption_of([phrase_of(q) for q in (*groups[-1], query)])
            if count_tokens(together) <= limit:
                groups[-1].append(query)
                continue
        groups.append([query])
    return groups


def token_spans(
    queries: Sequence[str], offsets: Sequence[tuple[int, int]]
) -> dict[str, np.ndarray]:
    """Token indices of each query's phrase, from the tokens' character spans in the caption."""
    spans: dict[str, np.ndarray] = {}
    start = 0
    for query in queries:
        end = start + len(phrase_of(query))
        spans[query] = np.array(
            [k for k, (a, b) in enumerate(offsets) if a < b and a >= start and b <= end], int
        )
        start = end + len(SEPARATOR) + 1
    return spans


def grounded(
    scores: np.ndarray,
    boxes: np.ndarray,
    spans: dict[str, np.ndarray],
    size_px: tuple[int, int],
    threshold: float,
) -> list[Detection]:
    """Detections in one picture for one caption.

    ``scores`` (boxes, tokens) are in 0..1, ``boxes`` (boxes, 4) are centre and extents relative to
    the picture of ``size_px`` (w, h).
    """
    names = [query for query, tokens in spans.items() if len(tokens)]
    if not names:
        return []
    by_query = np.stack([scores[:, spans[query]].max(axis=1) for query in names], axis=1)
    best = by_query.argmax(axis=1)
    found = []
    for row in np.nonzero(by_query.max(axis=1) >= threshold)[0]:
        box = clipped_box(boxes[row], size_px)
        score = min(1.0, float(by_query[row, best[row]]))
        found.append(Detection(box=box, score=score, query=names[best[row]]))
    return best_first(found)

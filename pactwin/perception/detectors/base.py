"""Interface of detectors: pictures and queries in, scored boxes out."""

from collections.abc import Sequence
from typing import Annotated, Protocol

import numpy as np
from pydantic import Field, FiniteFloat

from pactwin.suite import Record

Edge = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class Detection(Record):
    """A box x0 y0 x1 y1 (px, from the picture's upper left corner) that matched ``query``."""

    box: tuple[Edge, Edge, Edge, Edge]
    score: FiniteFloat = Field(ge=0, le=1)
    query: str = Field(min_length=1)


class Detector(Protocol):
    """An open-vocabulary detector, identified by ``name`` and ``weights`` (with revision)."""

    name: str
    weights: str

    def detect(
        self, images: Sequence[np.ndarray], queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        """Detect each image's queries with at least score ``threshold``; images (h, w, 3) uint8
        RGB.

        Best first. An image gives the same boxes alone and in a batch.
        """
        ...


def best_first(detections: list[Detection]) -> list[Detection]:
    """Sort detections by falling score, then by query and box (a deterministic order)."""
    return sorted(detections, key=lambda d: (-d.score, d.query, d.box))


def clipped_box(
    shares: np.ndarray, size_px: tuple[float, float]
) -> tuple[float, float, float, float]:
    """Corners (px) of a box (4,) given by centre and extents relative to ``size_px`` (w, h)."""
    center, extents = shares[:2], shares[2:]
    (x0, y0), (x1, y1) = (
        np.clip((center + sign * extents / 2) * size_px, 0, size_px).tolist() for sign in (-1, 1)
    )
    return x0, y0, x1, y1


def overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two boxes x0 y0 x1 y1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return float(both / (areas - both))


def distinct(detections: Sequence[Detection], limit: float = 0.7) -> list[Detection]:
    """Keep the best of overlapping detections (IoU above ``limit``), whatever their queries."""
    kept: list[Detection] = []
    for detection in best_first(list(detections)):
        if all(overlap(detection.box, other.box) <= limit for other in kept):
            kept.append(detection)
    return kept

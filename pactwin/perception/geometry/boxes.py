"""Segments from detections: the connected points inside a box."""

from collections.abc import Sequence

import numpy as np

from pactwin.perception.detectors.base import Detection, distinct
from pactwin.perception.geometry.clouds import ViewCloud
from pactwin.perception.geometry.segments import Segment, above_table, clusters, named_segment


def segments_from_boxes(
    views: Sequence[ViewCloud],
    detections: Sequence[Sequence[Detection]],
    table_m: float = 0.0,
    noise_m: float = 0.0,
) -> tuple[Segment, ...]:
    """Make one segment for each name in ``detections`` (of each view).

    The best box of a name in each view counts. Points above the table belong to the smallest box
    around them. The largest connected cluster of points of one name becomes the segment.
    """
    names = sorted({detection.query for found in detections for detection in found})
    owners = []
    for view, found in zip(views, detections, strict=True):
        best: dict[str, Detection] = {}
        for detection in distinct(found):
            best.setdefault(detection.query, detection)
        owner = np.full(len(view.points), -1)
        for detection in sorted(best.values(), key=_area_px, reverse=True):
            x0, y0, x1, y1 = detection.box
            x, y = view.pixels.T
            owner[(x >= x0) & (x < x1) & (y >= y0) & (y < y1)] = names.index(detection.query)
        owners.append(owner)
    if not names:
        return ()
    points = np.concatenate([view.points for view in views])
    colors = np.concatenate([view.colors for view in views])
    owner = np.concatenate(owners)
    over = above_table(points, table_m, noise_m)
    segments = []
    for number, name in enumerate(names):
        mine = over & (owner == number)
        segment = named_segment(name, points[mine], colors[mine], noise_m)
        parts = clusters(segment.points) if segment is not None else []
        if segment is not None and parts:
            whole = segment.points[max(parts, key=len)]
            segments.append(Segment(name, segment.color, whole))
    return tuple(segments)


def _area_px(detection: Detection) -> float:
    x0, y0, x1, y1 = detection.box
    return (x1 - x0) * (y1 - y0)

"""What perception costs: geometry per scene, and a detector's work around its network per picture.

Geometry is measured on ray-cast tables with three things, seen by three cameras of 640x480 px.
Before and after the network: a picture made ready for Grounding DINO, and boxes and names read from
outputs of its size (900 boxes, 256 tokens), ``PICTURES`` times; the memory must not grow.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from pactwin.perception.detectors.grounding_dino import prepared
from pactwin.perception.detectors.phrases import grounded
from pactwin.suite import Camera

SCENES, PICTURES = 20, 1000
_NAMES = ("red block", "blue box", "green ball", "yellow block")


def run() -> None:
    """Print times and how much memory grew."""
    table = Table("what", "median, ms", "memory grown, MiB")
    for name, once, times in (
        ("geometry of a scene, masks", _geometry(masks=True), SCENES),
        ("geometry of a scene, clustering", _geometry(masks=False), SCENES),
        ("before and after the network, a picture", _around_the_network(), PICTURES),
    ):
        median_ms, grown_mib = _measured(once, times)
        table.add_row(f"{name} ({times} times)", f"{median_ms:.1f}", f"{grown_mib:+.1f}")
    Console().print(table)


def _measured(once: Callable[[], object], times: int) -> tuple[float, float]:
    for _ in range(max(2, times // 10)):  # what is kept for good
        once()
    before, took = _resident_mib(), []
    for _ in range(times):
        start = time.perf_counter()
        once()
        took.append(time.perf_counter() - start)
    return 1e3 * float(np.median(took)), _resident_mib() - before


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _geometry(*, masks: bool) -> Callable[[], object]:
    import table_scenes as scenes

    from pactwin.perception import segments_by_clustering, segments_from_masks, view_cloud

    things = [
        scenes.block("red block", 0.3, 0.1),
        scenes.block("yellow block", 0.3, 0.1, (0.05, 0.05, 0.05), on_z=0.06),
        scenes.box_with_walls("blue box", 0.3, -0.15, 0.08),
    ]
    scale = np.diag([2.0, 2.0, 1.0])
    size = {"width_px": 2 * scenes.WIDTH_PX, "height_px": 2 * scenes.HEIGHT_PX}
    views: list[tuple[np.ndarray, np.ndarray, np.ndarray, Camera]] = []
    for camera in scenes.CAMERAS:
        color, depth, mask = (
            np.kron(p, np.ones((2, 2, 1)[: p.ndim], p.dtype))
            for p in scenes.pictures(things, camera)
        )
        K = tuple(map(tuple, (scale @ np.array(camera.K)).tolist()))
        views.append((color, depth, mask, camera.model_copy(update={**size, "K": K})))

    def once() -> object:
        clouds = [view_cloud(color, depth, camera, mask) for color, depth, mask, camera in views]
        if masks:
            return segments_from_masks(clouds, dict(enumerate(_NAMES, start=1)))
        return segments_by_clustering(clouds)

    return once


def _around_the_network() -> Callable[[], object]:
    rng = np.random.default_rng(0)
    image = rng.integers(0, 256, (480, 640, 3), np.uint8)
    scores, boxes = rng.random((900, 256)) ** 20, rng.random((900, 4))
    spans = {name: np.array([1, 2]) + 3 * k for k, name in enumerate(_NAMES)}

    def once() -> object:
        return prepared(image), grounded(scores, boxes, spans, (640, 480), 0.3)

    return once

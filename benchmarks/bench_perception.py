"""What perception costs: geometry per scene, and a detector's work around its network per picture.

Geometry is measured on ray-cast tables with three things, seen by three cameras of 640x480 px.
Before and after the network: a picture made ready for Grounding DINO, and boxes and names read from
outputs of its size (900 boxes, 256 tokens). ``grown_mib`` is by how much the process has grown.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pactwin.perception.detectors.grounding_dino import prepared
from pactwin.perception.detectors.phrases import grounded
from pactwin.suite import Camera

SCENES, PICTURES = 20, 1000
_NAMES = ("red block", "blue box", "green ball", "yellow block")


@pytest.mark.parametrize("masks", [True, False], ids=["masks", "clustering"])
def test_geometry_of_a_scene(benchmark: Any, masks: bool) -> None:
    _measured(benchmark, geometry(masks=masks), SCENES)


def test_around_the_network(benchmark: Any) -> None:
    _measured(benchmark, around_the_network(), PICTURES)


def _measured(benchmark: Any, once: Callable[[], object], times: int) -> None:
    for _ in range(max(2, times // 10)):  # what is kept for good
        once()
    before = _resident_mib()
    benchmark.pedantic(once, rounds=times)
    benchmark.extra_info["grown_mib"] = round(_resident_mib() - before, 1)


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def geometry(*, masks: bool) -> Callable[[], object]:
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


def around_the_network() -> Callable[[], object]:
    rng = np.random.default_rng(0)
    image = rng.integers(0, 256, (480, 640, 3), np.uint8)
    scores, boxes = rng.random((900, 256)) ** 20, rng.random((900, 4))
    spans = {name: np.array([1, 2]) + 3 * k for k, name in enumerate(_NAMES)}

    def once() -> object:
        return prepared(image), grounded(scores, boxes, spans, (640, 480), 0.3)

    return once

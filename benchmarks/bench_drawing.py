"""What drawing the eight views of a scene costs: ours, beside MuJoCo's own renderer (render.py)."""

from typing import Any

import pytest

from benchmarks.render import SIZES_PX, scenes, ways
from pactwin.sim import ensure_gl


@pytest.mark.parametrize("way", ["ours", "bare", "default"])
@pytest.mark.parametrize("size_px", SIZES_PX, ids=lambda size: f"{size[0]}x{size[1]}")
def test_drawing(benchmark: Any, size_px: tuple[int, int], way: str) -> None:
    ensure_gl()
    (scene, *_) = scenes(1, size_px)
    with ways(scene, size_px) as draw:
        benchmark.pedantic(draw[way], rounds=5, warmup_rounds=1)
    benchmark.extra_info["views"] = len(scene[2])

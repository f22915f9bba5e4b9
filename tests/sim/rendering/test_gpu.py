"""A GPU, and another driver, draw what the processor draws, within a tolerance."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pactwin.sim import ensure_gl

DRAW = """
import sys
import numpy as np
from pactwin.sim import ensure_gl
from pactwin.sim.domains import load_domain
from pactwin.sim.rendering.gl import renderer_in_use
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.render import render_views
from pactwin.sim.rendering.cameras import frame_cameras

rng = np.random.default_rng(5)
twins = load_domain("balance").propose(rng, "g1")
look = draw_appearance(rng)
cameras = frame_cameras(
    (twins.infeasible, twins.feasible), ("front", "head"), (640, 480), rng, "g1"
)
frames = list(render_views(twins.feasible.items, look, "g1", cameras))
np.savez(
    sys.argv[1],
    color=[frame.color for frame in frames],
    depth=[frame.depth_mm for frame in frames],
    mask=[frame.mask for frame in frames],
)
print(renderer_in_use())
"""


def drawn(path: Path, backend: str, driver: str = "") -> tuple[str, dict[str, np.ndarray]]:
    """The renderer behind ``backend`` and what it draws, in a process of its own."""
    environment = os.environ | {"MUJOCO_GL": backend, "GALLIUM_DRIVER": driver or "llvmpipe"}
    environment.pop("PACTWIN_GL_FOUND", None)
    run = subprocess.run(
        [sys.executable, "-c", DRAW, str(path)], env=environment, capture_output=True, text=True
    )
    if run.returncode and "OpenGL cannot draw" in run.stderr:
        pytest.skip(f"{backend} does not draw here: {run.stderr.splitlines()[-1]}")
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()[-1], dict(np.load(path))


def assert_alike(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    """Edges may fall on the neighbouring pixel; nothing else may differ visibly."""
    error = one["color"].astype(float) - other["color"].astype(float)
    assert 10 * np.log10(255**2 / max(float(np.mean(error**2)), 1e-9)) > 30  # dB
    apart_mm = np.abs(one["depth"].astype(int) - other["depth"].astype(int))
    assert np.mean(apart_mm <= 2) > 0.99
    assert np.mean(one["mask"] == other["mask"]) > 0.995


@pytest.mark.slow
def test_a_gpu_draws_what_the_processor_draws(tmp_path: Path) -> None:
    gl = ensure_gl()
    if gl.software:
        pytest.skip(f"no GPU: {gl.backend} draws with {gl.renderer}")
    on_gpu, pictures = drawn(tmp_path / "gpu.npz", "egl")
    in_software, expected = drawn(tmp_path / "software.npz", "osmesa")
    assert on_gpu != in_software
    assert_alike(pictures, expected)


@pytest.mark.slow
def test_a_driver_with_one_sample_and_other_arithmetic_draws_alike(tmp_path: Path) -> None:
    if not ensure_gl().software:
        pytest.skip("the driver of a GPU is not chosen by name")
    other, pictures = drawn(tmp_path / "other.npz", "egl", "softpipe")
    usual, expected = drawn(tmp_path / "usual.npz", "egl")
    assert (other, usual.split()[0]) == ("softpipe", "llvmpipe")
    assert_alike(pictures, expected)


def test_the_tolerance_tells_other_pictures() -> None:
    rng = np.random.default_rng(0)
    patches = rng.integers(0, 255, (2, 30, 40, 3), np.uint8).repeat(16, axis=1).repeat(16, axis=2)
    pictures = {"color": patches, "depth": 8 * patches[..., 0], "mask": patches[..., 1]}
    assert_alike(pictures, pictures)
    for name in pictures:
        with pytest.raises(AssertionError):
            assert_alike(pictures, pictures | {name: np.roll(pictures[name], 8, axis=2)})

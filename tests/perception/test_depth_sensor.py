"""What the depth sensor does to true depth."""

import io

import numpy as np
import pytest
from fakes import fake_pairs
from PIL import Image

from pactwin.perception import DEPTH_SENSORS, measured_depth, sensed_files

D435I = DEPTH_SENSORS["d435i"]
K = np.array([[600.0, 0, 160], [0, 600, 120], [0, 0, 1]])
GREY = np.full((240, 320, 3), 128, np.uint8)


def measured(depth: np.ndarray, color: np.ndarray = GREY, seed: int = 0, **options) -> np.ndarray:
    return measured_depth(color, depth, K, D435I, np.random.default_rng(seed), **options)


def flat(mm: int) -> np.ndarray:
    return np.full((240, 320), mm, np.uint16)


def test_range_noise_grows_with_the_square_of_distance() -> None:
    spread = {mm: float(np.std(measured(flat(mm)).astype(float))) for mm in (1000, 2000, 3000)}
    assert spread[2000] / spread[1000] == pytest.approx(4.0, rel=0.15)
    assert spread[3000] / spread[1000] == pytest.approx(9.0, rel=0.15)
    assert 1.5 < spread[1000] < 5.0  # mm: what the data sheet and measurements give at 1 m
    assert np.mean(measured(flat(1000))) == pytest.approx(1000, abs=1.0)


def test_depth_comes_in_steps_of_disparity() -> None:
    values = np.unique(measured(flat(2000)))
    disparity = 600 * D435I.baseline_m * 1000 / values
    steps = disparity / D435I.step_px
    assert np.abs(steps - np.round(steps)).max() < 0.13  # what rounding to mm leaves of them
    assert len(values) < 60


def test_points_fly_between_surfaces_at_edges_and_nowhere_else() -> None:
    depth = flat(1000)
    depth[:, 160:] = 600
    found = measured(depth)
    between = (found > 700) & (found < 900)
    columns = np.nonzero(between)[1]
    assert len(columns) > 50
    assert 160 - D435I.edge_px <= columns.min() <= columns.max() < 160 + D435I.edge_px


def test_dark_and_shining_surfaces_and_glass_have_holes() -> None:
    color = GREY.copy()
    color[:80], color[160:] = 5, 255
    glass = np.zeros((240, 320), bool)
    glass[100:120] = True
    found = measured(flat(800), color, transparent=glass)
    lost = found == 0
    assert 0.2 < lost[:80].mean() < 0.5
    assert 0.2 < lost[160:].mean() < 0.5
    assert lost[100:120].all()
    assert not lost[80:100].any()


def test_files_of_a_pair_differ_in_depth_alone_and_alike_each_time() -> None:
    pair = next(fake_pairs(1))
    once, again = (sensed_files(pair.scenes, pair.files, D435I) for _ in range(2))
    assert once == again
    changed = {path for path in pair.files if once[path] != pair.files[path]}
    assert changed == {path for path in pair.files if path.endswith(".depth.png")}
    with Image.open(io.BytesIO(once[min(changed)])) as picture:
        assert picture.mode == "I;16"

"""Fewer triangles, the same surface: laws of thinning, on shapes whose surface is known."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

from pactwin.sim.robots.decimation import decimated


def sphere(radius_m: float = 0.05, rows: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """A ball of triangles, each with three corners of its own, as in an STL file."""
    tilt, turn = np.meshgrid(
        np.linspace(0, np.pi, rows + 1), np.linspace(0, 2 * np.pi, 2 * rows + 1)
    )
    grid = radius_m * np.stack(
        [np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1
    )
    return soup(grid)


def sheet(n: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """A flat square of side 0.1 m, open all around."""
    x, y = np.meshgrid(np.linspace(0, 0.1, n), np.linspace(0, 0.1, n))
    return soup(np.stack([x, y, 0 * x], axis=-1))


def soup(grid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    corners = np.concatenate([np.stack([a, b, c], -2), np.stack([a, c, d], -2)]).reshape(-1, 3)
    return corners, np.arange(len(corners)).reshape(-1, 3)


def normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return np.cross(b - a, c - a)


@pytest.mark.parametrize("error_m", [1e-4, 1e-3])
def test_a_ball_keeps_its_surface_and_loses_triangles_with_the_error_allowed(error_m):
    radius_m = 0.05
    vertices, faces = decimated(*sphere(radius_m), error_m)
    assert 20 < len(faces) < 0.7 * 6400 * (1e-4 / error_m) ** 0.5
    np.testing.assert_allclose(np.linalg.norm(vertices, axis=1), radius_m, rtol=1e-6)
    middles = np.linalg.norm(vertices[faces].mean(axis=1), axis=1)
    assert radius_m - middles.min() < 4 * error_m


def test_no_triangle_is_turned_over_and_the_ball_stays_closed() -> None:
    vertices, faces = decimated(*sphere(), 2e-3)
    outwards = (normals(vertices, faces) * vertices[faces].mean(axis=1)).sum(axis=1)
    assert (outwards < 0).all() or (outwards > 0).all()
    sides = np.sort(np.concatenate([faces[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
    _, times = np.unique(sides, axis=0, return_counts=True)
    assert set(times) == {2}


def test_a_flat_sheet_becomes_two_triangles_with_its_rim_where_it_was() -> None:
    vertices, faces = decimated(*sheet(), 1e-5)
    assert len(faces) <= 4
    np.testing.assert_allclose(vertices.min(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(vertices.max(axis=0), (0.1, 0.1, 0.0), atol=1e-12)
    assert np.linalg.norm(normals(vertices, faces), axis=1).sum() / 2 == pytest.approx(0.01)


@pytest.mark.parametrize("seed", [1, 2])  # of these, without the check, one and two turn over
def test_a_wavy_sheet_seen_from_above_shows_no_triangle_from_behind(seed: int) -> None:
    x, y = np.random.default_rng(seed).uniform(0, 0.1, (2, 1500))
    points = np.column_stack([x, y, 0.01 * np.sin(60 * x) * np.cos(60 * y)])
    found = Delaunay(points[:, :2]).simplices
    faces = np.where(normals(points, found)[:, 2:] > 0, found, found[:, ::-1])
    vertices, fewer = decimated(points, faces, 3e-4)
    assert len(fewer) < 0.1 * len(faces)
    assert (normals(vertices, fewer)[:, 2] > 0).all()


def test_corners_that_are_not_joined_and_triangles_that_are_there_twice_do_not_matter() -> None:
    corners, faces = sphere()
    once = decimated(corners, faces, 1e-3)
    twice = decimated(corners, np.concatenate([faces, faces[:, ::-1]]), 1e-3)
    assert len(once[1]) == len(twice[1])


def test_nothing_is_left_of_nothing() -> None:
    vertices, faces = decimated(np.zeros((0, 3)), np.zeros((0, 3), int), 1e-3)
    assert vertices.shape == faces.shape == (0, 3)

"""Surfaces are made from noise: always the same, without a seam, and what their names say."""

import numpy as np
import pytest

from pactwin.sim.rendering.draw import _LOOKS
from pactwin.sim.rendering.procedural import PICTURE_PX, SURFACES, surface_picture
from pactwin.sim.rendering.room import FLOORS, TABLES, WALLS
from pactwin.suite import InvalidInputError

EVERY_SURFACE = pytest.mark.parametrize("name", sorted(SURFACES))


@EVERY_SURFACE
def test_a_surface_depends_on_its_name_alone(name: str) -> None:
    first = surface_picture(name).copy()
    surface_picture.cache_clear()
    np.random.default_rng().random()
    assert first.shape == (PICTURE_PX, PICTURE_PX, 3)
    np.testing.assert_array_equal(first, surface_picture(name))
    assert first.std() > 1.0, "something is to be seen on it"


@EVERY_SURFACE
def test_a_surface_repeats_without_a_seam(name: str) -> None:
    grey = surface_picture(name).mean(axis=2)
    for axis in (0, 1):
        steps = np.abs(np.diff(grey, axis=axis)).mean(axis=1 - axis)
        seam = np.abs(np.take(grey, 0, axis) - np.take(grey, -1, axis)).mean()
        assert seam <= 1.2 * steps.max()


def test_every_surface_that_is_used_exists() -> None:
    used = {surface for table in (TABLES, FLOORS, WALLS) for surface, _ in table.values()}
    used |= {grain[0] for grain, _, _ in _LOOKS.values() if grain}
    assert used - {None} == set(SURFACES)
    with pytest.raises(InvalidInputError, match="marble"):
        surface_picture("marble")

"""What is taken goes where the way leads, and what stands in that way is moved."""

from dataclasses import replace

import numpy as np
import pytest
from told_worlds import ToldSpeeds

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.removal import (
    DISTURBED,
    LIFTING,
    LIFTING_OR_DRAWING,
    UNDISTURBED,
    carry_off,
)
from pactwin.sim.physics.world import GRAVITY_M_S2, World
from pactwin.sim.scene.layout import Layout

# As the robot sees it: x away from it, y to its left.
DRAWN = {
    "draw towards the robot": (-1, 0),
    "draw to the left": (0, 1),
    "draw to the right": (0, -1),
    "draw away from the robot": (1, 0),
}
CUBE = standing_at(block("red", (0.05, 0.05, 0.05)), 0.25, 0.0)


@pytest.mark.parametrize("way", LIFTING_OR_DRAWING)
def test_what_is_taken_ends_where_the_way_leads(way: str) -> None:
    other = standing_at(block("blue", (0.05, 0.05, 0.05)), 0.25, 0.4)
    world = World(Layout((CUBE, other), "", (CUBE.name,)), Perturbation(), held=CUBE.name)
    before = world.positions()[0]
    path = LIFTING_OR_DRAWING[way]
    assert carry_off(world, path).ratio < 0.1
    np.testing.assert_allclose(world.positions()[0] - before, np.sum(path, axis=0), atol=0.003)


@pytest.mark.parametrize("open_side", DRAWN)
def test_a_thing_under_a_board_comes_out_only_where_no_wall_stands(open_side: str) -> None:
    colours = dict(zip(DRAWN, ("blue", "green", "yellow", "white"), strict=True))
    walls = [
        standing_at(
            block(colours[side], (0.03, 0.09, 0.06) if x else (0.09, 0.03, 0.06)),
            0.25 + 0.07 * x,
            0.07 * y,
        )
        for side, (x, y) in DRAWN.items()
        if side != open_side
    ]
    board = standing_at(plank("orange", (0.16, 0.16, 0.012)), 0.25, 0.0, on_z=0.06)
    world = World(Layout((CUBE, *walls, board), "", (CUBE.name,)), Perturbation(), held=CUBE.name)
    assert not settle(world)
    at_rest = world.snapshot()
    for way, path in LIFTING_OR_DRAWING.items():
        world.restore(at_rest)
        world.release()
        found = carry_off(world, path)
        if way == open_side:
            assert found.ratio < UNDISTURBED, way
        else:
            assert found.ratio > DISTURBED, way
            # The board is moved, drawn from below or lifted with it; or else the wall is.
            assert found.moved


OTHER = standing_at(block("blue", (0.05, 0.05, 0.05)), 0.25, 0.4)
GRIPPED_S, LIFTED_S = 0.048, 0.07 / 0.25  # at 25 cm/s
BOTH = Layout((CUBE, OTHER), "", (CUBE.name,))


@pytest.mark.parametrize(
    ("fast", "waited_s"),
    [((0.004, 0.004), 0.24), ((0.006, 0.0), 1.44), ((0.0, 0.006), 1.44)],
    ids=["still", "slides", "turns"],
)
def test_what_is_slow_is_looked_at_once_and_what_is_not_for_a_second_and_a_half(fast, waited_s):
    world = ToldSpeeds([fast], BOTH, Perturbation(), held=CUBE.name)
    assert carry_off(world, LIFTING["lift"]).ratio < 0.1
    assert world.data.time == pytest.approx(GRIPPED_S + LIFTED_S + waited_s, abs=0.011)


def test_a_run_ends_as_soon_as_something_has_plainly_fallen() -> None:
    """By 25 mm, looked at a hundred times a second."""
    falling = replace(OTHER, world_from_object=OTHER.world_from_object.moved(dz=1.0))
    world = World(Layout((CUBE, falling), "", (CUBE.name,)), Perturbation(), held=CUBE.name)
    found = carry_off(world, LIFTING_OR_DRAWING["draw to the left"])
    fallen_s = np.sqrt(2 * 0.025 / GRAVITY_M_S2)
    assert fallen_s <= world.data.time <= fallen_s + 0.011
    assert found.moved == {OTHER.name}
    assert found.fallen_m > 0.025
    assert found.fallen_m == pytest.approx(found.moved_m)

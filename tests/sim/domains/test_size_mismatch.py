"""Things and containers whose fit anybody can tell."""

import numpy as np
import pytest

from pactwin.sim.domains.size_mismatch import DOMAIN, ContainerOpening, orientations
from pactwin.sim.objects.blocks import block, cylinder, open_box
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.tableware import cup
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.scene.layout import Item, Layout


def straight_cup(color: str, inner_m: float, depth_m: float) -> Item:
    return cup(color, inner_m, inner_m, depth_m + 0.005, wall_m=0.005, floor_m=0.005)


def put(thing: Item, container: Item, yaw_rad: float = 0.4):
    items = (
        standing_at(thing, 0.15, 0.15, yaw_rad=0.1),
        standing_at(container, 0.2, -0.1, yaw_rad=yaw_rad),
    )
    return DOMAIN.trial(Layout(items, "", (thing.name, container.name)), Perturbation(), "g1")


@pytest.mark.parametrize(
    ("thing", "container", "feasible"),
    [
        (block("red", (0.05, 0.05, 0.07)), open_box("blue", (0.06, 0.06, 0.06)), True),
        (block("red", (0.07, 0.07, 0.07)), open_box("blue", (0.06, 0.06, 0.06)), False),
        # Too long to lie down, but it goes in upright; and on its side, if only that way fits.
        (block("red", (0.11, 0.05, 0.05)), open_box("blue", (0.06, 0.06, 0.06)), True),
        (block("red", (0.05, 0.09, 0.05)), open_box("blue", (0.10, 0.06, 0.05)), True),
        (block("red", (0.05, 0.05, 0.05)), straight_cup("blue", 0.08, 0.06), True),
        # Narrower than the cup, but not across its diagonal.
        (block("red", (0.06, 0.06, 0.06)), straight_cup("blue", 0.07, 0.06), False),
        (cylinder("red", 0.06, 0.07), straight_cup("blue", 0.07, 0.06), True),
        (ball("red", 0.06), open_box("blue", (0.07, 0.07, 0.06)), True),
        (ball("red", 0.09), straight_cup("blue", 0.06, 0.06), False),
    ],
)
def test_known_fits(thing: Item, container: Item, feasible: bool) -> None:
    outcome = put(thing, container)
    assert outcome.feasible is feasible
    assert (outcome.measurements["clearance"].value > 0) is feasible


def test_how_the_container_is_turned_does_not_matter() -> None:
    thing = block("red", (0.05, 0.09, 0.05))
    for angle in np.linspace(-3, 3, 5):
        assert put(thing, open_box("blue", (0.10, 0.06, 0.05)), float(angle)).feasible is True


def test_orientations_are_rotations_that_keep_the_volume() -> None:
    thing = block("red", (0.03, 0.05, 0.07))
    ways = orientations(thing)
    assert len({extents for _, extents in ways}) == 6
    for quat, _ in ways:
        assert np.linalg.norm(quat) == pytest.approx(1.0)


def test_opening_of_a_box_is_what_it_was_built_with() -> None:
    opening = ContainerOpening.of(open_box("blue", (0.08, 0.06, 0.05)))
    assert (opening.x_m, opening.y_m, opening.depth_m) == pytest.approx((0.08, 0.06, 0.05))

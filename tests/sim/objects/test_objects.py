"""Things built in: their frames, rest and mass, whatever their shape."""

import numpy as np
import pytest

from pactwin.sim.objects.blocks import open_box
from pactwin.sim.objects.closures import bottle_cap, box_lid, hinged_box, lid, wide_bottle
from pactwin.sim.objects.everyday import (
    apple,
    bowl,
    cake,
    coaster,
    cupcake,
    marker,
    marker_cap,
    notepad,
    pen,
    plate,
    tin,
)
from pactwin.sim.objects.posing import UPSIDE_DOWN, heights_m, resting_at, standing_at
from pactwin.sim.objects.vessels import cup, lying_pen_stand, pen_stand
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import axis_angle, quat_angle_rad

STANDING = [
    pen_stand("red", 0.072, 0.1, 0.015),
    cup("red", 0.08, 0.06, 0.095),
    bowl("red", 0.14, 0.05),
    lid("red", 0.09),
    marker_cap("red", 0.024),
    notepad("red", 0.074, 0.105, 0.01),
    hinged_box("red", (0.09, 0.075, 0.065), closed=True),
    hinged_box("red", (0.09, 0.075, 0.065), closed=False),
    box_lid("red", open_box("blue", (0.09, 0.075, 0.065))),
    wide_bottle("red", 0.066, 0.135, 0.038),
    bottle_cap("red", 0.038),
    plate("red", 0.145),
    coaster("red", 0.096),
    apple("red", 0.062),
    cupcake("red", 0.06, 0.055),
    cake("red", 0.082, 0.045),
    tin("red", 0.082, 0.065),
]
LONG = [pen("red", 0.013, 0.14), marker("red", 0.024, 0.125)]


def label(item: Item) -> str:
    return f"{item.category}-{item.state}".replace(" ", "_")


@pytest.mark.parametrize("item", [*STANDING, *LONG], ids=label)
def test_the_frame_is_in_the_middle_of_the_solid_parts(item: Item) -> None:
    """So the poses and sizes on record say where a thing is, along each of its axes."""
    for axis, turn in enumerate(
        [axis_angle((0.0, 1.0, 0.0), -np.pi / 2), axis_angle((1.0, 0.0, 0.0), np.pi / 2), None]
    ):
        turned = item if turn is None else resting_at(item, 0.0, 0.0, turn, state="any", on_z=0.2)
        low, high = heights_m(turned)
        middle = turned.world_from_object.pos[2]
        # Segments of a round wall stick out by less than 2 mm at their corners.
        assert (low + high) / 2 == pytest.approx(middle, abs=0.002)
        assert high - low == pytest.approx(item.size_m[axis], abs=0.004)


def rests(item: Item) -> str:
    return settle(World(Layout((item,), "", (item.name,)), Perturbation(), held=item.name))


@pytest.mark.parametrize("item", STANDING, ids=label)
def test_things_rest_as_they_are_stood(item: Item) -> None:
    assert rests(standing_at(item, 0.2, 0.0, yaw_rad=0.3)) == ""


@pytest.mark.parametrize("item", [*STANDING[:3], plate("red", 0.145)], ids=label)
def test_hollow_things_rest_upside_down(item: Item) -> None:
    inverted = resting_at(item, 0.2, 0.0, UPSIDE_DOWN, yaw_rad=0.4, state="inverted")
    assert heights_m(inverted)[0] == pytest.approx(0.0, abs=1e-3)
    assert inverted.world_from_object.matrix()[2, 2] == pytest.approx(-1.0)
    assert rests(inverted) == ""


@pytest.mark.parametrize("turn", np.linspace(-3, 3, 4))
def test_a_lying_stand_rests_with_its_mouth_low(turn: float) -> None:
    stand = pen_stand("red", 0.072, 0.1, 0.015)
    lying = lying_pen_stand(stand, 0.2, 0.0, yaw_rad=float(turn))
    assert rests(lying) == ""
    axis = lying.world_from_object.matrix()[:3, 2]
    assert -0.25 < axis[2] < -0.1
    heading = float(np.arctan2(axis[1], axis[0]))
    assert quat_angle_rad(
        axis_angle((0.0, 0.0, 1.0), heading), axis_angle((0.0, 0.0, 1.0), float(turn))
    ) == pytest.approx(0.0, abs=1e-6)

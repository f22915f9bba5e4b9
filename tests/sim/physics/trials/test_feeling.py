"""A feeler finds the inside of a vessel as it was built, however it stands."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import open_box
from pactwin.sim.objects.posing import ON_SIDE, UPSIDE_DOWN, resting_at, standing_at
from pactwin.sim.objects.vessels import cup
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.raycasting import Cavity, cavity_of, ray_distance_m
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose

WIDE_M, DEEP_M, FLOOR_M = 0.08, 0.06, 0.005
BOX = open_box("blue", (0.10, 0.06, DEEP_M))
CUP = cup("red", WIDE_M, WIDE_M, DEEP_M + FLOOR_M, wall_m=0.005, floor_m=FLOOR_M)
HERE = Pose((0.0, 0.0, 0.0))


def world_of(*items: Item) -> World:
    return World(Layout(items, "", (items[0].name,)), Perturbation(), held=items[0].name)


def felt(vessel: Item) -> Cavity:
    return cavity_of(world_of(vessel), vessel.name, vessel.size_m[2])


def hollow(half_m: tuple[float, float], is_round: bool) -> Cavity:
    return Cavity("cup", HERE, HERE, 0.1, 0.1, half_m, is_round)


@pytest.mark.parametrize("yaw_rad", [0.0, 0.7])
def test_the_inside_is_as_it_was_built(yaw_rad: float) -> None:
    box, round_cup = (felt(standing_at(v, 0.2, 0.1, yaw_rad=yaw_rad)) for v in (BOX, CUP))
    assert box.half_m == pytest.approx((0.05, 0.03), abs=0.001)
    assert round_cup.half_m == pytest.approx((WIDE_M / 2, WIDE_M / 2), abs=0.002)
    assert box.depth_m == pytest.approx(DEEP_M, abs=0.001)
    assert round_cup.depth_m == pytest.approx(DEEP_M, abs=0.001)
    assert (box.round, round_cup.round) == (False, True)
    assert box.axis == pytest.approx((0.0, 0.0, 1.0))


def test_what_lies_opens_to_the_side_and_what_stands_upside_down_has_no_hollow_above() -> None:
    lying = felt(resting_at(CUP, 0.2, 0.0, ON_SIDE, state="on_side"))
    assert abs(lying.axis[2]) < 1e-6
    assert lying.depth_m == pytest.approx(DEEP_M, abs=0.001)
    turned = felt(resting_at(CUP, 0.2, 0.0, UPSIDE_DOWN, state="upside_down"))
    assert turned.axis == pytest.approx((0.0, 0.0, -1.0))


def test_a_vessel_that_widens_is_as_wide_as_it_is_four_millimetres_below_its_rim() -> None:
    widening = cup("red", 0.12, 0.06, DEEP_M + FLOOR_M, wall_m=0.005, floor_m=FLOOR_M)
    inner = []
    for below_m in (0.002, 0.004, 0.006):
        world = world_of(standing_at(widening, 0.2, 0.1))
        at, along = np.array([0.2, 0.1, DEEP_M + FLOOR_M - below_m]), np.array([1.0, 0.0, 0.0])
        inner.append(ray_distance_m(world, widening.name, at, along))
    assert inner[0] > inner[1] + 0.0005 > inner[2] + 0.001
    assert felt(standing_at(widening, 0.2, 0.1)).half_m[0] == pytest.approx(inner[1], abs=3e-4)


@pytest.mark.parametrize(("deep_m", "up"), [(0.012, 1.0), (0.008, -1.0)])
def test_a_foot_less_than_a_centimetre_deep_is_no_hollow(deep_m: float, up: float) -> None:
    box = open_box("blue", (0.10, 0.06, DEEP_M))
    foot = open_box("blue", (0.10, 0.06, deep_m))
    high, low = box.size_m[2], foot.size_m[2]
    over = Pose((0.0, 0.0, 0.0), UPSIDE_DOWN)
    parts = [replace(part, pose=part.pose.moved(dz=low / 2)) for part in box.parts]
    parts += [replace(p, pose=(over @ p.pose).moved(dz=-high / 2)) for p in foot.parts]
    both = replace(box, parts=tuple(parts), size_m=(*box.size_m[:2], high + low))
    turned = resting_at(both, 0.2, 0.1, UPSIDE_DOWN, state="upside_down")
    assert felt(turned).axis == pytest.approx((0.0, 0.0, up))


def test_a_hollow_moves_with_its_vessel() -> None:
    vessel = standing_at(CUP, 0.2, 0.1)
    world = world_of(vessel)
    found = cavity_of(world, vessel.name, vessel.size_m[2])
    assert np.allclose(found.pose_in(world).matrix(), found.pose.matrix())
    world.place_held(vessel.world_from_object.moved(0.1, -0.2))
    assert found.pose_in(world).pos == pytest.approx(np.add(found.pose.pos, (0.1, -0.2, 0.0)))


@pytest.mark.parametrize(
    ("half_m", "is_round", "extents_m", "thing_is_round", "clearance_m"),
    [
        ((0.05, 0.04), True, (0.06, 0.06), True, 0.02),
        ((0.05, 0.04), True, (0.03, 0.04), False, 0.03),  # across its diagonal of 0.05
        ((0.05, 0.03), False, (0.02, 0.09), False, 0.01),  # turned so that it goes in
        ((0.05, 0.03), False, (0.05, 0.04), False, 0.02),
        ((0.05, 0.03), False, (0.07, 0.02), False, 0.03),
    ],
)
def test_clearance_is_what_is_left_of_the_opening(
    half_m, is_round, extents_m, thing_is_round, clearance_m
):
    found = hollow(half_m, is_round).clearance_m(extents_m, thing_is_round)
    assert found == pytest.approx(clearance_m)

"""Sliding, tipping and rolling begin where statics says, and what stays does not creep.

A slope is a table under tilted gravity, which is exact.
"""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.posing import laid_down, standing_at
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.world import GRAVITY_M_S2, TIME_STEP_S, World
from pactwin.sim.scene.layout import Item, Layout, Part

ROLLING_M = 0.0001  # arm of the rolling resistance: a hard ball on a hard table
RADIUS_M = 0.02
BALL = ball("red", 0.04)
LYING = laid_down(cylinder("red", 0.04, 0.08))
ROD = Part("capsule", (0.04, 0.04, 0.12))
CAPSULE = laid_down(replace(cylinder("red", 0.04, 0.12), parts=(ROD,)))
NOMINAL = Perturbation()


def on_slope(
    item: Item, angle_rad: float, perturbation: Perturbation = NOMINAL, way_rad: float = 0.0
) -> World:
    """A world with an item that has settled on the level, and now stands on a slope."""
    item = standing_at(item, 0.0, 0.0)
    world = World(Layout((item,), "", (item.name,)), perturbation, held=item.name)
    world.run(0.3)
    down = np.sin(angle_rad) * np.array([np.cos(way_rad), np.sin(way_rad)])
    world.model.opt.gravity = GRAVITY_M_S2 * np.array([*down, -np.cos(angle_rad)])
    return world


def moved(world: World, duration_s: float) -> tuple[float, float]:
    """How far its item goes (m) and turns (rad)."""
    before = world.poses()
    world.run(duration_s)
    moved_m, turned_rad = world.moved_since(before)
    return float(moved_m[0]), float(turned_rad[0])


def rolling_m_s2(item: Item, angle_rad: float) -> float:
    """The acceleration of an item that has begun to roll, down a slope across its axis."""
    frame = item.world_from_object.matrix()[:3, :3] @ item.parts[0].pose.matrix()[:3, :3]
    axis = frame[:, 2]
    world = on_slope(item, angle_rad, way_rad=float(np.arctan2(axis[1], axis[0])) + np.pi / 2)
    world.run(4.0)
    before = world.speeds()[0, 0]
    world.run(0.5)
    return float(world.speeds()[0, 0] - before) / 0.5


@pytest.mark.parametrize("friction", [0.3, 0.7])
@pytest.mark.parametrize("scale", [0.8, 1.0, 1.25])
def test_a_block_slides_where_the_slope_exceeds_its_friction(friction: float, scale: float) -> None:
    thing = replace(block("red", (0.1, 0.1, 0.03)), friction=friction)
    limit = float(np.arctan(friction * scale))
    disturbed = Perturbation(friction_scale=scale)
    assert moved(on_slope(thing, 0.96 * limit, disturbed), 1.0)[0] < 0.001
    angle, time_s = 1.06 * limit, 0.5
    slid, _ = moved(on_slope(thing, angle, disturbed), time_s)
    pull = GRAVITY_M_S2 * (np.sin(angle) - friction * scale * np.cos(angle))
    assert slid == pytest.approx(pull * time_s**2 / 2, rel=0.15)


@pytest.mark.parametrize(("width_m", "height_m"), [(0.04, 0.12), (0.05, 0.10)])
def test_a_block_tips_where_its_middle_passes_its_edge(width_m: float, height_m: float) -> None:
    thing = replace(block("red", (width_m, width_m, height_m)), friction=1.2)
    limit = float(np.arctan(width_m / height_m))
    assert moved(on_slope(thing, limit - 0.02), 1.0)[1] < np.deg2rad(1.0)
    assert moved(on_slope(thing, limit + 0.02), 1.5)[1] > np.deg2rad(30.0)


@pytest.mark.parametrize(
    ("thing", "inertia"), [(BALL, 0.4), (LYING, 0.5), (CAPSULE, 0.5)],
    ids=["ball", "cylinder", "capsule"],
)  # fmt: skip
def test_round_things_roll_where_the_slope_exceeds_their_resistance(thing, inertia):
    """Below tan(angle) = arm / radius it gathers no speed, above it as the torque left over says.

    Resistance begins with motion, so what is held by it still moves, slowly and evenly.
    """
    limit = float(np.arctan(ROLLING_M / RADIUS_M))
    for share, left_over in ((0.5, 0.0), (5.0, 4.0)):
        found = rolling_m_s2(thing, share * limit)
        expected = left_over * GRAVITY_M_S2 * np.sin(limit) / (1 + inertia)
        alone = share * GRAVITY_M_S2 * np.sin(limit) / (1 + inertia)
        assert found == pytest.approx(expected, abs=0.06 * alone)


def _steps(duration_s: float) -> float:
    return round(duration_s / TIME_STEP_S) * TIME_STEP_S


def test_a_spinning_ball_is_braked_by_what_its_contact_turns_on() -> None:
    """Torsional friction of 5 mm: the spin ends after w I / (0.005 m g)."""
    thing = standing_at(BALL, 0.0, 0.0)
    world = World(Layout((thing,), "", (thing.name,)), Perturbation(), held=thing.name)
    world.run(0.3)
    stops_s = 20.0 * 0.4 * 0.02**2 / (0.005 * GRAVITY_M_S2)
    world.data.qvel[5] = 20.0
    world.run(_steps(0.5 * stops_s))
    assert world.data.qvel[5] == pytest.approx(10.0, rel=0.1)
    world.run(_steps(0.6 * stops_s))
    assert abs(world.data.qvel[5]) < 1.0


@pytest.mark.parametrize("thing", [block("red", (0.05, 0.05, 0.05)), cylinder("red", 0.05, 0.05)],
                         ids=["block", "cylinder"])  # fmt: skip
def test_what_friction_holds_does_not_creep(thing: Item) -> None:
    """On a slope of 20 degrees for 5 s: soft friction cones let it creep by 1.5 mm."""
    world = on_slope(replace(thing, friction=0.7), float(np.deg2rad(20.0)))
    assert moved(world, 5.0)[0] < 0.0003

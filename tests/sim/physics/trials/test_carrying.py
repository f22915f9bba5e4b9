"""How far from tipping and sliding things are, where anybody can reckon it."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, cylinder, plank
from pactwin.sim.objects.posing import ON_SIDE, resting_at, standing_at, top_m
from pactwin.sim.objects.stands import ramp_stand, tapered_stand
from pactwin.sim.physics.perturbation import Perturbation, undisturbed
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.carrying import inside_m, slope_left_deg
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.preconditions.staying_on import stays_on
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Measurement

BASE = standing_at(block("blue", (0.06, 0.06, 0.05)), 0.2, 0.0)
THING = block("red", (0.05, 0.05, 0.05))


def world(*items: Item) -> World:
    found = World(Layout(items, "", (items[0].name,)), Perturbation(), held=items[0].name)
    assert not settle(found)
    return found


@pytest.mark.parametrize("out", [0.0, 0.012, 0.024])
def test_a_block_is_as_far_from_tipping_as_its_middle_is_inside_the_edge(out: float) -> None:
    over = standing_at(THING, 0.2 + out, 0.0, on_z=top_m(BASE))
    here = world(over, BASE)
    # It rests on its own foot, or on what of that is over the base.
    assert inside_m(here, [over.name]) == pytest.approx(min(0.025, 0.03 - out), abs=5e-4)
    assert inside_m(here, [over.name], gone=BASE.name) is None


def test_what_is_on_it_weighs_with_it() -> None:
    board = standing_at(plank("green", (0.3, 0.06, 0.012)), 0.2, 0.0, on_z=top_m(BASE))
    load = standing_at(THING, 0.2 + 0.08, 0.0, on_z=top_m(board))
    other = standing_at(replace(THING, name="other"), 0.2 - 0.08, 0.0, on_z=top_m(board))
    here = world(load, other, board, BASE)
    kg = load.mass_kg * 0.08 / (load.mass_kg + board.mass_kg)
    assert inside_m(here, [board.name, load.name, other.name]) == pytest.approx(0.03, abs=1e-3)
    assert inside_m(here, [board.name, load.name]) == pytest.approx(0.03 - kg, abs=1e-3)


def test_on_an_edge_a_thing_is_as_far_from_standing_as_its_middle_is_beside_it() -> None:
    rod = replace(cylinder("blue", 0.04, 0.1), name="rod")
    here = world(standing_at(THING, 0.3, 0.2), resting_at(rod, 0.2, 0.0, ON_SIDE, state="on_side"))
    for off_m in (0.004, 0.008):
        x, y, z = here.pose("rod").pos
        across = here.pose("rod").matrix()[:2, 2][::-1] * (
            1,
            -1,
        )  # a line's normal, seen from above
        x, y = (x, y) + off_m * across
        here.place_held(Pose((x, y, z + 0.02 + 0.025 - 0.0003)))
        assert inside_m(here, [THING.name]) == pytest.approx(-off_m, abs=5e-4)


@pytest.mark.parametrize("angle_deg", [0.0, 10.0, 20.0, 30.0])
def test_a_slope_may_be_so_much_steeper_as_friction_holds(angle_deg: float) -> None:
    angle = np.deg2rad(angle_deg)
    rise = 0.07 * float(np.tan(angle))
    ramp = standing_at(ramp_stand("blue", 0.07, 0.02, 0.02 + rise), 0.2, 0.0)
    here = world(standing_at(THING, 0.3, 0.2), ramp)
    height = top_m(ramp) - rise / 2 + 0.025 / np.cos(angle) - 0.0003
    lying = (np.cos(angle / 2), 0.0, -np.sin(angle / 2), 0.0)
    here.place_held(Pose((0.2, 0.0, height), lying))
    mu = float(here.data.contact.friction[:, 0].max())  # on the ramp; less where that stands
    holds_deg = np.rad2deg(np.arctan(mu))
    assert slope_left_deg(here, THING.name) == pytest.approx(holds_deg - angle_deg, abs=0.2)


def left(outcome: Measurement | None) -> tuple[float, str]:
    assert outcome is not None
    return outcome.value, outcome.unit


def on(support: Item) -> tuple[float, str]:
    things = standing_at(THING, 0.2, 0.2), standing_at(support, 0.2, -0.1)
    here = SettledScene(Layout(things, "", (THING.name,)), undisturbed(3), "g1")
    return left(stays_on(here, THING.name, support.name)["it_stays_there"].distance)


def test_what_stays_or_falls_says_by_how_much_in_its_own_unit() -> None:
    wide, unit = on(tapered_stand("blue", 0.09, 0.06, (0.045, 0.045)))
    assert unit == "m" and wide == pytest.approx(0.0225, abs=0.004)
    narrow, unit = on(tapered_stand("blue", 0.09, 0.06, (0.03, 0.03)))
    assert unit == "m" and narrow == pytest.approx(0.015, abs=0.004)
    tip, unit = on(tapered_stand("blue", 0.09, 0.06, (0.0, 0.0)))
    assert unit == "m" and -0.008 < tip < 0.0, "beside the tip by as much as the hand errs"
    steep, unit = on(ramp_stand("blue", 0.07, 0.02, 0.02 + 0.07))
    assert unit == "deg" and -30.0 < steep < 0.0


def beam(base_at: float) -> tuple[float, str]:
    """A board with a thing at either end, of which the first is to be taken off."""
    board = standing_at(plank("green", (0.3, 0.06, 0.012)), 0.2, 0.0, on_z=top_m(BASE))
    base = standing_at(BASE, 0.2 + base_at, 0.0)
    ends = [
        standing_at(replace(THING, name=f"end {k}"), 0.2 + x, 0.0, on_z=top_m(board))
        for k, x in enumerate((0.1, -0.1))
    ]
    here = SettledScene(Layout((*ends, board, base), "", ("end 0",)), undisturbed(1), "g1")
    assert not here.settle_error
    (outcome,) = comes_off(here, "end 0").values()
    value, unit = left(outcome.distance)
    assert (value > 0.0) == outcome.feasible
    return value, unit


def test_a_board_tells_how_far_inside_its_base_what_is_left_weighs() -> None:
    board, end = plank("green", (0.3, 0.06, 0.012)).mass_kg, THING.mass_kg
    middle = -0.1 * end / (board + end)
    for base_at in (0.0, -0.02):
        value, unit = beam(base_at)
        assert unit == "m"
        assert value == pytest.approx(0.03 - abs(middle - base_at), abs=1.5e-3)


def test_what_nothing_else_carries_or_rests_on_nothing_is_near_no_edge() -> None:
    low = standing_at(THING, 0.2, 0.0)
    load = standing_at(block("green", (0.04, 0.04, 0.03)), 0.2, 0.0, on_z=top_m(low))
    for things, feasible in (((low, load), False), ((low,), True)):
        here = SettledScene(Layout(things, "", (low.name,)), undisturbed(1), "g1")
        (outcome,) = comes_off(here, low.name).values()
        assert outcome.feasible is feasible and outcome.distance is None

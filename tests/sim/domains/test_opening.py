"""Vessels and things of which anybody can tell whether one stays in the other."""

from typing import Any

import pytest

from pactwin.sim.domains.opening import DOMAIN
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import ON_SIDE, UPSIDE_DOWN, resting_at, standing_at, top_m
from pactwin.sim.objects.stationery import book, lying_pen_stand, pen, pen_stand
from pactwin.sim.objects.tableware import bowl, cup, lid
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint

MOUTH_M = {"pen_stand": 0.072, "cup": 0.08, "bowl": 0.13}
VESSELS = [
    pen_stand("blue", 0.072, 0.1, 0.015),
    cup("blue", 0.08, 0.06, 0.095),
    bowl("blue", 0.13, 0.08, 0.05),
]
BALL = standing_at(ball("red", 0.045), 0.1, 0.2)
PEN = resting_at(pen("red", 0.013, 0.14), 0.1, 0.2, ON_SIDE, state="on_side")


def put(thing: Item, vessel: Item, *others: Item, **disturbed: Any):
    mouth = MOUTH_M[vessel.category]
    depth = vessel.size_m[2] - vessel.parts[0].size_m[2]
    layout = Layout(
        (thing, vessel, *others),
        "",
        (thing.name, vessel.name, *(i.name for i in others)),
        {"depth_m": depth, "mouth_m": mouth},
    )
    return DOMAIN.trial(layout, Perturbation(**disturbed), "g1")


@pytest.mark.parametrize("vessel", VESSELS, ids=lambda v: v.category)
def test_what_stands_upright_keeps_a_ball_and_upside_down_does_not(vessel: Item) -> None:
    upright = put(BALL, standing_at(vessel, 0.25, -0.1, yaw_rad=0.3))
    assert upright.feasible is True
    assert upright.measurements["kept_depth"].value == pytest.approx(1.0, abs=0.02)
    inverted = put(BALL, resting_at(vessel, 0.25, -0.1, UPSIDE_DOWN, state="inverted"))
    assert (inverted.feasible, inverted.constraint) == (False, Constraint.OPENING_DOWN)
    assert inverted.measurements["kept_depth"].value == 0.0


@pytest.mark.parametrize("vessel", VESSELS[:2], ids=lambda v: v.category)
def test_a_pen_leans_in_a_stand_and_stays(vessel: Item) -> None:
    assert put(PEN, standing_at(vessel, 0.25, -0.1)).feasible is True


@pytest.mark.parametrize("cover", [lid("green", 0.09), book("green", (0.1, 0.12, 0.018))])
def test_a_cover_closes_a_vessel_unless_it_lies_beside_it(cover: Item) -> None:
    vessel = standing_at(VESSELS[1], 0.25, -0.1)
    over = put(BALL, vessel, standing_at(cover, 0.25, -0.1, on_z=top_m(vessel)))
    assert (over.feasible, over.constraint) == (False, Constraint.COVERED)
    assert put(BALL, vessel, standing_at(cover, 0.25, 0.05)).feasible is True


def test_a_ball_too_large_for_the_mouth_is_not_said_to_be_covered() -> None:
    large = standing_at(ball("red", 0.09), 0.1, 0.2)
    outcome = put(large, standing_at(VESSELS[0], 0.25, -0.1))
    assert (outcome.feasible, outcome.constraint) == (False, Constraint.DOES_NOT_FIT)


@pytest.mark.parametrize(("foot_m", "stays"), [(0.015, False), (0.0, True)])
def test_a_ball_rolls_out_only_if_the_lying_stand_slopes(foot_m: float, stays: bool) -> None:
    stand = pen_stand("blue", 0.072, 0.1, foot_m)
    outcome = put(BALL, lying_pen_stand(stand, 0.25, -0.1, yaw_rad=0.5))
    assert outcome.measurements["entered_depth"].value > 0.8
    assert outcome.feasible is stays
    if not stays:
        assert outcome.constraint is Constraint.UNSTABLE_SUPPORT


def test_a_vessel_that_hangs_in_the_air_is_not_decided() -> None:
    outcome = put(BALL, standing_at(VESSELS[0], 0.25, -0.1, on_z=0.05))
    assert outcome.feasible is None
    assert "rest" in outcome.reason

"""Things and vessels of which anybody can tell whether one goes into the other and stays."""

from dataclasses import replace
from typing import Any

import mujoco
import pytest

from pactwin.sim.objects.blocks import block, cylinder, open_box
from pactwin.sim.objects.closures import lid
from pactwin.sim.objects.everyday import ball, bowl, can, pen
from pactwin.sim.objects.obstacles import cage
from pactwin.sim.objects.posing import ON_SIDE, UPSIDE_DOWN, resting_at, standing_at, top_m
from pactwin.sim.objects.vessels import cup, lying_pen_stand, pen_stand
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.putting import release_and_settle
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions import going_in
from pactwin.sim.preconditions.going_in import attempt, goes_in
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import axis_angle
from pactwin.suite import Constraint


def causes(found: Outcomes) -> set[Constraint]:
    assert all(outcome.feasible is not None for outcome in found.values()), found
    return {outcome.constraint for outcome in found.values()} - {Constraint.NONE}


def put(thing: Item, vessel: Item, *others: Item) -> Outcomes:
    layout = Layout((thing, vessel, *others), "", (thing.name, vessel.name))
    return goes_in(SettledScene(layout, Perturbation(), "g1"), thing.name, vessel.name)


def lowered(thing: Item, container: Item) -> Outcomes:
    stood = standing_at(container, 0.2, -0.1, yaw_rad=0.4)
    return put(standing_at(thing, 0.15, 0.15, yaw_rad=0.1), stood)


def straight_cup(color: str, inner_m: float, depth_m: float) -> Item:
    return cup(color, inner_m, inner_m, depth_m + 0.005, wall_m=0.005, floor_m=0.005)


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
        (ball("red", 0.09), straight_cup("blue", 0.06, 0.06), False),
    ],
)
def test_known_fits(thing: Item, container: Item, feasible: bool) -> None:
    found = lowered(thing, container)
    assert causes(found) == (set() if feasible else {Constraint.DOES_NOT_FIT})
    (clearance,) = {o.measurements["clearance"].value for o in found.values() if o.measurements}
    assert (clearance > 0) is feasible


VESSELS = [
    pen_stand("blue", 0.072, 0.1, 0.015),
    cup("blue", 0.08, 0.06, 0.095),
    bowl("blue", 0.14, 0.05),
]
PEN = resting_at(pen("red", 0.013, 0.14), 0.1, 0.2, ON_SIDE, state="on_side")
BALL = standing_at(ball("red", 0.045), 0.1, 0.2)


@pytest.mark.parametrize("vessel", VESSELS, ids=lambda v: v.category)
def test_what_stands_upright_keeps_a_ball_and_upside_down_does_not(vessel: Item) -> None:
    upright = put(BALL, standing_at(vessel, 0.25, -0.1, yaw_rad=0.3))
    assert causes(upright) == set()
    kept = upright["it_fits"].measurements["kept_depth"].value
    assert kept == pytest.approx(1.0, abs=0.02)
    inverted = put(BALL, resting_at(vessel, 0.25, -0.1, UPSIDE_DOWN, state="inverted"))
    assert causes(inverted) == {Constraint.OPENING_DOWN}
    assert inverted["the_opening_is_up"].measurements["kept_depth"].value == 0.0


def test_a_cover_closes_a_vessel_unless_it_lies_beside_it() -> None:
    vessel, cover = standing_at(VESSELS[1], 0.25, -0.1), lid("green", 0.09)
    over = put(BALL, vessel, standing_at(cover, 0.25, -0.1, on_z=top_m(vessel)))
    assert causes(over) == {Constraint.COVERED}
    assert causes(put(BALL, vessel, standing_at(cover, 0.25, 0.05))) == set()


def test_what_fills_a_vessel_leaves_no_room_and_what_lies_on_its_floor_does() -> None:
    vessel = VESSELS[1]
    stood = standing_at(vessel, 0.25, -0.1)
    floor = vessel.parts[0].size_m[2]
    full = standing_at(cylinder("green", 0.055, 0.07), 0.25, -0.1, on_z=floor)
    assert causes(put(BALL, stood, full)) == {Constraint.OCCUPIED}
    low = standing_at(cylinder("green", 0.05, 0.008), 0.25, -0.1, on_z=floor)
    assert causes(put(BALL, stood, low)) == set()


def test_what_fills_a_vessel_is_the_cause_though_the_thing_slips_off_it(monkeypatch) -> None:
    """Then nothing stops the hand; without what is there the thing gets in."""
    stood = standing_at(VESSELS[1], 0.25, -0.1)
    full = standing_at(
        cylinder("green", 0.055, 0.07), 0.25, -0.1, on_z=VESSELS[1].parts[0].size_m[2]
    )

    def slipping(*args: Any) -> going_in._Try:
        return replace(attempt(*args), stopped_by=frozenset())

    monkeypatch.setattr(going_in, "attempt", slipping)
    assert causes(put(BALL, stood, full)) == {Constraint.OCCUPIED}
    assert causes(put(BALL, stood)) == set()


@pytest.mark.parametrize(
    ("dips", "cause"), [(0.19, Constraint.COVERED), (0.21, Constraint.OCCUPIED)]
)
def test_what_dips_into_a_vessel_by_a_fifth_of_its_height_occupies_it(dips, cause) -> None:
    """A ball on the rim dips the less into the opening, the larger it is."""
    vessel = standing_at(straight_cup("blue", 0.07, 0.09), 0.25, -0.1)
    deep_m = dips * vessel.size_m[2]
    across_m = deep_m + 0.035**2 / deep_m  # of the ball of which so much is below the rim
    above_m = 0.0002  # a hair above, where it does not overlap the rim at rest
    on_rim = standing_at(ball("green", across_m), 0.25, -0.1, on_z=top_m(vessel) - deep_m + above_m)
    assert causes(put(BALL, vessel, on_rim)) == {cause}


def test_two_causes_are_both_named() -> None:
    large = standing_at(ball("red", 0.09), 0.1, 0.2)
    inverted = resting_at(VESSELS[0], 0.25, -0.1, UPSIDE_DOWN, state="inverted")
    both = {Constraint.DOES_NOT_FIT, Constraint.OPENING_DOWN}
    assert causes(put(large, inverted)) == both
    upright = standing_at(VESSELS[0], 0.25, -0.1)
    assert causes(put(large, upright)) == {Constraint.DOES_NOT_FIT}, "it is not covered"
    assert causes(put(PEN, upright)) == set(), "a pen leans in it and stays"


@pytest.mark.parametrize(("foot_m", "stays"), [(0.015, False), (0.0, True)])
def test_a_ball_rolls_out_only_if_the_lying_stand_slopes(foot_m: float, stays: bool) -> None:
    stand = pen_stand("blue", 0.072, 0.1, foot_m)
    found = put(BALL, lying_pen_stand(stand, 0.25, -0.1, yaw_rad=0.5))
    assert found["it_stays_in_it"].measurements["entered_depth"].value > 0.8
    assert causes(found) == (set() if stays else {Constraint.UNSTABLE_SUPPORT})


def test_what_stands_over_a_vessel_is_in_the_way_and_it_fits() -> None:
    box = standing_at(open_box("blue", (0.06, 0.06, 0.06)), 0.25, -0.1)
    over = standing_at(cage("green", (0.14, 0.14, 0.14)), 0.25, -0.1)
    thing = standing_at(block("red", (0.05, 0.05, 0.07)), 0.15, 0.15)
    assert causes(put(thing, box, over)) == {Constraint.PATH_BLOCKED}
    wide = standing_at(block("red", (0.07, 0.07, 0.07)), 0.15, 0.15)
    assert causes(put(wide, box, over)) == {Constraint.PATH_BLOCKED, Constraint.DOES_NOT_FIT}


@pytest.mark.parametrize(("knocked", "decided"), [("green block", False), ("blue box", True)])
def test_nothing_is_decided_if_something_else_is_moved(knocked, decided, monkeypatch):
    """The vessel itself may shift a little."""
    box = standing_at(open_box("blue", (0.06, 0.06, 0.06)), 0.25, -0.1)
    thing = standing_at(block("red", (0.05, 0.05, 0.07)), 0.15, 0.15)
    other = standing_at(block("green", (0.05, 0.05, 0.03)), 0.25, 0.1)

    def knocking(world: World) -> float:
        joint = world.model.body(knocked).jntadr[0]
        world.data.qvel[world.model.jnt_dofadr[joint]] = 0.6
        return release_and_settle(world)

    monkeypatch.setattr(going_in, "release_and_settle", knocking)
    reasons = {outcome.reason for outcome in put(thing, box, other).values()}
    assert reasons == ({""} if decided else {"something else moves"})


def test_nothing_is_decided_if_the_vessel_tips_over(monkeypatch: pytest.MonkeyPatch) -> None:
    box = standing_at(open_box("blue", (0.06, 0.06, 0.06)), 0.25, -0.1)
    thing = standing_at(block("red", (0.05, 0.05, 0.07)), 0.15, 0.15)

    def tipping(world: World) -> float:
        speed = release_and_settle(world)
        start = world.model.jnt_qposadr[world.model.body(box.name).jntadr[0]]
        world.data.qpos[start + 3 : start + 7] = axis_angle((0.0, 0.0, 1.0), 0.2)
        mujoco.mj_forward(world.model, world.data)
        return speed

    monkeypatch.setattr(going_in, "release_and_settle", tipping)
    assert {outcome.reason for outcome in put(thing, box).values()} == {"the vessel tips over"}


@pytest.mark.parametrize("fast", [0.5, 1.0, 1.25])
def test_a_light_cylinder_that_a_heavy_can_presses_into_a_floor_keeps_it_out(fast: float) -> None:
    """The cylinder is not fixed and fills a box of cardboard; it yields by chance."""
    box = standing_at(open_box("blue", (0.096, 0.106, 0.0255), 0.005), 0.2, -0.1, yaw_rad=0.8)
    box = replace(box, mass_kg=0.029)
    filling = standing_at(cylinder("green", 0.09, 0.027), 0.2, -0.1, on_z=0.005)
    thing = standing_at(can("red", 0.066, 0.115), 0.2, 0.15)
    layout = Layout((thing, box, filling), "", (thing.name, box.name))
    noise = Perturbation(hand_speed_scale=fast)
    found = goes_in(SettledScene(layout, noise, "g1"), thing.name, box.name)
    assert causes(found) == {Constraint.OCCUPIED}
    assert found["there_is_room_in_it"].measurements["entered_depth"].value == 0.0

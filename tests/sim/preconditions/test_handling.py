"""What hands have to do for an action: out of reach, blocked, too heavy, or in use by others."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from pactwin.sim.actions.handling import PutInto
from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.obstacles import cage
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.vessels import lying_pen_stand, pen_stand
from pactwin.sim.physics.perturbation import Perturbation, undisturbed
from pactwin.sim.preconditions import handling
from pactwin.sim.preconditions.coming_off import comes_off
from pactwin.sim.preconditions.handling import hand_brings, hand_gets_into, hand_gets_to, hand_holds
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.reach.postures import Posture
from pactwin.sim.reach.search import RESERVE_M, Reach
from pactwin.sim.robots.registry import ROBOTS, robot_named
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint

NOMINAL = Perturbation()
NEAR, FAR = (0.25, 0.15), (0.70, 0.0)


def cube(color: str, at: tuple[float, float], on_z: float = 0.0) -> Item:
    return standing_at(block(color, (0.05, 0.05, 0.05)), *at, on_z=on_z)


def situation(*items: Item, robot: str = "g1") -> SettledScene:
    found = SettledScene(Layout(items, "", (items[0].name,)), NOMINAL, robot)
    assert not found.settle_error
    return found


def cause(found: Outcomes) -> Constraint:
    (outcome,) = found.values()
    assert outcome.feasible is not None, outcome
    assert np.sign(outcome.margin) == (1 if outcome.feasible else -1)
    return outcome.constraint


def causes(found: Outcomes) -> set[Constraint]:
    for outcome in found.values():
        assert np.sign(outcome.margin) == (1 if outcome.feasible else -1), outcome
    return {outcome.constraint for outcome in found.values()}


def test_each_cause_is_found_by_its_own_trial() -> None:
    red = cube("red", NEAR)
    far = cube("red", FAR)
    guard = standing_at(cage("green", (0.14, 0.14, 0.09)), *NEAR)
    load = cube("blue", NEAR, on_z=top_m(red))
    for decided in (hand_gets_to, hand_holds, comes_off):
        assert cause(decided(situation(red), red.name)) is Constraint.NONE
    assert cause(hand_gets_to(situation(far), far.name)) is Constraint.OUT_OF_REACH
    assert cause(hand_gets_to(situation(red, guard), red.name)) is Constraint.PATH_BLOCKED
    heavy = situation(replace(red, mass_kg=5.0))
    assert cause(hand_holds(heavy, red.name)) is Constraint.NEEDS_TWO_HANDS
    wide = standing_at(block("red", (0.15, 0.15, 0.05)), *NEAR)
    assert cause(hand_holds(situation(wide), wide.name)) is Constraint.NEEDS_TWO_HANDS
    laden = situation(red, load)
    assert cause(comes_off(laden, red.name)) is Constraint.SUPPORTS_OTHER
    # A load is no obstacle to the hand: it is a cause of its own.
    assert cause(hand_gets_to(laden, red.name)) is Constraint.NONE


@pytest.mark.parametrize(
    ("clearance_m", "turned_wrong", "goes_on"),
    [(0.003, False, False), (0.001, False, True), (0.003, True, True), (-0.003, False, False)],
)
def test_a_search_goes_on_where_a_hand_gets_there_but_not_well_enough(
    monkeypatch: pytest.MonkeyPatch, clearance_m: float, turned_wrong: bool, goes_on: bool
) -> None:
    """More starts, from another sample, and the better of both counts: to confirm a label."""
    good = Posture("left", "from above", (), (), 0.0, 0.0, 0.0035, 0.06)
    first = replace(good, clearance_m=clearance_m)
    asked = []

    def search(*_: object, starts: int, sample_of: int, **__: object) -> Reach:
        asked.append((starts, sample_of))
        best = first if len(asked) == 1 else good
        return Reach(best, 0.0, RESERVE_M, 1, turned_wrong=turned_wrong and len(asked) == 1)

    monkeypatch.setattr(handling, "reach", search)
    monkeypatch.setattr(handling, "grasp_of", lambda *_: None)
    red = cube("red", NEAR)
    kept, confirmed = situation(red), situation(red)
    confirmed.longer = 2
    hand_gets_to(kept, red.name)
    assert len(asked) == 1
    asked.clear()
    (outcome,) = hand_gets_to(confirmed, red.name).values()
    assert len(asked) == 1 + goes_on
    if goes_on:
        assert asked[1][0] > asked[0][0]
        assert asked[1][1] != asked[0][1]
        assert outcome.margin == pytest.approx(0.7)


@pytest.mark.parametrize(("known_m", "searches"), [(0.003, 2), (-0.003, 1)])
def test_a_posture_that_noise_takes_away_is_sought_again_from_elsewhere(
    monkeypatch: pytest.MonkeyPatch, known_m: float, searches: int
) -> None:
    """Where undisturbed there was none, a repetition does not look for one as hard."""
    good = Posture("left", "from above", (), (), 0.0, 0.0, 0.0035, 0.06)
    asked: list[int] = []

    def search(*_: object, sample_of: int, **__: object) -> Reach:
        asked.append(sample_of)
        return Reach(good, 0.0, RESERVE_M, 1, turned_wrong=len(asked) == 1)

    monkeypatch.setattr(handling, "reach", search)
    monkeypatch.setattr(handling, "grasp_of", lambda *_: None)
    red = cube("red", NEAR)
    known = {f"hand_gets_to: {red.name}": replace(good, clearance_m=known_m)}
    layout = Layout((red,), "", (red.name,))
    again = SettledScene(layout, Perturbation("noise", pose_noise_m=0.001), "g1", known)
    (outcome,) = hand_gets_to(again, red.name).values()
    assert len(set(asked)) == len(asked) == searches
    assert outcome.feasible is (True if searches > 1 else None)


def test_a_grasp_is_one_that_fingers_can_make_and_one_through_a_load_is_none() -> None:
    red = cube("red", NEAR)
    load = cube("blue", NEAR, on_z=top_m(red))
    (free,) = hand_gets_to(situation(red), red.name).values()
    assert free.grasp is not None
    assert free.leaves_open == ""
    assert 0.05 < free.grasp.opening_m <= robot_named("g1").span_m
    assert set(free.grasp.taking) == set(robot_named("g1").arm(free.grasp.arm).joints)
    (laden,) = hand_gets_to(situation(red, load), red.name).values()
    assert laden.feasible
    assert laden.grasp is None
    assert laden.leaves_open
    wide = standing_at(block("red", (0.15, 0.15, 0.05)), *NEAR)
    (anyhow,) = hand_gets_to(situation(wide), wide.name).values()
    assert anyhow.grasp is None
    assert anyhow.leaves_open


def test_distances_are_in_their_own_unit_and_change_with_what_is_measured() -> None:
    """A wider thing leaves as much less of the span; a farther one is as much farther off."""

    def left(found: Outcomes) -> tuple[float, str]:
        (outcome,) = found.values()
        assert outcome.distance is not None
        assert np.sign(outcome.distance.value) == (1 if outcome.feasible else -1)
        return outcome.distance.value, outcome.distance.unit

    def holding(width: float) -> tuple[float, str]:
        thing = standing_at(block("red", (width, width, 0.05)), *NEAR)
        return left(hand_holds(situation(thing), thing.name))

    span, payload = robot_named("g1").span_m, robot_named("g1").payload_kg
    for width in (0.06, 0.08, 0.13, 0.19):
        assert holding(width) == (pytest.approx(span - width), "m")
    heavy = replace(cube("red", NEAR), mass_kg=5.0)
    assert left(hand_holds(situation(heavy), heavy.name)) == (pytest.approx(payload - 5.0), "kg")
    far = [cube("red", (x, 0.0)) for x in (0.8, 1.0)]
    short = [left(hand_gets_to(situation(thing), thing.name)) for thing in far]
    assert short[0][0] - short[1][0] == pytest.approx(0.2, abs=0.05)
    assert {unit for _, unit in short} == {"m"}
    near = [cube("red", (x, -0.1)) for x in (0.16, 0.2)]
    behind = [left(hand_gets_to(situation(thing), thing.name))[0] for thing in near]
    assert behind[0] - behind[1] == pytest.approx(0.04, abs=0.021)


def test_what_one_hand_is_kept_from_is_blocked_however_near_another_hand_gets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two arms one gets there but for 50 mm of overlap, the other stays 20 mm away."""
    blocked = Posture("right", "above", (), (), 0.0, 0.0, -0.05, 0.0)

    def told(_: str, __: object, target: str | None, **asked: object) -> Reach:
        if target is not None:
            return Reach(replace(blocked, clearance_m=0.01), 0.0, RESERVE_M, 1)
        left = asked["arms"] == ("left",)
        return Reach(None, 0.02, 0.0, 1) if left else Reach(blocked, 0.0, RESERVE_M, 1)

    monkeypatch.setattr(handling, "reach", told)
    monkeypatch.setattr(handling, "grasp_of", lambda *_: None)
    red, blue = cube("red", NEAR), cube("blue", (0.25, 0.1))
    found = hand_brings(situation(red, blue), red.name, blue.name)
    assert found[f"hand_gets_to: {blue.name}"].constraint is Constraint.PATH_BLOCKED


def test_a_retrial_with_other_noise_searches_anew() -> None:
    """What one sample of postures misses, another may find."""
    red = cube("red", NEAR)
    layout = Layout((red,), "", (red.name,))
    postures = set()
    for seed in range(2):
        here = SettledScene(layout, undisturbed(seed), "g1")
        hand_gets_to(here, red.name)
        postures.add(here.postures[f"hand_gets_to: {red.name}"].angles_rad)
    assert len(postures) == 2


def test_what_is_long_is_held_by_its_narrow_side_and_what_is_flat_by_no_edge() -> None:
    """Fingers do not get under what lies on a table."""
    cases = {(0.2, 0.05, 0.05): Constraint.NONE, (0.15, 0.2, 0.02): Constraint.NEEDS_TWO_HANDS}
    for size, expected in cases.items():
        thing = standing_at(block("red", size), *NEAR)
        assert cause(hand_holds(situation(thing), thing.name)) is expected


def test_what_balances_the_rest_is_not_said_to_carry_it() -> None:
    base = standing_at(block("red", (0.06, 0.06, 0.06), kind="base_block"), 0.2, 0.0)
    board = plank("blue", (0.24, 0.05, 0.012))
    board = standing_at(board, 0.24, 0.0, on_z=top_m(base))
    weight = standing_at(block("green", (0.05, 0.05, 0.05)), 0.15, 0.0, on_z=top_m(board))
    here = situation(weight, base, board)
    assert cause(comes_off(here, weight.name)) is Constraint.WOULD_COLLAPSE
    assert cause(comes_off(here, base.name)) is Constraint.SUPPORTS_OTHER


@pytest.mark.parametrize(
    ("share", "feasible"), [(0.8, True), (0.9, None), (1.1, None), (1.2, False)]
)
def test_about_as_much_as_a_hand_holds_decides_nothing(share: float, feasible: bool | None) -> None:
    red = replace(cube("red", NEAR), mass_kg=share * robot_named("g1").payload_kg)
    (outcome,) = hand_holds(situation(red), red.name).values()
    assert outcome.feasible is feasible


def test_what_is_fixed_to_it_comes_along() -> None:
    red = cube("red", NEAR)
    top = replace(cube("blue", NEAR, on_z=top_m(red)), attached_to=red.name)
    here = situation(red, top, cube("green", (0.25, -0.15)))
    assert cause(comes_off(here, red.name)) is Constraint.NONE
    assert hand_holds(here, red.name)[f"hand_holds: {red.name}"].measurements["mass"].value > (
        1.5 * red.mass_kg
    )


def test_the_place_has_to_be_reached_too_but_what_fills_it_is_not_in_the_way() -> None:
    red, near, far = cube("red", NEAR), cube("blue", (0.25, 0.0)), cube("green", FAR)
    on_it = cube("yellow", (0.25, 0.0), on_z=top_m(near))
    here = situation(red, near, on_it, far)
    assert causes(hand_brings(here, red.name, near.name)) == {Constraint.NONE}
    assert causes(hand_brings(here, red.name, far.name)) == {
        Constraint.NONE,
        Constraint.OUT_OF_REACH,
    }


def test_where_a_failure_settles_it_the_place_is_not_searched() -> None:
    """What is meant to be feasible is rejected for it, whatever hands do at the place."""
    red, blue = cube("red", FAR), cube("blue", (0.25, -0.15))
    here = situation(red, blue)
    both = hand_brings(here, red.name, blue.name)
    here.ends_at_failure = True
    first = hand_brings(here, red.name, blue.name)
    assert list(first) == [f"hand_gets_to: {red.name}"] < list(both)
    assert cause(first) is both[f"hand_gets_to: {red.name}"].constraint is Constraint.OUT_OF_REACH
    assert causes(hand_brings(here, blue.name, red.name)) >= {Constraint.NONE}


def test_one_and_the_same_hand_takes_a_thing_and_sets_it_down() -> None:
    """What only the left hand gets to is not brought where only the right one does."""
    left, right, middle = (0.2, 0.42), (0.2, -0.42), (0.25, 0.0)
    red, blue, green = cube("red", left), cube("blue", right), cube("green", middle)
    here = situation(red, blue, green)
    for each in (red, blue):
        assert cause(hand_gets_to(here, each.name)) is Constraint.NONE
        assert cause(hand_gets_into(here, each.name)) is Constraint.NONE
    passed_on = hand_brings(here, red.name, blue.name)
    assert passed_on[f"one_hand_brings: {red.name}"].constraint is Constraint.NEEDS_TWO_HANDS
    assert causes(passed_on) == {Constraint.NONE, Constraint.NEEDS_TWO_HANDS}
    assert causes(hand_brings(here, red.name, green.name)) == {Constraint.NONE}


def test_what_goes_into_a_lying_vessel_is_let_go_of_before_its_opening() -> None:
    """Its middle is at hand; its opening is if it faces the robot."""
    red = standing_at(ball("red", 0.055), 0.25, -0.12)
    stand = pen_stand("blue", 0.07, 0.09, 0.015)
    for yaw, expected in ((np.pi, Constraint.NONE), (0.0, Constraint.OUT_OF_REACH)):
        here = situation(red, lying_pen_stand(stand, 0.36, 0.1, yaw_rad=yaw))
        assert expected in causes(PutInto(red.name, stand.name).trials()[-1](here))
        assert causes(hand_brings(here, red.name, stand.name)) == {Constraint.NONE}


def test_what_is_in_the_hand_has_to_get_to_the_place_too() -> None:
    """Between two walls there is room for a hand, but not for the board that it brings."""
    red = standing_at(block("red", (0.03, 0.24, 0.03)), 0.2, 0.25)
    pad = cube("blue", (0.25, -0.1))
    walls = [
        standing_at(block("green", (0.05, 0.01, 0.16)), 0.25, y, yaw_rad=0.0)
        for y in (-0.19, -0.01)
    ]
    walls[1] = replace(walls[1], name="other wall")
    here = situation(red, pad, *walls)
    over = hand_gets_into(here, pad.name)
    assert cause(over) is Constraint.NONE
    found = hand_brings(here, red.name, pad.name)
    assert found[f"hand_gets_to: {pad.name}"].constraint is Constraint.PATH_BLOCKED


def test_a_weight_is_lifted_again_with_other_masses_and_says_what_it_does_not_depend_on() -> None:
    red = cube("red", NEAR)
    layout = Layout((red,), "", (red.name,))
    heavier = SettledScene(layout, Perturbation("heavier", mass_scale=1.2), "g1")
    (again,) = hand_holds(heavier, red.name).values()
    assert again.measurements["mass"].value == pytest.approx(1.2 * red.mass_kg, abs=1e-4)
    assert again.independent_of == ("friction", "rolling friction", "time step", "hand speed")
    smooth = SettledScene(layout, Perturbation("smooth", friction_scale=0.8), "g1")
    assert hand_holds(smooth, red.name) == hand_gets_to(smooth, red.name) == {}
    moved = SettledScene(layout, Perturbation("noise", pose_noise_m=0.001), "g1")
    assert list(hand_gets_to(moved, red.name)) == [f"hand_gets_to: {red.name}"]


def test_what_has_been_set_down_before_no_longer_lies_on_the_next_thing() -> None:
    """With it there no grasp of the lower thing is free; it stands on the pad by then."""
    low = cube("red", NEAR)
    high = cube("green", NEAR, on_z=top_m(low))
    here = situation(low, high, cube("blue", (0.25, -0.1)))
    assert handling._item_goal(here, low.name).loads == (high.name,)
    assert handling._item_goal(here, low.name, gone=high.name).loads == ()


def test_a_hand_s_way_is_sought_again_where_things_are_moved_and_only_there() -> None:
    red, pad = cube("red", NEAR), cube("blue", (0.25, -0.1))
    layout = Layout((red, pad), "", (red.name, pad.name))
    for trial in (partial(hand_brings, name=red.name), hand_gets_into):
        noise = SettledScene(layout, Perturbation("noise", pose_noise_m=0.001), "g1")
        assert trial(noise, place=pad.name)
        heavier = SettledScene(layout, Perturbation("heavier", mass_scale=1.2), "g1")
        assert not trial(heavier, place=pad.name)


@pytest.mark.parametrize("robot", sorted(ROBOTS))
def test_what_a_hand_holds_is_the_robot_s(robot: str) -> None:
    """A thing somewhat wider than the hand's span is refused, a narrower one is not."""
    span = robot_named(robot).span_m
    for share, expected in ((0.7, Constraint.NONE), (1.3, Constraint.NEEDS_TWO_HANDS)):
        thing = standing_at(block("red", (share * span, share * span, 0.05)), *NEAR)
        assert cause(hand_holds(situation(thing, robot=robot), thing.name)) is expected

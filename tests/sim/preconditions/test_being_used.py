"""Markers, boxes and bottles that anybody can tell open from closed."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.closures import (
    bottle_cap,
    box_lid,
    capped,
    hinged_box,
    screwed_on,
    wide_bottle,
)
from pactwin.sim.objects.everyday import ball, book, marker, marker_cap, notepad
from pactwin.sim.objects.posing import ON_SIDE, UPSIDE_DOWN, resting_at, standing_at, top_m
from pactwin.sim.objects.vessels import cup
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.using import pour, take_out, write, writing_pose
from pactwin.sim.preconditions.being_used import Use, can_be_used
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=3)
NOTHING = Perturbation()
COVERED = {Constraint.COVERED}


def outcomes_of(
    use: Use, items: tuple[Item, ...], tool: Item, place: Item, perturbation: Perturbation
) -> Outcomes:
    situation = SettledScene(Layout(items, "", (tool.name, place.name)), perturbation, "g1")
    assert not situation.settle_error
    inside = use is take_out
    return can_be_used(situation, use, tool.name, place.name, inside=inside)


def tried(
    use: Use, items: tuple[Item, ...], tool: Item, place: Item, perturbation: Perturbation
) -> set[Constraint]:
    found = outcomes_of(use, items, tool, place, perturbation)
    assert all(outcome.feasible is not None for outcome in found.values()), found
    return {outcome.constraint for outcome in found.values()} - {Constraint.NONE}


def out_of(items: tuple[Item, ...]) -> set[Constraint]:
    return tried(take_out, items, items[1], items[0], NOISE)


MARKER = resting_at(marker("red", 0.024, 0.125), 0.15, 0.15, ON_SIDE, state="on_side")
PAD = standing_at(notepad("white", 0.074, 0.105, 0.01), 0.25, -0.1, yaw_rad=0.7)
CAP = marker_cap("black", 0.024)


def test_a_marker_writes_without_its_cap() -> None:
    beside = resting_at(CAP, 0.2, 0.2, ON_SIDE, state="on_side")
    on = replace(CAP.at(capped(MARKER, CAP)), attached_to=MARKER.name)
    assert tried(write, (MARKER, PAD, beside), MARKER, PAD, NOISE) == set()
    assert tried(write, (MARKER, PAD, on), MARKER, PAD, NOISE) == COVERED


def test_what_lies_on_the_paper_is_not_written_on() -> None:
    over = standing_at(book("green", 0.12, 0.15, 0.02), 0.25, -0.1, on_z=top_m(PAD))
    assert tried(write, (MARKER, PAD, over), MARKER, PAD, NOTHING) == {Constraint.OCCUPIED}


INNER = (0.09, 0.075, 0.065)


def with_ball(box: Item, *lids: Item) -> tuple[Item, ...]:
    floor = box.world_from_object @ box.parts[0].pose
    inside = standing_at(ball("orange", 0.045), *floor.pos[:2], on_z=0.005)
    return (box, inside, *lids)


@pytest.mark.parametrize(("closed", "causes"), [(True, COVERED), (False, set())])
def test_a_ball_comes_out_of_a_hinged_box_that_is_open(closed: bool, causes: set) -> None:
    box = standing_at(hinged_box("red", INNER, closed=closed), 0.25, -0.1, yaw_rad=-2.5)
    assert out_of(with_ball(box)) == causes


def test_a_ball_comes_out_of_a_box_unless_the_lid_lies_on_it() -> None:
    box = standing_at(open_box("red", INNER, material="plastic"), 0.25, -0.1, yaw_rad=0.4)
    lid = box_lid("green", box)
    over = standing_at(lid, 0.25, -0.1, on_z=top_m(box), yaw_rad=0.4)
    beside = standing_at(lid, 0.25, 0.1)
    assert out_of(with_ball(box, over)) == COVERED
    assert out_of(with_ball(box, beside)) == set()


BOTTLE = standing_at(wide_bottle("red", 0.066, 0.135, 0.038), 0.15, 0.15)
CUP = standing_at(cup("white", 0.082, 0.062, 0.095), 0.25, -0.1)
SCREW = bottle_cap("blue", 0.038)


def test_a_bottle_pours_without_its_cap() -> None:
    on = replace(SCREW.at(screwed_on(BOTTLE, SCREW)), attached_to=BOTTLE.name)
    beside = standing_at(SCREW, 0.3, 0.1)
    for cap, expected in ((on, COVERED), (beside, set())):
        assert tried(pour, (BOTTLE, CUP, cap), BOTTLE, CUP, NOISE) == expected


def test_what_is_poured_has_to_get_into_the_cup_and_a_capped_bottle_is_a_second_cause() -> None:
    over = standing_at(book("green", 0.12, 0.14, 0.02), 0.25, -0.1, on_z=top_m(CUP))
    assert tried(pour, (BOTTLE, CUP, over), BOTTLE, CUP, NOTHING) == {Constraint.OCCUPIED}
    inverted = resting_at(CUP, 0.25, -0.1, UPSIDE_DOWN, state="inverted")
    assert tried(pour, (BOTTLE, inverted), BOTTLE, CUP, NOTHING) == {Constraint.OPENING_DOWN}
    on = replace(SCREW.at(screwed_on(BOTTLE, SCREW)), attached_to=BOTTLE.name)
    both = {Constraint.OPENING_DOWN, Constraint.COVERED}
    assert tried(pour, (BOTTLE, inverted, on), BOTTLE, CUP, NOTHING) == both


def test_what_stands_where_the_bottle_is_held_is_neither_pushed_aside_nor_poured_over() -> None:
    """Nothing else may fall or shift: a tall block there flew 194 mm, and it was called done."""
    block_there = standing_at(block("green", (0.05, 0.05, 0.26)), 0.14, -0.1)
    found = outcomes_of(pour, (BOTTLE, CUP, block_there), BOTTLE, CUP, NOTHING)
    assert {outcome.reason for outcome in found.values()} == {"something else moves"}
    beside = standing_at(block_there, 0.14, 0.05)
    assert tried(pour, (BOTTLE, CUP, beside), BOTTLE, CUP, NOTHING) == set()


def test_a_line_is_not_drawn_through_what_stands_beside_the_pad() -> None:
    """The marker leans over the pad's edge, and would sweep off what stands there."""
    there = PAD.world_from_object.inverse() @ writing_pose(PAD.world_from_object, PAD, MARKER)
    leans = np.sign(there.matrix()[1, 2])
    for along, expected in ((0.03, {"something else moves"}), (0.09, {""})):
        x, y, _ = (PAD.world_from_object @ Pose((along, leans * 0.066, 0.0))).pos
        tall = standing_at(block("green", (0.02, 0.02, 0.15)), x, y, yaw_rad=0.7)
        found = outcomes_of(write, (MARKER, PAD, tall), MARKER, PAD, NOTHING)
        assert {outcome.reason for outcome in found.values()} == expected

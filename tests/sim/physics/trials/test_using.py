"""How much of a use comes about: a hand's way into a box, a thing's way out, beads in a cup."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.closures import box_lid, wide_bottle
from pactwin.sim.objects.everyday import ball, marker, notepad
from pactwin.sim.objects.posing import ON_SIDE, heights_m, resting_at, standing_at, top_m
from pactwin.sim.objects.vessels import cup
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials import using
from pactwin.sim.physics.trials.putting import HOVER_M
from pactwin.sim.physics.trials.removal import UNDISTURBED
from pactwin.sim.physics.trials.using import (
    CLEAR_M,
    LINE_M,
    TOUCH_M,
    _raised,
    beads_in,
    off_the_paper_m,
    outside_m,
    pour,
    pouring_pose,
    take_out,
    top_over,
    write,
    writing_pose,
)
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose

NOTHING = Perturbation()
BOX = standing_at(open_box("red", (0.09, 0.075, 0.065)), 0.25, -0.1)
CUBE = standing_at(block("orange", (0.02, 0.02, 0.02)), 0.25, -0.1, on_z=0.005)
BAR = standing_at(block("blue", (0.03, 0.03, 0.01)), 0.25, -0.1, on_z=0.042)
BOTTLE = standing_at(wide_bottle("red", 0.066, 0.135, 0.038), 0.15, 0.15)
CUP = standing_at(cup("white", 0.082, 0.062, 0.095), 0.25, -0.1)


def laid_out(*items: Item, fixed: tuple[Item, ...] = ()) -> Layout:
    return Layout(items, "", (items[0].name,), fixed=frozenset(item.name for item in fixed))


def test_a_hand_gets_as_far_into_a_box_as_nothing_bars_its_way() -> None:
    barred = take_out(laid_out(BOX, CUBE, BAR, fixed=(BAR,)), NOTHING, CUBE.name, BOX.name)
    top, below = top_m(BOX), top_m(CUBE) + TOUCH_M
    share = (top - top_m(BAR)) / (top - below)
    assert 0.3 < share < 0.6
    assert barred.measurements["hand_reaches"].value == pytest.approx(share, abs=0.07)
    assert barred.measurements["raised"].value == barred.share == 0.0
    free = take_out(laid_out(BOX, CUBE), NOTHING, CUBE.name, BOX.name)
    assert {m.limit for m in free.measurements.values()} == {using.HALF}
    assert [m.value for m in free.measurements.values()] == pytest.approx([1.0, 1.0], abs=0.03)
    assert free.share == pytest.approx(1.0, abs=0.03)


def test_a_thing_is_raised_until_it_is_clear_of_the_box() -> None:
    """The bar stops it: of its way, to where its underside is over the rim, it has come so far."""
    layout = laid_out(BOX, CUBE, BAR, fixed=(BAR,))
    low, high = heights_m(CUBE)
    share = (heights_m(BAR)[0] - high) / (top_m(BOX) + HOVER_M - low)
    raised, left_m, disturbs = _raised(layout, NOTHING, BOX, CUBE)
    assert raised == pytest.approx(share, abs=0.03)
    assert left_m == pytest.approx((1.0 - raised) * (top_m(BOX) + HOVER_M - low), abs=1e-4)
    assert disturbs == 0.0


def test_a_bottle_pours_over_the_middle_of_a_cup_and_is_full_of_beads_that_lie_apart() -> None:
    tilted = pouring_pose(CUP, BOTTLE)
    mouth = (tilted @ Pose((0.0, 0.0, BOTTLE.size_m[2] / 2))).pos
    assert mouth == pytest.approx((0.25, -0.1, top_m(CUP) + 0.03))
    assert tilted.matrix()[2, 2] < -0.8, "nearly upside down"
    assert BOTTLE.at(tilted).world_from_object.pos[0] < 0.25, "on the robot's side"
    beads = beads_in(BOTTLE.at(tilted))
    inside = [(tilted.inverse() @ bead.world_from_object).pos for bead in beads]
    assert len({bead.name for bead in beads}) == len(beads) == 5
    heights = sorted(at[2] for at in inside)
    assert np.diff(heights).min() > beads[0].size_m[2]
    assert -BOTTLE.size_m[2] / 2 < heights[0] and heights[-1] < BOTTLE.size_m[2] / 2
    assert np.allclose([at[:2] for at in inside], 0.0)


def test_beads_count_that_are_in_the_cup_and_neither_beside_nor_over_it() -> None:
    x, y, z = CUP.world_from_object.pos
    places = [(x, y, z), (x + 0.03, y, z + 0.03), (x + 0.06, y, z), (x, y, z + 0.06)]
    beads = [
        replace(ball("black", 0.01), name=f"bead {k}").at(Pose(at)) for k, at in enumerate(places)
    ]
    world = World(laid_out(CUP, *beads), NOTHING, held=CUP.name)
    outside = outside_m(world, CUP, [bead.name for bead in beads])
    assert (outside < 0.0).tolist() == [True, True, False, False]
    assert outside[3] == pytest.approx(0.06 - CUP.size_m[2] / 2, abs=1e-4)


def test_a_marker_begins_clear_of_the_paper_by_more_than_its_cap_reaches() -> None:
    tool = resting_at(marker("red", 0.024, 0.125), 0.15, 0.15, ON_SIDE, state="on_side")
    pad = standing_at(notepad("white", 0.074, 0.105, 0.01), 0.25, -0.1, yaw_rad=0.7)
    world = World(laid_out(tool, pad), NOTHING, held=tool.name)
    start = writing_pose(pad.world_from_object, pad, tool)
    assert start.matrix()[2, 2] == pytest.approx(np.cos(np.deg2rad(25.0))), "it leans"
    world.place_held(start)
    assert off_the_paper_m(world, tool, pad) == pytest.approx(CLEAR_M)
    world.place_held(start.moved(dz=0.002 - CLEAR_M))
    assert off_the_paper_m(world, tool, pad) == pytest.approx(0.002)
    world.place_held(start.moved(0.2, dz=-CLEAR_M))
    assert off_the_paper_m(world, tool, pad) == CLEAR_M, "beside the pad nothing is written"
    # The pad is 74 by 105 mm, turned by 0.7: on it and beside it along each of its sides.
    for off_m, beside in (((0.036, 0.0), False), ((0.0, 0.051), False), ((0.038, 0.0), True),
                          ((0.0, 0.053), True), ((-0.038, 0.0), True)):  # fmt: skip
        there = pad.world_from_object @ Pose((off_m[0] + LINE_M / 2, off_m[1], 0.0))
        x, y, _ = np.subtract(there.pos, pad.world_from_object.pos)
        world.place_held(start.moved(float(x), float(y), dz=-CLEAR_M))
        assert (off_the_paper_m(world, tool, pad) == CLEAR_M) is beside, off_m


def test_the_top_of_a_box_is_that_of_what_lies_on_it() -> None:
    lid = box_lid("green", BOX)
    over, beside = standing_at(lid, 0.25, -0.1, on_z=top_m(BOX)), standing_at(lid, 0.25, 0.1)
    tower = standing_at(block("white", (0.04, 0.04, 0.2)), 0.25, 0.1)
    assert top_over(laid_out(BOX, beside, tower), BOX) == pytest.approx(top_m(BOX))
    assert top_over(laid_out(BOX, over, tower), BOX) == pytest.approx(heights_m(over)[1])


def test_a_bottle_that_has_no_room_over_the_cup_pours_nothing() -> None:
    x, y, z = pouring_pose(CUP, BOTTLE).pos
    wall = standing_at(block("white", (0.04, 0.04, z)), x, y)
    used = pour(laid_out(BOTTLE, CUP, wall, fixed=(wall,)), NOTHING, BOTTLE.name, CUP.name)
    assert used.share == 0.0 and used.disturbs == np.inf


FAR = standing_at(block("blue", (0.03, 0.03, 0.03)), 0.4, 0.1)


@pytest.mark.parametrize(("falls_m", "moves"), [(0.0, False), (0.03, True)])
def test_what_falls_during_a_use_is_noticed_however_far_it_stands(falls_m, moves, monkeypatch):
    monkeypatch.setattr(using, "settle", lambda world: "")  # it would have fallen before
    item = FAR.at(FAR.world_from_object.moved(dz=falls_m))
    for used in (
        pour(laid_out(BOTTLE, CUP, item), NOTHING, BOTTLE.name, CUP.name),
        take_out(laid_out(BOX, CUBE, item), NOTHING, CUBE.name, BOX.name),
    ):
        assert used.share > using.DONE
        assert (used.disturbs > UNDISTURBED) is moves


class Written(World):
    """A world that notes where the nib goes, in the pad's frame, and how long it takes."""

    runs: ClassVar[list["Written"]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.line: list[np.ndarray] = []
        self.times: list[float] = []
        self.runs.append(self)

    def move_hand(self, *args: Any, **kwargs: Any) -> bool:
        arrived = super().move_hand(*args, **kwargs)
        paper, held = self.pose(self.names[1]), self.pose(self.names[self.held])
        self.line.append(np.array((paper.inverse() @ held).pos))
        self.times.append(self.data.time)
        return arrived


@pytest.mark.parametrize("yaw_rad", [0.0, 0.7])
def test_a_line_of_four_centimetres_is_drawn_across_a_pad(yaw_rad, monkeypatch):
    """At 10 cm/s, in ten steps."""
    monkeypatch.setattr(using, "World", Written)
    tool = resting_at(marker("red", 0.024, 0.125), 0.15, 0.15, ON_SIDE, state="on_side")
    pad = standing_at(notepad("white", 0.074, 0.105, 0.01), 0.25, -0.1, yaw_rad=yaw_rad)
    used = write(laid_out(tool, pad), NOTHING, tool.name, pad.name)
    assert used.share == 1.0
    assert used.measurements["line_drawn"].value == 1.0
    assert abs(used.measurements["nib_off_the_paper"].value) < 0.001
    world = Written.runs[-1]
    line = np.array(world.line[1:])  # the first brings it down
    assert len(line) == 10
    assert line[-1] - line[0] == pytest.approx((0.036, 0.0, 0.0), abs=0.002)
    assert np.diff(world.times[1:]) == pytest.approx(np.full(9, 0.04), abs=0.011)


@pytest.mark.parametrize(("over_mm", "touches"), [(0.9, True), (1.2, False), (-0.5, True)])
def test_a_nib_less_than_a_millimetre_off_draws(over_mm, touches, monkeypatch):
    monkeypatch.setattr(using, "off_the_paper_m", lambda *_: over_mm / 1000)
    tool = resting_at(marker("red", 0.024, 0.125), 0.15, 0.15, ON_SIDE, state="on_side")
    pad = standing_at(notepad("white", 0.074, 0.105, 0.01), 0.25, -0.1)
    used = write(laid_out(tool, pad), NOTHING, tool.name, pad.name)
    assert used.share == float(touches)
    assert used.measurements["nib_off_the_paper"].value == used.short_m == over_mm / 1000

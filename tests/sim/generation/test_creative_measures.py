"""What is measured of parts: known lengths, ends, gaps and rooms, and the stiffness of a beam."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.catalogue import HELD_BY_A_BLADE, Entity
from pactwin.sim.generation.creative.measuring import measured_entity, specimen
from pactwin.sim.generation.creative.shapes import shape_measures, thing_measures
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose


def measured(kind: str) -> Entity:
    return measured_entity(specimen(kind, 1), kind)


def test_a_plank_is_as_long_as_it_was_built_and_bends_like_a_beam() -> None:
    item = specimen("plank", 1)
    part = measured("plank").parts["body"].measures
    sides = [part["length_mm"], part["width_mm"], part["depth_mm"]]
    assert sides == pytest.approx(sorted((1e3 * s for s in item.size_m), reverse=True), rel=0.02)
    length, width, depth = sides
    # E b h³ / 4 L³ of a beam held at one end, wood along its grain.
    assert part["stiffness_n_mm"] == pytest.approx(
        11e3 * width * depth**3 / (4 * length**3), rel=0.05
    )
    assert part["mass_g"] == pytest.approx(1e3 * item.mass_kg, rel=0.02)


def test_each_part_tells_of_the_whole_and_what_is_full_weighs_more() -> None:
    item, parts = specimen("bottle", 1), measured("bottle").parts
    for part in parts.values():
        assert part.measures["thing_g"] == pytest.approx(1e3 * item.mass_kg, rel=0.01)
        assert part.measures["thing_mm"] == pytest.approx(1e3 * max(item.size_m), rel=0.05)
        share = part.measures["mass_g"] / part.measures["thing_g"]
        assert part.measures["share"] == pytest.approx(share, rel=0.01)
    assert "filled" in parts["body"].traits and "filled" not in parts["cap"].traits
    assert parts["body"].measures["share"] > 0.8


def test_a_cup_has_room_and_an_opening_a_plank_has_neither() -> None:
    cup, item = measured("cup").parts["body"].measures, specimen("cup", 1)
    assert 0.4 < cup["room_ml"] / (1e6 * np.prod(item.size_m)) < 0.8
    assert 0.75 < cup["opening_mm"] / (1e3 * item.size_m[0]) < 1.0
    assert cup["roundness"] > 0.95 and "room_ml" not in measured("plank").parts["body"].measures


def bent(*boxes: tuple[float, float, float, float]) -> Item:
    """A flat thing of boxes: where each is in x and y, and its extents there (m)."""
    parts = [
        Part("box", (long, wide, 0.01), Pose((x, y, 0.0)), role="body")
        for x, y, long, wide in boxes
    ]
    return make_item("hook", "red", parts, material="steel")


BAR = (0.0, 0.0, 0.2, 0.01)
ACROSS, BACK = (0.095, 0.025, 0.01, 0.06), (0.075, 0.05, 0.05, 0.01)
CLOSING = (0.055, 0.025, 0.01, 0.06)


def test_a_hook_is_open_and_holds() -> None:
    hooked = thing_measures(bent(BAR, ACROSS, BACK))["body"]
    assert hooked["hook_mm"] == pytest.approx(40, rel=0.15)
    assert hooked["reach_mm"] > 150
    closed = thing_measures(bent(BAR, ACROSS, BACK, CLOSING))["body"]
    assert "hook_mm" not in closed  # a handle: nothing gets in
    # A wire slides off what only stands out, and yet it might be caught.
    straight = thing_measures(bent(BAR, ACROSS))["body"]
    assert "hook_mm" not in straight and straight["ledge_mm"] > 20
    assert thing_measures(bent(BAR))["body"]["ledge_mm"] == 0.0


def test_separate_points_are_no_edge() -> None:
    middle, prong = (0.0, 0.0, 0.02, 0.06), (0.2, 0.01)
    one = bent(middle, (0.0, 0.0, *prong))
    two = bent(middle, (0.0, 0.025, *prong), (0.0, -0.025, *prong))
    plain, forked = (shape_measures(item, "body") for item in (one, two))
    assert plain["edge_mm"] == pytest.approx(10, abs=0.1)
    assert forked["tip_mm"] == pytest.approx(60, abs=0.1) and "edge_mm" not in forked
    assert "edge_mm" not in measured("scissors").parts["blades"].measures


def test_what_leaves_nothing_but_a_blade_to_hold_is_no_handle_to_work_with() -> None:
    saw, hammer = measured("pruning_saw").parts, measured("hammer").parts
    assert HELD_BY_A_BLADE in saw["handle"].traits
    assert not any(HELD_BY_A_BLADE in p.traits for p in (saw["blade"], *hammer.values()))


def test_a_ring_covers_no_more_than_its_own_breadth() -> None:
    frame = [(0.0, y, 0.1, 0.02) for y in (-0.04, 0.04)] + [
        (x, 0.0, 0.02, 0.1) for x in (-0.04, 0.04)
    ]
    open_, whole = (
        shape_measures(bent(*boxes), "body") for boxes in (frame, [(0.0, 0.0, 0.1, 0.1)])
    )
    assert open_["flat_mm"] == pytest.approx(whole["flat_mm"], rel=0.05)
    assert open_["cover_mm"] < 30 and whole["cover_mm"] == pytest.approx(100, rel=0.05)


def test_a_thing_stands_on_the_sides_above_which_its_weight_is() -> None:
    brick = specimen("brick", 1)
    heights = sorted({round(side.height_m, 3) for side in resting_sides(brick)})
    assert heights == pytest.approx(sorted(round(side, 3) for side in brick.size_m), abs=0.004)
    # A rod lies; on its end it is not steady. A ball rests on no side at all.
    rod = bent((0.0, 0.0, 0.4, 0.01))
    assert not any(side.steady for side in resting_sides(rod) if side.height_m > 0.1)
    assert not resting_sides(specimen("ball", 1))


def test_the_balance_point_is_that_of_the_whole() -> None:
    parts = [
        Part("box", (0.3, 0.02, 0.02), Pose((0.0, 0.0, 0.0)), role="handle", material="wood"),
        Part("box", (0.04, 0.08, 0.02), Pose((0.17, 0.0, 0.0)), role="head", material="steel"),
    ]
    found = thing_measures(make_item("hammer", "red", parts, material="steel"))
    assert found["head"]["off_mm"] < 5
    parts[0] = replace(parts[0], material="steel")
    assert thing_measures(make_item("hammer", "red", parts))["head"]["off_mm"] > 20

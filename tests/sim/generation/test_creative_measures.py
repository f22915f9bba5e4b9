"""What is measured of parts: known lengths, ends, gaps and rooms, and the stiffness of a beam."""

import numpy as np
import pytest

from pactwin.catalogue import Entity
from pactwin.sim.generation.creative.measuring import measured_entity, specimen
from pactwin.sim.objects.assembly import assembled
from pactwin.sim.scene.layout import Part
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


def test_of_parts_that_do_not_touch_the_largest_is_measured() -> None:
    rods = [
        Part("box", (length, 0.01, 0.01), Pose((0.0, y, 0.0), (1.0, 0.0, 0.0, 0.0)), role="handle")
        for length, y in ((0.1, 0.0), (0.15, 0.2))
    ]
    head = Part("box", (0.05, 0.3, 0.02), role="head")
    item = assembled("hammer", "red", [*rods, head], material="wood")
    found = measured_entity(item, "hammer").parts["handle"].measures
    assert found["length_mm"] == pytest.approx(150, rel=0.02)
    assert found["volume_ml"] == pytest.approx(25, rel=0.02)  # both count by their stuff


def test_a_point_is_fine_a_handle_is_not() -> None:
    bradawl = measured("bradawl").parts
    assert bradawl["point"].measures["tip_mm"] < 2 < bradawl["handle"].measures["tip_mm"]


def test_a_cup_has_room_and_an_opening_a_plank_has_neither() -> None:
    cup, item = measured("cup").parts["body"].measures, specimen("cup", 1)
    assert 0.4 < cup["room_ml"] / (1e6 * np.prod(item.size_m)) < 0.8
    assert 0.75 < cup["opening_mm"] / (1e3 * item.size_m[0]) < 1.0
    assert cup["roundness"] > 0.95 and "room_ml" not in measured("plank").parts["body"].measures


def test_a_bent_bar_leaves_a_gap() -> None:
    assert measured("clamp").parts["frame"].measures["notch_mm"] > 30
    assert measured("plank").parts["body"].measures["notch_mm"] < 2


def test_what_is_full_weighs_more_and_is_said_to_be_full() -> None:
    bottle, parts = specimen("bottle", 1), measured("bottle").parts
    assert "filled" in parts["body"].traits and "filled" not in parts["cap"].traits
    assert parts["body"].measures["mass_g"] > 0.8e3 * bottle.mass_kg

"""The room inside things, against shapes whose room can be calculated."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.cavities import inside_of
from pactwin.sim.objects.closures import hinged_box
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.lathe import lathe, pipe, vessel
from pactwin.sim.objects.primitives import hull, rounded_box
from pactwin.sim.objects.solids import held, solid_of
from pactwin.sim.scene.layout import Item, Part


def made(*parts: Part) -> Item:
    return replace(block("red", (0.1, 0.1, 0.1)), parts=parts)


@pytest.mark.parametrize("wall", [0.0005, 0.004])
def test_a_vessel_holds_its_inner_cylinder(wall: float) -> None:
    inside = inside_of(made(*vessel([(0.04, 0.0), (0.04, 0.1)], wall, 0.004)))
    assert inside.cavity_m3 == pytest.approx(np.pi * (0.04 - wall) ** 2 * 0.096, rel=0.06)
    assert inside.opening_m == pytest.approx(2 * (0.04 - wall), rel=0.06)
    assert inside.thickness_m == pytest.approx(wall, rel=0.05)


def test_a_neck_is_the_way_in() -> None:
    profile = [(0.04, 0.0), (0.04, 0.08), (0.015, 0.1), (0.015, 0.13)]
    inside = inside_of(made(*vessel(profile, 0.002, 0.003)))
    assert inside.opening_m == pytest.approx(0.026, abs=0.004)  # two cells


def test_a_box_holds_its_inner_box_open_or_shut() -> None:
    for item in (
        open_box("red", (0.1, 0.08, 0.06), 0.004),
        open_box("red", (0.1, 0.08, 0.06), 0.0006),
    ):
        inside = inside_of(item)
        assert inside.cavity_m3 == pytest.approx(0.1 * 0.08 * 0.06, rel=0.06)
        assert inside.opening_m == pytest.approx(0.08, rel=0.06)
    shut = hinged_box("red", (0.1, 0.08, 0.06), closed=True)
    assert inside_of(shut).cavity_m3 == pytest.approx(0.1 * 0.08 * 0.06, rel=0.06)
    assert inside_of(shut).opening_m == pytest.approx(0.08, rel=0.06)
    welded = replace(shut, parts=tuple(replace(part, role="body") for part in shut.parts))
    assert inside_of(welded).opening_m == 0.0


@pytest.mark.parametrize(("deep_m", "hollow"), [(0.003, False), (0.02, True)])
def test_a_dent_is_no_hollow(deep_m: float, hollow: bool) -> None:
    """Less than a twentieth of the solid is one."""
    rim = vessel([(0.05, 0.0), (0.05, 0.05 + deep_m)], 0.01, 0.05)
    assert (inside_of(made(*rim)).cavity_m3 > 0.0) is hollow


def test_what_is_open_below_holds_nothing() -> None:
    ring = made(*pipe([(0.05, 0.0), (0.05, 0.05)], 0.015))
    inside = inside_of(ring)
    assert inside.cavity_m3 == 0.0
    assert inside.thickness_m == pytest.approx(0.015, rel=0.12)


def test_the_thickness_of_solids() -> None:
    assert inside_of(ball("red", 0.06)).thickness_m == pytest.approx(0.06, rel=0.06)
    assert inside_of(block("red", (0.3, 0.05, 0.02))).thickness_m == pytest.approx(0.02, abs=0.003)
    assert inside_of(made(*lathe([(0.03, 0.0), (0.03, 0.2)]))).thickness_m == pytest.approx(
        0.06, rel=0.06
    )


def test_a_part_is_as_thick_as_it_is_across() -> None:
    tilted = hull((x + z, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.01))
    for part, thick_mm in ((rounded_box((0.1, 0.05, 0.02), 0.004), 20.0), (tilted, 10.0)):
        (piece,) = solid_of(made(part)).pieces
        assert piece.thickness_mm == pytest.approx(thick_mm)


@pytest.mark.parametrize("floor", [True, False])
def test_a_filling_leaves_sideways_and_down(floor: bool) -> None:
    free = np.array([[1, 0, not floor, 0, 1], [1, 0, 1, 0, 1], [1, 0, 1, 1, 1]], bool)
    filled = np.argwhere(held(free)).tolist()
    assert filled == ([[1, 2]] if floor else [])

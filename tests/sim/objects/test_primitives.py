"""Pieces of objects: how they are told, put together and changed."""

import pytest

from pactwin.sim.objects.primitives import (
    around,
    box,
    disc,
    loft,
    made_of,
    mirrored,
    parts_of,
    shifted,
    turns,
    visual_only,
    xy,
    xyz,
)
from pactwin.sim.scene.geometry import part_volume_m3

A, B, C = box((0.1, 0.2, 0.3)), disc(0.1, 0.0, 0.2), box((0.3, 0.1, 0.1), (0.5, 0.0, 0.0))


def test_points_are_told_in_millimetres_and_are_what_their_digits_say() -> None:
    assert xy("-145 24, 0 0.2") == [(-0.145, 0.024), (0.0, 0.0002)]
    assert xyz("1 2 3, 12.5 -0.6 7") == [(0.001, 0.002, 0.003), (0.0125, -0.0006, 0.007)]
    with pytest.raises(ValueError):
        xy("1 2 3")


def test_pieces_stay_in_order_however_they_are_nested() -> None:
    assert parts_of(A, [B, C]) == parts_of([A, B], C) == parts_of(iter((A, B, C))) == (A, B, C)
    assert made_of("body", "wood", 1.0, A, (B, C)) == made_of("body", "wood", 1.0, [A, B, C])
    assert [part.collides for part in visual_only([A, B], C)] == [False] * 3
    assert shifted(A, x=0.1) == shifted((A,), x=0.1)


def test_copies_about_the_axis_begin_with_the_pieces_themselves() -> None:
    copies = around(4, [A], C)
    assert len(copies) == 8
    assert copies[1].pose.pos == pytest.approx(C.pose.pos)
    assert mirrored(C)[1].pose.pos == pytest.approx((-0.5, 0.0, 0.0))


def test_a_loft_fills_what_lies_between_its_sections() -> None:
    square = xy("-10 -10, 10 -10, 10 10, -10 10")
    pieces = loft([(x, y, z) for x, y in square] for z in (0.0, 0.01, 0.03, 0.1))
    assert len(pieces) == 3
    assert sum(map(part_volume_m3, pieces)) == pytest.approx(0.02 * 0.02 * 0.1)
    assert len(turns(6)) == 6

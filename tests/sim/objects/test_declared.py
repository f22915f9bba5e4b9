"""Declared objects: sizes, variants, and what is only drawn, only weighs or only touches."""

from collections import Counter

import numpy as np
import pytest

from pactwin.sim.objects.declared import Thing
from pactwin.sim.objects.everyday import sized
from pactwin.sim.objects.primitives import box, disc, hull, stretched, turned
from pactwin.sim.objects.standard_sizes import STANDARD_SIZES
from pactwin.sim.scene.geometry import part_points, part_volume_m3
from pactwin.sim.scene.layout import Part

EVERYDAY = (
    *("apple", "ball", "book", "bottle", "bowl", "cake", "can", "coaster", "conduit", "cupcake"),
    *("gutter", "marker", "marker_cap", "mug", "notepad", "pen", "plate", "sponge", "tin"),
)
Z = (0.0, 0.0, 1.0)
PIN = {"part": "body", "of": "wood", "pin": 20, "low": 0, "high": 50}


def thing(*pieces: dict, **further: object) -> Thing:
    return Thing.model_validate({"color": "brown", "parts": pieces, **further})


@pytest.mark.parametrize("kind", EVERYDAY)
def test_an_everyday_thing_has_the_size_asked_for(kind: str) -> None:
    for size in STANDARD_SIZES[kind]:
        item = sized(kind, "red", *size)
        # Its diameter is told along y: across a mug's handle it is wider.
        assert item.size_m[1] == pytest.approx(size[1 if len(size) == 3 else 0], rel=0.01)
        if len(size) > 1:
            assert item.size_m[2] == pytest.approx(size[-1], rel=0.01)


@pytest.mark.parametrize(
    "part",
    [
        box((0.1, 0.2, 0.3), (0.1, 0.0, 0.4)),
        disc(0.1, 0.0, 0.2, x=0.3),
        *turned(hull(np.random.default_rng(0).normal(size=(9, 3))), Z, 30.0),
    ],
)
def test_what_is_stretched_has_its_points_stretched(part: Part) -> None:
    by = (2.0, 2.0, 0.5)
    (new,) = stretched(part, by)
    before, after = (
        part_points(p) @ p.pose.matrix()[:3, :3].T + p.pose.matrix()[:3, 3] for p in (part, new)
    )
    assert after == pytest.approx(before * by)
    assert part_volume_m3(new) == pytest.approx(part_volume_m3(part) * np.prod(by))


def test_a_mark_is_only_drawn_and_a_ghost_also_weighs() -> None:
    plain, mark, ghost, inside, proxy = (
        thing(PIN | {kind: True} if kind else PIN).parts_of()
        for kind in ("", "mark", "ghost", "inside", "proxy")
    )
    assert all(part.collides and part.drawn and part.weighs for part in plain)
    assert [(p.drawn, p.collides, p.weighs) for p in mark] == [(True, False, False)]
    knurl = {"part": "body", "of": "wood", "lathe": "10 0, 10 20", "mark": True}
    assert not any(part.weighs for part in thing(knurl).parts_of())
    assert Counter(p.weighs for p in ghost) == {True: 1, False: 1}
    assert sum(p.drawn for p in ghost) == 1
    assert not any(p.collides for p in ghost)
    assert [(p.drawn, p.collides, p.weighs) for p in inside] == [(False, False, True)]
    assert [(p.drawn, p.collides, p.weighs) for p in proxy] == [(False, True, False)]


def test_a_variant_has_its_own_pieces_state_and_pose() -> None:
    lid = {"part": "lid", "of": "wood", "only": "shut", "pin": 20, "low": 50, "high": 60}
    variants = {
        "open": {"share": 0.5, "state": "inverted", "turn": "x 180"},
        "shut": {"share": 0.5, "state": "upright"},
    }
    box_of = thing(PIN, lid, variants=variants)
    seen = {}
    for seed in range(12):
        item = box_of.drawn("box", np.random.default_rng(seed))
        up = item.world_from_object.matrix()[2, 2]
        seen[item.state] = (round(1000 * item.size_m[2]), round(up))
    assert seen == {"inverted": (50, -1), "upright": (60, 1)}


def test_an_unknown_variant_is_named() -> None:
    with pytest.raises(ValueError, match="unknown variant 'shut'"):
        thing(PIN | {"only": "shut"})


def test_copies_step_and_turn() -> None:
    row = thing(PIN | {"step": "30 0 0", "times": 3}).parts_of()
    assert [p.pose.pos[0] for p in row] == pytest.approx([0.0, 0.03, 0.06])
    fan = thing(PIN | {"before": "30 0 0", "turn": "z 0", "twist": 90, "times": 2}).parts_of()
    assert fan[1].pose.pos[:2] == pytest.approx((0.0, 0.03))

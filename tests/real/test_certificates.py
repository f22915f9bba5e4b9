"""Pairs that cannot be asked about are known beforehand, and what was hidden is not asked about."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pytest
from measured import Measured
from tables import Table, named, three_things

from pactwin.real.certificates import behind_bars, less_of_both
from pactwin.real.selection import PLACED_WITHIN_M, Selection, placed_off, select_pairs
from pactwin.real.session.guide import Session
from pactwin.real.table_check import check_table
from pactwin.sim import Item, Layout, RejectedLayout
from pactwin.sim.objects.blocks import block
from pactwin.sim.scene.pose import Pose
from pactwin.suite import InvalidInputError, Scene, Visibility


def crate(around: Item) -> Item:
    """A box that hides a thing from all sides."""
    x, y, _ = around.world_from_object.pos
    pose = Pose((x, y, 0.08))
    return replace(block("brown", (0.12, 0.12, 0.16)), name="crate", world_from_object=pose)


def selected(table: Table, lost: Collection[str] = ()) -> Selection:
    """What is selected if the labels of the scenes ``lost`` do not survive."""

    def tried(scene: Scene, layout: Layout) -> None:
        if scene.id in lost:
            raise RejectedLayout("too small a margin")

    return select_pairs(table.suite, table.layout_of, table.rig, tried=tried)


def test_pairs_that_no_camera_could_be_asked_about_are_left_out_of_the_session(table):
    assert selected(table).left_out == {}
    plan = three_things()
    hidden = replace(plan, items=(*plan.items, crate(plan.items[0])))
    first, *others = list(table.suite.pairs())
    table.layouts.update({first[0].id: hidden})  # in one of the twins only
    selection = selected(table)
    assert selection.left_out.keys() == {scene.id for scene in first}
    assert "red block" in selection.left_out[first[0].id]
    assert selection.proposal == ""  # a crate hides it from everywhere

    def session(scenes: Sequence[str]) -> Session:
        grab = table.bench.grab
        return Session(table.suite, table.rig, table.folder, table.layout_of, grab, scenes=scenes)

    with session(selection.scenes) as guided:
        assert guided.scenes == tuple(scene.id for pair in others for scene in pair)
        assert guided.current == guided.scenes[0]
        guided.go(guided.current, guided.scenes[1])
    with session([scene.id for scene in first]) as guided:  # others are left out by now
        assert guided.current == first[0].id
    with pytest.raises(InvalidInputError, match="no scene can be asked about"):
        session(())


def test_what_is_seen_only_between_bars_is_left_out_since_stereo_fattens_them(table):
    plan = three_things()
    x, y, _ = plan.items[0].world_from_object.pos

    def before(step_m: float) -> Layout:
        """Bars of 8 mm around the red block and over it, so far apart."""
        sides = np.arange(-0.09, 0.091, step_m).tolist()
        stand = [(u, v, 0.12, (0.008, 0.008, 0.24)) for v in (-0.09, 0.09) for u in sides]
        stand += [(v, u, 0.12, (0.008, 0.008, 0.24)) for v in (-0.09, 0.09) for u in sides]
        lie = [(0.0, u, 0.244, (0.18, 0.008, 0.008)) for u in sides]
        bars = [
            replace(
                block("black", size_m), name=f"bar {k}", world_from_object=Pose((x + u, y + v, z))
            )
            for k, (u, v, z, size_m) in enumerate([*stand, *lie])
        ]
        return replace(plan, items=(*plan.items, *bars))

    assert "red block" in behind_bars(before(0.022), table.rig)
    assert behind_bars(before(0.18), table.rig) == []


def test_pairs_whose_labels_do_not_survive_placing_are_named_and_come_last(table):
    pairs = list(table.suite.pairs())
    fragile = pairs[0]
    selection = selected(table, {fragile[1].id})
    assert selection.left_out == {}
    assert selection.pairs == (*pairs[1:], fragile)
    assert selection.fragile.keys() == {scene.id for scene in fragile}
    assert "5 mm off, too small a margin" in selection.fragile[fragile[0].id]


def test_no_more_labels_are_tried_once_as_many_pairs_are_sure_as_are_wanted(table):
    fragile, sure, *others = list(table.suite.pairs())
    assert others
    tried = []

    def try_label(scene: Scene, layout: Layout) -> None:
        tried.append(scene.id)
        if scene.id == fragile[0].id:
            raise RejectedLayout("too small a margin")

    selection = select_pairs(table.suite, table.layout_of, table.rig, tried=try_label, enough=1)
    assert selection.pairs == (sure, fragile)
    assert set(tried) == {fragile[0].id, *(scene.id for scene in sure)}


def test_pairs_that_cameras_would_hardly_show_come_last_too(table, monkeypatch):
    first, *others = list(table.suite.pairs())

    def planned(twins: tuple[Scene, Scene], *_: object) -> tuple[str, ...]:
        return () if twins == first and len(_) < 3 else ("head",)

    monkeypatch.setattr("pactwin.real.selection.views_planned", planned)
    selection = selected(table)
    assert selection.left_out == {}
    assert selection.pairs == (*others, first)
    assert "hardly show" in selection.fragile[first[0].id]
    assert selection.proposal == ""  # they show the same from everywhere


def test_things_are_put_down_off_their_places_and_carry_what_stands_on_them():
    plan = three_things()
    lid = named(block("white", (0.05, 0.06, 0.02), "plastic"), "lid", 0.12)
    plan = replace(plan, items=(*plan.items, lid.at(lid.world_from_object.moved(dz=0.10))))
    shifts = []
    for way in (0.0, np.pi):
        off = placed_off(plan, way)
        shifts.append(
            [
                np.subtract(off.item(item.name).world_from_object.pos, item.world_from_object.pos)
                for item in plan.items
            ]
        )
    there, back = np.array(shifts)
    assert np.linalg.norm(there, axis=1) == pytest.approx(PLACED_WITHIN_M)
    assert there[:, 2] == pytest.approx(0)
    assert back == pytest.approx(-there)
    assert there[3] == pytest.approx(there[0])
    assert np.linalg.norm(there[0] - there[1]) > PLACED_WITHIN_M / 2


def test_a_place_beside_the_table_is_proposed_that_would_show_more_pairs(table):
    plan = three_things()
    x, y, _ = plan.items[0].world_from_object.pos
    walls = [
        replace(block("brown", size_m), name=name, world_from_object=Pose((x + dx, y + dy, 0.08)))
        for name, size_m, dx, dy in (
            ("right wall", (0.16, 0.02, 0.16), 0.0, -0.05),
            ("near wall", (0.02, 0.12, 0.16), -0.06, 0.0),
        )
    ]
    first = next(iter(table.suite.pairs()))
    hidden = replace(plan, items=(*plan.items, *walls))
    table.layouts.update(dict.fromkeys((scene.id for scene in first), hidden))
    selection = selected(table)
    assert len(selection.left_out) == 2
    assert "to the left of its middle" in selection.proposal


def test_a_screen_that_the_only_camera_sees_edge_on_is_known_beforehand(table):
    plan = three_things()
    x, y, _ = plan.items[0].world_from_object.pos
    eye = np.array(table.rig.calibrated("side").table_from_camera)[:2, 3]
    across = float(np.arctan2(*(np.subtract((x, y), eye) * (-1, 1))))  # of the way it is seen
    turned = Pose((x, y, 0.075), (float(np.cos(across / 2)), 0.0, 0.0, float(np.sin(across / 2))))
    screen = replace(block("red", (0.012, 0.15, 0.15)), name="red block", world_from_object=turned)
    plan = replace(plan, items=(screen, *plan.items[1:]))
    first = next(iter(table.suite.pairs()))
    table.layouts.update(dict.fromkeys((scene.id for scene in first), plan))
    assert selected(table).left_out == {}  # the head shows its face
    by_reach = replace(plan, by_reach=True)  # but not the arms
    table.layouts.update(dict.fromkeys((scene.id for scene in first), by_reach))
    assert selected(table).left_out.keys() == {scene.id for scene in first}


def test_what_is_seen_of_a_thing_is_counted_in_the_captured_picture(measured: Measured) -> None:
    plan = three_things()
    free = check_table(plan, plan, measured.rig, measured.frames(plan.items)).seen
    before = replace(block("brown", (0.03, 0.10, 0.07)), name="before")
    x, y, _ = plan.items[0].world_from_object.pos
    hand = replace(before, world_from_object=Pose((x - 0.05, y, 0.09)))
    hidden = check_table(plan, plan, measured.rig, measured.frames([*plan.items, hand])).seen
    assert free["head"]["red block"].fraction > 0.7
    assert hidden["head"]["red block"].pixels < 0.8 * free["head"]["red block"].pixels
    plank = [seen["head"]["plank"].pixels for seen in (free, hidden)]
    assert plank[1] == pytest.approx(plank[0], rel=0.15)
    assert np.isclose(free["side"]["plank"].pixels, hidden["side"]["plank"].pixels, rtol=0.15)


def test_a_certificate_is_lowered_by_what_was_hidden_and_by_no_less() -> None:
    drawn = Visibility(pixels=1000, fraction=0.8, box=(0, 0, 40, 40))
    assert less_of_both(drawn, None) is drawn
    assert less_of_both(drawn, Visibility(pixels=950, fraction=0.77)) is drawn
    hidden = less_of_both(drawn, Visibility(pixels=200, fraction=0.16))
    assert (hidden.pixels, hidden.fraction) == (200, 0.16)

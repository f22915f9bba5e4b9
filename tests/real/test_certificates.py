"""Pairs that cannot be asked about are known beforehand, and what was hidden is not asked about."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from measured import Measured
from tables import Table, set_table, three_things

from pactwin.real.certificates import less_of_both, pairs_left_out
from pactwin.real.session.guide import Session
from pactwin.real.table_check import check_table
from pactwin.sim import Item
from pactwin.sim.objects.blocks import block
from pactwin.sim.scene.pose import Pose
from pactwin.suite import InvalidInputError, Visibility


@pytest.fixture(scope="module")
def measured() -> Measured:
    return Measured(1)


@pytest.fixture
def table(fake_suite_path: Path, tmp_path: Path, measured: Measured) -> Table:
    return set_table(fake_suite_path, tmp_path / "real", measured)


def crate(around: Item) -> Item:
    """A box that hides a thing from all sides."""
    x, y, _ = around.world_from_object.pos
    pose = Pose((x, y, 0.08))
    return replace(block("brown", (0.12, 0.12, 0.16)), name="crate", world_from_object=pose)


def test_pairs_that_no_camera_could_be_asked_about_are_left_out_of_the_session(table):
    assert pairs_left_out(table.suite, table.layout_of, table.rig) == {}
    plan = three_things()
    hidden = replace(plan, items=(*plan.items, crate(plan.items[0])))
    first, *others = list(table.suite.pairs())
    table.layouts.update({first[0].id: hidden})  # in one of the twins only
    left_out = pairs_left_out(table.suite, table.layout_of, table.rig)
    assert left_out.keys() == {scene.id for scene in first}
    assert "red block" in left_out[first[0].id]

    def session(left_out: Mapping[str, str]) -> Session:
        grab = table.bench.grab
        return Session(
            table.suite, table.rig, table.folder, table.layout_of, grab, left_out=left_out
        )

    with session(left_out) as guided:
        assert guided.scenes == tuple(scene.id for pair in others for scene in pair)
        assert guided.current == guided.scenes[0]
    every = dict.fromkeys((s.id for pair in table.suite.pairs() for s in pair), "hidden")
    with pytest.raises(InvalidInputError, match="no scene can be asked about"):
        session(every)


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
    assert pairs_left_out(table.suite, table.layout_of, table.rig) == {}  # the head shows its face
    by_reach = replace(plan, by_reach=True)  # but not the arms
    table.layouts.update(dict.fromkeys((scene.id for scene in first), by_reach))
    left_out = pairs_left_out(table.suite, table.layout_of, table.rig)
    assert left_out.keys() == {scene.id for scene in first}


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

"""Tools on a pegboard rest on hooks, in both scenes of a pair on the same."""

import cv2
import numpy as np
import pytest

from pactwin.sim.generation.tools.places import PEG_M, Hook, hooks_below
from pactwin.sim.objects.building import build_thing
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import ORIGIN, Pose, quat_multiply, yaw


def hung(kind: str, turn: float) -> Item:
    """A tool on a board whose axes are the world's, x up."""
    item = build_thing(kind, np.random.default_rng(3))
    pose = item.world_from_object
    return item.at(Pose((0.2, 0.1, pose.pos[2]), quat_multiply(yaw(turn), pose.quat)))


def depth_mm(hook: Hook, item: Item) -> float:
    """How deep the peg's middle lies within the item's outline; negative outside it."""
    points, starts = item_points(item)
    peg = tuple(1000 * v for v in hook.root[:2])
    outlines = (
        cv2.convexHull((1000 * p[:, :2]).astype(np.float32)) for p in np.split(points, starts)
    )
    return max(cv2.pointPolygonTest(outline, peg, True) for outline in outlines)


@pytest.mark.parametrize("turn", [0.0, np.pi / 2, np.pi])
@pytest.mark.parametrize(
    ("one", "other"),
    [("slotted_screwdriver", "crosshead_screwdriver"), ("try_square", "sliding_bevel")],
)
def test_pegs_hold_either_look_alike_from_below(one: str, other: str, turn: float) -> None:
    items = [hung(one, turn), hung(other, turn)]
    left, right = hooks_below(items, ORIGIN)
    depths = np.array([[depth_mm(hook, item) for hook in (left, right)] for item in items])
    assert (depths < 1.0).all()  # beside it, not in it
    assert (depths.max(axis=0) > -1.5 * 1000 * PEG_M).all()  # one of them touches it
    assert left.root[1] < np.mean([item_points(item)[0][:, 1].mean() for item in items])
    assert right.root[1] > left.root[1] + PEG_M
    assert left.bend[2] > 0 and left.tip[0] > left.root[0]

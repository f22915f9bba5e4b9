"""A layout with the poses that the placement check measured on the table."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from pactwin.real.footprints import Footprint, footprints, overlap_m2
from pactwin.sim import Item, Layout, as_pose

_SURE_M, _SURE_RAD = 0.006, np.deg2rad(5.0)
"""Measured differences of two poses count if they are larger than this."""


def as_measured(
    layout: Layout, found: Mapping[str, np.ndarray], hidden: Collection[str] = ()
) -> Layout:
    """``layout`` with each item at its measured pose (4, 4), table from object, from ``found``.

    An item that is fixed to another, inserted into it or standing on it moves with that as planned,
    unless it was measured elsewhere: a lid lies on its box and not a measurement error beside it.
    ``hidden`` items always move with their surroundings. Other items that were not found are left
    out.
    """
    prints = {p.item.name: p for p in footprints(layout.items)}
    bound = {i.name: i.attached_to for i in layout.items}
    moves: dict[str, np.ndarray] = {}
    placed: dict[str, Item] = {}
    for name in sorted(found, key=lambda name: (bool(bound[name]), prints[name].step)):
        item, on, turns = prints[name].item, prints[name].on, prints[name].heading_rad is not None
        planned, pose = item.world_from_object.matrix(), found[name].copy()
        if not turns:  # how a round thing is turned is not measured
            pose[:3, :3] = planned[:3, :3]
        carrier = bound[name] or (on[0] if len(on) == 1 else "")
        if carrier in moves:
            carried = moves[carrier] @ planned
            if bound[name] or _agree(carried, pose, turns):
                pose = carried
        moves[name] = pose @ np.linalg.inv(planned)
        placed[name] = item.at(as_pose(pose))
    for name in hidden:
        motion = moves.get(_around(prints[name], [prints[other] for other in moves]), np.eye(4))
        item = prints[name].item
        placed[name] = item.at(as_pose(motion @ item.world_from_object.matrix()))
    there = tuple(placed[item.name] for item in layout.items if item.name in placed)
    return replace(layout, items=there)


def _around(thing: Footprint, others: list[Footprint]) -> str:
    """The lowest of the items whose outlines overlap the thing's: what it is in, on or under."""
    over = [other for other in others if overlap_m2(thing.outline, other.outline) > 0]
    return min(over, key=lambda other: other.bottom_m).item.name if over else ""


def _agree(a: np.ndarray, b: np.ndarray, turns: bool) -> bool:
    turn = a[:3, :3].T @ b[:3, :3]
    angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
    near = np.linalg.norm(a[:2, 3] - b[:2, 3]) < _SURE_M
    return bool(near and (not turns or angle < _SURE_RAD))

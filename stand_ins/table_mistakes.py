"""Which mistakes an operator could make with a scene, of those that can be seen at all."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pactwin.real.footprints import Footprint, footprints
from pactwin.real.raycast import Rays, cast
from pactwin.real.rehearsal.disturbance import Mistake
from pactwin.sim import Item, Layout, as_pose

_UNLIKE_M, _UNLIKE_SHARE = 0.008, 0.05
_EYES = ((-0.6, 0.0, 0.6), (0.2, -0.7, 0.5))
_ACROSS = 40
_OTHER_SIZE, _OTHER_COLOR = 0.2, 0.35


@dataclass(frozen=True)
class PossibleMistake:
    """``mistake`` made with the thing called ``name``, and ``other`` if it takes two."""

    name: str
    mistake: Mistake
    other: str = ""


def possible_mistakes(layout: Layout, twin: Layout) -> Iterator[PossibleMistake]:
    """All that change what cameras see: no ball is turned, no block put on its head.

    Only things that stand by themselves on the table are moved, turned, swapped or put on their
    heads; what lies on others may be missing, too.
    """
    prints = footprints(layout.items)
    loaded = {name for p in prints for name in (*p.on, p.item.attached_to)}
    free = [p for p in prints if not _carried(p) and p.item.name not in loaded]
    there = {item.name: item for item in twin.items}
    for footprint in prints:
        item = footprint.item
        if item.name not in loaded:
            yield PossibleMistake(item.name, "missing")
        if footprint not in free:
            continue
        yield PossibleMistake(item.name, "moved")
        if footprint.heading_rad is not None and _unlike(item, _turned(item, 2, 30.0)):
            yield PossibleMistake(item.name, "turned")
        if _unlike(item, _turned(item, 0, 180.0)):
            yield PossibleMistake(item.name, "upside_down")
        other = there.get(item.name)
        if other is not None and other.state != item.state:
            in_place = other.at(replace(other.world_from_object, pos=_pos(item)))
            if _unlike(item, in_place):
                yield PossibleMistake(item.name, "other_state")
        for beside in free:
            if beside.item.name > item.name and _differ(item, beside.item):
                yield PossibleMistake(item.name, "swapped", beside.item.name)


def _carried(footprint: Footprint) -> bool:
    return bool(footprint.on or footprint.item.attached_to)


def _pos(item: Item) -> tuple[float, float, float]:
    return item.world_from_object.pos


def _turned(item: Item, axis: int, degrees: float) -> Item:
    a, b = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    pose = item.world_from_object.matrix()
    turn = np.eye(3)
    turn[a, a] = turn[b, b] = c
    turn[b, a], turn[a, b] = s, -s
    pose[:3, :3] = turn @ pose[:3, :3]
    return item.at(as_pose(pose))


def _differ(a: Item, b: Item) -> bool:
    """Whether two things are plainly of other sizes or colours."""
    mine, other = np.sort(a.size_m), np.sort(b.size_m)
    sizes = np.abs(mine - other) > _OTHER_SIZE * np.maximum(mine, other)
    colors = np.linalg.norm(np.subtract(a.rgba[:3], b.rgba[:3]))
    return bool(sizes.any() or colors > _OTHER_COLOR)


def _unlike(a: Item, b: Item) -> bool:
    """Whether depth from the head's side or from the right could tell the two apart."""
    middle = np.array(_pos(a))
    radius = float(np.linalg.norm(a.size_m)) / 2
    grid = np.linspace(-radius, radius, _ACROSS)
    for eye in _EYES:
        ahead = -np.array(eye) / np.linalg.norm(eye)
        right = np.cross(ahead, (0.0, 0.0, 1.0))
        right /= np.linalg.norm(right)
        down = np.cross(ahead, right)
        targets = (grid[:, None, None] * right + grid[None, :, None] * down).reshape(-1, 3)
        rays = Rays(np.zeros((len(targets), 2)), middle + eye, targets - eye)
        # In units of the ray: 1 is at the plane through the middle.
        far = np.linalg.norm(eye)
        hits = [cast(item, item.world_from_object.matrix(), rays) for item in (a, b)]
        depths = [far * np.minimum(hit.depth_m, 2.0) for hit in hits]
        differ = np.abs(depths[0] - depths[1]) > _UNLIKE_M
        if differ.sum() > _UNLIKE_SHARE * (depths[0] < 2.0 * far).sum():
            return True
    return False

"""Choose the task's tools plus distractors from other trades, then place them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from pactwin.catalogue import Procedure, tool_title
from pactwin.sim.generation.objects.settling import settled
from pactwin.sim.generation.tools.places import FLAT_M, Place
from pactwin.sim.objects.building import build_thing, trades
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.scene.pose import Pose, Quat, quat_multiply, yaw

_OTHERS = (2, 5)
_GAP_M = 0.008
_TRIES, _PLACES = 6, 40
# Shares of a place's room that are tried one after the other: the closer tools lie, the larger.
_SHARES = (0.6, 0.75, 0.9, 1.0)


@dataclass(frozen=True)
class ToolTwins:
    """The tools of both twins at their places; the twins differ in ``deciding`` alone."""

    deciding: tuple[Item, Item]
    others: tuple[Item, ...]

    def items(self, *, served: bool) -> list[Item]:
        """All tools of one twin, sorted by name, with either the useful tool or its look-alike."""
        return sorted((self.deciding[not served], *self.others), key=lambda item: item.name)


def tool_item(kind: str, seed: int, name: str) -> Item:
    """A tool at rest at the origin; look-alikes drawn from one ``seed`` share their colours."""
    item = build_thing(kind, np.random.default_rng(seed))
    return replace(resting_at(item, 0.0, 0.0, _posture(kind), state=item.state), name=name)


@lru_cache(maxsize=256)
def _posture(kind: str) -> Quat:
    """Pose of a tool at rest."""
    return settled(build_thing(kind, np.random.default_rng(0))).world_from_object.quat


def drawn_tools(procedure: Procedure, place: Place, rng: np.random.Generator) -> ToolTwins:
    """Tools of a task, its look-alike, and distractors from other trades."""
    decides = procedure.decides
    seed = int(rng.integers(2**62))
    first, second = (
        tool_item(kind, seed, decides.both) for kind in (decides.tool, decides.instead)
    )
    kinds = [kind for kind in procedure.tools if kind != decides.tool]
    elsewhere = [of for of in trades().values() if decides.tool not in of]
    known = {decides.tool, decides.instead, *kinds, *procedure.also}
    choice = sorted(kind for of in elsewhere for kind in of if kind not in known)
    wanted = len(kinds) + int(rng.integers(*_OTHERS))
    for kind in rng.permutation(choice).tolist():
        if len(kinds) == wanted:
            break
        if place.straight_rad is None or lies_flat(kind):
            kinds.append(kind)
    others = [tool_item(kind, int(rng.integers(2**62)), tool_title(kind)) for kind in kinds]
    return ToolTwins((first, second), tuple(others))


def arranged(twins: ToolTwins, place: Place, rng: np.random.Generator) -> ToolTwins:
    """Place the tools, the largest first, without overlaps; RejectedLayout if there is no room."""
    groups = [twins.deciding, *((item,) for item in twins.others)]
    outlines = [_footprint(group) for group in groups]
    order = sorted(range(len(groups)), key=lambda k: -cv2.contourArea(outlines[k]))
    for share in np.repeat(_SHARES, _TRIES):
        spots = _spots([outlines[k] for k in order], place, share, rng)
        if spots is not None:
            at = dict(zip(order, spots, strict=True))
            first, second = (_put(item, place, at[0]) for item in twins.deciding)
            others = (_put(item, place, at[k]) for k, item in enumerate(twins.others, start=1))
            return ToolTwins((first, second), tuple(others))
    raise RejectedLayout("no room for all tools")


def _spots(
    outlines: list[np.ndarray], place: Place, share: float, rng: np.random.Generator
) -> list[tuple[float, float, float]] | None:
    """x, y and yaw for each outline, or None if one finds no room."""
    taken: list[np.ndarray] = []
    spots = []
    half = share * np.array(place.room)
    for outline in outlines:
        for _ in range(_PLACES):
            turn = _yaw(place, rng)
            spun = outline @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
            low, high = -half - spun.min(axis=0), half - spun.max(axis=0)
            if (low > high).any():
                continue
            x, y = rng.uniform(low, high) + place.middle
            there = (spun + np.array((x, y))).astype(np.float32)
            if not any(_overlap(there, other) for other in taken):
                taken.append(there)
                spots.append((float(x), float(y), float(turn)))
                break
        else:
            return None
    return spots


def _overlap(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two convex outlines share a point, so that their difference contains 0."""
    differences = cv2.convexHull((one[:, None] - other).reshape(-1, 2))
    return cv2.pointPolygonTest(differences, (0.0, 0.0), False) >= 0


def _yaw(place: Place, rng: np.random.Generator) -> float:
    if place.straight_rad is None:
        return float(rng.uniform(-np.pi, np.pi))
    if place.straight_rad > 1.0:  # on a board tools hang, or lie across two pegs
        return float(rng.choice((-1.0, 0.0, 0.5, -0.5))) * np.pi + float(rng.uniform(-0.05, 0.05))
    return float(rng.choice((-0.5, 0.5))) * np.pi + float(rng.uniform(-1, 1)) * place.straight_rad


def _footprint(items: Sequence[Item]) -> np.ndarray:
    """The convex outline (n, 2), m, of all tools at the origin, with a gap around it."""
    points = np.concatenate([item_points(item)[0][:, :2] for item in items])
    ring = np.array([(np.cos(t), np.sin(t)) for t in np.arange(8) * np.pi / 4]) * _GAP_M
    wide = (points[:, None] + ring).reshape(-1, 2).astype(np.float32)
    return cv2.convexHull(wide)[:, 0]


def _put(item: Item, place: Place, spot: tuple[float, float, float]) -> Item:
    x, y, turn = spot
    rest = item.world_from_object
    in_plane = Pose((x, y, rest.pos[2]), quat_multiply(yaw(turn), rest.quat))
    return item.at(place.world_from_plane @ in_plane)


@lru_cache(maxsize=256)
def lies_flat(kind: str) -> bool:
    """Return whether a tool is flat enough to hang, or to lie between walls."""
    heights = item_points(tool_item(kind, 0, kind))[0][:, 2]
    return float(heights.max() - heights.min()) < FLAT_M

"""Disturbances of a simulated rig: errors of sizes and poses, moved cameras."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pactwin.real.footprints import footprints, half_height_m
from pactwin.sim import Item, Layout, as_pose

Mistake = Literal["moved", "turned", "swapped", "missing", "upside_down", "other_state"]
MOVED_M, TURNED_RAD = 0.03, np.deg2rad(30.0)


@dataclass(frozen=True)
class Disturbance:
    """Sizes of the disturbances; standard deviations unless said otherwise."""

    placement_m: float = 0.001
    placement_rad: float = np.deg2rad(0.8)
    size_m: float = 0.002
    camera_m: float = 0.02
    camera_rad: float = np.deg2rad(1.5)
    table_m: float = 0.005
    print_scale: tuple[float, float] = (0.99, 0.9925)
    """Scale of prints along the lower edge of a page, and upwards."""
    curl_m: float = 0.0005
    """Curl of strips at their short ends; the board is glued to a plate."""
    depth_bias: float = 0.02
    """Maximum relative depth error."""
    holes: float = 0.02
    """Share of missing depth, in spots."""
    template_m: float = 0.002
    template_rad: float = np.deg2rad(0.2)
    """Rotation of board and template against each other, constant over a session."""
    sway_m: float = 0.002
    sway_rad: float = np.deg2rad(0.1)
    """Sway of the head along and about each axis, from picture to picture."""
    exposure: float = 0.07
    white_balance: float = 0.02
    """Error of each colour channel against the others."""
    bands: float = 0.03
    """Maximum flicker bands of a lamp at 100 Hz."""
    apart_s: float = 0.017
    """Time between the cameras' pictures."""
    dropped: float = 0.1
    """Share of pictures that are lost in transmission."""
    repeated: float = 0.02
    """Share of pictures that are sent twice."""
    clock_ppm: float = 50.0
    clock_s: float = 2.0
    """Drift and offset of the robot's clock."""


def disturbed_items(layout: Layout, by: Disturbance, rng: np.random.Generator) -> dict[str, Item]:
    """Items by name as placed by an operator, with placement errors.

    Poses are those of a template printed at a wrong scale. Items fixed to an object, or standing on
    it, move with it.
    """
    moves: dict[str, np.ndarray] = {}
    found = {}
    carriers = _carriers(layout.items)
    for item in sorted(layout.items, key=lambda item: item.world_from_object.pos[2]):
        carrier = carriers[item.name]
        if carrier not in moves:
            x, y, _ = item.world_from_object.pos
            across, up = by.print_scale
            shift = rng.normal(((up - 1) * x, (across - 1) * y), by.placement_m)
            moves[item.name] = _planar(np.array([x, y]), shift, rng.normal(0, by.placement_rad))
        else:
            moves[item.name] = moves[carrier]
        size = max(item.size_m)
        scale = 1 + float(np.clip(rng.normal(0, by.size_m / 2), -by.size_m, by.size_m)) / size
        found[item.name] = moved(_scaled(item, scale), moves[item.name])
    return found


def moved(item: Item, table_from_before: np.ndarray) -> Item:
    """The item after a rigid motion (4, 4) of the table frame."""
    return item.at(as_pose(table_from_before @ item.world_from_object.matrix()))


def pushed(
    items: dict[str, Item],
    by: Mapping[str, Sequence[float]],
    off: Disturbance,
    rng: np.random.Generator,
) -> dict[str, Item]:
    """Items by name after some were pushed by ``by`` (x, y in m, turn in rad).

    The push has a small error, and what stands on a pushed item moves along.
    """
    carriers, changed = _carriers(list(items.values())), dict(items)
    for name, (x, y, turn) in by.items():
        at = np.array(changed[name].world_from_object.pos[:2])
        shift = rng.normal((x, y), off.placement_m)
        motion = _planar(at, shift, rng.normal(turn, off.placement_rad))
        going, todo = set[str](), [name]
        while todo:
            going.add(one := todo.pop())
            todo += [other for other, carrier in carriers.items() if carrier == one]
        changed |= {one: moved(changed[one], motion) for one in going}
    return changed


def _planar(about: np.ndarray, shift: np.ndarray, turn_rad: float) -> np.ndarray:
    motion = np.eye(4)
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    motion[:2, :2] = [[c, -s], [s, c]]
    motion[:2, 3] = about + shift - motion[:2, :2] @ about
    return motion


def _carriers(items: Sequence[Item]) -> dict[str, str]:
    """What each thing is fixed to or stands on; "" for the table."""
    return {p.item.name: p.item.attached_to or (p.on[0] if p.on else "") for p in footprints(items)}


def _scaled(item: Item, scale: float) -> Item:
    """A little larger or smaller in all directions, standing on the same height."""

    def times(values: tuple[float, float, float]) -> tuple[float, float, float]:
        x, y, z = values
        return scale * x, scale * y, scale * z

    parts = tuple(
        replace(
            part,
            size_m=times(part.size_m),
            pose=replace(part.pose, pos=times(part.pose.pos)),
            corners_m=tuple(times(corner) for corner in part.corners_m),
            mesh_scale=times(part.mesh_scale) if part.mesh_file else part.mesh_scale,
        )
        for part in item.parts
    )
    larger = replace(item, parts=parts, size_m=times(item.size_m))
    up = (scale - 1) * half_height_m(item)
    return larger.at(larger.world_from_object.moved(dz=up))


def with_mistake(
    items: dict[str, Item],
    name: str,
    mistake: Mistake,
    other: Item | None,
    rng: np.random.Generator,
) -> dict[str, Item]:
    """Items after an operator's mistake with ``name``.

    ``other`` is the item it is swapped with, or its state in the twin scene.
    """
    item = items[name]
    at = np.array(item.world_from_object.pos[:2])
    changed = dict(items)
    match mistake:
        case "moved":
            way = rng.uniform(-np.pi, np.pi)
            shift = MOVED_M * np.array([np.cos(way), np.sin(way)])
            changed[name] = moved(item, _planar(at, shift, 0.0))
        case "turned":
            sign = rng.choice((-1.0, 1.0))
            changed[name] = moved(item, _planar(at, np.zeros(2), sign * TURNED_RAD))
        case "missing":
            del changed[name]
        case "upside_down":
            over = np.eye(4)
            over[1, 1] = over[2, 2] = -1.0
            pose = item.world_from_object.matrix()
            over[:3, 3] = pose[:3, 3] - over[:3, :3] @ pose[:3, 3]
            changed[name] = moved(item, over)
        case "swapped" if other is not None:
            changed[name] = _standing_at(item, other)
            changed[other.name] = _standing_at(other, item)
        case "other_state" if other is not None:
            changed[name] = _standing_at(replace(other, name=name), item)
    return changed


def _standing_at(item: Item, there: Item) -> Item:
    """``item`` on the table where ``there`` stands."""
    x, y, z = there.world_from_object.pos
    bottom = z - half_height_m(there)
    here = item.world_from_object.pos
    to = (x - here[0], y - here[1], bottom + half_height_m(item) - here[2])
    return item.at(item.world_from_object.moved(*to))

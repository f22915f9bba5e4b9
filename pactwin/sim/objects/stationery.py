"""Stationery: pens and their stand, markers with their caps, notepads, books."""

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import cup_shape, lathed, pipe
from pactwin.sim.objects.palette import COLORS, INK, PAPER, STEEL, WHITE
from pactwin.sim.objects.posing import UPSIDE_DOWN, resting_at
from pactwin.sim.objects.primitives import (
    Parts,
    around,
    box,
    collision_proxy,
    disc,
    frustum,
    hull,
    made_of,
    mass_only,
    ring_wall,
    rod,
    shifted,
    turned,
    visual_only,
)
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Vec3, axis_angle

_LINES = (0.55, 0.66, 0.85, 1.0)
_GOLD = (0.86, 0.72, 0.38, 1.0)
_BRASS = (0.82, 0.66, 0.32, 1.0)
_GRIP = (0.72, 0.72, 0.70, 1.0)
_NIB_M, _GRIP_M, _TAIL_M = 0.012, 0.024, 0.03
_APART_M = 0.0004
_Y, _Z = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@cached
def pen(color: str, diameter_m: float, length_m: float) -> Item:
    """A thick ball pen with clip and button; its tip is at the lower end (-z) of its frame.

    Its clip faces -x, which is up when the pen lies with that side along x.
    """
    d, button, body = diameter_m, 0.006, "hollow_plastic"
    top = length_m - button
    rings = (disc(1.02 * d, z, z + 0.001) for z in np.linspace(0.026, 0.048, 6).tolist())
    clip = box((0.0014, 0.004, 0.042), (-d / 2 - 0.0022, 0.0, top - 0.024))
    parts = (
        *made_of("tip", "brass", _BRASS, frustum(0.001, 0.0026, 0.0, 0.004)),
        *made_of("barrel", body, STEEL, frustum(0.0026, 0.9 * d, 0.004, 0.02)),
        *made_of("barrel", body, (0.16, 0.16, 0.17, 1.0), disc(d, 0.02, 0.052)),
        *made_of("barrel", body, 1.0, disc(d, 0.052, top)),
        *made_of("barrel", body, INK, visual_only(rings)),
        *made_of("clip", "steel", STEEL, disc(0.5 * d, top, length_m)),
        *made_of(
            "clip",
            "steel",
            STEEL,
            visual_only(disc(1.01 * d, top - 0.05, top - 0.045), clip),
            visual_only(box((0.0036, 0.004, 0.004), (-d / 2 - 0.001, 0.0, top - 0.005))),
        ),
    )
    return make_item("pen", color, parts)


@cached
def marker(color: str, diameter_m: float, length_m: float) -> Item:
    """A broad felt marker without its cap (22-27 mm thick, as for flip charts).

    Its nib, the first part, is at the lower end (-z) of its frame.
    """
    d, shoulder, body = diameter_m, _NIB_M + _GRIP_M, "hollow_plastic"
    label = disc(1.01 * d, shoulder + 0.25 * (length_m - shoulder), length_m - 0.016)
    parts = (
        *made_of(
            "tip", "felt", INK, rod((0.0, 0.0, 0.003), (0.0, 0.0, 0.021), 0.006, rounded=True)
        ),
        *made_of("barrel", body, _GRIP, disc(0.62 * d, _NIB_M, shoulder)),
        *made_of("barrel", body, 1.0, disc(d, shoulder, length_m)),
        *made_of("barrel", body, 0.8, visual_only(label)),
        *made_of("barrel", body, WHITE, visual_only(disc(1.014 * d, 0.066, 0.07))),
    )
    return make_item("marker", color, parts)


@cached
def marker_cap(color: str, diameter_m: float) -> Item:
    """A marker cap as thick as the marker and 50 mm long; its open end faces up (+z)."""
    length, wall, r = 0.05, 0.0015, diameter_m / 2
    inner = r - wall
    line = [(0.0, 0.0), (r - 0.001, 0.0), (r, 0.001), (r, length), (inner, length), (inner, 0.002)]
    solid = (
        disc(diameter_m, 0.0, 0.002),
        *ring_wall((inner, inner), (0.002, length), wall),
    )
    ribs = around(12, box((0.0008, 0.0015, 0.010), (r + 0.0001, 0.0, 0.007)))
    parts = (
        *collision_proxy(disc(diameter_m, 0.0, length)),
        *made_of("body", "plastic", 1.0, mass_only(solid), lathed([*line, (0.0, 0.002)])),
        *made_of(
            "body",
            "plastic",
            0.8,
            visual_only(box((0.003, 0.006, 0.04), (-r - 0.0015, 0.0, 0.025)), ribs),
        ),
    )
    return make_item("marker_cap", color, parts, called="cap", state="upright, empty")


def capped(marker_there: Item, cap: Item) -> Pose:
    """Pose of ``cap`` on the tip of ``marker_there``: ``world_from_object``."""
    shoulder = _NIB_M + _GRIP_M - marker_there.size_m[2] / 2
    return marker_there.world_from_object @ Pose((0.0, 0.0, shoulder - cap.size_m[2] / 2))


def on_its_tail(marker_there: Item, cap: Item) -> Pose:
    """Pose of ``cap`` on the tail of the marker: ``world_from_object``."""
    half = marker_there.size_m[2] / 2 + cap.size_m[2] / 2 - _TAIL_M
    return marker_there.world_from_object @ Pose((0.0, 0.0, half), UPSIDE_DOWN)


@cached
def notepad(color: str, size_m: Vec3) -> Item:
    """A pad of coloured lined paper on a board, with a spiral binding at its +y end."""
    x, y, z = size_m
    low = 0.0012
    lines = [box((0.86 * x, 0.0008, 0.0002), (0, at * y, z)) for at in np.linspace(-0.42, 0.36, 11)]
    margin = box((0.0007, 0.92 * y, 0.0002), (-0.36 * x, -0.02 * y, z))
    across = np.linspace(-0.44 * x, 0.44 * x, 13).tolist()
    ring = pipe([(0.007, -0.0006), (0.007, 0.0006)], 0.0013)[0]
    (standing,) = turned(ring, _Y, 90.0)
    spiral = [part for at in across for part in shifted((standing,), at, 0.5 * y - 0.0015, z / 2)]
    holes = [disc(0.003, z, z + 0.0002, at, 0.455 * y) for at in across]
    parts = (
        *made_of("pages", "paper", 1.0, box((x, y, z - low), (0.0, 0.0, (z + low) / 2))),
        *made_of("cover", "board", 0.5, box((x, y, low), (0.0, 0.0, low / 2))),
        *made_of("pages", "paper", _LINES, visual_only(lines)),
        *made_of("pages", "paper", (0.85, 0.35, 0.35, 1.0), visual_only(margin)),
        *made_of("pages", "paper", INK, visual_only(holes)),
        *made_of("spiral", "steel", STEEL, spiral),
    )
    return make_item("notepad", color, parts, state="upright, closed")


@cached
def book(color: str, size_m: Vec3) -> Item:
    """A closed hardback lying flat, with a title on its cover and bands on its spine (at -x)."""
    x, y, z = size_m
    board = min(0.003, z / 5)
    inside = z - 2 * board
    spine = [
        (-x / 2 - 0.004 * cos(t), z / 2 + 0.49 * z * sin(t))
        for t in np.linspace(-pi / 2, pi / 2, 9)
    ]
    back = hull([(px, s * y / 2, pz) for px, pz in spine for s in (-1, 1)])
    title = [
        box((wide * x, high * y, 0.0003), (0.03 * x, at * y, z))
        for wide, high, at in ((0.54, 0.038, 0.26), (0.39, 0.038, 0.17), (0.29, 0.019, -0.33))
    ]
    title += [box((0.84 * x, 0.0015, 0.0003), (0.03 * x, s * 0.443 * y, z)) for s in (-1, 1)]
    title += [box((0.0015, 0.886 * y, 0.0003), ((0.03 + s * 0.42) * x, 0, z)) for s in (-1, 1)]
    bands = [
        hull([(px * 1.004, at * y + d, pz) for px, pz in spine for d in (-0.002, 0.002)])
        for at in (-0.38, -0.29, 0.29, 0.38)
    ]
    leaves = [
        box((0.0003, y - 0.006, 0.0004), (x / 2 - 0.0039, 0.0, at))
        for at in np.linspace(1.6 * board, z - 1.6 * board, 7).tolist()
    ]
    pages = box((x - board - 0.004, y - 0.006, inside), ((board - 0.004) / 2, 0.0, z / 2))
    covers = (
        box((x, y, board), (0.0, 0.0, board / 2)),
        box((x, y, board), (0.0, 0.0, z - board / 2)),
        box((board, y, inside), ((board - x) / 2, 0.0, z / 2)),
    )
    parts = (
        *made_of("cover", "board", 1.0, covers, visual_only(back)),
        *made_of("print", "print", _GOLD, visual_only(title, bands)),
        *made_of("pages", "paper", PAPER, pages),
        *made_of("pages", "paper", (0.75, 0.74, 0.71, 1.0), visual_only(leaves)),
    )
    return make_item("book", color, parts, state="upright, closed")


@cached
def pen_stand(
    color: str, inner_diameter_m: float, height_m: float, foot_m: float, *, pens: bool = False
) -> Item:
    """A printed straight tube on a round foot that is ``foot_m`` wider all around.

    Because of the foot it slopes towards its opening when it lies, see :func:`lying_pen_stand`.
    With ``pens`` it holds three.
    """
    wall, floor, r = 0.004, 0.006, inner_diameter_m / 2
    foot = disc(2 * (r + wall + foot_m), 0.0, floor)
    *shell, surface = cup_shape([(r, floor), (r, height_m)], wall)
    # A little above the foot's underside: two faces in one plane would flicker through each other.
    tube = [*(part for part in shell if part.shape != "cylinder"), *shifted(surface, z=_APART_M)]
    inside: Parts = ()
    for k, hue in enumerate(("blue", "red", "yellow") if pens else ()):
        inside += turned(_leaning_pencil(COLORS[hue], height_m), _Z, 120.0 * k + 25.0)
    parts = (
        *made_of("body", "plastic", 1.0, foot, tube),
        *inside,
    )
    state = "upright, filled" if pens else "upright, empty"
    return make_item("pen_stand", color, parts, state=state)


def lying_pen_stand(stand: Item, x: float, y: float, *, yaw_rad: float = 0.0) -> Item:
    """The stand on its side; its opening faces along x before the turn by ``yaw_rad``.

    It rests on the edge of its foot and on its rim; its opening is the lower end.
    """
    foot, tube = stand.parts[0], stand.parts[1]
    raised = foot.size_m[0] / 2 - (tube.pose.pos[0] + tube.size_m[0] / 2)
    slope = float(np.arctan2(raised, stand.size_m[2] - foot.size_m[2]))
    turn = axis_angle((0.0, 1.0, 0.0), np.pi / 2 + slope)
    return resting_at(stand, x, y, turn, yaw_rad=yaw_rad, state="on_side")


@dataclass(frozen=True)
class Propped:
    """A lying pen stand and the object that props it up.

    The object is ``under_m`` high and starts ``along_m`` from the stand's x, y towards its opening.
    """

    stand: Item
    under_m: float
    along_m: float


def propped_pen_stand(
    stand: Item, x: float, y: float, raised_rad: float, at_m: float, *, yaw_rad: float = 0.0
) -> Propped:
    """The stand on its side with its opening raised: it is propped ``at_m`` from its foot.

    It rests on the edge of its foot and, with its wall, on the object below.
    """
    foot, tube = stand.parts[0], stand.parts[1]
    wide, thin = foot.size_m[0] / 2, tube.pose.pos[0] + tube.size_m[0] / 2
    turn = axis_angle((0.0, 1.0, 0.0), np.pi / 2 - raised_rad)
    lying = resting_at(stand, x, y, turn, yaw_rad=yaw_rad, state="on_side")
    sin, cos = float(np.sin(raised_rad)), float(np.cos(raised_rad))
    # From the middle of the foot's underside, which is half a height behind the stand's middle.
    under = (wide - thin) * cos + at_m * sin
    along = at_m * cos + thin * sin - stand.size_m[2] / 2 * cos
    return Propped(lying, under, along)


def _leaning_pencil(rgba: tuple[float, float, float, float], height_m: float) -> Parts:
    high = 1.42 * height_m
    foot, neck, tip = (-0.012, 0.010, 0.011), (0.026, 0.012, high), (0.028, 0.012, high + 0.012)
    return (
        *made_of("contents", "wood", rgba, rod(foot, neck, 0.008)),
        *made_of("contents", "wood", INK, rod(neck, tip, 0.004, rounded=True)),
    )

"""Things that keep a hand away from what they stand over or in front of.

Each is built around a free space: ``inner_m`` or ``under_m`` says how large it is. All stand on the
table by themselves and leave what they guard in sight from some sides.
"""

from dataclasses import replace
from itertools import product

from pactwin.sim.objects.builtin import assembled
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, Vec3

_THICK_M = 0.012


def cage(color: str, inner_m: Vec3, bar_m: float = 0.005, pitch_m: float = 0.020) -> Item:
    """A wire cage without a floor, to be put over things.

    Its bars are about ``pitch_m`` apart on all four sides and on top: a finger does not get
    through, most of what is inside can be seen.
    """
    x, y, z = inner_m[0] + 2 * bar_m, inner_m[1] + 2 * bar_m, inner_m[2] + bar_m
    half_x, half_y, half_z = ((s - bar_m) / 2 for s in (x, y, z))
    parts = []
    for level in (-half_z, half_z):
        for side in (-1, 1):
            parts.append(_box((bar_m, y, bar_m), (side * half_x, 0.0, level)))
            parts.append(_box((x - 2 * bar_m, bar_m, bar_m), (0.0, side * half_y, level)))
    upright = (bar_m, bar_m, z - 2 * bar_m)
    across, along = max(1, round(x / pitch_m)), max(1, round(y / pitch_m))
    for k, side in product(range(across + 1), (-1, 1)):
        parts.append(_box(upright, (half_x * (2 * k / across - 1), side * half_y, 0.0)))
    for k, side in product(range(1, along), (-1, 1)):
        parts.append(_box(upright, (side * half_x, half_y * (2 * k / along - 1), 0.0)))
    for k in range(1, across):
        place = (half_x * (2 * k / across - 1), 0.0, half_z)
        parts.append(_box((bar_m, y - 2 * bar_m, bar_m), place))
    return assembled("cage", color, "metal", tuple(parts), (x, y, z))


def shelf(
    color: str, size_m: tuple[float, float], under_m: float, *, closed_near: bool = False
) -> Item:
    """A board of ``size_m`` (x, y) on legs, with ``under_m`` below it.

    With ``closed_near`` a panel closes the side towards -x instead of the two legs there.
    """
    board, leg = _THICK_M, 0.014
    x, y = size_m
    parts = [_box((x, y, board), (0.0, 0.0, under_m / 2))]
    for side_x, side_y in product((-1, 1), (-1, 1)):
        if side_x > 0 or not closed_near:
            place = (side_x * (x - leg) / 2, side_y * (y - leg) / 2, -board / 2)
            parts.append(replace(_box((leg, leg, under_m), place), shade=0.8))
    if closed_near:
        panel = _box((board, y, under_m), ((board - x) / 2, 0.0, -board / 2))
        parts.append(replace(panel, shade=0.85))
    return assembled("shelf", color, "painted wood", tuple(parts), (x, y, under_m + board))


def screen(color: str, width_m: float, height_m: float) -> Item:
    """A board standing upright on two feet, its faces towards -x and x."""
    board = _box((_THICK_M, width_m, height_m), (0.0, 0.0, 0.0))
    return _on_feet("screen", color, "painted wood", (board,), width_m, height_m)


def fence(
    color: str, width_m: float, height_m: float, bar_m: float = 0.006, pitch_m: float = 0.022
) -> Item:
    """Upright bars between two rails on two feet: a screen one can see through."""
    rail = (_THICK_M, width_m, _THICK_M)
    middle = (height_m - _THICK_M) / 2
    parts = [_box(rail, (0.0, 0.0, side * middle)) for side in (-1, 1)]
    bar, count = (bar_m, bar_m, height_m - 2 * _THICK_M), round(width_m / pitch_m)
    for k in range(count + 1):
        parts.append(_box(bar, (0.0, (width_m - bar_m) * (k / count - 0.5), 0.0)))
    return _on_feet("fence", color, "metal", tuple(parts), width_m, height_m)


def _on_feet(
    kind: str,
    color: str,
    material: str,
    parts: tuple[Part, ...],
    width_m: float,
    height_m: float,
) -> Item:
    foot = (0.08, _THICK_M, _THICK_M)
    low = (_THICK_M - height_m) / 2
    feet = tuple(
        replace(_box(foot, (0.0, side * 0.4 * width_m, low)), shade=0.8) for side in (-1, 1)
    )
    return assembled(kind, color, material, (*parts, *feet), (foot[0], width_m, height_m))


def _box(size_m: Vec3, center_m: Vec3) -> Part:
    return Part("box", size_m, Pose(center_m))

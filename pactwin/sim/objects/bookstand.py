"""A book stand for one pocket book: printed in two pieces."""

import numpy as np

from pactwin.sim.objects.assembly import assembled
from pactwin.sim.objects.primitives import box, made_of, moved
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, axis_angle

LEDGE_M = 0.024
"""Depth of the ledge on which a book stands, from the back to the lip."""

_LEAN_RAD = float(np.deg2rad(22.0))
_THICK_M = 0.006
_LIP_M = 0.012
_BACK_M = (0.07, 0.085)
_WIDE_M = 0.095
_RAISED_M = 0.016
_GAP_M = 0.0006
# A book's thickness points out of the stand's back, its length up along it.
_BOOK = (0.5, 0.5, 0.5, 0.5)


def book_stand(color: str) -> Item:
    """A stand whose front is towards +x: a back that leans by 22 degrees, a ledge with a lip."""
    t, (wide, high) = _THICK_M, _BACK_M
    reach = high * float(np.sin(_LEAN_RAD))
    leg = _RAISED_M + 0.6 * high * float(np.cos(_LEAN_RAD))
    front = LEDGE_M + 2 * t
    # First the ledge: its part's frame tells where the book goes.
    ledge = box((LEDGE_M + t, _WIDE_M, t), ((LEDGE_M - t) / 2, 0.0, -t / 2))
    back = box((t, wide, high), (-t / 2, 0.0, high / 2))
    lip = box((t, _WIDE_M, _LIP_M + t), (LEDGE_M + t / 2, 0.0, (_LIP_M - t) / 2))
    base = (
        box((front + reach, _WIDE_M, t), ((front - reach) / 2, 0.0, t / 2)),
        box((t, 0.3 * wide, leg), (-0.75 * reach, 0.0, leg / 2)),
        box((0.8 * LEDGE_M, wide, _RAISED_M), (0.5 * LEDGE_M, 0.0, _RAISED_M / 2)),
    )
    parts = (
        *moved(made_of("body", "plastic", 1.0, ledge), _trough()),
        *moved(made_of("body", "plastic", 0.9, back), _trough()),
        *moved(made_of("body", "plastic", 0.85, lip), _trough()),
        *made_of("body", "plastic", 0.7, base),
    )
    return assembled("book_stand", color, parts, state="upright, empty")


def on_stand(stand: Item, book: Item, *, forward_m: float = 0.0) -> Pose:
    """Where ``book`` stands on the ledge, against the back or so much nearer to the lip."""
    ledge = stand.world_from_object @ stand.parts[0].pose
    from_back = (LEDGE_M + _THICK_M) / -2 + _THICK_M
    place = Pose(
        (
            from_back + book.size_m[2] / 2 + _GAP_M + forward_m,
            0.0,
            (_THICK_M + book.size_m[1]) / 2 + _GAP_M,
        ),
        _BOOK,
    )
    return ledge @ place


def up_the_back(stand: Item) -> np.ndarray:
    """Unit vector along which a book is drawn out of the stand, upwards along its back."""
    return (stand.world_from_object @ stand.parts[0].pose).matrix()[:3, 2]


def _trough() -> Pose:
    """The corner of ledge and back, x out of the back, z up along it."""
    return Pose((0.0, 0.0, _RAISED_M + _THICK_M), axis_angle((0.0, 1.0, 0.0), -_LEAN_RAD))

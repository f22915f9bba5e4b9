"""Things that stand on the table, built in."""

from pactwin.sim.objects.builtin import (
    ball,
    block,
    book,
    bottle,
    can,
    cup,
    cylinder,
    distractor_kinds,
    laid_down,
    mug,
    open_box,
    part_volume_m3,
    plank,
    standing_at,
    top_m,
)
from pactwin.sim.objects.obstacles import cage, screen, shelf
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.objects.shaping import ON_SIDE, UPSIDE_DOWN, heights_m, resting_at
from pactwin.sim.objects.vessels import bowl, lid, pen_stand, tumbler
from pactwin.sim.objects.writing import pen

__all__ = [
    "COLORS",
    "ON_SIDE",
    "UPSIDE_DOWN",
    "ball",
    "block",
    "book",
    "bottle",
    "bowl",
    "cage",
    "can",
    "cup",
    "cylinder",
    "distractor_kinds",
    "heights_m",
    "laid_down",
    "lid",
    "mug",
    "open_box",
    "part_volume_m3",
    "pen",
    "pen_stand",
    "plank",
    "resting_at",
    "screen",
    "shelf",
    "standing_at",
    "top_m",
    "tumbler",
]

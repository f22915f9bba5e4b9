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

__all__ = [
    "COLORS",
    "ball",
    "block",
    "book",
    "bottle",
    "cage",
    "can",
    "cup",
    "cylinder",
    "distractor_kinds",
    "laid_down",
    "mug",
    "open_box",
    "part_volume_m3",
    "plank",
    "screen",
    "shelf",
    "standing_at",
    "top_m",
]

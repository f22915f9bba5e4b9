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
from pactwin.sim.objects.loads import cube_puzzle, dumbbell, sponge
from pactwin.sim.objects.obstacles import cage, fence, screen, shelf
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.objects.shaping import ON_SIDE, UPSIDE_DOWN, heights_m, resting_at
from pactwin.sim.objects.stands import column_stand, ramp_stand, tapered_stand, unlike_stands
from pactwin.sim.objects.trays import (
    bar_grip,
    carrier,
    end_grip,
    floor_m,
    handled_tray,
    long_box,
    tray,
)
from pactwin.sim.objects.vessels import bowl, lid, pen_stand, tumbler
from pactwin.sim.objects.writing import pen

__all__ = [
    "COLORS",
    "ON_SIDE",
    "UPSIDE_DOWN",
    "ball",
    "bar_grip",
    "block",
    "book",
    "bottle",
    "bowl",
    "cage",
    "can",
    "carrier",
    "column_stand",
    "cube_puzzle",
    "cup",
    "cylinder",
    "distractor_kinds",
    "dumbbell",
    "end_grip",
    "fence",
    "floor_m",
    "handled_tray",
    "heights_m",
    "laid_down",
    "lid",
    "long_box",
    "mug",
    "open_box",
    "part_volume_m3",
    "pen",
    "pen_stand",
    "plank",
    "ramp_stand",
    "resting_at",
    "screen",
    "shelf",
    "sponge",
    "standing_at",
    "tapered_stand",
    "top_m",
    "tray",
    "tumbler",
    "unlike_stands",
]

"""Things to write with and on: pen, marker with its cap, notepad."""

from pactwin.sim.layout import Item, Part
from pactwin.sim.objects.builtin import assembled
from pactwin.sim.pose import Pose

_INK = (0.10, 0.10, 0.11, 1.0)
_GRIP = (0.80, 0.80, 0.78, 1.0)


def pen(color: str, diameter_m: float = 0.013, length_m: float = 0.14) -> Item:
    """A thick ballpoint pen, its tip at the lower end (-z) of its frame."""
    tip = 0.014
    barrel = length_m - tip
    parts = (
        Part("cylinder", (diameter_m, diameter_m, barrel), Pose((0.0, 0.0, tip / 2))),
        Part(
            "cylinder",
            (0.45 * diameter_m, 0.45 * diameter_m, tip),
            Pose((0.0, 0.0, (tip - length_m) / 2)),
            rgba=_INK,
        ),
    )
    return assembled("pen", color, "plastic", parts, (diameter_m, diameter_m, length_m), fill=0.8)

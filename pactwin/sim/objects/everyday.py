"""Things of everyday life in any size, declared in ``kinds/everyday.yaml``."""

from functools import partial

from pactwin.sim.objects.assembly import cached
from pactwin.sim.objects.declared import things_in
from pactwin.sim.scene.layout import Item


@cached
def sized(kind: str, color: str, *size_m: float, variant: str = "") -> Item:
    """A thing of this ``kind`` and size: diameter, diameter and height, or extents x, y, z.

    It is stretched along its axes from the size in which it is declared, with the declared height
    if only a diameter is given. Of its variants it is the first by default.
    """
    return things_in("kinds")["everyday"][kind].made(kind, color, size_m, variant=variant)


def ball(color: str, diameter_m: float) -> Item:
    """A plain hollow rubber ball."""
    return sized("ball", color, diameter_m, diameter_m, diameter_m)


apple, bottle, bowl, cake, can, coaster, cupcake = (
    partial(sized, kind)
    for kind in ("apple", "bottle", "bowl", "cake", "can", "coaster", "cupcake")
)
book, marker, marker_cap, mug, notepad, pen, plate, sponge, tin = (
    partial(sized, kind)
    for kind in ("book", "marker", "marker_cap", "mug", "notepad", "pen", "plate", "sponge", "tin")
)

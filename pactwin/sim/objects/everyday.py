"""Things of everyday life in any size, declared in ``kinds/everyday.yaml``."""

from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path

from pactwin.catalogue import read_data
from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.declared import Thing
from pactwin.sim.objects.primitives import stretched
from pactwin.sim.scene.layout import Item


@cached
def sized(kind: str, color: str, *size_m: float, variant: str = "") -> Item:
    """A thing of this ``kind`` and size: diameter, diameter and height, or extents x, y, z.

    It is stretched along its axes from the size in which it is declared, with the declared height
    if only a diameter is given. Of its variants it is the first by default.
    """
    thing = _declared()[kind]
    variant = variant or next(iter(thing.variants), "")
    state = thing.variants[variant].state if variant else thing.state
    parts = thing.parts_of(color, variant=variant)
    item = make_item(kind, color, parts)
    wide, *further = size_m
    x, y, z = size_m if len(size_m) == 3 else (wide, wide, *(further or item.size_m[2:]))
    by = (x / item.size_m[0], y / item.size_m[1], z / item.size_m[2])
    return make_item(kind, color, stretched(parts, by), state=state, called=thing.called)


@lru_cache(maxsize=1)
def _declared() -> Mapping[str, Thing]:
    return read_data(Path(__file__).parent / "kinds" / "everyday.yaml", dict[str, Thing])


apple, bottle, cake, can, coaster, cupcake, plate, tin = (
    partial(sized, kind)
    for kind in ("apple", "bottle", "cake", "can", "coaster", "cupcake", "plate", "tin")
)
book, marker, marker_cap, notepad, pen, sponge = (
    partial(sized, kind) for kind in ("book", "marker", "marker_cap", "notepad", "pen", "sponge")
)

"""Twins of one kind that differ in the property asked about, which the kind's name cannot reveal.

Both lie at the same place among the same objects, under the same light.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pactwin.sim.scene.layout import Item


@dataclass(frozen=True)
class Difference:
    """A difference between two objects of one kind: its ``kinds`` and its property."""

    name: str
    topic: str
    kinds: tuple[str, ...]


DIFFERENCES = (
    Difference(
        "full or empty",
        "CONTENTS",
        ("basket", "bowl", "bucket", "cup", "frying_pan", "mug", "pitcher", "pot", "tumbler"),
    ),
    Difference("closed or open", "SEALING", ("bottle", "glue_stick", "jar")),
    Difference("steel or plastic", "COLOR", ("bucket", "cup", "funnel", "ruler", "spatula")),
    Difference("steel or wooden", "DENSITY", ("bowl", "fork", "plate", "spoon", "tray")),
    Difference("steel or ceramic", "HARDNESS", ("bowl", "cup", "mug", "plate")),
    Difference("thick or thin", "THICKNESS", ("book", "candle", "plank", "sponge", "towel")),
)

# Thin ones are as thick as this, thick ones as that; a candle is as wide (m).
_THIN_M, _THICK_M, _WIDTH = 0.011, 0.062, "candle"


def differences(kinds: tuple[str, ...]) -> tuple[tuple[Difference, str], ...]:
    """All differences between two objects of one of these ``kinds``, each with the kind."""
    return tuple((one, kind) for one in DIFFERENCES for kind in one.kinds if kind in kinds)


def differing(item: "Item", difference: Difference) -> tuple["Item", "Item"]:
    """Two objects of one kind that differ in ``difference`` alone."""
    from pactwin.sim.objects.palette import COLORS, STEEL, WOOD
    from pactwin.sim.objects.variants import filled, of_material, opened

    steel = of_material(item, "steel", STEEL)
    plain = item.rgba if item.color in COLORS else COLORS["white"]
    pairs: Mapping[str, Callable[[], tuple[Item, Item]]] = {
        "full or empty": lambda: (filled(item), item),
        "closed or open": lambda: (item, opened(item)),
        "steel or plastic": lambda: (steel, of_material(item, "plastic", plain)),
        "steel or wooden": lambda: (steel, of_material(item, "wood", WOOD)),
        "steel or ceramic": lambda: (steel, of_material(item, "ceramic", COLORS["white"])),
        "thick or thin": lambda: (_as_thick(item, _THICK_M), _as_thick(item, _THIN_M)),
    }
    return pairs[difference.name]()


def _as_thick(item: "Item", thick_m: float) -> "Item":
    from pactwin.sim.uses.things import size_m, stretched

    wide, _, high = size_m(item).tolist()
    if item.category == _WIDTH:
        return stretched(item, (thick_m / wide, thick_m / wide, 1.0))
    return stretched(item, (1.0, 1.0, thick_m / high))

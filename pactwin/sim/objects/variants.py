"""Variants of an object: filled, lidded, opened, of another material, thicker or thinner."""

from collections.abc import Iterable
from dataclasses import replace

from pactwin.catalogue import load_catalogue
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.cavities import CLOSING, inside_of
from pactwin.sim.objects.palette import RGBA
from pactwin.sim.objects.posing import extents_m
from pactwin.sim.objects.primitives import ellipsoid, made_of
from pactwin.sim.scene.layout import CONTENTS, Item, Part

# How far a lid stands out beyond the rim and above it, and how high what fills a vessel is heaped.
_RIM_M, _LID_M, _HEAPED_M = 0.003, 0.018, 0.014
_FILLING, _GRAIN = "dry_food", (0.76, 0.60, 0.36, 1.0)


def rebuilt(item: Item, parts: Iterable[Part], state: str) -> Item:
    """The item with other parts; its middle, size and mass are recomputed."""
    made = make_item(item.category, item.color, parts, state=state, rgba=item.rgba)
    return replace(made, name=item.name)


def filled(item: Item) -> Item:
    """An open vessel, heaped full of grain."""
    heaped = _with_dome(item, CONTENTS, _FILLING, _GRAIN, -_RIM_M, _HEAPED_M, "upright, filled")
    grain_kg = load_catalogue().material(_FILLING).density_kg_m3 * inside_of(item).cavity_m3
    return replace(heaped, mass_kg=round(heaped.mass_kg + grain_kg, 4))


def lidded(item: Item) -> Item:
    """An open vessel with a domed lid in its own colour."""
    return _with_dome(item, "lid", "wood", 1.0, _RIM_M, _LID_M, "upright, closed")


def opened(item: Item) -> Item:
    """A closed vessel without its cap or lid."""
    parts = [part for part in item.parts if part.role not in CLOSING]
    return rebuilt(item, parts, item.state.replace("closed", "open"))


def of_material(item: Item, material: str, rgba: RGBA) -> Item:
    """The object made entirely of one material, with that material's look, in one colour."""
    parts = [
        replace(part, material=material, rgba=None, shade=1.0, texture_file=None)
        for part in item.parts
    ]
    return rebuilt(replace(item, rgba=rgba), parts, item.state)


def _with_dome(
    vessel: Item,
    role: str,
    material: str,
    tint: RGBA | float,
    out_m: float,
    high_m: float,
    state: str,
) -> Item:
    """The vessel with a dome over its mouth that stands ``out_m`` out beyond the rim."""
    low, high = extents_m(p for p in vessel.parts if p.is_matter and p.role == "body")
    x, y = ((low + high) / 2)[:2].tolist()
    wide, deep = (high - low)[:2] + 2 * out_m
    dome = ellipsoid((float(wide), float(deep), 2 * high_m), (x, y, float(high[2])))
    return rebuilt(vessel, (*vessel.parts, *made_of(role, material, tint, dome)), state)

"""Bill of materials: the objects needed to set up a suite's scenes on a real table.

Records hold sizes and masses of objects, but not their shapes, so layouts are drawn again from
their seeds (and compared with the records). Objects made of the same pieces are one item of the
bill, wherever they stand and however their lids are turned.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter

from pactwin.sim import Item, rebuild_layout, surface_of
from pactwin.suite import InvalidInputError, Scene

PRINT_WALL_M = 0.0012
"""Thickness of a print's solid wall: three lines of a 0.4 mm nozzle."""

PLASTIC_KG_M3 = 1240.0
"""Density of PLA."""

MASS_TOLERANCE = 0.1
"""Relative mass tolerance of a copy; labels hold at twice this."""

# Lengths (m) and masses (kg) that agree to these many decimals are the same.
_LENGTH_DECIMALS, _MASS_DECIMALS = 4, 3

# What tells a thing from others, however it is turned or opened: category, material, mass, and its
# parts' shapes and sizes; last its colour.
_Pieces = tuple[str, str, float, tuple[tuple[object, ...], ...], str]


class Sourcing(BaseModel):
    """Sources of objects of one category; ``sources.yaml`` explains its keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    get: str
    print: bool = False
    density_kg_m3: tuple[float, float] | None = None


@dataclass(frozen=True)
class BillItem:
    """One required object.

    ``item`` is an example from some scene; items of one ``shape`` differ in colour alone.
    ``size_m`` are its extents when closed, longest first. ``count`` is the largest number on the
    table at once, ``scenes`` the ids of the scenes that need it. ``infill`` is the range of infill
    for a print with the right mass, None if it is not printed. ``doubt`` describes an unusual mass,
    "" if there is none.
    """

    item: Item
    shape: str
    size_m: tuple[float, float, float]
    count: int
    scenes: tuple[str, ...]
    get: str
    infill: tuple[float, float] | None
    doubt: str


def bill_of_materials(scenes: Iterable[Scene]) -> list[BillItem]:
    """Objects that the scenes need, by category, size and colour.

    Raises InvalidInputError for a scene that was not simulated, SuiteError for one that this
    version of its domain would draw differently.
    """
    used: dict[_Pieces, dict[str, list[Item]]] = {}
    for scene in scenes:
        if scene.source != "sim":
            raise InvalidInputError(
                f"scene {scene.id} is {scene.source}: materials are listed for simulated scenes"
            )
        for item in rebuild_layout(scene).items:
            used.setdefault(_pieces(item), {}).setdefault(scene.id, []).append(item)
    bill: list[BillItem] = []
    shapes: dict[tuple[object, ...], str] = {}
    for pieces, by_scene in sorted(used.items()):
        kind = pieces[0].replace(" ", "-")
        shape = shapes.setdefault(pieces[:-1], f"{len(shapes) + 1:03}-{kind}")
        bill.append(_bill_item(shape, by_scene))
    return bill


def sourcing_of(item: Item) -> Sourcing | None:
    """Source of an item; None if unknown."""
    known = _sources()
    return known.get(f"{item.material} {item.category}") or known.get(item.category)


@cache
def _sources() -> dict[str, Sourcing]:
    text = (files("pactwin.real") / "sources.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, Sourcing]).validate_python(yaml.safe_load(text))


def _pieces(item: Item) -> _Pieces:
    parts = sorted(
        (
            part.shape,
            tuple(np.round(part.size_m, _LENGTH_DECIMALS).tolist()),
            tuple(np.round(part.corners_m, _LENGTH_DECIMALS).ravel().tolist()),
        )
        for part in item.parts
    )
    mass = round(item.mass_kg, _MASS_DECIMALS)
    return item.category, item.material, mass, tuple(parts), item.color


def _bill_item(shape: str, by_scene: dict[str, list[Item]]) -> BillItem:
    seen = [item for items in by_scene.values() for item in items]
    item = min(seen, key=lambda item: float(np.prod(item.size_m)))  # a lid turned shut
    long, wide, high = sorted(item.size_m, reverse=True)
    source = sourcing_of(item)
    infill, doubt = None, ""
    if source is None:
        doubt = "no source is known for this kind"
    elif source.print:
        infill, doubt = _infill(item)
        doubt = "" if source.get else doubt  # what can be had need not be printed
    elif source.density_kg_m3 is not None:
        doubt = _odd_density(item, *source.density_kg_m3)
    return BillItem(
        item=item,
        shape=shape,
        size_m=(long, wide, high),
        count=max(map(len, by_scene.values())),
        scenes=tuple(by_scene),
        get=source.get if source else "",
        infill=infill,
        doubt=doubt,
    )


def _infill(item: Item) -> tuple[tuple[float, float] | None, str]:
    """The infill that gives a print its mass, and a doubt if any: shell solid, rest filled."""
    surface = surface_of(item)
    shell = min(surface.volume_m3, surface.area_m2 * PRINT_WALL_M)
    inside = max(surface.volume_m3 - shell, 1e-9)
    least, most = (
        (item.mass_kg * (1 + off) / PLASTIC_KG_M3 - shell) / inside
        for off in (-MASS_TOLERANCE, MASS_TOLERANCE)
    )
    if most < 0:
        return None, f"lighter than its printed shell ({shell * PLASTIC_KG_M3 * 1e3:.0f} g)"
    if least > 1:
        return None, f"heavier than a solid print ({surface.volume_m3 * PLASTIC_KG_M3 * 1e3:.0f} g)"
    return (max(least, 0.0), min(most, 1.0)), ""


def _odd_density(item: Item, least: float, most: float) -> str:
    density = item.mass_kg / surface_of(item).volume_m3
    if least <= density <= most:
        return ""
    return f"{density:.0f} kg/m3 where {least:.0f} to {most:.0f} is usual"

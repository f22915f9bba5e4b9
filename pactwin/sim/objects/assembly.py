"""Assemble an item from parts: set its origin, masses and main material."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import ParamSpec, cast

from pactwin.catalogue import load_catalogue
from pactwin.sim.objects.palette import COLORS, NATURAL, RGBA
from pactwin.sim.objects.posing import extents_m
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, vec3

P = ParamSpec("P")


def cached(builder: Callable[P, Item]) -> Callable[P, Item]:
    """Cache the latest results of ``builder``: items are values, and meshes take time."""
    return cast("Callable[P, Item]", lru_cache(maxsize=512)(builder))


def make_item(
    kind: str,
    color: str,
    parts: Iterable[Part],
    *,
    material: str = "",
    state: str = "upright",
    called: str = "",
    rgba: RGBA | None = None,
) -> Item:
    """Make an item from ``parts``; the origin is the centre of its solid parts.

    ``material`` is that of parts without their own. The mass sums all parts with materials of the
    catalogue, including contents, without visual parts. The item's material is the one with the
    largest volume. ``kind`` is its identifier (``builtin/<kind>``), ``called`` its name in words,
    by default the same.
    """
    parts = list(parts)
    low, high = extents_m(part for part in parts if part.collides or part.is_matter)
    x, y, z = ((low + high) / 2).tolist()
    measured = [(part, part_volume_m3(part)) for part in parts if part.is_matter or part.weighs]
    volumes: defaultdict[str, float] = defaultdict(float)
    for part, volume_m3 in measured:
        if part.is_matter:
            volumes[part.material or material] += volume_m3
    main = max(volumes, key=lambda name: volumes[name])
    table = load_catalogue()
    return Item(
        name=f"{color} {called or kind.replace('_', ' ')}",
        category=kind,
        parts=tuple(
            replace(
                part,
                pose=part.pose.moved(-x, -y, -z),
                material=part.material or material,
            )
            for part in parts
        ),
        size_m=vec3((high - low).round(9)),
        mass_kg=round(
            sum(
                volume_m3 * table.material(part.material or material).density_kg_m3
                for part, volume_m3 in measured
                if part.weighs
            ),
            4,
        ),
        color=color,
        rgba=rgba or COLORS.get(color) or NATURAL[color],
        material=main,
        asset=f"builtin/{kind}",
        world_from_object=ORIGIN,
        state=state,
        friction=table.material(main).friction,
    )

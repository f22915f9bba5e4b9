"""Knowledge base: one specimen of each kind, and measurements of its parts."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np

from pactwin.catalogue import (
    HELD_BY_A_BLADE,
    Entity,
    MeasuredPart,
    load_catalogue,
    load_uses,
)
from pactwin.sim.generation.creative.shapes import shape_measures, thing_measures
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.objects.building import build_thing
from pactwin.sim.objects.cavities import CLOSING
from pactwin.sim.objects.solids import piece_of, solid_of
from pactwin.sim.scene.layout import CONTENTS, Item, Part
from pactwin.suite import ProgressCallback, silent

_DIGITS = 3
_BLADES = frozenset(("blade", "blades", "back", "edge", "pivot", "point", "teeth", "tines"))
"""Roles of parts of a blade, by which no hand holds a thing firmly."""


@lru_cache(maxsize=256)
def specimen(kind: str, seed: int) -> Item:
    """The single specimen of a kind in a suite of this seed."""
    return build_thing(kind, np.random.default_rng([seed, crc32(kind.encode())]))


def measured_entities(
    seed: int, kinds: Sequence[str], progress: ProgressCallback = silent
) -> dict[str, Entity]:
    """Measure the specimens of ``kinds``, by kind."""
    found = {}
    for done, kind in enumerate(kinds, start=1):
        found[kind] = measured_entity(specimen(kind, seed), kind)
        progress("kinds", done, len(kinds))
    return found


def measured_entity(item: Item, kind: str) -> Entity:
    """Measure an item of a kind.

    Its parts are those of the catalogue that are solid and whose material has known traits.
    """
    known = load_catalogue().kind(kind)
    sides = resting_sides(item)
    heights_mm = {_rounded(1e3 * high) for high in (*(s.height_m for s in sides), *item.size_m)}
    whole = thing_measures(item)
    solid: dict[str, str] = {}
    for part in item.parts:
        if part.is_matter and part.role in known.parts:
            solid.setdefault(part.role, part.material or item.material)
    parts = {}
    for role, material in solid.items():
        if material not in load_uses().materials:
            continue
        measures = whole[role] | _measured(item, role, material)
        measures["share"] = measures["mass_g"] / measures["thing_g"]
        steady = [1e3 * side.height_m for side in sides if side.steady and role in side.held_by]
        if steady:
            measures |= {"stand_mm": max(steady), "lay_mm": min(steady)}
        traits = [*load_uses().materials[material].traits, *_states(item, role, measures)]
        rest = solid.keys() - {role}
        if rest and rest <= _BLADES:
            traits.append(HELD_BY_A_BLADE)
        parts[role] = MeasuredPart(
            material=material,
            traits=tuple(traits),
            measures={name: _rounded(value) for name, value in sorted(measures.items())},
            sides_mm=tuple(sorted(heights_mm)),
        )
    return Entity(kind=kind, name=known.title, state=item.state, parts=parts)


def _measured(item: Item, role: str, material: str) -> dict[str, float]:
    """Measure one part by itself."""
    measures = shape_measures(item, role)
    solid = solid_of(item).only((role,))
    measures["volume_ml"] = solid.volume_mm3 / 1e3
    measures["mass_g"] = sum(piece.mass_g for piece in solid.pieces)
    # A beam held at one end: 3 E I / L^3, with E in N/mm².
    bending = 3 * 1e3 * load_uses().materials[material].modulus_gpa
    measures["stiffness_n_mm"] = (
        bending * measures.pop("second_moment_mm4") / measures["length_mm"] ** 3
    )
    if _holds(role, measures):
        measures["mass_g"] += sum(piece_of(part, item).mass_g for part in _contents(item))
    return measures


def _states(item: Item, role: str, measures: Mapping[str, float]) -> list[str]:
    """Whether a part with a cavity is closed or filled, and what closes it."""
    words = {word.strip() for word in item.state.split(",")}
    if not _holds(role, measures):
        return sorted({"closed"} & words) if role in CLOSING else []
    return sorted({"closed", "filled"} & words | ({"filled"} if _contents(item) else set()))


def _holds(role: str, measures: Mapping[str, float]) -> bool:
    """Whether something could be inside a part; closures are neither closed nor filled."""
    return "room_ml" in measures and role not in CLOSING


def _contents(item: Item) -> list[Part]:
    return [part for part in item.parts if part.role == CONTENTS and part.weighs]


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")

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
from pactwin.sim.generation.creative.shapes import pieces_of, shape_measures, thing_measures
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.generation.creative.solids import piece_of, solid_of
from pactwin.sim.objects.building import build_kind, build_tool, kind_names
from pactwin.sim.objects.cavities import CLOSING
from pactwin.sim.scene.layout import CONTENTS, Item, Part
from pactwin.suite import ProgressCallback, silent

_DIGITS = 3
_BLADES = frozenset(("blade", "blades", "back", "edge", "pivot", "point", "teeth", "tines"))
"""Roles of parts of a blade, by which no hand holds a thing firmly."""


@lru_cache(maxsize=256)
def specimen(kind: str, seed: int) -> Item:
    """The single specimen of a kind in a suite of this seed."""
    rng = np.random.default_rng([seed, crc32(kind.encode())])
    return build_kind(kind, rng) if kind in kind_names() else build_tool(kind, rng)


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
    table = load_uses().materials
    sides = resting_sides(item)
    heights = {side.height_m for side in sides} | set(item.size_m)
    whole = thing_measures(item)
    parts = {}
    for role in dict.fromkeys(part.role for part in item.parts):
        pieces = pieces_of(item, role)
        if role in known.parts and pieces:
            material = pieces[0].material or item.material
            if material in table:
                steady = [side.height_m for side in sides if side.steady and role in side.held_by]
                measures = whole[role] | _measured(item, role, material)
                measures["share"] = measures["mass_g"] / measures["thing_g"]
                if steady:
                    measures["stand_mm"] = 1e3 * max(steady)
                    measures["lay_mm"] = 1e3 * min(steady)
                rest = {part.role for part in item.parts if part.is_matter} & {*known.parts}
                rest -= {role}
                traits = [*table[material].traits, *_states(item, role, measures)]
                parts[role] = MeasuredPart(
                    material=material,
                    traits=(*traits, *([HELD_BY_A_BLADE] if rest and rest <= _BLADES else ())),
                    measures={name: _rounded(value) for name, value in sorted(measures.items())},
                    sides_mm=tuple(sorted({_rounded(1e3 * height) for height in heights})),
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

"""The knowledge base: one specimen of each kind, and what is measured of its parts."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from zlib import crc32

import numpy as np

from pactwin.catalogue import Entity, MeasuredPart, load_catalogue, load_uses
from pactwin.sim.generation.creative.shapes import pieces_of, shape_measures, whole_length_mm
from pactwin.sim.objects.cavities import CLOSING
from pactwin.sim.objects.kinds.building import build_kind, kind_names
from pactwin.sim.objects.tools.building import build_tool
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import CONTENTS, Item, Part
from pactwin.suite import ProgressCallback, silent

_DIGITS = 3


@lru_cache(maxsize=256)
def specimen(kind: str, seed: int) -> Item:
    """The one thing of a kind that a suite of this seed knows, wherever it occurs."""
    rng = np.random.default_rng([seed, crc32(kind.encode())])
    return build_kind(kind, rng) if kind in kind_names() else build_tool(kind, rng)


def measured_entities(
    seed: int, kinds: Sequence[str], progress: ProgressCallback = silent
) -> dict[str, Entity]:
    """What is measured of the specimens of ``kinds``, by kind."""
    found = {}
    for done, kind in enumerate(kinds, start=1):
        found[kind] = measured_entity(specimen(kind, seed), kind)
        progress("kinds", done, len(kinds))
    return found


def measured_entity(item: Item, kind: str) -> Entity:
    """What is measured of an item of a kind.

    Its parts are those of the catalogue that are of matter and whose stuff has known traits.
    """
    known = load_catalogue().kind(kind)
    table = load_uses().materials
    contents = [part for part in item.parts if part.role == CONTENTS and part.weighs]
    whole = {"length_mm": whole_length_mm(item), "mass_g": 1e3 * item.mass_kg}
    whole = {name: _rounded(value) for name, value in whole.items()}
    parts = {}
    for role in dict.fromkeys(part.role for part in item.parts):
        pieces = pieces_of(item, role)
        if role in known.parts and pieces:
            material = pieces[0].material or item.material
            if material in table:
                part = _measured_part(item, role, material, contents)
                parts[role] = part.model_copy(update={"whole": whole})
    return Entity(kind=kind, name=known.title, state=item.state, parts=parts)


def _measured_part(item: Item, role: str, material: str, contents: list[Part]) -> MeasuredPart:
    known = load_uses().materials[material]
    measures = shape_measures(item, role)
    pieces = pieces_of(item, role)
    measures["volume_ml"] = 1e6 * sum(map(part_volume_m3, pieces))
    measures["mass_g"] = 1e3 * sum(map(_mass_kg, pieces, repeat(item)))
    # A beam held at one end: 3 E I / L^3, with E in N/mm².
    bending = 3 * 1e3 * known.modulus_gpa * measures.pop("second_moment_mm4")
    measures["stiffness_n_mm"] = bending / measures["length_mm"] ** 3
    states = set()
    # What closes a thing is neither closed itself nor filled.
    if "room_ml" in measures and role not in CLOSING:
        words = {word.strip() for word in item.state.split(",")}
        states = {"closed", "filled"} & words | ({"filled"} if contents else set())
        measures["mass_g"] += 1e3 * sum(map(_mass_kg, contents, repeat(item)))
    return MeasuredPart(
        material=material,
        traits=(*known.traits, *sorted(states)),
        measures={name: _rounded(value) for name, value in sorted(measures.items())},
    )


def _mass_kg(piece: Part, item: Item) -> float:
    stuff = load_catalogue().material(piece.material or item.material)
    return part_volume_m3(piece) * stuff.density_kg_m3


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")

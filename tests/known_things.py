"""Things with parts of drawn measures, by which tasks can be planned without building anything."""

import numpy as np

from pactwin.catalogue import Entity, MeasuredPart, load_catalogue, load_uses
from pactwin.tasks import KnowledgeBase

_SPREAD = {
    "length_mm": (20, 400), "width_mm": (4, 250), "depth_mm": (2, 200), "wall_mm": (0.5, 40),
    "tip_mm": (0.5, 120), "edge_mm": (0.2, 40), "flat_mm": (3, 250), "notch_mm": (0.5, 150),
    "roundness": (0.2, 1.0), "room_ml": (4, 6000), "opening_mm": (8, 250), "mass_g": (5, 4000),
    "stiffness_n_mm": (0.05, 5000), "volume_ml": (1, 3000),
}  # fmt: skip


def known_things(seed: int) -> KnowledgeBase:
    """The catalogue's kinds and parts in their materials; all that is measured is drawn."""
    rng = np.random.default_rng(seed)
    table, catalogue = load_uses(), load_catalogue()
    entities = {}
    for kind in table.kinds():
        parts = {}
        for name, material in catalogue.kind(kind).parts.items():
            if material in table.materials:
                measures = {
                    key: float(np.exp(rng.uniform(*np.log(ends))))
                    for key, ends in _SPREAD.items()
                    if key not in ("room_ml", "opening_mm") or rng.random() < 0.4
                }
                traits = table.materials[material].traits
                parts[name] = MeasuredPart(material=material, traits=traits, measures=measures)
        title = catalogue.kind(kind).title
        entities[kind] = Entity(kind=kind, name=title, state="upright", parts=parts)
    return KnowledgeBase(entities, table)

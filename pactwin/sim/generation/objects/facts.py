"""Measure an item for the catalogue's rules: :class:`pactwin.catalogue.ObjectFacts`."""

from collections import defaultdict
from dataclasses import replace

from pactwin.catalogue import (
    ObjectFacts,
    ObjectKind,
    load_catalogue,
    property_labels,
    typical_facts,
)
from pactwin.sim.objects.cavities import inside_of
from pactwin.sim.objects.library.surfaces import mesh_colours
from pactwin.sim.rendering.draw import part_rgba
from pactwin.sim.rendering.studio import surface_shares
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import CONTENTS, Item, Part, object_record
from pactwin.sim.scene.pose import vec3
from pactwin.suite import ObjectRecord


def object_facts(item: Item) -> ObjectFacts:
    """Measure an item of a kind in the catalogue, in its pose.

    Mass, volume, cavity and thickness are computed from the item's parts; whether it is open and
    what it contains from its state; shares of colours and materials from small pictures from all
    sides. For meshes, which need not be closed, only size and colour are measured; other facts are
    those of a typical object of the kind, except a mass stated in a user's model. Raises
    InvalidInputError if the item's category is not a kind in the catalogue.
    """
    kind = load_catalogue().kind(item.category)
    up = vec3(item.world_from_object.matrix()[2, :3])
    state = {word.strip() for word in item.state.split(",")}
    colours: dict[tuple[float, float, float], float] = defaultdict(float)
    materials: dict[str, float] = defaultdict(float)
    for part, share in surface_shares(item).items():
        for colour, of_part in _colours_of(item, part).items():
            colours[colour] += share * of_part
        materials[part.material or item.material] += share
    if any(part.shape == "mesh" for part in item.parts):
        typical = typical_facts(
            kind, size_m=item.size_m, up=up, state=item.state, colours=dict(colours)
        )
        return replace(typical, mass_kg=item.mass_kg)
    inside = inside_of(item)
    return ObjectFacts(
        mass_kg=item.mass_kg,
        size_m=item.size_m,
        solid_volume_m3=sum(part_volume_m3(part) for part in item.parts if part.is_matter),
        thickness_m=inside.thickness_m,
        up=up,
        cavity_m3=inside.cavity_m3,
        opening_m=inside.opening_m,
        closed=None if kind.closure == "none" else "closed" in state,
        contents=_contents(item, kind, state) if inside.cavity_m3 else None,
        pieces=kind.pieces,
        materials=dict(materials),
        colours=dict(colours),
    )


def _colours_of(item: Item, part: Part) -> dict[tuple[float, float, float], float]:
    """The colours of a part by their shares."""
    if part.shape == "mesh":
        return mesh_colours(part)
    r, g, b, _ = part_rgba(item, part)
    return {(round(r, 3), round(g, 3), round(b, 3)): 1.0}


def labelled_record(item: Item, instance_id: int) -> ObjectRecord:
    """The item's record with labels derived from its facts, and its kind's affordances.

    An affordance that depends on a property is left out if the item's label of that property is not
    the typical one: a mug without a cavity cannot contain.
    """
    kind = load_catalogue().kind(item.category)
    labels = property_labels(kind, object_facts(item))
    typical = property_labels(kind, typical_facts(kind))
    differ = {name for name in labels.keys() & typical if labels[name].value != typical[name].value}
    affordances = tuple(a for a in kind.record_affordances() if a.evidence not in differ)
    return object_record(item, instance_id).model_copy(
        update={"properties": labels, "affordances": affordances}
    )


def _contents(item: Item, kind: ObjectKind, state: set[str]) -> str | None:
    if "empty" in state:
        return ""
    if "filled" not in state:
        return None
    return next((p.material for p in item.parts if p.role == CONTENTS), kind.contents)

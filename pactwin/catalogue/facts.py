"""Measurements of one object, which decide its properties."""

from dataclasses import dataclass, field

from pactwin.catalogue.catalogue import load_catalogue
from pactwin.catalogue.colours import RGB
from pactwin.catalogue.schema import ObjectKind
from pactwin.suite import InvalidInputError, Vec3

# A filled thing is filled to here; the rest is the gap under its lid.
FILL = 0.9


@dataclass(frozen=True)
class ObjectFacts:
    """Measurements of one object in its pose; None or empty where nothing was measured.

    ``mass_kg`` is the total mass, including contents. ``size_m`` are full extents in the object's
    own frame, and ``up`` is the world's up direction (unit vector) in that frame.
    ``solid_volume_m3`` is the volume of its material without contents, ``cavity_m3`` that of its
    cavity (0 without one) and ``opening_m`` the narrowest width of the way in. ``thickness_m`` is
    the wall thickness of a hollow object, or the smallest extent of a solid one. ``closed`` says
    whether its lid, cap or flaps are shut; None if it has none. ``contents`` names its contents, ""
    if empty, None if unknown or without a cavity. ``pieces`` counts separately made pieces.
    ``materials`` maps each visible material to its share of the surface, ``colours`` each sRGB
    colour (0..1 per channel) to its share.
    """

    mass_kg: float
    size_m: Vec3
    solid_volume_m3: float
    thickness_m: float
    up: Vec3 = (0.0, 0.0, 1.0)
    cavity_m3: float = 0.0
    opening_m: float = 0.0
    closed: bool | None = None
    contents: str | None = None
    pieces: int = 1
    materials: dict[str, float] = field(default_factory=dict)
    colours: dict[RGB, float] = field(default_factory=dict)


def typical_facts(
    kind: ObjectKind,
    *,
    size_m: Vec3 | None = None,
    up: Vec3 = (0.0, 0.0, 1.0),
    state: str | None = None,
    colours: dict[RGB, float] | None = None,
) -> ObjectFacts:
    """Facts of a typical object of ``kind``; ``size`` and ``state`` may differ from the usual ones.

    For another size, volumes and mass scale with the bounding box, and thickness with its cube
    root: the same shape in the same materials. Objects get their mass this way if their model files
    have none or an arbitrary one. InvalidInputError if it is filled but its kind names no
    ``contents``.
    """
    typical = kind.size_m
    size = size_m or typical
    scale = size[0] * size[1] * size[2] / (typical[0] * typical[1] * typical[2])
    words = {word.strip() for word in (state or kind.states[0]).split(",")}
    cavity = kind.cavity.volume_m3 * scale if kind.cavity else 0.0
    mass = kind.mass_kg * scale
    contents = None
    if "filled" in words:
        if not kind.contents:
            raise InvalidInputError(f"nothing says what a {kind.title} is filled with")
        contents = kind.contents
        mass += load_catalogue().material(contents).density_kg_m3 * cavity * FILL
    elif "empty" in words:
        contents = ""
    return ObjectFacts(
        mass_kg=mass,
        size_m=size,
        solid_volume_m3=kind.solid_m3 * scale,
        thickness_m=kind.thickness_m * scale ** (1 / 3),
        up=up,
        cavity_m3=cavity,
        opening_m=kind.cavity.opening_m * scale ** (1 / 3) if kind.cavity else 0.0,
        closed=None if kind.closure == "none" else "closed" in words,
        contents=contents,
        pieces=kind.pieces,
        materials=dict(kind.surface) or _equal_shares(kind),
        colours=colours or {},
    )


def _equal_shares(kind: ObjectKind) -> dict[str, float]:
    materials = sorted(set(kind.parts.values()))
    return {material: 1 / len(materials) for material in materials}

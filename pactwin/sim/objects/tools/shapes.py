"""Shapes that tools share: grips, shanks, plates and pivoted halves, in millimetres.

A tool lies along the x axis, its working end at the origin or left of it, z up as it lies flat.
"""

import itertools
from collections.abc import Iterable, Sequence
from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects import primitives
from pactwin.sim.objects.kinds.bars import round_bar
from pactwin.sim.objects.kinds.parts import BuiltParts, built
from pactwin.sim.objects.lathe import closed_vessel, lathe
from pactwin.sim.objects.palette import RGBA, STEEL, WOOD, dyed, shaded
from pactwin.sim.objects.primitives import (
    Parts,
    X,
    Y,
    Z,
    box,
    collision_proxy,
    disc,
    ellipsoid,
    hull,
    loft,
    prism,
    rod,
    slab,
    turned,
    turns,
    visual_only,
    xy,
    xyz,
)
from pactwin.sim.scene.layout import Part

DARK: RGBA = (0.13, 0.13, 0.14, 1.0)
IRON: RGBA = (0.36, 0.37, 0.40, 1.0)
BRASS: RGBA = (0.82, 0.66, 0.32, 1.0)
BEECH: RGBA = WOOD
_DYES = ("red", "orange", "yellow", "green", "blue")
_PLASTIC = "0 55, 3 63, 10 66, 28 95, 55 100, 85 97, 97 75, 100 35"
_TURNED = "0 60, 6 78, 20 70, 50 100, 80 96, 95 80, 100 45"


Nested = Part | Iterable["Nested"]


def every(*pieces: Nested) -> Parts:
    """All pieces of all groups."""
    found: list[Part] = []
    for some in pieces:
        found += (some,) if isinstance(some, Part) else every(*some)
    return tuple(found)


def made_of(role: str, material: str, tint: RGBA, *pieces: Nested) -> Parts:
    """Pieces as the part ``role`` of a tool, in this material and colour."""
    return primitives.made_of(role, material, tint, every(*pieces))


def marked(*pieces: Nested) -> Parts:
    """Pieces that are only drawn: marks, grooves, prints."""
    return visual_only(every(*pieces))


def can(role: str, rgba: RGBA, profile: str) -> Parts:
    """A closed thing of sheet steel around the vertical: its (radius, height) from the bottom."""
    line = xy(profile)
    solid = (part for part in lathe(line) if part.collides)
    return (*made_of(role, "steel", rgba, closed_vessel(line, 0.001)), *collision_proxy(solid))


def dye(rng: np.random.Generator) -> tuple[str, RGBA]:
    """Colour of a grip: name and RGBA, equal for look-alikes of one draw.

    Look-alikes of one draw have the same."""
    return dyed(rng, *_DYES)


def lying(color: str, *pieces: Nested) -> BuiltParts:
    """A tool as it lies on the bench."""
    return built(color, every(*pieces), state="on_side")


def steel(role: str, *pieces: Nested, shade: float = 1.0) -> Parts:
    """Pieces of bright steel."""
    return made_of(role, "steel", shaded(STEEL, shade), *pieces)


def iron(role: str, *pieces: Nested) -> Parts:
    """Pieces of dark forged or cast iron."""
    return made_of(role, "iron", IRON, *pieces)


def wooden(role: str, *pieces: Nested, shade: float = 1.0) -> Parts:
    """Pieces of beech."""
    return made_of(role, "wood", shaded(BEECH, shade), *pieces)


def black(role: str, *pieces: Nested, of: str = "plastic") -> Parts:
    """Pieces of black plastic, or of another stuff."""
    return made_of(role, of, DARK, *pieces)


def block(size: str, at: str = "0 0 0") -> Part:
    """A cuboid of ``size`` around ``at``."""
    return box(xyz(size)[0], xyz(at)[0])


def bar(line: str, diameter: float, *, rounded: bool = False) -> Parts:
    """Round bars along ``line``."""
    points = xyz(line)
    pairs = itertools.pairwise(points)
    return tuple(rod(a, b, diameter / 1000, rounded=rounded) for a, b in pairs)


def flat(outline: str, thick: float, z: float = 0.0) -> Parts:
    """A plate of any outline without crossings, its middle at height ``z``."""
    line = xy(outline)
    ahead = [*line[1:], line[0]]
    if sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(line, ahead, strict=True)) < 0:
        line.reverse()
    return slab(line, (z - thick / 2) / 1000, (z + thick / 2) / 1000)


def spun(profile: str) -> Parts:
    """A round solid along x: its (x, radius) from left to right."""
    return turned(lathe([(r, x) for x, r in xy(profile)]), Y, 90.0)


def pin(diameter: float, low: float, high: float, x: float = 0.0, y: float = 0.0) -> Part:
    """An upright cylinder between two heights."""
    return disc(diameter / 1000, low / 1000, high / 1000, x / 1000, y / 1000)


def grip(x: float, long: float, radius: float) -> Parts:
    """A moulded plastic grip from ``x`` on."""
    return _grip(_PLASTIC, x, long, radius)


def turned_grip(x: float, long: float, radius: float) -> Parts:
    """A turned wooden grip from ``x`` on."""
    return _grip(_TURNED, x, long, radius)


def flutes(x: float, long: float, radius: float) -> Parts:
    """Dark grooves along a grip, to be painted on it."""
    line = [(k * pi / 3, (x + 0.35 * long) / 1000, (x + 0.85 * long) / 1000) for k in range(6)]
    r = radius / 1000
    return visual_only(
        rod((a, r * cos(t), r * sin(t)), (b, r * cos(t), r * sin(t)), 0.42 * r, rounded=True)
        for t, a, b in line
    )


def haft(profile: str, *, flatness: float = 0.72) -> Parts:
    """A wooden haft of oval section: its (x, width) from left to right."""
    return loft(
        [(x, w / 2 * cos(t), flatness * w / 2 * sin(t)) for t in turns(16)] for x, w in xy(profile)
    )


def ring(
    outer: float, inner: float, thick: float, *, x: float = 0.0, y: float = 0.0, sides: int = 24
) -> Parts:
    """A flat ring around the vertical, with a round hole."""
    return tuple(
        hull(
            (x / 1000 + r / 2000 * cos(t), y / 1000 + r / 2000 * sin(t), z * thick / 2000)
            for z in (-1, 1)
            for r in (outer, inner)
            for t in (2 * pi * k / sides, 2 * pi * (k + 1) / sides)
        )
        for k in range(sides)
    )


def hexagon(across_flats: float, *, turn_deg: float = 0.0) -> list[tuple[float, float]]:
    """Corners (m) of a regular hexagon around the origin."""
    r = across_flats / 2000 / cos(pi / 6)
    start = np.deg2rad(turn_deg)
    return [(r * cos(start + k * pi / 3), r * sin(start + k * pi / 3)) for k in range(6)]


def hex_hole(
    outer: float, across_flats: float, low: float, high: float, *, turn_deg: float = 0.0
) -> Parts:
    """A round piece around the vertical with a hexagonal hole, between two heights."""
    inner = hexagon(across_flats, turn_deg=turn_deg)
    parts = []
    for k in range(6):
        (ax, ay), (bx, by) = inner[k], inner[(k + 1) % 6]
        start = np.deg2rad(turn_deg) + k * pi / 3
        arc = [start + pi / 9 * j for j in range(4)]
        rim = [(outer / 2000 * cos(t), outer / 2000 * sin(t)) for t in arc]
        parts.append(prism([(ax, ay), *rim, (bx, by)], low / 1000, high / 1000))
    return tuple(parts)


def levers(
    jaw: Nested, grip_line: str, widths: Sequence[float], thick: float, *, opened_deg: float = 5.0
) -> tuple[Parts, Parts]:
    """Both halves of pliers around their pivot at the origin: (jaws, grips).

    ``jaw`` is the upper one, left of the pivot, and ``grip_line`` that of its lower grip.
    """
    lever = round_bar(xyz(grip_line), [w / 1000 for w in widths], thick / 1000)
    halves = []
    for pieces in (jaw, lever):
        one = turned(every(pieces), Z, -opened_deg)
        halves.append((*one, *turned(one, X, 180.0)))
    return halves[0], halves[1]


def knob(diameter: float, x: float, y: float, z: float) -> Part:
    """A ball."""
    return ellipsoid((diameter / 1000,) * 3, (x / 1000, y / 1000, z / 1000))


def _grip(profile: str, x: float, long: float, radius: float) -> Parts:
    shares = [tuple(map(float, pair.split())) for pair in profile.split(",")]
    return spun(", ".join(f"{x + long * a / 100} {radius * r / 100}" for a, r in shares))

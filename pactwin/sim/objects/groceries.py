"""Food, and packages of food and drink."""

from math import cos, pi, sin

import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.lathe import closed_vessel, lathe, lathed, pipe, printed
from pactwin.sim.objects.palette import NATURAL, RGBA, STEEL, WHITE
from pactwin.sim.objects.primitives import (
    arc,
    around,
    box,
    collision_only,
    collision_proxy,
    disc,
    ellipsoid,
    made_of,
    mass_only,
    moved,
    rod,
    tube,
    visual_only,
)
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, axis_angle

_BAKED = (0.80, 0.58, 0.32, 1.0)
_STEM = (0.30, 0.20, 0.10, 1.0)
_LEAF = (0.18, 0.42, 0.12, 1.0)
_CHERRY = (0.72, 0.07, 0.07, 1.0)
_Z = (0.0, 0.0, 1.0)
# By how much a print on a print is wider than it.
_OVER_PRINT_M = 0.0004
_CLOSED = "upright, closed, filled"


@cached
def apple(color: str, diameter_m: float) -> Item:
    """A round apple with a dimple, a stem and a leaf."""
    d = diameter_m
    profile = [(0.0, -0.42 * d)]
    for t in np.linspace(-pi / 2, pi / 2, 15)[1:-1].tolist():
        dent = 1.0 - 0.17 * max(0.0, sin(t)) ** 8 - 0.08 * max(0.0, -sin(t)) ** 8
        profile.append((0.485 * d * cos(t) * (1.0 + 0.06 * sin(t)), 0.5 * d * sin(t) * dent))
    profile.append((0.0, 0.36 * d))
    top = 0.5 * d
    leaf = moved(
        (ellipsoid((0.024, 0.011, 0.0025)),),
        Pose((0.012, 0.0, top - 0.002), axis_angle((0.0, 1.0, 0.0), -0.3)),
    )
    stem = rod((0.0, 0.0, 0.36 * d), (0.004, 0.0, top + 0.006), 0.003)
    parts = (
        *made_of(
            "flesh", "firm_flesh", 1.0, collision_only(Part("sphere", (d, d, d))), lathed(profile)
        ),
        *made_of("stem", "wood", _STEM, visual_only(stem)),
        *made_of("stem", "wood", _LEAF, visual_only(leaf)),
    )
    return make_item("apple", color, parts)


@cached
def cupcake(color: str, diameter_m: float, height_m: float) -> Item:
    """A cupcake in a fluted case, with icing."""
    d, case = diameter_m, 0.55 * height_m
    flutes = around(24, box((0.0015, 0.004, 0.96 * case), (0.4 * d, 0.0, 0.5 * case)))
    dome, turns = height_m - case, np.linspace(0.0, 1.5, 7).tolist()
    icing, *solid = lathe([(0.5 * d * cos(t), case + dome * sin(t)) for t in turns])
    outside = Part("ellipsoid", (d, d, 2 * dome), Pose((0.0, 0.0, case)))
    parts = (
        *made_of("sponge", "cake", _BAKED, disc(0.8 * d, 0.0, case), visual_only(flutes)),
        *made_of("icing", "icing", 1.0, icing, mass_only(solid)),
        *collision_proxy(outside),
    )
    return make_item("cupcake", color, parts)


@cached
def cake(color: str, diameter_m: float, height_m: float) -> Item:
    """A round cake: iced on top, with a layer in the middle and cherries around it."""
    r, cherry = diameter_m / 2, 0.07 * diameter_m
    top = height_m - 0.7 * cherry
    base = top - 0.17 * height_m
    cream = [(0.0, base), (1.01 * r, base), (1.02 * r, base + 0.07 * height_m)]
    cream += [(0.99 * r, top - 0.0015), (0.94 * r, top), (0.0, top)]
    drips = around(12, disc(0.2 * r, 0.5 * height_m, base + 0.002, 0.93 * r))
    cherries = around(8, ellipsoid((cherry,) * 3, (0.75 * r, 0.0, height_m - cherry / 2)))
    layer = disc(2 * r + 0.001, 0.32 * height_m, 0.40 * height_m)
    parts = (
        *made_of("sponge", "cake", _BAKED, disc(2 * r, 0.0, base)),
        *made_of("icing", "icing", 1.0, collision_only(disc(2.04 * r, base, top)), lathed(cream)),
        *made_of("icing", "icing", 1.0, visual_only(drips)),
        *made_of("icing", "icing", 0.9, visual_only(layer)),
        *made_of("icing", "icing", _CHERRY, cherries),
    )
    return make_item("cake", color, parts)


@cached
def tin(color: str, diameter_m: float, height_m: float) -> Item:
    """A closed round biscuit tin with golden patterns and a slightly wider silver lid."""
    d, gold, lid = diameter_m, NATURAL["gold"], 0.3 * height_m
    wall, low = 0.0005, height_m - lid
    outer = d / 2 + 0.001
    rim = pipe([(outer, low), (outer, height_m)], wall)
    band = printed(d + _OVER_PRINT_M, 0.25 * height_m, 0.45 * height_m)
    dots = around(14, disc(0.085 * d, height_m, height_m + 0.0002, 0.36 * d))
    parts = (
        *collision_proxy(disc(d, 0.0, low), disc(2 * outer, low, height_m)),
        *made_of("body", "steel", 1.0, closed_vessel([(d / 2, 0.0), (d / 2, low)], wall)),
        *made_of("paint", "coating", 1.0, printed(d, 0.001, low)),
        *made_of("paint", "coating", gold, band),
        *made_of("lid", "steel", STEEL, rim[0], mass_only(rim[1:])),
        *made_of("lid", "steel", STEEL, mass_only(disc(d, height_m - wall, height_m))),
        *made_of("lid", "steel", STEEL, visual_only(disc(2 * outer, height_m - 0.003, height_m))),
        *made_of("paint", "coating", gold, visual_only(disc(0.6 * d, height_m, height_m + 0.0003))),
        *made_of("paint", "coating", gold, visual_only(dots)),
        *made_of("paint", "coating", 1.0, visual_only(disc(0.5 * d, height_m, height_m + 0.0006))),
    )
    return make_item("tin", color, parts, state="upright, closed, empty")


@cached
def full_tin(color: str, diameter_m: float, height_m: float) -> Item:
    """A tin full of preserved food."""
    bare = tin(color, diameter_m, height_m)
    inside = disc(diameter_m - 0.002, -height_m / 2 + 0.001, height_m / 2 - 0.001)
    food = made_of("contents", "preserved_food", 1.0, mass_only(inside))
    return make_item("tin", color, (*bare.parts, *food), state=_CLOSED)


@cached
def can(color: str, diameter_m: float, height_m: float, stripe: RGBA = WHITE) -> Item:
    """A full drinks can: printed, with silver ends and a pull ring."""
    d, h, r = diameter_m, height_m, diameter_m / 2
    profile = [(0.73 * r, 0.0), (0.82 * r, 0.001), (r, 0.008)]
    profile += [(r, h - 0.012), (0.835 * r, h - 0.003), (0.84 * r, h), (0.8 * r, h)]
    profile.append((0.79 * r, h - 0.002))
    wave = printed(d + _OVER_PRINT_M, 0.44 * h, 0.56 * h, rise_m=0.16 * h)
    top = h - 0.002
    ring = [(0.007 + 1.1 * x, 0.8 * y, top + 0.001) for x, y, _ in arc(0.008, 0, 360, 12, "xy")]
    hole = disc(0.016, top, top + 0.0004, -0.42 * r)
    end = disc(1.65 * r, top - 0.0007, top + 0.0002)  # clear of the face below it
    parts = (
        *collision_proxy(disc(d, 0.0, h)),
        *made_of("body", "aluminium", STEEL, closed_vessel(profile, 0.0004)),
        *made_of("tab", "aluminium", (0.67, 0.68, 0.69, 1.0), visual_only(end), mass_only(end)),
        *made_of("tab", "aluminium", (0.33, 0.34, 0.35, 1.0), visual_only(hole)),
        *made_of("print", "print", 1.0, printed(d, 0.008, h - 0.012)),
        *made_of("print", "print", stripe, wave),
        *made_of("tab", "aluminium", WHITE, visual_only(tube(ring, 0.0018))),
        *made_of("contents", "drink", 1.0, mass_only(disc(d - 0.001, 0.008, h - 0.009))),
    )
    return make_item("can", color, parts, state=_CLOSED)


@cached
def bottle(color: str, diameter_m: float, height_m: float, label: RGBA = WHITE) -> Item:
    """A full drinks bottle with a label and a ribbed cap."""
    d, h, r = diameter_m, height_m, diameter_m / 2
    neck = 0.38 * r
    low, cap = 0.60 * h, 0.93 * h
    profile = [(0.9 * r, 0.0), (r, 0.005), (r, low), (0.92 * r, low + 0.08 * h)]
    profile += [(0.68 * r, 0.79 * h), (0.43 * r, 0.85 * h), (neck, 0.88 * h), (neck, cap)]
    walls = closed_vessel(profile, 0.001)
    ribs = around(18, box((0.0012, 0.003, 0.06 * h), (neck + 0.003, 0.0, 0.965 * h)))
    solid = (
        disc(d, 0.0, low),
        Part("ellipsoid", (d, d, 0.5 * h), Pose((0.0, 0.0, low))),
        disc(2 * neck, low, cap),
    )
    parts = (
        *collision_proxy(solid),
        *made_of("body", "thin_plastic", 1.0, walls),
        *made_of("print", "print", label, printed(d, 0.22 * h, 0.5 * h)),
        *made_of("print", "print", 0.6, printed(d + _OVER_PRINT_M, 0.32 * h, 0.41 * h)),
        *made_of("cap", "plastic", WHITE, disc(2 * neck + 0.006, cap, h), visual_only(ribs)),
        *made_of("contents", "water", 1.0, mass_only(disc(d - 0.002, 0.0015, 0.72 * h))),
    )
    return make_item("bottle", color, parts, state=_CLOSED)

"""Parametric objects built from convex parts: blocks, planks, cans, balls, books, boxes, cups.

Every builder returns an :class:`Item` whose frame is the centre of its bounding box, standing at
``pose`` (by default with that centre at the table's origin: use :func:`standing_at`). Sizes are
full extents in metres. Masses follow from the parts' volumes and the material's density.
"""

from dataclasses import replace

import numpy as np

from pactwin.sim.objects.palette import COLORS, DENSITY_KG_M3, FRICTION
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3, axis_angle, yaw


def assembled(
    kind: str,
    color: str,
    material: str,
    parts: tuple[Part, ...],
    size_m: Vec3,
    *,
    fill: float = 1.0,
    state: str = "upright",
) -> Item:
    """An item of ``parts`` that fill ``size_m`` around its frame's origin.

    Its mass is that of the solid parts' volume, times ``fill``, in their material.
    """
    volume = sum(part_volume_m3(p) for p in parts if p.collides)
    return Item(
        name=f"{color} {kind}",
        category=kind,
        parts=parts,
        size_m=size_m,
        mass_kg=round(volume * DENSITY_KG_M3[material] * fill, 4),
        color=color,
        rgba=COLORS[color],
        material=material,
        asset=f"builtin/{kind.replace(' ', '_')}",
        world_from_object=ORIGIN,
        state=state,
        friction=FRICTION[material],
    )


# Contacts at exactly zero gap sometimes report a phantom depth in MuJoCo; this much initial overlap
# avoids it and settles without a visible motion.
OVERLAP_M = 5e-5


def standing_at(item: Item, x: float, y: float, *, on_z: float = 0.0, yaw_rad: float = 0.0) -> Item:
    """``item`` upright with its bounding box's bottom at height ``on_z``, turned about z."""
    return item.at(Pose((x, y, on_z + item.size_m[2] / 2 - OVERLAP_M), yaw(yaw_rad)))


def top_m(item: Item) -> float:
    """Height of the top of an upright item's bounding box above the table."""
    return item.world_from_object.pos[2] + item.size_m[2] / 2


def block(color: str, size_m: Vec3, material: str = "painted wood", *, kind: str = "block") -> Item:
    """A solid cuboid."""
    return assembled(kind, color, material, (Part("box", size_m),), size_m)


def plank(color: str, size_m: Vec3, material: str = "painted wood") -> Item:
    """A long flat board."""
    return block(color, size_m, material, kind="plank")


def cylinder(
    color: str,
    diameter_m: float,
    height_m: float,
    material: str = "painted wood",
    *,
    kind: str = "cylinder",
) -> Item:
    """A solid upright cylinder."""
    size = (diameter_m, diameter_m, height_m)
    return assembled(kind, color, material, (Part("cylinder", size),), size)


def ball(color: str, diameter_m: float, material: str = "rubber") -> Item:
    """A ball; lighter than solid, as balls are."""
    size = (diameter_m, diameter_m, diameter_m)
    return assembled("ball", color, material, (Part("sphere", size),), size, fill=0.3)


def can(color: str, diameter_m: float, height_m: float) -> Item:
    """A full drinks can: a painted cylinder with metal rims."""
    rim = 0.004
    body = Part("cylinder", (diameter_m, diameter_m, height_m - 2 * rim))
    lids = tuple(
        Part(
            "cylinder",
            (diameter_m * 0.92, diameter_m * 0.92, rim),
            Pose((0.0, 0.0, s * (height_m - rim) / 2)),
            rgba=(0.75, 0.76, 0.78, 1.0),
        )
        for s in (-1, 1)
    )
    return assembled(
        "can", color, "metal", (body, *lids), (diameter_m, diameter_m, height_m), fill=0.33
    )


def book(color: str, size_m: Vec3) -> Item:
    """A closed book lying flat: two covers, a spine and a block of pages."""
    w, d, h = size_m
    cover = min(0.004, h / 5)
    pages_rgba = (0.93, 0.90, 0.82, 1.0)
    parts = (
        Part("box", (w, d, cover), Pose((0.0, 0.0, (cover - h) / 2))),
        Part("box", (w, d, cover), Pose((0.0, 0.0, (h - cover) / 2))),
        Part("box", (cover, d, h - 2 * cover), Pose(((cover - w) / 2, 0.0, 0.0))),
        Part(
            "box",
            (w - cover - 0.004, d - 0.006, h - 2 * cover),
            Pose(((cover - 0.004) / 2, 0.0, 0.0)),
            rgba=pages_rgba,
        ),
    )
    return assembled("book", color, "paper", parts, size_m, state="closed")


def bottle(color: str, diameter_m: float, height_m: float) -> Item:
    """A capped bottle: body, shoulder, neck and cap."""
    body_h, shoulder_h = 0.62 * height_m, 0.12 * height_m
    neck_h, cap_h = 0.16 * height_m, 0.10 * height_m
    d = diameter_m
    bottom = -height_m / 2
    parts = (
        Part("cylinder", (d, d, body_h), Pose((0.0, 0.0, bottom + body_h / 2))),
        Part(
            "ellipsoid",
            (d, d, 2 * shoulder_h),
            Pose((0.0, 0.0, bottom + body_h)),
        ),
        Part(
            "cylinder",
            (0.38 * d, 0.38 * d, neck_h + shoulder_h),
            Pose((0.0, 0.0, bottom + body_h + (shoulder_h + neck_h) / 2)),
        ),
        Part(
            "cylinder",
            (0.46 * d, 0.46 * d, cap_h),
            Pose((0.0, 0.0, height_m / 2 - cap_h / 2)),
            shade=0.5,
        ),
    )
    return assembled("bottle", color, "plastic", parts, (d, d, height_m), state="upright, closed")


def open_box(color: str, inner_m: Vec3, wall_m: float = 0.005, material: str = "cardboard") -> Item:
    """A box without a lid: a floor and four walls around an opening ``inner_m`` (x, y, depth)."""
    ix, iy, depth = inner_m
    w, d, h = ix + 2 * wall_m, iy + 2 * wall_m, depth + wall_m
    mid = wall_m / 2
    parts = (
        Part("box", (w, d, wall_m), Pose((0.0, 0.0, (wall_m - h) / 2)), shade=0.8),
        Part("box", (wall_m, d, depth), Pose(((w - wall_m) / 2, 0.0, mid))),
        Part("box", (wall_m, d, depth), Pose(((wall_m - w) / 2, 0.0, mid))),
        Part("box", (ix, wall_m, depth), Pose((0.0, (d - wall_m) / 2, mid)), shade=0.92),
        Part("box", (ix, wall_m, depth), Pose((0.0, (wall_m - d) / 2, mid)), shade=0.92),
    )
    return assembled("box", color, material, parts, (w, d, h), state="upright, open, empty")


def cup(
    color: str,
    inner_diameter_m: float,
    depth_m: float,
    wall_m: float = 0.005,
    material: str = "plastic",
    *,
    sides: int = 16,
    kind: str = "cup",
) -> Item:
    """A straight cup: a round floor and a ring of ``sides`` wall segments.

    ``inner_diameter_m`` is that of the circle inscribed in the ring, so a round thing of that
    diameter touches every segment.
    """
    r = inner_diameter_m / 2
    outer = inner_diameter_m + 2 * wall_m
    height = depth_m + wall_m
    width = 2 * (r + wall_m) * np.tan(np.pi / sides) * 1.002
    walls = []
    for k in range(sides):
        angle = 2 * np.pi * k / sides
        pos = ((r + wall_m / 2) * np.cos(angle), (r + wall_m / 2) * np.sin(angle), wall_m / 2)
        walls.append(
            Part(
                "box",
                (wall_m, float(width), depth_m),
                Pose((float(pos[0]), float(pos[1]), pos[2]), yaw(angle)),
            )
        )
    floor = Part(
        "cylinder", (outer, outer, wall_m), Pose((0.0, 0.0, (wall_m - height) / 2)), shade=0.8
    )
    return assembled(
        kind, color, material, (floor, *walls), (outer, outer, height), state="upright, open, empty"
    )


def laid_down(item: Item) -> Item:
    """The same thing lying on its side along its y axis, as a new upright-framed item."""
    turn = Pose((0.0, 0.0, 0.0), axis_angle((1.0, 0.0, 0.0), np.pi / 2))
    x, y, z = item.size_m
    parts = tuple(replace(p, pose=turn @ p.pose) for p in item.parts)
    return replace(item, parts=parts, size_m=(x, z, y), state="on_side")


def mug(color: str, inner_diameter_m: float, depth_m: float) -> Item:
    """A ceramic cup with a handle on its +x side (drawn and solid)."""
    body = cup(color, inner_diameter_m, depth_m, 0.005, "ceramic", kind="mug")
    x0 = body.size_m[0] / 2
    reach, grip, bar = 0.024, 0.55 * depth_m, 0.009
    handle = (
        Part("box", (reach, bar, bar), Pose((x0 + reach / 2, 0.0, grip / 2))),
        Part("box", (reach, bar, bar), Pose((x0 + reach / 2, 0.0, -grip / 2))),
        Part("box", (bar, bar, grip + bar), Pose((x0 + reach, 0.0, 0.0))),
    )
    shift = Pose((-(reach + bar / 2) / 2, 0.0, 0.0))
    parts = tuple(replace(p, pose=shift @ p.pose) for p in (*body.parts, *handle))
    size = (body.size_m[0] + reach + bar / 2, body.size_m[1], body.size_m[2])
    return assembled("mug", color, "ceramic", parts, size, state="upright, open, empty")

"""Everyday things of which one size or shape decides; rigid, or flexible ones of links.

A thing lies along x at the origin. One name fits all of its variants and tells none of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import pi

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import cached, make_item
from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.everyday import ball, bowl, can, sized, tin
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.palette import CARDBOARD, INK, STEEL
from pactwin.sim.objects.posing import UPSIDE_DOWN
from pactwin.sim.objects.primitives import (
    Parts,
    Y,
    Z,
    box,
    circle,
    collision_proxy,
    disc,
    ellipsoid,
    loft,
    made_of,
    mass_only,
    mirrored,
    moved,
    rounded_box,
    visual_only,
    walls,
)
from pactwin.sim.objects.variants import filled, lidded
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3, axis_angle, vec3
from pactwin.sim.uses.things import stretched, thing_of

FLEXIBLE, STIFF = "limp", "stiff"
"""States of objects."""

STIFFNESS_NM, DAMPING_NMS = 2e-4, 2e-4
"""Stiffness and damping of the joint between two links, per radian: a soft hose."""

_VESSELS = ("cup", "tumbler", "mug")
_LINKS = 9
_CURLED_RAD, _TICK_M = 0.4, 0.005
_LIES_RAD, _STRAIGHTENED_RAD = 0.5, 0.15
"""How a limp conduit lies there, and how nearly straight a hand gets it before it pushes."""
_S_SHAPE = np.sin(2 * np.pi * (np.arange(_LINKS) + 0.5) / _LINKS)
_ALONG_X = Pose((0.0, 0.0, 0.0), axis_angle(Y, pi / 2))
_TAPE = (0.86, 0.74, 0.50, 1.0)


@cached
def carton(color: str, *size_m: float) -> Item:
    """A closed, empty cardboard box with tape over its flaps."""
    x, y, z = size_m
    wall, tape = 0.003, min(0.048, 0.4 * y)
    lids = [box((x, y, wall), (0.0, 0.0, at)) for at in (wall / 2, z - wall / 2)]
    strips = (
        box((x + 0.001, tape, 0.0008), (0.0, 0.0, z)),
        *mirrored(box((0.0008, tape, 0.3 * z), (x / 2, 0.0, 0.85 * z))),
    )
    solid = box((x, y, z), (0.0, 0.0, z / 2))
    seam = box((x, 0.002, 0.002), (0.0, 0.0, z))
    parts = (
        *collision_proxy(solid),
        *made_of(
            "body", "cardboard", 1.0, visual_only(solid), mass_only(lids, walls(x, y, z, wall))
        ),
        *made_of("print", "print", _TAPE, visual_only(strips)),
        *made_of("print", "print", INK, visual_only(seam)),
    )
    rgba = CARDBOARD if color == "brown" else None
    state = "upright, closed, empty"
    return make_item("cardboard_box", color, parts, called="box", state=state, rgba=rgba)


def laid_gutter(color: str, wide_m: float, long_m: float, *, state: str) -> Item:
    """A gutter, upright or inverted."""
    made = sized("gutter", color, long_m, wide_m, 0.495 * wide_m)
    if state != "inverted":
        return made
    return replace(made.at(Pose((0.0, 0.0, 0.0), UPSIDE_DOWN)), state=state)


def boxes(color: str, *rows_m: Sequence[float], kind: str, material: str = "wood") -> Item:
    """Something made of boxes; each row is a box's size and middle."""
    pieces = [box((x, y, z), (at_x, at_y, at_z)) for x, y, z, at_x, at_y, at_z in rows_m]
    return make_item(kind, color, made_of("body", material, 1.0, *pieces))


def heap(color: str, bead_m: float) -> Item:
    """Nine beads, somewhat flattened, close together."""
    spots = product((-1.9 * bead_m, 0.0, 1.9 * bead_m), repeat=2)
    pieces = [ellipsoid((2 * bead_m,) * 3, (x, y, bead_m)) for x, y in spots]
    return make_item("bead", color, made_of("body", "plastic", 1.0, *pieces))


def vessel(color: str, look: float, scale: float, *, state: str) -> Item:
    """A cup, tumbler or mug in one of many looks: empty, inverted, closed by a lid, or full."""
    rng = np.random.default_rng(int(look))
    whole = replace(thing_of(str(rng.choice(_VESSELS)), rng).at(ORIGIN), state="upright, empty")
    made = stretched(whole, (scale,) * 3)
    match state:
        case "inverted":
            return replace(made.at(Pose((0.0, 0.0, 0.0), UPSIDE_DOWN)), state="inverted, empty")
        case "closed":
            return replace(lidded(made), state="upright, closed, empty")
        case "full":
            return filled(made)
    return made


def bead(name: str, at_m: Vec3, diameter_m: float, mass_kg: float) -> Item:
    """A black bead somewhere."""
    return replace(ball("black", diameter_m).at(Pose(at_m)), name=name, mass_kg=mass_kg)


def roll_freely(spec: mujoco.MjSpec, names: Iterable[str]) -> None:
    """Remove torsional friction, with which beads would stick in a fold."""
    for name in names:
        for geom in spec.body(name).geoms:
            geom.condim = 3


def ruler(color: str, long_m: float, wide_m: float, thick_m: float, *, state: str) -> Item:
    """A ruler with a mark every half centimetre, of slats.

    Those of a limp one turn on each other, and its ends lie curled up.
    """
    step, bend = long_m / _LINKS, _CURLED_RAD if state == FLEXIBLE else 0.0
    poses = _end_to_end(step, bend * np.linspace(1, -1, _LINKS), Y)
    size = (thick_m, wide_m, step + thick_m)
    slats = [Part("box", size, pose @ _ALONG_X) for pose in poses]
    marks: Parts = ()
    for tick in range(1, round(long_m / _TICK_M)):
        slat, at = divmod(tick * _TICK_M, step)
        deep = (0.3, 0.5)[tick % 2] * min(wide_m, 0.022)
        middle = (at - step / 2, (wide_m - deep) / 2, thick_m / 2)
        marks += moved(visual_only(box((0.0009, deep, 0.0004), middle)), poses[int(slat)])
    parts = (*made_of("body", "plastic", 1.0, slats), *made_of("marks", "print", INK, marks))
    return make_item("ruler", color, parts, state=state)


def conduit(color: str, long_m: float, wide_m: float, *, state: str) -> Item:
    """A conduit for cables, open at its ends; a limp one lies in an S."""
    stiff = sized("conduit", color, long_m, wide_m, wide_m)
    if state == STIFF:
        return replace(stiff, state=state)
    step, half = long_m / _LINKS, (long_m / _LINKS + wide_m) / 2
    poses = [pose @ _ALONG_X for pose in _end_to_end(step, _LIES_RAD * _S_SHAPE, Z)]
    body = [Part("capsule", (wide_m, wide_m, 2 * half), pose) for pose in poses]
    hole = visual_only(disc(0.8 * wide_m, -0.0005, 0.0005))
    ends = [
        moved(hole, pose @ Pose((0.0, 0.0, out)))
        for pose, out in ((poses[0], -half), (poses[-1], half))
    ]
    parts = (
        *made_of("body", "hollow_plastic", 1.0, body),
        *made_of("print", "print", INK, *ends),
    )
    # Rounded ends of links lie within each other: as heavy as a stiff one.
    return replace(make_item("conduit", color, parts, state=state), mass_kg=stiff.mass_kg)


def _end_to_end(step_m: float, angles_rad: np.ndarray, axis: Vec3) -> list[Pose]:
    """Poses of links along x, each turned about ``axis`` by its angle (n,)."""
    poses = list[Pose]()
    end: np.ndarray = np.zeros(3)
    for angle in angles_rad.tolist():
        turn = Pose((0.0, 0.0, 0.0), axis_angle(axis, angle))
        along = step_m * turn.matrix()[:3, 0]
        poses.append(Pose(vec3(end + along / 2), turn.quat))
        end = end + along
    return poses


def straight(thing: Item) -> Item:
    """A limp thing as a hand draws it out before it is used; any other as it is."""
    if thing.state != FLEXIBLE:
        return thing
    solid = [part for part in thing.parts if part.collides]
    thick, _, long = solid[0].size_m
    bend = 0.0 if thing.category == "ruler" else _STRAIGHTENED_RAD
    step = long - thick
    poses = [pose.moved(-step * _LINKS / 2) for pose in _end_to_end(step, bend * _S_SHAPE, Z)]
    drawn = zip(solid, poses, strict=True)
    return replace(thing, parts=tuple(replace(p, pose=pose @ _ALONG_X) for p, pose in drawn))


def hex_key(color: str, long_m: float, out_m: float, thick_m: float) -> Item:
    """A hexagon key with a handle across its end, which stands out by ``out_m`` on either side."""
    half, grip = long_m / 2, 1.3 * thick_m
    out = thick_m / 3**0.5
    ring = circle(6, out)
    shank = loft([[(x, y, z) for y, z in ring] for x in (-half, half - grip)])
    size = (grip, thick_m + 2 * out_m, thick_m)
    handle = rounded_box(size, 0.2 * thick_m, (half - grip / 2, 0.0, 0.0))
    parts = (*made_of("shank", "steel", STEEL, shank), *made_of("handle", "plastic", 1.0, handle))
    return make_item("hex_key", color, parts, state="on_side")


def spatula(color: str, long_m: float, wide_m: float, thick_m: float, edge_m: float) -> Item:
    """A wooden spatula, flat below, whose blade tapers to an edge of ``edge_m``."""
    half, grip = long_m / 2, 0.024
    blade = min(0.09, 0.6 * long_m)
    at = [(-half, grip, thick_m), (half - blade, grip, thick_m)]
    at += [(half - 0.5 * blade, wide_m, (thick_m + edge_m) / 2), (half, wide_m, edge_m)]
    sections = [
        [(x, side * wide / 2, z) for side in (-1, 1) for z in (0.0, thick)] for x, wide, thick in at
    ]
    handle, *rest = loft(sections)
    parts = (*made_of("handle", "wood", 1.0, handle), *made_of("blade", "wood", 1.0, rest))
    return make_item("spatula", color, parts)


def links(thing: Item) -> tuple[Item, ...]:
    """Links of a flexible object, each attached to the previous one; any other object itself.

    The first link, which the hand holds, has the name of the object.
    """
    if thing.state != FLEXIBLE:
        return (thing,)
    found: list[Item] = []
    solid = [part for part in thing.parts if part.collides]
    for k, part in enumerate(solid):
        link = replace(
            thing,
            name=f"{thing.name} {k}" if k else thing.name,
            parts=(replace(part, pose=ORIGIN),),
            size_m=part.size_m,
            mass_kg=thing.mass_kg / len(solid),
            world_from_object=thing.world_from_object @ part.pose,
            attached_to=found[-1].name if found else "",
        )
        found.append(link)
    return tuple(found)


def add_chain_joints(spec: mujoco.MjSpec, chain: Sequence[Item]) -> None:
    """Give each link a joint at the end of the previous one."""
    for link in chain[1:]:
        thick, _, long = link.size_m
        end = (0, 0, -(long - thick) / 2)
        spec.body(link.name).add_joint(name=link.name, type=mujoco.mjtJoint.mjJNT_BALL, pos=end)
    # What a link rolls on matters less than that it slides.
    roll_freely(spec, [link.name for link in chain[1:]])


def _in_metres(make: Callable[..., Item]) -> Callable[..., Item]:
    """The builder for sizes in millimetres: numbers, or rows of them."""

    def made(color: str, *sizes_mm: float | Sequence[float], **options: str) -> Item:
        return make(color, *np.divide(sizes_mm, 1000).tolist(), **options)

    return made


BUILDERS: Mapping[str, Callable[..., Item]] = {
    "vessel": vessel,
    "block": _in_metres(lambda color, *size_m: block(color, size_m)),
    "plank": _in_metres(lambda color, *size_m: plank(color, size_m)),
    "ball": _in_metres(ball),
    "bowl": _in_metres(bowl),
    "boxes": _in_metres(boxes),
    "can": _in_metres(can),
    "carton": _in_metres(carton),
    "conduit": _in_metres(conduit),
    "gutter": _in_metres(laid_gutter),
    "heap": _in_metres(heap),
    "hex_key": _in_metres(hex_key),
    "puzzle": _in_metres(lambda color, side_m: cube_puzzle("black", side_m, "solved")),
    "ruler": _in_metres(ruler),
    "spatula": _in_metres(spatula),
    "tin": _in_metres(tin),
}
"""What makes an item of a colour, of sizes (mm) and options."""

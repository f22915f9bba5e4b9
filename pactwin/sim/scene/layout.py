"""Layouts: the items on the table and their poses, before simulation and rendering.

A :class:`Layout` is a value. Physics model, pictures and records of a scene are all made from the
same layout, so they cannot contradict each other.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pactwin.sim.scene.pose import ORIGIN, Pose, Quat, Vec3, matrix4, vec3
from pactwin.suite import ObjectRecord

CONTENTS = "contents"
"""Role of parts that are an item's contents: they have mass, but are not its material."""

ENVELOPE = "envelope"
"""Role of parts that represent an item in contacts."""

Shape = Literal["box", "cylinder", "sphere", "capsule", "ellipsoid", "hull", "surface", "mesh"]


@dataclass(frozen=True)
class Part:
    """One piece of an item, convex if solid, in the item's frame.

    ``size_m`` are full extents along the part's own axes (a cylinder's or capsule's axis is z).
    ``shade`` multiplies the item's colour, so that edges of one item can be told apart; ``rgba``
    replaces it. A ``hull`` part is the convex hull of ``corners_m``, which ``size_m`` bounds. A
    ``surface`` part has ``corners_m`` and the triangles ``faces``, counter-clockwise from outside:
    it is only drawn. A ``mesh`` part names ``mesh_file`` and is drawn as it is, turned by the
    conjugate of ``mesh_quat`` and then scaled, as MuJoCo does; its collision shape is its convex
    hull. ``texture_file`` replaces the material's texture. ``role`` says which part of its kind it
    belongs to, and ``material`` is what that is made of if the item's is not meant.
    """

    shape: Shape
    size_m: Vec3
    pose: Pose = ORIGIN
    shade: float = 1.0
    rgba: tuple[float, float, float, float] | None = None
    collides: bool = True
    drawn: bool = True
    corners_m: tuple[Vec3, ...] = ()
    faces: tuple[tuple[int, int, int], ...] = ()
    role: str = ""
    material: str = ""
    mesh_file: str | None = None
    mesh_scale: Vec3 = (1.0, 1.0, 1.0)
    mesh_quat: Quat = (1.0, 0.0, 0.0, 0.0)
    texture_file: str | None = None

    def __hash__(self) -> int:
        # Shapes are looked up by the thousand; few of one size have other corners or faces.
        return hash((self.shape, self.size_m, self.pose.pos))

    @property
    def is_matter(self) -> bool:
        """Return whether the part is solid matter; painted details are only drawn."""
        measured = self.collides or not self.drawn
        return measured and self.shape != "surface" and self.role not in (CONTENTS, ENVELOPE)

    @property
    def weighs(self) -> bool:
        """Return whether it adds to the item's mass, as matter and contents do."""
        return self.is_matter or (self.role == CONTENTS and self.shape != "surface")


@dataclass(frozen=True)
class Item:
    """A rigid object on the table. Its frame's origin is the centre of its bounding box.

    ``attached_to`` names the item to which it is fixed and with which it moves, such as a cap on a
    bottle.
    """

    name: str
    category: str
    parts: tuple[Part, ...]
    size_m: Vec3
    mass_kg: float
    color: str
    rgba: tuple[float, float, float, float]
    material: str
    asset: str
    world_from_object: Pose
    state: str = "upright"
    friction: float = 0.7
    distractor: bool = False
    attached_to: str = ""

    def __hash__(self) -> int:
        # Things of one name and place are nearly always the same, down to their parts.
        return hash((self.name, self.world_from_object, self.size_m))

    def at(self, pose: Pose) -> "Item":
        """The item at another pose."""
        return replace(self, world_from_object=pose)


Feature = Literal["outline", "top", "base"]


@dataclass(frozen=True)
class Region:
    """Lines of an item that, beside the item itself, a decisive picture must show.

    ``outline`` is its contour. ``top`` are edges and contour of its upper half in its pose, like
    the profile of a support or the rim of an opening. ``base`` are those of its lowest tenth, like
    the seam between a lid and the vessel below. With a ``role`` only parts of that role count.
    ``lines_m``, polylines in the item's frame, replace all these. If the item is ``unlike``
    another, its contour counts only where the other in its place would have none.
    """

    item: str
    feature: Feature = "outline"
    role: str = ""
    lines_m: tuple[tuple[Vec3, ...], ...] = ()
    unlike: str = ""

    @property
    def name(self) -> str:
        """The item's name in certificates, unique in its scene."""
        return f"{self.role} {self.feature} of the {self.item}".strip()


@dataclass(frozen=True)
class Layout:
    """All items of a scene and the action requested.

    ``action`` is the instruction in words. ``critical_objects`` names the items that decide its
    feasibility, the target first. ``regions`` must be visible besides their outlines. Items in
    ``fixed`` and distractors cannot move. With ``by_reach`` the hands' reach decides: an arm of the
    robot must also be visible, to show its range and origin.
    """

    items: tuple[Item, ...]
    action: str
    critical_objects: tuple[str, ...]
    regions: tuple[Region, ...] = ()
    fixed: frozenset[str] = frozenset()
    by_reach: bool = False

    def moves(self, item: Item) -> bool:
        """Return whether any item can move."""
        return not item.distractor and item.name not in self.fixed

    @property
    def must_show(self) -> tuple[Region, ...]:
        """All regions that must be visible in a decisive picture."""
        return tuple(dict.fromkeys((*map(Region, self.critical_objects), *self.regions)))

    @property
    def other_participants(self) -> tuple[str, ...]:
        """Sorted names of items that are neither critical nor distractors."""
        loose = {item.name for item in self.items if not item.distractor}
        return tuple(sorted(loose - set(self.critical_objects)))

    def item(self, name: str) -> Item:
        """The item called ``name``; KeyError if there is none."""
        for item in self.items:
            if item.name == name:
                return item
        raise KeyError(name)

    def replacing(self, *changed: Item) -> "Layout":
        """The layout with items of the same names replaced."""
        by_name = {item.name: item for item in changed}
        return replace(self, items=tuple(by_name.get(i.name, i) for i in self.items))

    def moved(self, name: str, pose: Pose) -> "Layout":
        """The layout with one item, and everything attached to it, moved to ``pose``."""
        there_from_here = pose @ self.item(name).world_from_object.inverse()
        attached = (item for item in self.items if item.attached_to == name)
        return self.replacing(
            self.item(name).at(pose),
            *(item.at(there_from_here @ item.world_from_object) for item in attached),
        )


def object_record(item: Item, instance_id: int) -> ObjectRecord:
    """Record of an item of a layout; ``instance_id`` marks its pixels in the masks."""
    return ObjectRecord(
        name=item.name,
        category=item.category,
        world_from_object=matrix4(item.world_from_object.matrix()),
        size_m=vec3(np.round(item.size_m, 6)),
        mass_kg=item.mass_kg,
        color=item.color,
        material=item.material,
        asset=item.asset,
        state=item.state,
        instance_id=instance_id,
    )

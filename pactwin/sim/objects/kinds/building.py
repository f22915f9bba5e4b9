"""From the name of a kind to an item: its builder's parts, sized, centred and weighed."""

from dataclasses import replace

import numpy as np

from pactwin.catalogue import load_catalogue
from pactwin.sim.objects.kinds import (
    boxes,
    containers,
    food,
    hardware,
    household,
    kitchen,
    stationery,
    tableware,
    tools,
)
from pactwin.sim.objects.kinds.drafts import Builder
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.objects.shaping import resting_at, span_m
from pactwin.sim.scene.geometry import part_volume_m3
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import ORIGIN, Pose, vec3
from pactwin.suite import unknown_name

_BUILDERS: dict[str, Builder] = {
    builder.__name__: builder
    for builder in (
        boxes.cardboard_box,
        boxes.lidded_box,
        boxes.pen_stand,
        containers.basket,
        containers.bottle,
        containers.bucket,
        containers.can,
        containers.jar,
        containers.tin,
        food.apple,
        food.banana,
        food.bread_slice,
        food.cake,
        food.egg,
        food.orange,
        hardware.ball,
        hardware.bolt,
        hardware.brick,
        hardware.cube_puzzle,
        hardware.dumbbell,
        hardware.nut,
        hardware.plank,
        hardware.pyramid_puzzle,
        household.candle,
        household.clock,
        household.cushion,
        household.lamp,
        household.soap_bar,
        household.sponge,
        household.toilet_roll,
        household.toothbrush,
        household.towel,
        kitchen.fork,
        kitchen.frying_pan,
        kitchen.funnel,
        kitchen.knife,
        kitchen.pot,
        kitchen.spatula,
        kitchen.spoon,
        stationery.book,
        stationery.glue_stick,
        stationery.marker,
        stationery.marker_cap,
        stationery.notepad,
        stationery.pen,
        stationery.ruler,
        stationery.scissors,
        stationery.stapler,
        stationery.tape_roll,
        tableware.bowl,
        tableware.coaster,
        tableware.cup,
        tableware.mug,
        tableware.pitcher,
        tableware.plate,
        tableware.teapot,
        tableware.tray,
        tableware.tumbler,
        tools.brush,
        tools.clamp,
        tools.hammer,
        tools.pliers,
        tools.saw,
        tools.screwdriver,
        tools.wrench,
    )
}
_VARY = 0.06


def kind_names() -> tuple[str, ...]:
    """Names of the built-in kinds, those of their entries in the catalogue."""
    return tuple(sorted(_BUILDERS))


def build_kind(name: str, rng: np.random.Generator) -> Item:
    """One object of a kind, drawn from ``rng``, as it rests at the table's origin.

    Its size varies by 6 %; its mass is that of its parts' volumes in their materials. Raises
    InvalidInputError for an unknown name.
    """
    if name not in _BUILDERS:
        raise unknown_name("kind of object", name, kind_names())
    draft = _BUILDERS[name](rng)
    scale = float(rng.uniform(1 - _VARY, 1 + _VARY))
    parts = tuple(_scaled(part, scale) for part in draft.parts)
    spans = [[span_m(part.pose, part, axis) for part in parts] for axis in range(3)]
    low = [min(a for a, _ in span) for span in spans]
    high = [max(b for _, b in span) for span in spans]
    x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
    item = Item(
        name=name.replace("_", " "),
        category=name,
        parts=tuple(replace(part, pose=part.pose.moved(-x, -y, -z)) for part in parts),
        size_m=vec3(b - a for a, b in zip(low, high, strict=True)),
        mass_kg=round(sum(map(_mass_kg, parts)), 4),
        color=draft.color,
        rgba=COLORS.get(draft.color, (0.6, 0.6, 0.6, 1.0)),
        material=parts[0].material,
        asset=f"builtin/{name}",
        world_from_object=ORIGIN,
    )
    return resting_at(item, 0.0, 0.0, draft.turn, state=draft.state)


def _scaled(part: Part, by: float) -> Part:
    return replace(
        part,
        size_m=vec3(by * s for s in part.size_m),
        pose=Pose(vec3(by * p for p in part.pose.pos), part.pose.quat),
        corners_m=tuple(vec3(by * c for c in corner) for corner in part.corners_m),
    )


def _mass_kg(part: Part) -> float:
    if not part.collides and part.role != "contents":
        return 0.0
    if part.shape == "surface":
        return 0.0
    return part_volume_m3(part) * load_catalogue().material(part.material).density_kg_m3

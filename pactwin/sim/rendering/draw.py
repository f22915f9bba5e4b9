"""The full model of a scene for pictures only: room, robot and items, without motion."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.rendering.kitchen import add_kitchen
from pactwin.sim.rendering.room import Appearance, add_room
from pactwin.sim.rendering.textures import file_texture, grain_texture
from pactwin.sim.robots.surface import draw_robot
from pactwin.sim.scene.layout import Item, Part

if TYPE_CHECKING:
    import mujoco

NEAR_M, FAR_M = 0.05, 12.0
SAMPLES = 4
# Half the width (m) of the square around the table in which the main light casts shadows, and how
# many cells of its map there are per row of the picture: a cell is then about a pixel on the table.
_SHADOWED_M = 0.8
_SHADOW_CELLS = 2.5

ITEM = "item/"
# How materials look: grain (a surface and its contrast), specular, shininess.
_LOOKS: dict[str, tuple[tuple[str, float] | None, float, float]] = {
    "wood": (("wood grain", 0.05), 0.25, 0.4),
    "plastic": (None, 0.5, 0.6),
    "cardboard": (("cream plaster", 0.03), 0.05, 0.1),
    "ceramic": (None, 0.8, 0.9),
    "foam": (("carpet", 0.10), 0.0, 0.1),
    "aluminium": (None, 0.9, 0.7),
    "rubber": (("carpet", 0.03), 0.1, 0.2),
    "paper": (("rough cast", 0.02), 0.05, 0.1),
}
_PLAIN: tuple[None, float, float] = (None, 0.3, 0.4)


def scene_model(
    items: Sequence[Item],
    look: Appearance,
    robot: str,
    size_px: tuple[int, int],
    *,
    full: bool = False,
    furnish: Callable[["mujoco.MjSpec"], None] | None = None,
) -> "mujoco.MjModel":
    """Compile the full model of a scene, for pictures up to ``size_px`` (width, height).

    ``items[k]`` is the body ``item/k``. ``full`` draws the robot's source meshes with MuJoCo's
    default quality settings (to compare pictures, not for use). The robot ``none`` draws no robot;
    ``furnish`` adds further visible objects.
    """
    import mujoco

    spec = mujoco.MjSpec()
    add_surroundings(spec, look, robot, size_px, full=full)
    add_items(spec, items)
    if furnish is not None:
        furnish(spec)
    if look.kitchen is not None:
        # Last: MuJoCo 3.3 finds no names in a model to which another was attached.
        add_kitchen(spec, *look.kitchen)
    return spec.compile()


def add_surroundings(
    spec: "mujoco.MjSpec",
    look: Appearance,
    robot: str,
    size_px: tuple[int, int],
    *,
    full: bool = False,
) -> None:
    """Add room, robot and picture quality settings (see :func:`scene_model`)."""
    if full:
        spec.visual.global_.offwidth, spec.visual.global_.offheight = size_px
    else:
        # Light is directional, so faces need not be subdivided to shade them; these many stacks
        # and slices keep a ball of 60 px round within half a pixel.
        shadow_px = int(_SHADOW_CELLS * size_px[1])
        set_quality(spec, size_px, shadow_px=shadow_px, stacks=12, slices=28)
    spec.stat.center = (0.3, 0.0, 0.0)
    spec.stat.extent = _SHADOWED_M
    add_room(spec, look)
    if robot != "none":
        draw_robot(spec, robot, full=full)


def set_quality(
    spec: "mujoco.MjSpec", size_px: tuple[int, int], *, shadow_px: int, stacks: int, slices: int
) -> None:
    """Set the largest picture (width, height), the shadow map's size and how round things are."""
    spec.visual.global_.offwidth, spec.visual.global_.offheight = size_px
    quality = spec.visual.quality
    quality.shadowsize, quality.offsamples = shadow_px, SAMPLES
    quality.numquads, quality.numstacks, quality.numslices = 1, stacks, slices


def add_items(spec: "mujoco.MjSpec", items: Sequence[Item]) -> None:
    """Add items for display, one motionless body each."""
    for k, item in enumerate(items):
        pose = item.world_from_object
        body = spec.worldbody.add_body(name=f"{ITEM}{k}", pos=pose.pos, quat=pose.quat)
        draw_item(spec, body, item, f"{ITEM}{k}")


def draw_item(spec: "mujoco.MjSpec", body: "mujoco.MjsBody", item: Item, name: str) -> None:
    """Add an item's visible geoms to its body, without contacts, named from ``name/0`` on."""
    # Imported late: the physics model imports mujoco when it is loaded.
    from pactwin.sim.scene.spec import add_part

    for j, part in enumerate(item.parts):
        if part.drawn:
            geom = add_part(spec, body, part, f"{name}/{j}")
            rgba = part_rgba(item, part)
            made_of = part.material or item.material
            geom.material = material(spec, made_of, rgba, part.texture_file)
            geom.contype = geom.conaffinity = 0


def part_rgba(item: Item, part: Part) -> tuple[float, float, float, float]:
    """Colour of a part: its own, or the item's colour with the part's shade."""
    if part.rgba is not None:
        return part.rgba
    r, g, b, a = item.rgba
    return (r * part.shade, g * part.shade, b * part.shade, a)


def material(
    spec: "mujoco.MjSpec",
    kind: str,
    rgba: tuple[float, float, float, float],
    texture_file: str | None = None,
) -> str:
    """Add the material of ``kind`` in the colour ``rgba`` unless it exists; returns its name.

    An unknown kind looks dull and smooth. ``texture_file`` replaces the kind's grain.
    """
    import mujoco

    name = f"{kind}/{','.join(f'{value:.3f}' for value in rgba)}/{texture_file or ''}"
    if spec.material(name) is None:
        grain, specular, shininess = _LOOKS.get(kind, _PLAIN)
        added = spec.add_material(name=name, rgba=rgba, specular=specular, shininess=shininess)
        role = mujoco.mjtTextureRole.mjTEXROLE_RGB
        if texture_file is not None:
            added.textures[role] = file_texture(spec, texture_file)
        elif grain is not None:
            added.textures[role] = grain_texture(spec, *grain)
    return name


def instance_ids(model: "mujoco.MjModel", prefix: str = ITEM) -> np.ndarray:
    """One plus the number after ``prefix`` in each geom's name, 0 for all without; (n,) uint16.

    By default these are the instance ids, k + 1 for geoms of ``item/k``.
    """
    names = [model.geom(geom).name for geom in range(model.ngeom)]
    numbers = [
        name.startswith(prefix) and 1 + int(name[len(prefix) :].split("/")[0]) for name in names
    ]
    return np.array(numbers, np.uint16)

"""The room: table, floor, walls and furniture, or a kitchen; and the light."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from pactwin.catalogue import RGB
from pactwin.sim.rendering.boxes import BACKGROUND_GROUP, add_box, add_shape
from pactwin.sim.rendering.kitchen import draw_kitchen
from pactwin.sim.rendering.textures import flat_texture
from pactwin.sim.robots.models import TABLE_HEIGHT_M
from pactwin.sim.scene.pose import Vec3, quat_multiply, yaw
from pactwin.suite import SuiteError

if TYPE_CHECKING:
    import mujoco


# Table tops: surface (or none) and the tint it is multiplied by.
TABLES: dict[str, tuple[str | None, RGB]] = {
    "oak": ("staves", (0.93, 0.88, 0.82)),
    "birch": ("staves", (1.0, 1.06, 1.14)),
    "walnut": ("staves", (0.62, 0.50, 0.42)),
    "grey laminate": ("laminate", (0.72, 0.74, 0.76)),
    "white laminate": ("laminate", (0.92, 0.92, 0.92)),
    "concrete": ("concrete", (0.95, 0.95, 0.95)),
    "slate": ("concrete", (0.55, 0.58, 0.62)),
    "green mat": ("laminate", (0.42, 0.58, 0.52)),
    "sand linoleum": ("cream plaster", (0.86, 0.80, 0.70)),
}
FLOORS: dict[str, tuple[str | None, RGB]] = {
    "light tiles": ("wood-look tiles", (1.0, 1.0, 1.0)),
    "grey tiles": ("wood-look tiles", (0.62, 0.64, 0.67)),
    "parquet": ("parquet", (0.95, 0.95, 0.95)),
    "planks": ("planks", (1.1, 1.1, 1.1)),
    "screed": ("concrete", (0.9, 0.9, 0.9)),
    "carpet": ("carpet", (0.85, 0.9, 1.0)),
}
WALLS: dict[str, tuple[str | None, RGB]] = {
    "white": ("rough cast", (0.90, 0.90, 0.89)),
    "cream": ("cream plaster", (0.98, 0.97, 0.95)),
    "grey": ("laminate", (0.85, 0.87, 0.90)),
    "brick": ("bricks", (0.95, 0.94, 0.92)),
    "sand": ("sand plaster", (1.15, 1.13, 1.10)),
    "pale blue": ("rough cast", (0.74, 0.82, 0.90)),
    "pale green": ("rough cast", (0.78, 0.87, 0.78)),
}
FURNITURE = ("none", "cabinets", "shelves", "whiteboard", "window")

TABLE_THICKNESS_M = 0.03
TABLE = "table"
"""Name of the geom of the room's table top."""


# Walls: where they stand, turned from x to y (rad), and how far from the origin (m).
_WALLS = {
    "far": (0.0, 2.9),
    "left": (pi / 2, 2.4),
    "back": (pi, 1.9),
    "right": (-pi / 2, 2.4),
}
_HIGH_M = 2.2
_LIGHTS = ("light_azimuth_rad", "light_elevation_rad", "light_strength", "ambient", "warmth")
# The main light comes about along the room's axes: from beyond the table, the left or the right.
# From between, MuJoCo's shadow map, off by a cell at its corners, would dot the floor.
_LIGHT_FROM_RAD = (0.0, pi / 2, -pi / 2)


_UNSEEN = {
    "table": "oak",
    "floor": "screed",
    "wall": "white",
    "table_depth_m": 0.7,
    "table_width_m": 1.3,
    **{f"furniture_{side}": "none" for side in ("back", "far", "left", "right")},
}


@dataclass(frozen=True)
class Appearance:
    """Appearance of a scene without its items and robot, shared by both twins.

    Sizes in m, angles in rad. ``light_azimuth_rad`` is the direction of the main light, turning
    from x (beyond the table) to y. ``warmth`` is from -1 (cold light) to 1 (warm). ``kitchen`` is
    the layout and style of a RoboCasa kitchen, which then replaces everything except the light.
    """

    table: str
    table_depth_m: float
    table_width_m: float
    floor: str
    wall: str
    furniture_back: str
    furniture_far: str
    furniture_left: str
    furniture_right: str
    light_azimuth_rad: float
    light_elevation_rad: float
    light_strength: float
    ambient: float
    warmth: float
    kitchen: tuple[int, int] | None = None

    def record(self) -> dict[str, str | float]:
        """The visible settings as plain values for ``Scene.appearance``."""
        record = asdict(self)
        del record["kitchen"]
        if self.kitchen is None:
            return record
        layout, style = self.kitchen
        seen: dict[str, str | float] = {"room": "kitchen", "layout": layout, "style": style}
        return seen | {name: record[name] for name in _LIGHTS}


def draw_appearance(rng: np.random.Generator, room: str = "study") -> Appearance:
    """Draw the appearance of a scene, in a built-in ``room`` or a kitchen of RoboCasa."""

    def between(low: float, high: float) -> float:
        return round(float(rng.uniform(low, high)), 4)

    def one_of(names: Iterable[str]) -> str:
        return str(rng.choice(list(names)))

    return Appearance(
        table=one_of(TABLES),
        table_depth_m=between(0.68, 0.80),
        table_width_m=between(1.2, 1.5),
        floor=one_of(FLOORS),
        wall=one_of(WALLS),
        furniture_back=one_of(FURNITURE),
        furniture_far=one_of(FURNITURE),
        furniture_left=one_of(FURNITURE),
        furniture_right=one_of(FURNITURE),
        light_azimuth_rad=round(float(rng.choice(_LIGHT_FROM_RAD)) + between(-0.1, 0.1), 4),
        light_elevation_rad=between(0.85, 1.25),
        light_strength=between(0.40, 0.50),
        ambient=between(0.42, 0.50),
        warmth=between(-1.0, 1.0),
        kitchen=draw_kitchen(rng) if room == "kitchen" else None,
    )


def appearance_of(record: Mapping[str, str | float]) -> Appearance:
    """Appearance from a record of :meth:`Appearance.record`; SuiteError for another record.

    In a kitchen the built-in room is invisible and set to the plainest one.
    """
    values: dict[str, Any] = dict(record)
    if "room" in values:
        kitchen = int(values["layout"]), int(values["style"])
        values = _UNSEEN | {name: values.get(name) for name in _LIGHTS} | {"kitchen": kitchen}
    names = {field.name for field in fields(Appearance)}
    if not names - {"kitchen"} <= values.keys() <= names:
        raise SuiteError("an appearance is not that of a simulated scene")
    found = Appearance(**values)
    known = found.table in TABLES and found.floor in FLOORS and found.wall in WALLS
    if not known:
        raise SuiteError("an appearance names a table, a floor or a wall that is not known")
    return found


def add_room(spec: "mujoco.MjSpec", look: Appearance) -> None:
    """Add lights and, unless a kitchen provides them, visible table, floor, walls and furniture."""
    _add_lights(spec, look)
    if look.kitchen is not None:
        return
    _add_table(spec, look)
    _add_shell(spec, look)
    for side, (turn, distance) in _WALLS.items():
        _add_furniture(spec, side, getattr(look, f"furniture_{side}"), turn, distance)


def _add_lights(spec: "mujoco.MjSpec", look: Appearance) -> None:
    """One main light with shadows, a weaker one from the other side, and light from all around."""
    tint = np.array([1.0, 1.0, 1.0]) + look.warmth * np.array([0.03, 0.0, -0.05])
    head = spec.visual.headlight
    head.ambient = look.ambient * tint
    head.diffuse = (0.08, 0.08, 0.08)
    head.specular = (0.0, 0.0, 0.0)
    centre = np.array([0.35, 0.0, 0.0])
    for name, turn, elevation, strength in (
        ("main", look.light_azimuth_rad, look.light_elevation_rad, look.light_strength),
        ("fill", look.light_azimuth_rad + 2.4, 0.7, 0.20),
    ):
        towards = np.array([cos(turn) * cos(elevation), sin(turn) * cos(elevation), sin(elevation)])
        main = name == "main"
        add_directional_light(
            spec,
            name=name,
            pos=centre + 2.0 * towards,
            dir=-towards,
            diffuse=strength * tint,
            ambient=(0.0, 0.0, 0.0),
            specular=(0.35, 0.35, 0.35) if main else (0.05, 0.05, 0.05),
            castshadow=main,
        )


def add_directional_light(spec: "mujoco.MjSpec", **properties: object) -> None:
    """Add a light with parallel rays; ``properties`` are those of ``add_light``."""
    import mujoco

    light = spec.worldbody.add_light(**properties)
    if hasattr(light, "type"):  # since MuJoCo 3.3.3
        light.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    else:
        light.directional = True


def _add_table(spec: "mujoco.MjSpec", look: Appearance) -> None:
    surface, tint = TABLES[look.table]
    top = _surface(spec, "table", surface, tint, repeat=(2.0, 2.0))
    legs = _surface(spec, "table legs", None, (0.35, 0.36, 0.38), specular=0.4)
    depth, width = look.table_depth_m, look.table_width_m
    middle = (depth / 2, 0, -TABLE_THICKNESS_M / 2)
    add_box(spec, (depth, width, TABLE_THICKNESS_M), middle, name=TABLE, material=top)
    leg = TABLE_HEIGHT_M - TABLE_THICKNESS_M
    for x in (0.06, depth - 0.06):
        for y in (0.06 - width / 2, width / 2 - 0.06):
            at = (x, y, -TABLE_THICKNESS_M - leg / 2)
            add_box(spec, (0.05, 0.05, leg), at, material=legs)
        at = (x, 0, -TABLE_THICKNESS_M - 0.03)
        add_box(spec, (0.03, width - 0.1, 0.05), at, material=legs)


def _add_shell(spec: "mujoco.MjSpec", look: Appearance) -> None:
    """Floor and four walls, which face inwards."""
    floor = _surface(spec, "floor", *FLOORS[look.floor], repeat=(1.0, 1.0), specular=0.1)
    wall = _surface(spec, "wall", *WALLS[look.wall], repeat=(1.6, 1.6), emission=0.18)
    high = _HIGH_M + TABLE_HEIGHT_M
    middle = (_HIGH_M - TABLE_HEIGHT_M) / 2
    far, back, across = _WALLS["far"][1], _WALLS["back"][1], _WALLS["left"][1]
    long, centre = (far + back) / 2, (far - back) / 2
    # A box, not a plane: planes shade themselves with dots where the light casts shadows.
    thick = 0.02
    below = (centre, 0.0, -TABLE_HEIGHT_M - thick / 2)
    size = (2 * long, 2 * across, thick)
    add_box(spec, size, below, name="floor", material=floor, group=BACKGROUND_GROUP)
    for side, (turn, distance) in _WALLS.items():
        half_width = across if side in ("back", "far") else long
        pos = (distance * cos(turn), distance * sin(turn), middle)
        if side in ("left", "right"):
            pos = (centre, pos[1], middle)
        # At the far wall, x of the plane points to the right and its normal to the robot.
        upright = (0.5, 0.5, -0.5, -0.5)
        quat = quat_multiply(yaw(turn), upright)
        add_shape(
            spec,
            "PLANE",
            name=f"wall {side}",
            pos=pos,
            quat=quat,
            size=(half_width, high / 2, 1.0),
            material=wall,
            group=BACKGROUND_GROUP,
        )


def _add_furniture(
    spec: "mujoco.MjSpec", side: str, kind: str, turn: float, distance: float
) -> None:
    """Add the furniture at one wall, built as if the wall were at x = ``distance``."""
    wood = _surface(spec, f"{side} wood", None, (0.78, 0.70, 0.60), specular=0.2)
    grey = _surface(spec, f"{side} grey", None, (0.62, 0.65, 0.68), specular=0.3)
    white = _surface(spec, f"{side} white", None, (0.95, 0.95, 0.94), specular=0.3)
    sky = _surface(spec, f"{side} sky", None, (0.80, 0.90, 1.0), emission=0.7)
    floor, quat = -TABLE_HEIGHT_M, (cos(turn / 2), 0.0, 0.0, sin(turn / 2))

    def put(material: str, size: Vec3, x: float, y: float, bottom: float) -> None:
        x, z = distance - x - size[0] / 2, bottom + size[2] / 2
        pos = (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn), z)
        add_box(spec, size, pos, quat=quat, material=material, group=BACKGROUND_GROUP)

    match kind:
        case "cabinets":
            for k in range(3):
                put(grey, (0.45, 0.72, 0.95), 0.0, 0.75 * (k - 1), floor)
                put(white, (0.02, 0.68, 0.86), 0.45, 0.75 * (k - 1), floor + 0.06)
                put(grey, (0.02, 0.14, 0.02), 0.47, 0.75 * (k - 1), floor + 0.82)
        case "shelves":
            for y in (-0.9, 0.0, 0.9):
                put(wood, (0.30, 0.03, 1.7), 0.0, y, floor)
            for k in range(5):
                put(wood, (0.30, 1.8, 0.025), 0.0, 0.0, floor + 0.08 + 0.40 * k)
            for k, (y, wide, tall) in enumerate(
                ((-0.6, 0.3, 0.2), (0.35, 0.24, 0.28), (0.6, 0.2, 0.17), (-0.3, 0.22, 0.24))
            ):
                put(
                    (grey, white)[k % 2], (0.22, wide, tall), 0.04, y, floor + 0.505 + 0.4 * (k % 3)
                )
        case "whiteboard":
            put(grey, (0.02, 1.66, 1.06), 0.0, 0.1, 0.02)
            put(white, (0.03, 1.60, 1.00), 0.0, 0.1, 0.05)
            put(grey, (0.08, 0.6, 0.02), 0.0, 0.1, 0.02)
        case "window":
            put(white, (0.03, 1.5, 1.2), 0.0, -0.2, 0.15)
            put(sky, (0.035, 0.66, 1.08), 0.0, -0.56, 0.21)
            put(sky, (0.035, 0.66, 1.08), 0.0, 0.16, 0.21)
            put(white, (0.18, 1.6, 0.03), 0.0, -0.2, 0.12)


def _surface(
    spec: "mujoco.MjSpec",
    name: str,
    surface: str | None,
    tint: RGB,
    *,
    repeat: tuple[float, float] = (1.0, 1.0),
    specular: float = 0.0,
    emission: float = 0.0,
) -> str:
    """Add a material; textures repeat ``repeat`` times a metre."""
    import mujoco

    rgba = (*(min(1.0, max(0.0, value)) for value in tint), 1.0)
    material = spec.add_material(
        name=name,
        rgba=rgba,
        specular=specular,
        shininess=0.3,
        emission=emission,
        texuniform=True,
        texrepeat=repeat,
    )
    if surface is not None:
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = flat_texture(spec, surface)
    return name

"""The room: table, floor, walls and furniture, or a kitchen; and the light."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from math import cos, pi, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pactwin.catalogue import RGB, read_data
from pactwin.sim.rendering.boxes import BACKGROUND_GROUP, add_box, add_shape
from pactwin.sim.rendering.cameras import towards
from pactwin.sim.rendering.kitchen import draw_kitchen
from pactwin.sim.rendering.textures import flat_texture
from pactwin.sim.robots.models import TABLE_HEIGHT_M
from pactwin.sim.scene.pose import Vec3, quat_multiply, yaw
from pactwin.suite import SuiteError

if TYPE_CHECKING:
    import mujoco


_Cover = tuple[str | None, RGB]


@dataclass(frozen=True)
class _Declared:
    """What rooms are made of, as declared in ``room.yaml``."""

    tables: dict[str, _Cover]
    floors: dict[str, _Cover]
    walls: dict[str, _Cover]
    finishes: dict[str, tuple[RGB, float, float]]
    furniture: dict[str, list[tuple[str, Vec3, tuple[float, float], float]]]


_DECLARED = read_data(Path(__file__).with_name("room.yaml"), _Declared)
TABLES, FLOORS, WALLS = _DECLARED.tables, _DECLARED.floors, _DECLARED.walls
FURNITURE = tuple(_DECLARED.furniture)

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
    add_lights(
        spec,
        look.light_azimuth_rad,
        main=(look.light_elevation_rad, look.light_strength, 0.35),
        ambient=look.ambient,
        head=0.08,
        tint=1.0 + look.warmth * np.array([0.03, 0.0, -0.05]),
        centre_m=(0.35, 0.0, 0.0),
    )
    if look.kitchen is not None:
        return
    _add_table(spec, look)
    _add_shell(spec, look)
    for side, (turn, distance) in _WALLS.items():
        _add_furniture(spec, side, getattr(look, f"furniture_{side}"), turn, distance)


def add_lights(
    spec: "mujoco.MjSpec",
    azimuth_rad: float,
    *,
    main: tuple[float, float, float],
    ambient: float,
    head: float,
    tint: np.ndarray | float = 1.0,
    centre_m: Vec3 = (0.0, 0.0, 0.0),
) -> None:
    """Add a main light with shadows, a weaker one from the other side, and light from all around.

    ``main`` are the elevation (rad), strength and gloss of the main light, ``ambient`` and ``head``
    the strengths of the light from everywhere and from the camera.
    """
    light = spec.visual.headlight
    light.ambient, light.diffuse, light.specular = (
        ambient * tint * np.ones(3),
        (head,) * 3,
        (0.0,) * 3,
    )
    for name, turn, (elevation, strength, gloss) in (
        ("main", azimuth_rad, main),
        ("fill", azimuth_rad + 2.4, (0.7, 0.20, 0.05)),
    ):
        way = towards(turn, elevation)
        add_directional_light(
            spec,
            name=name,
            pos=centre_m + 2.0 * way,
            dir=-way,
            diffuse=strength * tint * np.ones(3),
            ambient=(0.0,) * 3,
            specular=(gloss,) * 3,
            castshadow=name == "main",
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
    finishes = {
        name: _surface(spec, f"{side} {name}", None, tint, specular=specular, emission=emission)
        for name, (tint, specular, emission) in _DECLARED.finishes.items()
    }
    quat = (cos(turn / 2), 0.0, 0.0, sin(turn / 2))
    for finish, size, (from_wall, y), bottom in _DECLARED.furniture[kind]:
        x, z = distance - from_wall - size[0] / 2, bottom - TABLE_HEIGHT_M + size[2] / 2
        pos = (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn), z)
        add_box(spec, size, pos, quat=quat, material=finishes[finish], group=BACKGROUND_GROUP)


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

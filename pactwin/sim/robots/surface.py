"""A robot's visible surface at rest, decimated for drawing.

The source meshes have 170,000 to 340,000 triangles, most of them inside the shell or smaller than a
pixel; :mod:`pactwin.sim.robots.decimation` leaves 7 to 16 % of them. Pieces of one colour are
merged into one mesh in the table frame, so that a robot needs few draw calls. Primitives such as
boxes and spheres are kept.
"""

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.robots.cache import cache_folder, msh, write_cached
from pactwin.sim.robots.decimation import decimated
from pactwin.sim.robots.links import load_links
from pactwin.sim.robots.models import PREFIX, Robot
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.robots.source import cache_key, compile_source, posed
from pactwin.sim.scene.pose import as_pose, frame
from pactwin.suite import InvalidInputError

if TYPE_CHECKING:
    import mujoco

ERROR_M = 4e-4
"""Maximum root mean square displacement of the surface by decimation where a vertex moves: of
points spread evenly over the G1, 95 of 100 lie within 0.8 mm of the drawn surface, 99 within 1.3 mm
and 999 of 1,000 within 2.2 mm. A pixel at arm's length is 1 mm."""

# What is below the table top is farther from all cameras and mostly hidden.
_BELOW = 2.0
# The groups of geoms that MuJoCo's viewer shows at first: models hide collision shapes in others.
_SHOWN_GROUPS = (0, 1, 2)


@dataclass(frozen=True)
class Surface:
    """Triangles of one colour: ``vertices`` (n, 3) in the table frame (m), ``faces`` (m, 3)."""

    vertices: np.ndarray
    faces: np.ndarray
    rgba: tuple[float, ...]


@dataclass(frozen=True)
class Solid:
    """A primitive shape of MuJoCo's ``type`` and ``size`` at a pose in the table frame."""

    type: int
    size: tuple[float, ...]
    pos: tuple[float, ...]
    quat: tuple[float, ...]
    rgba: tuple[float, ...]


@dataclass(frozen=True)
class Drawn:
    """A robot's visual geometry: coloured mesh files in the table frame, and primitives."""

    meshes: tuple[tuple[Path, tuple[float, ...]], ...]
    solids: tuple[Solid, ...]


_WHOLE = ""  # in place of a link's name: all that is drawn at rest, in the table frame


def draw_robot(spec: "mujoco.MjSpec", name: str, *, full: bool = False) -> None:
    """Add the resting robot to ``spec`` for display: one motionless body without contacts.

    ``full`` draws every triangle of the source model instead (to compare pictures, not for use).
    Raises as :func:`pactwin.sim.robots.add_robot`.
    """
    body = spec.worldbody.add_body(name=PREFIX.rstrip("/"))
    _draw(spec, body, PREFIX, what_is_drawn(name, None if full else ERROR_M))


def draw_links(spec: "mujoco.MjSpec", name: str) -> tuple[str, ...]:
    """Add the moving robot for display: a mocap body for each link, PREFIX + its name.

    Returns the links' names, as :func:`pactwin.sim.robots.links.load_links` has them. Raises as
    :func:`draw_robot`.
    """
    robot = robot_named(name)
    links = load_links(robot.source, robot.world_from_base, tuple(robot.home.items()), robot.moving)
    for link in links.links:
        body = spec.worldbody.add_body(name=PREFIX + link.name, mocap=True)
        _draw(spec, body, f"{PREFIX}{link.name}_", what_is_drawn(name, ERROR_M, link.name))
    return tuple(link.name for link in links.links)


def _draw(spec: "mujoco.MjSpec", body: "mujoco.MjsBody", prefix: str, drawn: Drawn) -> None:
    import mujoco

    for k, (path, rgba) in enumerate(drawn.meshes):
        mesh = f"{prefix}surface_{k}"
        # MuJoCo keeps meshes that come from files, so that later scenes compile ten times faster.
        spec.add_mesh(name=mesh, file=str(path), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        spec.add_material(name=mesh, rgba=rgba, specular=0.35, shininess=0.5)
        body.add_geom(
            name=mesh,
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=mesh,
            material=mesh,
            contype=0,
            conaffinity=0,
        )
    for k, solid in enumerate(drawn.solids):
        material = f"{prefix}solid_{k}"
        spec.add_material(name=material, rgba=solid.rgba, specular=0.35, shininess=0.5)
        body.add_geom(
            name=material,
            type=mujoco.mjtGeom(solid.type),
            size=solid.size,
            pos=solid.pos,
            quat=solid.quat,
            material=material,
            contype=0,
            conaffinity=0,
        )


@lru_cache(maxsize=64)
def what_is_drawn(name: str, error_m: float | None, link: str = _WHOLE) -> Drawn:
    """Visual geometry of a resting robot, or of one link in its own frame; made on first use.

    ``error_m`` None disables decimation. Raises InvalidInputError if nothing is visible.
    """
    robot = robot_named(name)
    pose = repr((robot.world_from_base, robot.home))
    parameters = {"pose": pose, "error_m": error_m, "below": _BELOW}
    key = cache_key(robot.source, parameters | ({"link": link} if link else {}))
    index = cache_folder() / f"surface-{key}.json"
    if not index.exists():
        surfaces, solids = _read(robot, error_m, link)
        if not surfaces and not solids and link == _WHOLE:
            raise InvalidInputError(f"robot {name!r}: no geom in groups 0, 1 or 2 is there to draw")
        for k, surface in enumerate(surfaces):
            write_cached(_mesh_file(key, k), msh(surface.vertices, surface.faces))
        colors = [surface.rgba for surface in surfaces]
        # Written last: where it is, the meshes are whole.
        stored = {"colors": colors, "solids": [asdict(solid) for solid in solids]}
        write_cached(index, json.dumps(stored).encode())
    stored = json.loads(index.read_text(encoding="utf-8"))
    return Drawn(
        tuple((_mesh_file(key, k), tuple(rgba)) for k, rgba in enumerate(stored["colors"])),
        tuple(Solid(**solid) for solid in stored["solids"]),
    )


def _mesh_file(key: str, k: int) -> Path:
    return cache_folder() / f"surface-{key}-{k}.msh"


def _read(robot: Robot, error_m: float | None, link: str) -> tuple[list[Surface], list[Solid]]:
    """The surface from the source model, simplified unless ``error_m`` is None, and solids."""
    import mujoco

    model = compile_source(robot.source, robot.world_from_base)
    data = posed(model, robot.home)
    pieces: dict[tuple, list[tuple[np.ndarray, np.ndarray]]] = {}
    solids = []
    link_from_world = np.eye(4)
    shown = _shown(model)
    if link != _WHOLE:
        owner = _owners(model, robot)
        shown = [geom for geom in shown if owner[model.geom_bodyid[geom]] == link]
        if body := owner.index(link):  # of what does not move, the frame is the table's
            link_from_world = np.linalg.inv(frame(data.xpos[body], data.xmat[body]))
    for geom in shown:
        material = model.geom_matid[geom]
        rgba = model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom]
        color = tuple(map(float, rgba))
        if model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
            solids.append(_solid(model, data, geom, color, link_from_world))
            continue
        vertices, faces = _piece(model, data, geom)
        if error_m is not None:
            below = vertices[:, 2].max() < 0.0
            vertices, faces = decimated(vertices, faces, error_m * (_BELOW if below else 1.0))
        vertices = vertices @ link_from_world[:3, :3].T + link_from_world[:3, 3]
        pieces.setdefault(color, []).append((vertices, faces))
    surfaces = [_joined(parts, rgba) for rgba, parts in pieces.items()]
    # Screws and the like may have vanished altogether; MuJoCo wants four vertices.
    return [surface for surface in surfaces if len(surface.vertices) >= 4], solids


def _owners(model: "mujoco.MjModel", robot: Robot) -> list[str]:
    """Per body the name of the link that it is part of."""
    moved = {int(model.joint(name).bodyid[0]) for name in robot.moving}
    owners = ["base"]
    for body in range(1, model.nbody):
        above = owners[int(model.body_parentid[body])]
        owners.append(model.body(body).name if body in moved else above)
    return owners


def _shown(model: "mujoco.MjModel") -> list[int]:
    """The geoms to draw: those made for it, which touch nothing; where there are none, all."""
    shown = [geom for geom in range(model.ngeom) if model.geom_group[geom] in _SHOWN_GROUPS]
    touches = model.geom_contype | model.geom_conaffinity
    return [geom for geom in shown if not touches[geom]] or shown


def _solid(
    model: "mujoco.MjModel",
    data: "mujoco.MjData",
    geom: int,
    rgba: tuple[float, ...],
    link_from_world: np.ndarray,
) -> Solid:
    where = as_pose(link_from_world @ frame(data.geom_xpos[geom], data.geom_xmat[geom]))
    size = tuple(map(float, model.geom_size[geom]))
    return Solid(int(model.geom_type[geom]), size, where.pos, where.quat, rgba)


def _piece(
    model: "mujoco.MjModel", data: "mujoco.MjData", geom: int
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices in the table frame and faces of one mesh geom."""
    mesh = model.mesh(model.geom_dataid[geom])
    v, f = int(mesh.vertadr[0]), int(mesh.faceadr[0])
    vertices = model.mesh_vert[v : v + int(mesh.vertnum[0])]
    faces = model.mesh_face[f : f + int(mesh.facenum[0])]
    return vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom], faces


def _joined(parts: list[tuple[np.ndarray, np.ndarray]], rgba: tuple[float, ...]) -> Surface:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + start for (_, faces), start in zip(parts, starts, strict=False)]
    return Surface(
        np.concatenate([vertices for vertices, _ in parts]).astype(np.float32),
        np.concatenate(faces).astype(np.int32),
        rgba,
    )

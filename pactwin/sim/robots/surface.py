"""A robot's visible surface at rest, decimated for drawing.

The source meshes have 170,000 to 340,000 triangles, most of them inside the shell or smaller than a
pixel; :mod:`pactwin.sim.robots.decimation` leaves 7 to 16 % of them. Pieces of one colour are
merged into one mesh in the table frame, so that a robot needs few draw calls. Primitives such as
boxes and spheres are kept.
"""

import json
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pactwin.sim.robots.cache import cache_folder, msh, write_cached
from pactwin.sim.robots.decimation import decimated
from pactwin.sim.robots.kinematic_model import links_of
from pactwin.sim.robots.models import PREFIX, Robot
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.robots.source import cache_key, compile_source, link_of_bodies, posed
from pactwin.sim.scene.pose import as_pose, frame
from pactwin.suite import InvalidInputError

if TYPE_CHECKING:
    import mujoco

ERROR_M = 6e-4
"""Maximum root mean square displacement of the surface by decimation where a vertex moves: of
points spread evenly over the G1 above the table top, 95 of 100 lie within 0.7 mm of the drawn
surface, 99 within 1.1 mm and 999 of 1,000 within 2.0 mm. A pixel at arm's length is 1 mm."""

# What is below the table top is farther from all cameras and mostly hidden; with more than this,
# seams open there.
_BELOW = 4 / 3
# The groups of geoms that MuJoCo's viewer shows at first: models hide collision shapes in others.
_SHOWN_GROUPS = (0, 1, 2)
_MESH = 7  # MuJoCo's mjGEOM_MESH
_WHOLE = ""  # in place of a link's name: all that is drawn at rest, in the table frame


def draw_robot(spec: "mujoco.MjSpec", name: str, *, full: bool = False) -> None:
    """Add the resting robot to ``spec`` for display: one motionless body without contacts.

    ``full`` draws every triangle of the source model instead (to compare pictures, not for use).
    Raises as :func:`pactwin.sim.robots.add_robot`, and InvalidInputError if nothing is visible.
    """
    body = spec.worldbody.add_body(name=PREFIX.rstrip("/"))
    drawn = _drawn(name, None if full else ERROR_M)
    if not drawn:
        raise InvalidInputError(f"robot {name!r}: no geom in groups 0, 1 or 2 is there to draw")
    _draw(spec, body, PREFIX, drawn)


def draw_links(spec: "mujoco.MjSpec", name: str) -> None:
    """Add a robot whose links can be moved for display: a body for each, PREFIX + its name.

    Raises as :func:`draw_robot`.
    """
    for link in links_of(name):
        body = spec.worldbody.add_body(name=PREFIX + link)
        _draw(spec, body, f"{PREFIX}{link}_", _drawn(name, ERROR_M, link))


def _draw(
    spec: "mujoco.MjSpec", body: "mujoco.MjsBody", prefix: str, drawn: list[dict[str, Any]]
) -> None:
    import mujoco

    for k, stored in enumerate(drawn):
        name = f"{prefix}surface_{k}"
        spec.add_material(name=name, rgba=stored["rgba"], specular=0.35, shininess=0.5)
        geom = body.add_geom(name=name, material=name, contype=0, conaffinity=0)
        geom.type = mujoco.mjtGeom(stored["type"])
        if "file" in stored:
            # MuJoCo keeps meshes that come from files: later scenes compile ten times faster.
            shell = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
            spec.add_mesh(name=name, file=str(cache_folder() / stored["file"]), inertia=shell)
            geom.meshname = name
        else:
            geom.size, geom.pos, geom.quat = stored["size"], stored["pos"], stored["quat"]


@lru_cache(maxsize=64)
def _drawn(name: str, error_m: float | None, link: str = _WHOLE) -> list[dict[str, Any]]:
    """Geoms of a resting robot, or of one link in its own frame: mesh files, then primitives.

    They are made on first use. ``error_m`` None disables decimation.
    """
    robot = robot_named(name)
    pose = repr((robot.world_from_base, robot.home))
    about = {"pose": pose, "error_m": error_m, "below": _BELOW, "link": link}
    stem = f"surface-{cache_key(robot.source, about)}"
    index = cache_folder() / f"{stem}.json"
    if not index.exists():
        meshes, geoms = _read(robot, error_m, link)
        for k, (rgba, vertices, faces) in enumerate(meshes):
            file = f"{stem}-{k}.msh"
            write_cached(cache_folder() / file, msh(vertices, faces))
            geoms.insert(k, {"type": _MESH, "rgba": rgba, "file": file})
        # Written last: where it is, the meshes are whole.
        write_cached(index, json.dumps(geoms).encode())
    stored: list[dict[str, Any]] = json.loads(index.read_bytes())
    return stored


Mesh = tuple[tuple[float, ...], np.ndarray, np.ndarray]  # colour, vertices (n, 3), faces (m, 3)


def _read(
    robot: Robot, error_m: float | None, link: str
) -> tuple[list[Mesh], list[dict[str, Any]]]:
    """Meshes of the source model by colour, decimated unless ``error_m`` is None, and primitives.

    In the table frame (m), or in that of ``link``.
    """
    model = compile_source(robot.source, robot.world_from_base)
    data = posed(model, robot.home)
    link_from_world, shown = np.eye(4), _shown(model)
    if link != _WHOLE:
        links, owner = link_of_bodies(model, robot.moving)
        body = next(body for body, name in links.items() if name == link)
        shown = [geom for geom in shown if owner[model.geom_bodyid[geom]] == body]
        if body:  # of what does not move, the frame is the table's
            link_from_world = np.linalg.inv(frame(data.xpos[body], data.xmat[body]))
    pieces: dict[tuple[float, ...], list[tuple[np.ndarray, np.ndarray]]] = {}
    solids = []
    for geom in shown:
        material, at = model.geom_matid[geom], frame(data.geom_xpos[geom], data.geom_xmat[geom])
        colors = model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom]
        rgba = tuple(map(float, colors))
        if model.geom_type[geom] != _MESH:
            size = model.geom_size[geom].tolist()
            shape = {"type": int(model.geom_type[geom]), "rgba": rgba, "size": size}
            solids.append(shape | asdict(as_pose(link_from_world @ at)))
            continue
        mesh = model.mesh(model.geom_dataid[geom])
        v, f = int(mesh.vertadr[0]), int(mesh.faceadr[0])
        vertices = model.mesh_vert[v : v + int(mesh.vertnum[0])] @ at[:3, :3].T + at[:3, 3]
        faces = model.mesh_face[f : f + int(mesh.facenum[0])]
        if error_m is not None:
            below = vertices[:, 2].max() < 0.0
            vertices, faces = decimated(vertices, faces, error_m * (_BELOW if below else 1.0))
        vertices = vertices @ link_from_world[:3, :3].T + link_from_world[:3, 3]
        pieces.setdefault(rgba, []).append((vertices, faces))
    joined = [(rgba, *_joined(parts)) for rgba, parts in pieces.items()]
    # Screws and the like may have vanished altogether; MuJoCo wants four vertices.
    return [mesh for mesh in joined if len(mesh[1]) >= 4], solids


def _shown(model: "mujoco.MjModel") -> list[int]:
    """The geoms to draw: those made for it, which touch nothing; where there are none, all."""
    shown = [geom for geom in range(model.ngeom) if model.geom_group[geom] in _SHOWN_GROUPS]
    touches = model.geom_contype | model.geom_conaffinity
    return [geom for geom in shown if not touches[geom]] or shown


def _joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + start for (_, faces), start in zip(parts, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)

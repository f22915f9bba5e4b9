"""What is drawn of a robot: its visible surface at rest, thinned out.

The source meshes have 170,000 to 340,000 triangles, most of them inside the shell or smaller than a
pixel. Edges are contracted as long as the surface moves less than ERROR_M (Garland and Heckbert's
quadric error), which leaves about a tenth. Pieces of one colour become one mesh in the table frame,
so that a robot costs a picture a handful of draw calls.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.robots.assets import (
    cache_folder,
    cache_key,
    compile_source,
    posed,
    write_atomically,
)
from pactwin.sim.robots.models import PREFIX, Robot, robot_named

if TYPE_CHECKING:
    import mujoco

ERROR_M = 3e-4
"""How far simplification may move the surface: a third of a pixel at arm's length."""

_WELD_M = 1e-5
_VISIBLE_GROUP = 1


@dataclass(frozen=True)
class Surface:
    """Triangles of one colour: ``vertices`` (n, 3) in the table frame (m), ``faces`` (m, 3)."""

    vertices: np.ndarray
    faces: np.ndarray
    rgba: tuple[float, ...]


def draw_robot(spec: "mujoco.MjSpec", name: str, full: bool = False) -> None:
    """Add the robot at rest to ``spec``, to be looked at: one motionless body without contacts.

    ``full`` draws every triangle of the source model instead (to compare pictures, not for use).
    Raises as :func:`pactwin.sim.robots.add_robot`.
    """
    import mujoco

    body = spec.worldbody.add_body(name=PREFIX.rstrip("/"))
    robot = robot_named(name)
    for k, surface in enumerate(_read(robot, None) if full else load_surfaces(name)):
        mesh = f"{PREFIX}surface_{k}"
        spec.add_mesh(
            name=mesh,
            uservert=surface.vertices.ravel(),
            userface=surface.faces.ravel(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        )
        spec.add_material(name=mesh, rgba=surface.rgba, specular=0.35, shininess=0.5)
        body.add_geom(
            name=mesh,
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=mesh,
            material=mesh,
            contype=0,
            conaffinity=0,
        )


@lru_cache(maxsize=4)
def load_surfaces(name: str) -> tuple[Surface, ...]:
    """The thinned surface of a robot at rest, one per colour, from the user's cache."""
    robot = robot_named(name)
    key = cache_key(robot.source, {"pose": repr((robot.world_from_base, robot.home)), "m": ERROR_M})
    path = cache_folder() / f"surface-{key}.npz"
    if not path.exists():
        surfaces = _read(robot, ERROR_M)
        arrays = {"rgba": np.array([surface.rgba for surface in surfaces])}
        for k, surface in enumerate(surfaces):
            arrays |= {f"vertices{k}": surface.vertices, f"faces{k}": surface.faces}
        write_atomically(path, arrays)
    with np.load(path) as stored:
        return tuple(
            Surface(stored[f"vertices{k}"], stored[f"faces{k}"], tuple(map(float, rgba)))
            for k, rgba in enumerate(stored["rgba"])
        )


def _read(robot: Robot, error_m: float | None) -> list[Surface]:
    """The surface from the source model, simplified unless ``error_m`` is None."""
    import mujoco

    model = compile_source(robot.source, robot.world_from_base)
    data = posed(model, robot.home)
    pieces: dict[tuple, list[tuple[np.ndarray, np.ndarray]]] = {}
    for geom in range(model.ngeom):
        visible = model.geom_group[geom] == _VISIBLE_GROUP
        if not visible or model.geom_type[geom] != mujoco.mjtGeom.mjGEOM_MESH:
            continue
        material = model.geom_matid[geom]
        rgba = model.mat_rgba[material] if material >= 0 else model.geom_rgba[geom]
        vertices, faces = _piece(model, data, geom)
        if error_m is not None:
            vertices, faces = _simplify(vertices, faces, error_m)
        pieces.setdefault(tuple(map(float, rgba)), []).append((vertices, faces))
    return [_joined(parts, rgba) for rgba, parts in pieces.items()]


def _piece(
    model: "mujoco.MjModel", data: "mujoco.MjData", geom: int
) -> tuple[np.ndarray, np.ndarray]:
    """Vertices in the table frame and faces of one mesh geom."""
    mesh = model.mesh(model.geom_dataid[geom])
    v, f = int(mesh.vertadr[0]), int(mesh.faceadr[0])
    vertices = model.mesh_vert[v : v + int(mesh.vertnum[0])]
    faces = model.mesh_face[f : f + int(mesh.facenum[0])]
    return vertices @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom], faces


def _simplify(
    vertices: np.ndarray, faces: np.ndarray, error_m: float
) -> tuple[np.ndarray, np.ndarray]:
    """Contract edges as long as the surface stays within ``error_m`` of where it was."""
    from opengl_decimate import SimplifyOptions, simplify

    # Some source meshes hold every triangle twice, which forbids contracting their edges.
    _, once = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    result = simplify(
        {"POSITION": vertices.astype(np.float32)},
        faces[np.sort(once)].astype(np.uint32).ravel(),
        SimplifyOptions(target_error=error_m, weld_tolerance=_WELD_M),
    )
    return result.attributes["POSITION"], result.indices.reshape(-1, 3)


def _joined(parts: list[tuple[np.ndarray, np.ndarray]], rgba: tuple[float, ...]) -> Surface:
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + start for (_, faces), start in zip(parts, starts, strict=False)]
    return Surface(
        np.concatenate([vertices for vertices, _ in parts]).astype(np.float32),
        np.concatenate(faces).astype(np.int32),
        rgba,
    )

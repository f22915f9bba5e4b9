"""What is drawn of a robot: its visible surface at rest, thinned out.

The source meshes have 170,000 to 340,000 triangles, most of them inside the shell or smaller than a
pixel. Edges are contracted while the surface moves less than about ERROR_M (Garland and Heckbert's
quadric error), which leaves about a tenth. Pieces of one colour become one mesh in the table frame,
so that a robot costs a picture a handful of draw calls.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
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

ERROR_M = 4e-4
"""How far simplification may move the surface: less than half a pixel at arm's length."""

# What is below the table top is farther from all cameras and mostly hidden.
_BELOW = 2.0
_WELD_M = 1e-5
_VISIBLE_GROUP = 1


@dataclass(frozen=True)
class Surface:
    """Triangles of one colour: ``vertices`` (n, 3) in the table frame (m), ``faces`` (m, 3)."""

    vertices: np.ndarray
    faces: np.ndarray
    rgba: tuple[float, ...]


def draw_robot(spec: "mujoco.MjSpec", name: str, *, full: bool = False) -> None:
    """Add the robot at rest to ``spec``, to be looked at: one motionless body without contacts.

    ``full`` draws every triangle of the source model instead (to compare pictures, not for use).
    Raises as :func:`pactwin.sim.robots.add_robot`.
    """
    import mujoco

    body = spec.worldbody.add_body(name=PREFIX.rstrip("/"))
    for k, (path, rgba) in enumerate(surface_files(name, None if full else ERROR_M)):
        mesh = f"{PREFIX}surface_{k}"
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


@lru_cache(maxsize=4)
def surface_files(name: str, error_m: float | None) -> tuple[tuple[Path, tuple[float, ...]], ...]:
    """Mesh files of a robot at rest, in the table frame, each with its colour (rgba).

    Made when first asked for; ``error_m`` None leaves the surface as it is.
    """
    robot = robot_named(name)
    pose = repr((robot.world_from_base, robot.home))
    key = cache_key(robot.source, {"pose": pose, "error_m": error_m, "below": _BELOW})
    index = cache_folder() / f"surface-{key}.json"
    if not index.exists():
        colors = []
        for k, surface in enumerate(_read(robot, error_m)):
            write_atomically(_mesh_file(key, k), _msh(surface))
            colors.append(surface.rgba)
        # Written last: where it is, the meshes are whole.
        write_atomically(index, json.dumps(colors).encode())
    colors = json.loads(index.read_text(encoding="utf-8"))
    return tuple((_mesh_file(key, k), tuple(rgba)) for k, rgba in enumerate(colors))


def _mesh_file(key: str, k: int) -> Path:
    return cache_folder() / f"surface-{key}-{k}.msh"


def _msh(surface: Surface) -> bytes:
    """MuJoCo's binary mesh format: numbers of vertices, normals, texture points, faces; data."""
    header = np.array([len(surface.vertices), 0, 0, len(surface.faces)], "<i4")
    vertices, faces = surface.vertices.astype("<f4"), surface.faces.astype("<i4")
    return header.tobytes() + vertices.tobytes() + faces.tobytes()


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
            below = vertices[:, 2].max() < 0.0
            vertices, faces = _simplify(vertices, faces, error_m * (_BELOW if below else 1.0))
        pieces.setdefault(tuple(map(float, rgba)), []).append((vertices, faces))
    surfaces = [_joined(parts, rgba) for rgba, parts in pieces.items()]
    # Screws and the like may have vanished altogether; MuJoCo wants four vertices.
    return [surface for surface in surfaces if len(surface.vertices) >= 4]


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

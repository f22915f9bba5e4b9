"""A robot as links with joints and collision shapes, read once from its source model.

The source models (MJCF with some 16 MB of meshes) are compiled once per machine. pactwin needs
little of them: the joint and convex collision shapes of each moving link, and the visible surface
at rest (:mod:`pactwin.sim.robots.surface`). Both are stored in files named by hashes of the source
files and all parameters, so that a changed source makes a new file.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from pydantic import TypeAdapter

from pactwin.sim.robots.cache import cache_folder, write_cached
from pactwin.sim.robots.source import ModelSource, cache_key, compile_source, posed
from pactwin.sim.scene.pose import Pose, Vec3, as_pose, frame, vec3

if TYPE_CHECKING:
    import mujoco


_PROBE_M = 0.005
"""Geoms no larger than this do not count: the tiny probes under a humanoid's feet."""


@dataclass(frozen=True)
class CollisionShape:
    """One convex collision shape of a link: a primitive of ``size``, or the hull of points."""

    type: int
    link_from_geom: Pose
    size: Vec3
    hull: tuple[Vec3, ...] | None


@dataclass(frozen=True)
class Link:
    """A rigid part of the robot, moved by ``joint`` (None if fixed).

    ``axis`` and ``anchor`` (m), a point on it, are in the link's own frame.
    """

    name: str
    parent: str | None
    parent_from_link: Pose
    joint: str | None
    axis: Vec3
    anchor: Vec3
    range_rad: tuple[float, float]
    shapes: tuple[CollisionShape, ...]


@dataclass(frozen=True)
class Links:
    """All links, parents first, and pairs of links that touch at rest."""

    links: tuple[Link, ...]
    touching: tuple[tuple[str, str], ...]


@lru_cache(maxsize=4)
def load_links(
    source: ModelSource,
    world_from_base: Pose,
    home: tuple[tuple[str, float], ...],
    moving: tuple[str, ...],
) -> Links:
    """The robot as links in the table frame: ``moving`` joints at zero, all others as in ``home``.

    ``touching`` is determined with every joint at ``home``; links connected by a joint always
    count.
    """
    key = cache_key(source, {"base": asdict(world_from_base), "home": home, "moving": moving})
    path = cache_folder() / f"links-{key}.json"
    if not path.exists():
        links = _read_links(source, world_from_base, dict(home), moving)
        write_cached(path, json.dumps(asdict(links)).encode())
    return TypeAdapter(Links).validate_json(path.read_bytes())


def _read_links(
    source: ModelSource, world_from_base: Pose, home: dict[str, float], moving: tuple[str, ...]
) -> Links:
    model = compile_source(source, world_from_base, solid=True)
    data = posed(model, home | dict.fromkeys(moving, 0.0))
    joint_of = {int(model.joint(name).bodyid[0]): name for name in moving}
    links: dict[int, dict] = {0: dict(name="base", parent=None, pose=np.eye(4), shapes=[])}
    owner = {0: 0}
    for body in range(1, model.nbody):
        owner[body] = owner[int(model.body_parentid[body])]
        if body in joint_of:
            links[body] = dict(
                name=model.body(body).name,
                parent=owner[body],
                pose=frame(data.xpos[body], data.xmat[body]),
                shapes=[],
            )
            owner[body] = body
    collide = (model.geom_contype | model.geom_conaffinity) > 0
    collide &= model.geom_rbound > _PROBE_M
    for geom in range(model.ngeom):
        if collide[geom]:
            link = owner[int(model.geom_bodyid[geom])]
            links[link]["shapes"].append(_shape(model, data, geom, links[link]["pose"]))
    # Whichever links their source lets pass through each other: here all collide.
    model.geom_contype[:] = collide
    at_home = posed(model, home)
    touching = {(links[link["parent"]]["name"], link["name"]) for b, link in links.items() if b}
    for contact in at_home.contact:
        a, b = (owner[int(model.geom_bodyid[g])] for g in sorted(contact.geom))
        if a != b and collide[contact.geom].all():
            touching.add((links[min(a, b)]["name"], links[max(a, b)]["name"]))
    return Links(
        tuple(_link(model, links, body, joint_of.get(body)) for body in links),
        tuple(sorted(touching)),
    )


def _link(model: "mujoco.MjModel", links: dict[int, dict], body: int, joint: str | None) -> Link:
    link = links[body]
    above = None if link["parent"] is None else links[link["parent"]]
    pose = link["pose"] if above is None else np.linalg.inv(above["pose"]) @ link["pose"]
    return Link(
        name=link["name"],
        parent=None if above is None else above["name"],
        parent_from_link=as_pose(pose),
        joint=joint,
        axis=vec3(model.joint(joint).axis) if joint else (0.0, 0.0, 1.0),
        anchor=vec3(model.joint(joint).pos) if joint else (0.0, 0.0, 0.0),
        range_rad=_range(model.joint(joint).range) if joint else (0.0, 0.0),
        shapes=tuple(link["shapes"]),
    )


def _shape(
    model: "mujoco.MjModel", data: "mujoco.MjData", geom: int, world_from_link: np.ndarray
) -> CollisionShape:
    import mujoco

    pose = frame(data.geom_xpos[geom], data.geom_xmat[geom])
    hull = None
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
        hull = _hull(model, int(model.geom_dataid[geom]))
    return CollisionShape(
        type=int(model.geom_type[geom]),
        link_from_geom=as_pose(np.linalg.inv(world_from_link) @ pose),
        size=vec3(model.geom_size[geom]),
        hull=hull,
    )


def _hull(model: "mujoco.MjModel", mesh: int) -> tuple[Vec3, ...]:
    """Vertices of the convex hull that MuJoCo computed for a mesh.

    ``mesh_graph`` starts with the number of hull vertices and faces; after one edge address per
    vertex come the vertices' indices in the mesh.
    """
    if model.mesh_graphadr[mesh] < 0:
        raise RuntimeError(f"MuJoCo made no hull for mesh {model.mesh(mesh).name!r}")
    graph = model.mesh_graph[model.mesh_graphadr[mesh] :]
    n = int(graph[0])
    return tuple(map(vec3, model.mesh_vert[model.mesh_vertadr[mesh] + graph[2 + n : 2 + 2 * n]]))


def _range(values: Iterable[float]) -> tuple[float, float]:
    low, high = map(float, values)
    return low, high

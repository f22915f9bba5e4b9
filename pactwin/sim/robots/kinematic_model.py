"""A robot's kinematics for reach: arm joints and convex collision shapes, added to an ``MjSpec``.

The source models (MJCF with some 16 MB of meshes) are compiled once per machine. What pactwin needs
of them is stored in files named by hashes of the source files and all parameters, so that a changed
source makes a new file: here links, joints and hulls, in :mod:`pactwin.sim.robots.surface` what is
drawn.
"""

import json
from dataclasses import asdict
from functools import lru_cache
from math import pi
from typing import TYPE_CHECKING, Any

import numpy as np

from pactwin.sim.robots.cache import cache_folder, hull_file, write_cached
from pactwin.sim.robots.models import PREFIX, ROBOT_GROUP, Robot
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.robots.source import cache_key, compile_source, link_of_bodies, posed
from pactwin.sim.scene.pose import as_pose, frame

if TYPE_CHECKING:
    import mujoco

_PROBE_M = 0.005
"""Geoms no larger than this do not count: the tiny probes under a humanoid's feet."""


def add_robot(spec: "mujoco.MjSpec", name: str) -> Robot:
    """Add the robot's kinematics to ``spec``, in the table frame: arm joints and collision shapes.

    Each link is a body named PREFIX + its name in the source model; everything fixed is in the body
    PREFIX + "base". Geoms are convex, in ROBOT_GROUP, and not drawn. Pairs of links that touch at
    rest are excluded from contact. Every arm gets its palm site.

    Raises InvalidInputError for an unknown name, EnvironmentFaultError if the robot's package is
    not installed.
    """
    import mujoco

    robot = robot_named(name)
    # Angles in a specification are in the unit that its compiler expects.
    unit = 180.0 / pi if spec.compiler.degree else 1.0
    stored = _links(name)
    for link, fields in stored["links"].items():
        parent = spec.body(PREFIX + fields["parent"]) if fields["parent"] else spec.worldbody
        body = parent.add_body(name=PREFIX + link, **fields["pose"])
        if joint := fields["joint"]:
            limits = robot.limits_rad.get(joint["name"], joint["range"])
            body.add_joint(
                name=PREFIX + joint["name"],
                type=mujoco.mjtJoint.mjJNT_HINGE,
                pos=joint["pos"],
                axis=joint["axis"],
                range=[angle * unit for angle in limits],
                limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            )
        if not fields["geoms"]:  # of no weight, which MuJoCo refuses of what moves
            body.explicitinertial = True
            body.mass, body.inertia = 1e-3, (1e-6, 1e-6, 1e-6)
        for k, shape in enumerate(fields["geoms"]):
            geom = body.add_geom(name=f"{PREFIX}{link}_{k}", group=ROBOT_GROUP, **shape["pose"])
            geom.type = mujoco.mjtGeom(shape["type"])
            if shape["hull"] is None:
                geom.size = shape["size"]
            else:
                # MuJoCo keeps meshes that come from files: models compile five times as fast.
                file = str(hull_file(np.array(shape["hull"])))
                geom.meshname = spec.add_mesh(name=geom.name, file=file).name
    for a, b in stored["touching"]:
        spec.add_exclude(bodyname1=PREFIX + a, bodyname2=PREFIX + b)
    for arm in robot.arms:
        palm = arm.hand_from_palm
        spec.body(arm.hand_body).add_site(name=arm.palm_site, pos=palm.pos, quat=palm.quat)
    return robot


def links_of(name: str) -> tuple[str, ...]:
    """Names of a robot's links, parents first; "base" is everything fixed."""
    return tuple(_links(name)["links"])


@lru_cache(maxsize=4)
def _links(name: str) -> dict[str, Any]:
    """Links by name, parents first, with joints and shapes, and pairs of links that touch at rest.

    Joints of arms are at zero, all others at rest. A link is moved by its joint, whose axis and
    position are in the link's frame; a shape is a primitive or the hull of points.
    """
    robot = robot_named(name)
    about = {"base": asdict(robot.world_from_base), "home": robot.home, "moving": robot.moving}
    path = cache_folder() / f"links-{cache_key(robot.source, about)}.json"
    if not path.exists():
        write_cached(path, json.dumps(_read_links(robot)).encode())
    stored: dict[str, Any] = json.loads(path.read_bytes())
    return stored


def _read_links(robot: Robot) -> dict[str, Any]:
    model = compile_source(robot.source, robot.world_from_base, solid=True)
    data = posed(model, robot.home | dict.fromkeys(robot.moving, 0.0))
    names, owner = link_of_bodies(model, robot.moving)
    frames = {body: frame(data.xpos[body], data.xmat[body]) for body in names}
    frames[0] = np.eye(4)
    links: dict[str, Any] = {}
    for body, link in names.items():
        above = owner[int(model.body_parentid[body])] if body else 0
        joint = model.joint(model.body_jntadr[body]) if body else None
        links[link] = {
            "parent": names[above] if body else "",
            "pose": asdict(as_pose(np.linalg.inv(frames[above]) @ frames[body])),
            "joint": joint
            and {
                "name": joint.name,
                "pos": joint.pos.tolist(),
                "axis": joint.axis.tolist(),
                "range": joint.range.tolist(),
            },
            "geoms": [],
        }
    collide = (model.geom_contype | model.geom_conaffinity) > 0
    collide &= model.geom_rbound > _PROBE_M
    for geom in np.flatnonzero(collide):
        body = owner[int(model.geom_bodyid[geom])]
        pose = frame(data.geom_xpos[geom], data.geom_xmat[geom])
        links[names[body]]["geoms"].append(
            {
                "type": int(model.geom_type[geom]),
                "pose": asdict(as_pose(np.linalg.inv(frames[body]) @ pose)),
                "size": model.geom_size[geom].tolist(),
                "hull": _hull(model, int(model.geom_dataid[geom])),
            }
        )
    # Whichever links their source lets pass through each other: here all collide.
    model.geom_contype[:] = collide
    touching = {(fields["parent"], link) for link, fields in links.items() if fields["parent"]}
    for contact in posed(model, robot.home).contact:
        a, b = sorted(owner[int(model.geom_bodyid[g])] for g in contact.geom)
        if a != b and collide[contact.geom].all():
            touching.add((names[a], names[b]))
    return {"links": links, "touching": sorted(touching)}


def _hull(model: "mujoco.MjModel", mesh: int) -> list[list[float]] | None:
    """Vertices of the convex hull that MuJoCo computed for a mesh; None for no mesh (-1).

    ``mesh_graph`` starts with the number of hull vertices and faces; after one edge address per
    vertex come the vertices' indices in the mesh.
    """
    if mesh < 0:
        return None
    if model.mesh_graphadr[mesh] < 0:
        raise RuntimeError(f"MuJoCo made no hull for mesh {model.mesh(mesh).name!r}")
    graph = model.mesh_graph[model.mesh_graphadr[mesh] :]
    n = int(graph[0])
    vertices: list[list[float]] = model.mesh_vert[
        model.mesh_vertadr[mesh] + graph[2 + n : 2 + 2 * n]
    ].tolist()
    return vertices


@lru_cache(maxsize=4)
def resting_arms_m(name: str) -> tuple[np.ndarray, ...]:
    """Joint positions (j, 3) of each resting arm, from shoulder to wrist.

    In the table frame, m. Raises as :func:`add_robot`.
    """
    import mujoco

    spec = mujoco.MjSpec()
    robot = add_robot(spec, name)
    data = posed(spec.compile(), robot.resting_rad)
    return tuple(np.array([data.joint(j).xanchor for j in arm.joint_names]) for arm in robot.arms)

"""A robot's kinematics for reach: arm joints and collision shapes, added to an ``MjSpec``."""

from functools import lru_cache
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.robots.cache import hull_file
from pactwin.sim.robots.links import load_links
from pactwin.sim.robots.models import PREFIX, ROBOT_GROUP, Robot
from pactwin.sim.robots.registry import robot_named

if TYPE_CHECKING:
    import mujoco


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
    bodies: dict[str, mujoco.MjsBody] = {}
    links = load_links(robot.source, robot.world_from_base, tuple(robot.home.items()), robot.moving)
    for link in links.links:
        parent = bodies[link.parent] if link.parent else spec.worldbody
        body = parent.add_body(
            name=PREFIX + link.name, pos=link.parent_from_link.pos, quat=link.parent_from_link.quat
        )
        bodies[link.name] = body
        if link.joint:
            body.add_joint(
                name=PREFIX + link.joint,
                type=mujoco.mjtJoint.mjJNT_HINGE,
                pos=link.anchor,
                axis=link.axis,
                range=[angle * unit for angle in robot.limits_rad.get(link.joint, link.range_rad)],
                limited=mujoco.mjtLimited.mjLIMITED_TRUE,
            )
        if not link.shapes:  # of no weight, which MuJoCo refuses of what moves
            body.explicitinertial = True
            body.mass, body.inertia = 1e-3, (1e-6, 1e-6, 1e-6)
        for k, shape in enumerate(link.shapes):
            geom = body.add_geom(
                name=f"{PREFIX}{link.name}_{k}",
                type=mujoco.mjtGeom(shape.type),
                pos=shape.link_from_geom.pos,
                quat=shape.link_from_geom.quat,
                group=ROBOT_GROUP,
            )
            if shape.hull is None:
                geom.size = shape.size
            else:
                # MuJoCo keeps meshes that come from files: models compile five times as fast.
                file = str(hull_file(np.array(shape.hull)))
                geom.meshname = spec.add_mesh(name=geom.name, file=file).name
    for a, b in links.touching:
        spec.add_exclude(bodyname1=PREFIX + a, bodyname2=PREFIX + b)
    for arm in robot.arms:
        bodies[arm.hand].add_site(
            name=arm.palm_site, pos=arm.hand_from_palm.pos, quat=arm.hand_from_palm.quat
        )
    return robot


@lru_cache(maxsize=4)
def resting_arms_m(name: str) -> tuple[np.ndarray, ...]:
    """Joint positions (j, 3) of each resting arm, from shoulder to wrist.

    In the table frame, m. Raises as :func:`add_robot`.
    """
    import mujoco

    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    robot = add_robot(spec, name)
    model = spec.compile()
    data = mujoco.MjData(model)
    found = []
    for arm in robot.arms:
        joints = [model.joint(joint) for joint in arm.joint_names]
        data.qpos[[int(joint.qposadr[0]) for joint in joints]] = robot.home_rad(arm)
        mujoco.mj_kinematics(model, data)
        found.append(data.xanchor[[joint.id for joint in joints]].copy())
    return tuple(found)

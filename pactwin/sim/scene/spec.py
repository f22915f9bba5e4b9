"""Parts as geoms of a MuJoCo model, for physics, pictures and reach."""

import mujoco

from pactwin.sim.scene.layout import Part

_GEOM = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "hull": mujoco.mjtGeom.mjGEOM_MESH,
    "surface": mujoco.mjtGeom.mjGEOM_MESH,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}


def geom_size(part: Part) -> tuple[float, float, float]:
    """MuJoCo's ``size`` of a part: half extents, or radius and half length."""
    x, y, z = (s / 2 for s in part.size_m)
    match part.shape:
        case "cylinder":
            return (x, z, 0.0)
        case "capsule":
            return (x, z - x, 0.0)
        case _:
            return (x, y, z)


def add_part(spec: mujoco.MjSpec, body: mujoco.MjsBody, part: Part, name: str) -> mujoco.MjsGeom:
    """Add one part to ``body`` as a geom called ``name``, with only its shape and pose."""
    geom = body.add_geom(name=name, type=_GEOM[part.shape], pos=part.pose.pos, quat=part.pose.quat)
    match part.shape:
        case "hull":
            spec.add_mesh(name=name, uservert=[v for corner in part.corners_m for v in corner])
            geom.meshname = name
        case "surface":
            spec.add_mesh(
                name=name,
                uservert=[v for corner in part.corners_m for v in corner],
                userface=[k for face in part.faces for k in face],
                inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
            )
            geom.meshname = name
        case "mesh":
            spec.add_mesh(
                name=name,
                file=part.mesh_file,
                scale=part.mesh_scale,
                refquat=part.mesh_quat,
            )
            geom.meshname = name
        case _:
            geom.size = geom_size(part)
    return geom

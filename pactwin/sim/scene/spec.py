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
    if part.shape not in ("hull", "surface", "mesh"):
        geom.size = geom_size(part)
        return geom
    mesh = spec.add_mesh(name=name)
    geom.meshname = name
    if part.shape == "mesh":
        mesh.file, mesh.scale, mesh.refquat = part.mesh_file, part.mesh_scale, part.mesh_quat
    else:
        mesh.uservert = [v for corner in part.corners_m for v in corner]
    if part.shape == "surface":
        mesh.userface = [k for face in part.faces for k in face]
        mesh.inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL
    return geom

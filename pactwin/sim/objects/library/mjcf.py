"""Read an object in an MJCF file as an item: its geoms become parts.

The files are untrusted: only meshes and pictures inside a given folder are read, and models only as
far as :mod:`pactwin.sim.scene.mjcf` allows.
"""

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np

from pactwin.catalogue import ObjectKind, typical_facts
from pactwin.sim.objects.palette import COLORS
from pactwin.sim.scene.geometry import part_points, points_of_parts
from pactwin.sim.scene.layout import Item, Part, Shape
from pactwin.sim.scene.mjcf import beside, compile_model, named_files, read_model
from pactwin.sim.scene.pose import ORIGIN, Pose, Vec3, quat, quat_of, vec3
from pactwin.suite import InvalidInputError, open_picture

REGION = "reg_"
"""Name prefix of RoboCasa's region geoms, which mark places and are not solid."""

_COLLISION_GROUP = 0
_FRICTION = 0.95
_SHAPES: dict[int, Shape] = {
    mujoco.mjtGeom.mjGEOM_BOX: "box",
    mujoco.mjtGeom.mjGEOM_SPHERE: "sphere",
    mujoco.mjtGeom.mjGEOM_CYLINDER: "cylinder",
    mujoco.mjtGeom.mjGEOM_CAPSULE: "capsule",
    mujoco.mjtGeom.mjGEOM_ELLIPSOID: "ellipsoid",
    mujoco.mjtGeom.mjGEOM_MESH: "mesh",
}


def item_of(
    path: Path,
    kind: ObjectKind,
    *,
    within: Path,
    asset: str,
    scale: Vec3 = (1.0, 1.0, 1.0),
    trust_mass: bool = False,
) -> Item:
    """The object of the model at ``path`` in the file's pose, ``scale`` times as large.

    As in RoboCasa's loader, all positions, sizes and meshes are scaled in the object's frame. Geoms
    of group 0 collide and the others are only drawn; without others, group 0 is drawn. The mass is
    that of a typical object of the kind and size, because the libraries' densities are arbitrary;
    with ``trust_mass`` it is the model's if the file states masses (``mass``, ``inertial``).
    ``asset`` is the model's name in records. Raises InvalidInputError that names the model if files
    are missing, outside ``within`` or broken, or for an unknown geom shape; SuiteError for pictures
    that are broken or too large.
    """
    model_files(path, asset, within)
    spec = read_model(path, asset)
    _scale(spec, np.array(scale))
    model = compile_model(spec, asset)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    geoms = [g for g in range(model.ngeom) if not model.geom(g).name.startswith(REGION)]
    seen = [g for g in geoms if model.geom_group[g] != _COLLISION_GROUP]
    solid = [g for g in geoms if model.geom_group[g] == _COLLISION_GROUP] or seen
    if not solid:
        raise InvalidInputError(f"{asset}: the model has no geom to be seen")
    parts = tuple(
        replace(_part(spec, model, data, g, asset), drawn=g in (seen or solid), collides=g in solid)
        for g in sorted({*seen, *solid})
    )
    points = np.concatenate(points_of_parts(part for part in parts if part.drawn))
    low, high = points.min(axis=0), points.max(axis=0)
    size, (x, y, z) = vec3(high - low), vec3((low + high) / 2)
    parts = tuple(replace(part, pose=part.pose.moved(-x, -y, -z)) for part in parts)
    textured = any(part.texture_file for part in parts if part.drawn)
    rgba = next((part.rgba for part in parts if part.drawn and part.rgba), (0.8, 0.8, 0.8, 1.0))
    return Item(
        name=kind.title,
        category=kind.name,
        parts=parts,
        size_m=size,
        mass_kg=(trust_mass and _stated_mass_kg(spec, model))
        or typical_facts(kind, size_m=size).mass_kg,
        color="as pictured" if textured else _nearest(rgba),
        rgba=rgba,
        material=max(kind.parts.values(), key=lambda name: kind.surface.get(name, 0.0)),
        asset=asset,
        world_from_object=ORIGIN,
        state=kind.states[0],
        friction=_FRICTION,
    )


def model_files(path: Path, asset: str, within: Path) -> set[Path]:
    """Every file of the model at ``path``: models, meshes and textures, as resolved paths.

    Raises InvalidInputError or SuiteError as :func:`item_of`.
    """
    found = set(named_files(path, asset, within))
    spec = read_model(path, asset)
    for mesh in spec.meshes:
        if mesh.file:
            found.add(beside(path, str(Path(spec.meshdir, mesh.file)), asset, within))
    for texture in spec.textures:
        for name in filter(None, (texture.file, *texture.cubefiles)):
            picture = beside(path, str(Path(spec.texturedir, name)), asset, within)
            with open_picture(picture, f"{asset}: {picture.name}"):
                found.add(picture)  # it is one, and not too large for MuJoCo to read
    return {file.resolve() for file in found}


def _stated_mass_kg(spec: mujoco.MjSpec, model: mujoco.MjModel) -> float:
    """Mass of the model if its file states any, else 0."""
    stated = any(np.isfinite(geom.mass) for geom in spec.geoms)
    stated = stated or any(body.explicitinertial for body in spec.bodies)
    return float(model.body_mass.sum()) if stated else 0.0


def _nearest(rgba: tuple[float, float, float, float]) -> str:
    """Name of the nearest colour of the palette."""
    return min(COLORS, key=lambda name: float(np.linalg.norm(np.subtract(COLORS[name], rgba)[:3])))


def _scale(spec: mujoco.MjSpec, factor: np.ndarray) -> None:
    """Scale meshes along their own axes, positions and sizes, as RoboCasa's loader does."""
    for mesh in spec.meshes:
        mesh.scale = mesh.scale * factor
    for body in spec.bodies:
        body.pos = body.pos * factor
    for geom in spec.geoms:
        geom.pos = geom.pos * factor
        geom.size = geom.size * factor


def _file(spec: mujoco.MjSpec, name: str, folder: str) -> Path:
    return Path(spec.modelfiledir) / folder / name


def _part(
    spec: mujoco.MjSpec,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    geom: int,
    asset: str,
) -> Part:
    shape = _SHAPES.get(int(model.geom_type[geom]))
    if shape is None:
        raise InvalidInputError(
            f"{asset}: a geom is a {mujoco.mjtGeom(model.geom_type[geom]).name}; known are "
            f"{', '.join(_SHAPES.values())}"
        )
    pose = Pose(vec3(data.geom_xpos[geom]), quat_of(data.geom_xmat[geom]))
    rgba, texture = _look(spec, model, geom)
    size = vec3(2 * model.geom_aabb[geom, 3:])
    part = Part(shape, size, pose, rgba=rgba, texture_file=texture)
    if shape != "mesh":
        return part
    mesh = int(model.geom_dataid[geom])
    # MuJoCo moved the mesh to its centre of mass and principal axes: undo that.
    centred = Pose(vec3(model.mesh_pos[mesh]), quat(model.mesh_quat[mesh]))
    source = spec.mesh(model.mesh(mesh).name)
    if not source.file:
        raise InvalidInputError(f"{asset}: mesh {source.name} has no file: save it as one")
    if np.any(source.refpos):
        raise InvalidInputError(f"{asset}: mesh {source.name} has a refpos, which is not read")
    part = replace(
        part,
        pose=pose @ centred.inverse(),
        mesh_file=str(_file(spec, source.file, spec.meshdir).resolve()),
        mesh_scale=vec3(source.scale),
        mesh_quat=quat(source.refquat),
    )
    return replace(part, size_m=vec3(np.ptp(part_points(part), axis=0)))


def _look(
    spec: mujoco.MjSpec, model: mujoco.MjModel, geom: int
) -> tuple[tuple[float, float, float, float], str | None]:
    """Colour of the geom or its material, and the file of the material's picture, if any."""
    material = int(model.geom_matid[geom])
    r, g, b, a = map(float, (model.geom_rgba[geom] if material < 0 else model.mat_rgba[material]))
    if material < 0:
        return (r, g, b, a), None
    texture = int(model.mat_texid[material, mujoco.mjtTextureRole.mjTEXROLE_RGB])
    file = spec.texture(model.texture(texture).name).file if texture >= 0 else ""
    path = str(_file(spec, file, spec.texturedir).resolve()) if file else None
    return (r, g, b, a), path

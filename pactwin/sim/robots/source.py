"""Source of a robot: an MJCF model and its meshes, from a package or a user's folder.

The files of a user's model are untrusted: :mod:`pactwin.sim.scene.mjcf` says what is accepted. Only
a robot's elements are kept: one tree of bodies with its joints, geoms and meshes.
"""

import hashlib
import json
import os
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pactwin.sim.packages import required_folder
from pactwin.sim.scene.mjcf import beside, compile_model, delete, listed, named_files, read_model
from pactwin.sim.scene.pose import Pose
from pactwin.suite import InvalidInputError

if TYPE_CHECKING:
    import mujoco

HULL_VERTICES = 128
"""Maximum vertices of a collision hull; hulls of the source meshes have thousands."""

FORMAT = 4
"""Version in every cache key: increase it when the meaning of a cached file changes."""


@dataclass(frozen=True)
class ModelSource:
    """A model and the models attached to its bodies.

    ``model`` is a path inside ``package`` or, without a package, the path of a user's file.
    ``attached`` holds (body, model file, prefix): names in an attached model start with
    ``prefix/``; its root's position is dropped, as robosuite does. ``root`` is the body that is
    used from the model, with everything below it; "" means the only one. In the bodies ``solid``
    all shapes collide, not only those that do so in the model.
    """

    model: str
    package: str = ""
    attached: tuple[tuple[str, str, str], ...] = ()
    root: str = ""
    solid: tuple[str, ...] = ()

    def path(self, model: str = "") -> Path:
        """Path of ``model``, or of the robot's own model; raises EnvironmentFaultError."""
        model = model or self.model
        if not self.package:
            return Path(model)
        return required_folder(self.package) / model

    def files(self) -> Iterator[Path]:
        """Every source file of the robot: models, their includes, meshes.

        Raises InvalidInputError if one is missing, outside the folder or unreadable.
        """
        for model in (self.model, *(model for _, model, _ in self.attached)):
            path = self.path(model)
            yield from named_files(path, _called(path), _around(path))


def digest(source: ModelSource) -> str:
    """SHA-256 (hex) over names and contents of the source's files."""
    whole = hashlib.sha256()
    for path in source.files():
        content = path.read_bytes()
        whole.update(f"{path.name}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()


def cache_key(source: ModelSource, parameters: dict) -> str:
    """Hash of the source files' contents and of ``parameters``."""
    import mujoco

    # The same model in another folder is the same model.
    what = asdict(replace(source, model=Path(source.model).name))
    about = [FORMAT, HULL_VERTICES, mujoco.__version__, what, digest(source), parameters]
    return hashlib.blake2b(json.dumps(about).encode(), digest_size=12).hexdigest()


def compile_source(
    source: ModelSource, world_from_base: Pose, *, solid: bool = False
) -> "mujoco.MjModel":
    """The whole robot at the table with its hands attached and full-resolution meshes.

    ``world_from_base`` is the pose of the source model's origin; with ``solid`` the shapes of the
    bodies in ``source.solid`` collide too. Raises InvalidInputError if the model cannot be
    compiled.
    """
    import mujoco

    spec = assemble(source)
    for name in source.solid:
        for geom in _body(spec, source, name).geoms:
            if geom.type == mujoco.mjtGeom.mjGEOM_MESH:
                # Else MuJoCo would keep a mesh without hull, and not make one when it is asked to.
                spec.mesh(geom.meshname).inertia = mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
            if solid:
                geom.contype = 1
    # Floors, lights and other furniture of the source's world stay behind.
    table = mujoco.MjSpec()
    frame = table.worldbody.add_frame(pos=world_from_base.pos, quat=world_from_base.quat)
    frame.attach_body(_root(spec, source), "", "")
    return compile_model(table, _called(source.path()))


def assemble(source: ModelSource) -> "mujoco.MjSpec":
    """The source model with its attached models, fixed at its own origin."""
    import mujoco

    spec = _spec(source.path())
    for body, model, prefix in source.attached:
        child = _spec(source.path(model))
        root = child.worldbody.first_body()
        root.pos = (0.0, 0.0, 0.0)
        spec.body(body).add_frame().attach_body(root, f"{prefix}/", "")
    for joint in list(spec.joints):
        if joint.type == mujoco.mjtJoint.mjJNT_FREE:
            delete(spec, joint)
    return spec


def posed(model: "mujoco.MjModel", angles: dict[str, float]) -> "mujoco.MjData":
    """Kinematics and contacts of ``model``, the named joints at ``angles``, all others at zero."""
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = 0.0
    for name, angle in angles.items():
        data.joint(name).qpos[0] = angle
    # No forces: where a stranger's model overlaps itself, solving for them takes minutes.
    for step in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_camlight, mujoco.mj_collision):
        step(model, data)
    return data


def link_of_bodies(
    model: "mujoco.MjModel", moving: Collection[str]
) -> tuple[dict[int, str], list[int]]:
    """Links by the body that carries them, parents first, and per body the one of its link.

    A link is what one of the joints ``moving`` moves; link 0, "base", is everything fixed.
    """
    moved = {int(model.joint(name).bodyid[0]) for name in moving}
    links, owner = {0: "base"}, [0]
    for body in range(1, model.nbody):
        if body in moved:
            links[body] = model.body(body).name
        owner.append(body if body in moved else owner[int(model.body_parentid[body])])
    return links, owner


def _spec(path: Path) -> "mujoco.MjSpec":
    """A model whose meshes have absolute paths, without what paints it."""
    spec = read_model(path, _called(path))
    for mesh in spec.meshes:
        if mesh.file:
            # Where MuJoCo itself would look, whatever order of folders was read before.
            named = os.path.join(spec.meshdir, mesh.file)  # noqa: PTH118
            mesh.file = str(beside(path, named, _called(path), _around(path)))
        mesh.maxhullvert = HULL_VERTICES
    spec.meshdir = ""
    for material in spec.materials:
        material.textures = [""] * len(material.textures)
    for texture in list(spec.textures):
        delete(spec, texture)
    return spec


def _body(spec: "mujoco.MjSpec", source: ModelSource, name: str) -> "mujoco.MjsBody":
    body = spec.body(name)
    if body is None:
        there = [body.name for body in spec.bodies if body.name]
        raise InvalidInputError(
            f"{source.path()} has no body {name!r}: it has {listed(there, most=60)}"
        )
    return body


def _root(spec: "mujoco.MjSpec", source: ModelSource) -> "mujoco.MjsBody":
    roots = {body.name: body for body in spec.worldbody.bodies if body.parent == spec.worldbody}
    if source.root:
        if source.root not in roots:
            raise InvalidInputError(
                f"{source.path()} has no root body {source.root!r}: it has {listed(roots)}"
            )
        return roots[source.root]
    if len(roots) != 1:
        raise InvalidInputError(
            f"{source.path()} has {len(roots)} root bodies ({listed(roots)}): "
            "name the robot's as root in the mapping"
        )
    return next(iter(roots.values()))


def _called(model: Path) -> str:
    return f"robot model {model}"


def _around(model: Path) -> Path:
    """Where the model's files may lie: packages keep meshes in a folder beside the model's.

    That is where the model really lies: caches have links to files that are elsewhere together.
    """
    return model.resolve().parent.parent

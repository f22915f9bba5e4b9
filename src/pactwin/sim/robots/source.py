"""Where a robot comes from: an MJCF model and its meshes, read from a package or a user's folder.

The files of a user's model were written by strangers. MuJoCo reads them, nothing of them is ever
run, and only what a robot here is made of is let in: one tree of bodies with its joints, geoms and
meshes. Files are named by their paths before anything is read: one that is missing, or lies
elsewhere than with the model, is refused.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np

from pactwin.sim.packages import package_folder
from pactwin.sim.pose import Pose
from pactwin.suite import EnvironmentFaultError, InvalidInputError

if TYPE_CHECKING:
    import mujoco

HULL_VERTICES = 128
"""Most vertices of a collision hull; the source meshes' own hulls have thousands."""

FORMAT = 2
"""Part of every cache key: count it up when the meaning of a cached file changes."""

# MuJoCo lets NaN pass.
_PLACES_AND_SIZES = (
    *("body_pos", "body_quat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis"),
    *("geom_pos", "geom_quat", "geom_size", "mesh_vert", "site_pos", "cam_pos"),
)

# Elements that may name files. Textures and skins are dropped, so their files are not needed.
_MAY_NAME_FILES = {"include", "mesh", "texture", "skin"}
# One line of these stands for any number of bodies and geoms: nothing a robot's arm is made of.
_MULTIPLYING = {"replicate", "composite", "flexcomp"}


@dataclass(frozen=True)
class Source:
    """A model and what is attached to its bodies.

    ``model`` is a path inside ``package``, or, without a package, the path of a user's file.
    ``attached`` holds (body, model file, prefix): names in an attached model start with
    ``prefix/``; its root's own position is dropped, as robosuite does. ``root`` is the body that is
    taken from the model, with all below it; "" is the only one there is. Of the bodies ``solid``
    all shapes collide, not only those that do so in the model.
    """

    model: str
    package: str = ""
    attached: tuple[tuple[str, str, str], ...] = ()
    root: str = ""
    solid: tuple[str, ...] = ()

    def path(self, model: str = "") -> Path:
        """Where ``model``, or the robot's own, lies; raises EnvironmentFaultError."""
        model = model or self.model
        if not self.package:
            return Path(model)
        folder = package_folder(self.package)
        if folder is None:
            project = self.package.replace("_", "-")
            raise EnvironmentFaultError(
                f"the robot's models are not installed: pip install {project}"
            )
        return folder / model

    def files(self) -> Iterator[Path]:
        """Every file the robot is made from: models, what they include, meshes.

        Raises InvalidInputError if one is missing, lies elsewhere or is not read.
        """
        for model in (self.model, *(model for _, model, _ in self.attached)):
            yield from _files(self.path(model))


def digest(source: Source) -> str:
    """SHA-256, hex, over names and contents of the source's files."""
    whole = hashlib.sha256()
    for path in source.files():
        content = path.read_bytes()
        whole.update(f"{path.name}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()


def cache_key(source: Source, parameters: dict) -> str:
    """A hash of the source files' contents and of ``parameters``."""
    import mujoco

    # The same model in another folder is the same model.
    what = asdict(replace(source, model=Path(source.model).name))
    about = [FORMAT, HULL_VERTICES, mujoco.__version__, what, digest(source), parameters]
    return hashlib.blake2b(json.dumps(about).encode(), digest_size=12).hexdigest()


def compile_source(
    source: Source, world_from_base: Pose, *, solid: bool = False
) -> "mujoco.MjModel":
    """The whole robot at the table, hands attached and nothing decimated.

    ``world_from_base`` is where the origin of the source model comes to lie; with ``solid``
    the shapes that ``source.solid`` means collide too. Raises InvalidInputError if the model
    cannot be compiled.
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
    try:
        model = table.compile()
    except ValueError as error:
        raise InvalidInputError(f"robot model {source.path()}: {_one_line(error)}") from error
    for name in _PLACES_AND_SIZES:
        if not np.isfinite(getattr(model, name)).all():
            raise InvalidInputError(f"robot model {source.path()}: {name} is not finite throughout")
    return model


def assemble(source: Source) -> "mujoco.MjSpec":
    """The source model with what is attached to it, standing on its own origin, unable to leave."""
    import mujoco

    spec = _spec(source.path())
    for body, model, prefix in source.attached:
        child = _spec(source.path(model))
        root = child.worldbody.first_body()
        root.pos = (0.0, 0.0, 0.0)
        spec.body(body).add_frame().attach_body(root, f"{prefix}/", "")
    for joint in list(spec.joints):
        if joint.type == mujoco.mjtJoint.mjJNT_FREE:
            joint.delete()
    return spec


def posed(model: "mujoco.MjModel", angles: dict[str, float]) -> "mujoco.MjData":
    """Kinematics of ``model`` with the named joints at ``angles``, all others at zero."""
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = 0.0
    for name, angle in angles.items():
        data.joint(name).qpos[0] = angle
    mujoco.mj_forward(model, data)
    return data


def _spec(path: Path) -> "mujoco.MjSpec":
    """A model whose meshes have absolute paths, without what drives, measures or paints it."""
    import mujoco

    try:
        spec = mujoco.MjSpec.from_file(str(path))
    except ValueError as error:
        raise InvalidInputError(f"robot model {path}: {_one_line(error)}") from error
    for mesh in spec.meshes:
        if mesh.file:
            # Where MuJoCo itself would look, whatever order of folders was read before.
            mesh.file = str(_beside(path, os.path.join(spec.meshdir, mesh.file)))  # noqa: PTH118
        mesh.maxhullvert = HULL_VERTICES
    spec.meshdir = ""
    for material in spec.materials:
        material.textures = [""] * len(material.textures)
    driving = (spec.actuators, spec.sensors, spec.keys, spec.tendons, spec.equalities)
    contacts = (spec.pairs, spec.excludes)
    for elements in (*driving, *contacts, spec.skins, spec.textures):
        for element in list(elements):
            element.delete()
    return spec


def _body(spec: "mujoco.MjSpec", source: Source, name: str) -> "mujoco.MjsBody":
    body = spec.body(name)
    if body is None:
        there = [body.name for body in spec.bodies if body.name]
        raise InvalidInputError(
            f"{source.path()} has no body {name!r}: it has {listed(there, most=60)}"
        )
    return body


def _root(spec: "mujoco.MjSpec", source: Source) -> "mujoco.MjsBody":
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


def _files(model: Path) -> Iterator[Path]:
    """The model's own file, those it includes, and its meshes, each once."""
    # MuJoCo looks for what is included, however deep, beside the model itself.
    seen: dict[Path, None] = {}
    meshes: dict[str, None] = {}
    folder = ""
    waiting = [model]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen[path] = None
        for element in _xml(path).iter():
            if element.tag == "compiler":
                folder = element.get("meshdir") or element.get("assetdir") or folder
            if element.tag in _MULTIPLYING:
                raise InvalidInputError(f"robot model {path}: <{element.tag}> is not read here")
            named = element.get("file")
            if named is None:
                continue
            if element.tag not in _MAY_NAME_FILES:
                raise InvalidInputError(
                    f"robot model {path}: <{element.tag} file={named!r}> is not read here; "
                    "only meshes and included models are"
                )
            if element.tag == "include":
                waiting.append(_beside(model, named))
            elif element.tag == "mesh":
                meshes[named] = None
    yield from seen
    for named in meshes:
        yield _beside(model, os.path.join(folder, named))  # noqa: PTH118 (an absolute one wins)


def _xml(path: Path) -> ElementTree.Element:
    try:
        text = path.read_bytes().decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # MuJoCo's parser skips it, so would see another model than we
            raise InvalidInputError(f"robot model {path} has a DOCTYPE, which is not read here")
        root = ElementTree.fromstring(text)  # noqa: S314
    except OSError as error:
        raise InvalidInputError(f"robot model {path}: {error.strerror}") from error
    except (ElementTree.ParseError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"robot model {path} is not XML: {error}") from error
    if root.tag not in ("mujoco", "mujocoinclude"):
        raise InvalidInputError(f"robot model {path} is not MJCF: it is a <{root.tag}>")
    return root


def _beside(model: Path, named: str) -> Path:
    """The file that ``model`` names; InvalidInputError if it is missing or lies elsewhere."""
    path = Path(os.path.normpath(model.parent / named))
    # Packages keep meshes in a folder beside the model's.
    around = Path(os.path.normpath(model.parent.absolute())).parent
    if not path.absolute().is_relative_to(around):
        raise InvalidInputError(f"robot model {model}: {named} lies outside of {around}")
    if not path.is_file():
        there = sorted(file.name for file in path.parent.glob("*")) if path.parent.is_dir() else []
        raise InvalidInputError(
            f"robot model {model}: {named} is missing; {path.parent} has {listed(there)}"
        )
    return path


def listed(names: Iterable[str], most: int = 12) -> str:
    """Names for an error message, the first ``most`` of them."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "nothing") + more


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())

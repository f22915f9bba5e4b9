"""What a robot's source model holds, read once and kept in the user's cache.

The source models (MJCF with some 16 MB of meshes) are compiled once per machine. What pactwin
needs of them is small: per moving link its joint and its convex collision shapes, and the visible
surface at rest (:mod:`pactwin.sim.robots.surface`). Both are stored in files whose names are hashes
of the source files and of all parameters, so that a changed source makes a new file.
"""

import hashlib
import importlib.util
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.pose import Pose, Quat, Vec3
from pactwin.suite import EnvironmentFaultError

if TYPE_CHECKING:
    import mujoco

HULL_VERTICES = 128
"""Most vertices of a collision hull; the source meshes' own hulls have thousands."""

FORMAT = 1
"""Part of every cache key: count it up when the meaning of a cached file changes."""


@dataclass(frozen=True)
class Source:
    """Where a robot comes from: a model inside a package and what is attached to its bodies.

    ``attached`` holds (body, model file, prefix): names in an attached model start with
    ``prefix/``; its root's own position is dropped, as robosuite does.
    """

    package: str
    model: str
    attached: tuple[tuple[str, str, str], ...]

    def folder(self) -> Path:
        """The installed package's folder, found without importing it.

        Raises EnvironmentFaultError if it is not installed.
        """
        found = importlib.util.find_spec(self.package)
        if found is None or not found.submodule_search_locations:
            project = self.package.replace("_", "-")
            raise EnvironmentFaultError(
                f"the robot's models are not installed: pip install {project}"
            )
        return Path(found.submodule_search_locations[0])


@dataclass(frozen=True)
class Shape:
    """One convex collision shape of a link: a primitive of ``size``, or the hull of points."""

    type: int
    link_from_geom: Pose
    size: Vec3
    hull: np.ndarray | None  # (n, 3)


@dataclass(frozen=True)
class Link:
    """A rigid part of the robot, moved by ``joint`` (None: it does not move)."""

    name: str
    parent: str | None
    parent_from_link: Pose
    joint: str | None
    axis: Vec3
    range_rad: tuple[float, float]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Links:
    """All links, parents first, and the pairs of them that touch at rest."""

    links: tuple[Link, ...]
    touching: tuple[tuple[str, str], ...]


@lru_cache(maxsize=4)
def load_links(
    source: Source,
    world_from_base: Pose,
    home: tuple[tuple[str, float], ...],
    moving: tuple[str, ...],
) -> Links:
    """The robot as links in the table frame: ``moving`` joints at zero, all others as in ``home``.

    ``touching`` is judged with every joint at ``home``; links joined by a joint always count.
    """
    key = cache_key(source, {"base": asdict(world_from_base), "home": home, "moving": moving})
    path = cache_folder() / f"links-{key}.npz"
    if not path.exists():
        buffer = BytesIO()
        links = _read_links(source, world_from_base, dict(home), moving)
        np.savez(buffer, allow_pickle=False, **_pack(links))
        write_atomically(path, buffer.getvalue())
    with np.load(path) as stored:
        return _unpack(stored)


def cache_folder() -> Path:
    """This project's cache folder; raises EnvironmentFaultError if it cannot be made."""
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("pactwin"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _no_cache(folder, error) from error
    return folder


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that no reader ever sees a part of it, whoever else writes it too.

    Raises EnvironmentFaultError if the folder cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError as error:
        raise _no_cache(path.parent, error) from error


def _no_cache(folder: Path, error: OSError) -> EnvironmentFaultError:
    return EnvironmentFaultError(
        f"cannot write the cache folder {folder} ({error.strerror}): "
        "set XDG_CACHE_HOME to a folder that can be written"
    )


def cache_key(source: Source, parameters: dict) -> str:
    """A hash of the source files' contents and of ``parameters``."""
    import mujoco

    folder = source.folder()
    digest = hashlib.blake2b(digest_size=12)
    models = [source.model, *(model for _, model, _ in source.attached)]
    digest.update(
        json.dumps([FORMAT, HULL_VERTICES, mujoco.__version__, asdict(source), parameters]).encode()
    )
    for model in models:
        digest.update((folder / model).read_bytes())
        spec = _spec(folder / model)
        for mesh in spec.meshes:
            digest.update(Path(mesh.file).read_bytes())
    return digest.hexdigest()


def compile_source(source: Source, world_from_base: Pose) -> "mujoco.MjModel":
    """The whole robot at the table, hands attached and nothing decimated."""
    import mujoco

    folder = source.folder()
    spec = _spec(folder / source.model)
    for body, model, prefix in source.attached:
        child = _spec(folder / model)
        root = child.worldbody.first_body()
        root.pos = (0.0, 0.0, 0.0)
        spec.body(body).add_frame().attach_body(root, f"{prefix}/", "")
    for joint in spec.joints:
        if joint.type == mujoco.mjtJoint.mjJNT_FREE:
            joint.delete()
    root = spec.worldbody.first_body()
    base = world_from_base @ Pose(vec3(root.pos), _quat(root.quat))
    root.pos, root.quat = base.pos, base.quat
    return spec.compile()


def _spec(path: Path) -> "mujoco.MjSpec":
    """A model whose meshes have absolute paths, without what drives or measures it."""
    import mujoco

    spec = mujoco.MjSpec.from_file(str(path))
    for mesh in spec.meshes:
        mesh.file = str(path.parent / spec.meshdir / mesh.file)
        mesh.maxhullvert = HULL_VERTICES
    spec.meshdir = ""
    for element in [*spec.actuators, *spec.sensors, *spec.cameras]:
        element.delete()
    return spec


def posed(model: "mujoco.MjModel", angles: dict[str, float]) -> "mujoco.MjData":
    """Kinematics of ``model`` with the named joints at ``angles``, all others at zero."""
    import mujoco

    data = mujoco.MjData(model)
    for name, angle in angles.items():
        data.joint(name).qpos[0] = angle
    mujoco.mj_forward(model, data)
    return data


def _read_links(
    source: Source, world_from_base: Pose, home: dict[str, float], moving: tuple[str, ...]
) -> Links:
    model = compile_source(source, world_from_base)
    data = posed(model, {j: a for j, a in home.items() if j not in moving})
    joint_of = {int(model.joint(name).bodyid[0]): name for name in moving}
    links: dict[int, dict] = {0: dict(name="base", parent=None, pose=np.eye(4), shapes=[])}
    owner = {0: 0}
    for body in range(1, model.nbody):
        owner[body] = owner[int(model.body_parentid[body])]
        if body in joint_of:
            links[body] = dict(
                name=model.body(body).name,
                parent=owner[body],
                pose=_body_pose(data, body),
                shapes=[],
            )
            owner[body] = body
    for geom in range(model.ngeom):
        if _collides(model, geom):
            link = owner[int(model.geom_bodyid[geom])]
            links[link]["shapes"].append(_shape(model, data, geom, links[link]["pose"]))
    at_home = posed(model, home)
    touching = {(links[link["parent"]]["name"], link["name"]) for b, link in links.items() if b}
    for contact in at_home.contact:
        a, b = (owner[int(model.geom_bodyid[g])] for g in sorted(contact.geom))
        if a != b and all(_collides(model, g) for g in contact.geom):
            touching.add((links[min(a, b)]["name"], links[max(a, b)]["name"]))
    return Links(
        tuple(_link(model, links, body, joint_of.get(body)) for body in links),
        tuple(sorted(touching)),
    )


def _collides(model: "mujoco.MjModel", geom: int) -> bool:
    """Whether a geom is a collision shape (not a tiny probe as under the G1's feet)."""
    touches = model.geom_contype[geom] | model.geom_conaffinity[geom]
    return bool(touches) and model.geom_group[geom] == 0 and model.geom_rbound[geom] > 0.005


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
        range_rad=_range(model.joint(joint).range) if joint else (0.0, 0.0),
        shapes=tuple(link["shapes"]),
    )


def _shape(
    model: "mujoco.MjModel", data: "mujoco.MjData", geom: int, world_from_link: np.ndarray
) -> Shape:
    import mujoco

    pose = np.eye(4)
    pose[:3, :3] = data.geom_xmat[geom].reshape(3, 3)
    pose[:3, 3] = data.geom_xpos[geom]
    hull = None
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
        hull = _hull(model, int(model.geom_dataid[geom]))
    return Shape(
        type=int(model.geom_type[geom]),
        link_from_geom=as_pose(np.linalg.inv(world_from_link) @ pose),
        size=vec3(model.geom_size[geom]),
        hull=hull,
    )


def _hull(model: "mujoco.MjModel", mesh: int) -> np.ndarray:
    """Vertices (n, 3) of the convex hull that MuJoCo computed for a mesh.

    ``mesh_graph`` starts with the number of hull vertices and faces; after one edge address per
    vertex come the vertices' indices in the mesh.
    """
    graph = model.mesh_graph[model.mesh_graphadr[mesh] :]
    n = int(graph[0])
    return model.mesh_vert[model.mesh_vertadr[mesh] + graph[2 + n : 2 + 2 * n]].astype(np.float64)


def _body_pose(data: "mujoco.MjData", body: int) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, :3] = data.xmat[body].reshape(3, 3)
    pose[:3, 3] = data.xpos[body]
    return pose


def as_pose(matrix: np.ndarray) -> Pose:
    """A 4x4 matrix as position and quaternion."""
    import mujoco

    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(matrix[:3, :3]).ravel())
    return Pose(vec3(matrix[:3, 3]), _quat(quat))


def _pack(links: Links) -> dict[str, np.ndarray]:
    """``links`` as arrays: hulls one by one, all else as JSON text."""
    arrays: dict[str, np.ndarray] = {}
    tree = asdict(links)
    for link in tree["links"]:
        for shape in link["shapes"]:
            if shape["hull"] is not None:
                name = f"hull{len(arrays)}"
                arrays[name], shape["hull"] = shape["hull"], name
    return arrays | {"tree": np.array(json.dumps(tree))}


def _unpack(arrays) -> Links:
    tree = json.loads(str(arrays["tree"]))
    links = []
    for link in tree["links"]:
        shapes = tuple(
            Shape(
                shape["type"],
                _pose(shape["link_from_geom"]),
                tuple(shape["size"]),
                None if shape["hull"] is None else arrays[shape["hull"]],
            )
            for shape in link["shapes"]
        )
        links.append(
            Link(
                **link
                | dict(
                    parent_from_link=_pose(link["parent_from_link"]),
                    axis=tuple(link["axis"]),
                    range_rad=tuple(link["range_rad"]),
                    shapes=shapes,
                )
            )
        )
    return Links(tuple(links), tuple(map(tuple, tree["touching"])))


def _pose(stored: dict) -> Pose:
    return Pose(vec3(stored["pos"]), _quat(stored["quat"]))


def vec3(values: Iterable[float]) -> Vec3:
    """Three numbers as plain floats."""
    x, y, z = map(float, values)
    return x, y, z


def _quat(values: Iterable[float]) -> Quat:
    w, x, y, z = map(float, values)
    return w, x, y, z


def _range(values: Iterable[float]) -> tuple[float, float]:
    low, high = map(float, values)
    return low, high

"""Users' own robots: read a robot from a model and a mapping file.

Such a robot is named by its mapping's name and a hash of all its files, as in
``g1_29dof@5f0c2a9be1d4c788``. Scenes record that name, so a suite identifies its robot exactly, and
a changed file makes another robot.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import JsonValue

from pactwin.sim.robots.mapping import ArmMapping, Mapping, Mount, find_mapping
from pactwin.sim.robots.menagerie import find_model
from pactwin.sim.robots.models import Arm, Robot
from pactwin.sim.robots.registry import is_registered, register
from pactwin.sim.robots.source import ModelSource, compile_source, digest, posed
from pactwin.sim.scene.mjcf import listed
from pactwin.sim.scene.pose import as_pose, frame
from pactwin.suite import InvalidInputError

if TYPE_CHECKING:
    import mujoco

# MuJoCo's cameras look along -z with y up; ours along x with z up.
_CAMERA_FROM_OURS = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])
_Named = Literal["body", "joint", "site", "camera"]
_SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")


@dataclass(frozen=True)
class RobotModel:
    """A user's robot: the paths of its files, and their hashes.

    It can be sent to other processes, which read the same files. ``mapping`` is None for a built-in
    one; ``sha256`` is over model, includes, meshes and mapping.
    """

    name: str
    model: Path
    mapping: Path | None
    sha256: str

    def record(self) -> dict[str, JsonValue]:
        """The robot as JSON for the suite's header; without paths, which vary by machine."""
        return {
            "model": self.model.name,
            "mapping": self.mapping.name if self.mapping else "",
            "sha256": self.sha256,
        }


def load_robot_model(model: Path | str, mapping: Path | None = None) -> RobotModel:
    """Read a robot and register it by its name in this process.

    ``model`` is an MJCF file, or ``menagerie:FOLDER/FILE`` (see :func:`find_model`); without a
    ``mapping`` file a built-in one is used. Raises InvalidInputError if a file is invalid or they
    do not fit together.
    """
    path = find_model(str(model))
    file = find_mapping(path, mapping)
    source = ModelSource(model=str(path), root=file.mapping.root, solid=file.mapping.solid)
    whole = hashlib.sha256(f"{digest(source)}\0".encode() + file.content).hexdigest()
    name = f"{file.mapping.name}@{whole[:16]}"
    if not is_registered(name):
        try:
            register(_robot(name, source, file.mapping))
        except _Misfit as misfit:
            where = file.path or f"{file.mapping.name} (ours)"
            raise InvalidInputError(
                f"robot mapping {where} does not fit {path}: {misfit}"
            ) from misfit
    return RobotModel(name, path, file.path, whole)


def use_robot_model(robot: RobotModel) -> None:
    """Register ``robot`` in this process too; InvalidInputError if its files have changed."""
    if is_registered(robot.name):
        return
    found = load_robot_model(robot.model, robot.mapping)
    if found.sha256 != robot.sha256:
        raise InvalidInputError(f"robot model {robot.model} or its mapping has changed meanwhile")


class _Misfit(Exception):
    """Why a mapping does not fit a model."""


def _robot(name: str, source: ModelSource, mapping: Mapping) -> Robot:
    model = compile_source(source, mapping.base.pose)
    _require_shapes(model)
    for joint in mapping.rest:
        _find(model, "joint", joint)
    last = [_require_arm(model, arm, mapping.rest) for arm in mapping.arms]
    data = posed(model, mapping.rest)
    arms = [_arm(model, data, arm, body) for arm, body in zip(mapping.arms, last, strict=True)]
    head, _ = _mounted(model, data, mapping.head_camera)
    return mapping.robot(name, source, arms, as_pose(head))


def _require_shapes(model: "mujoco.MjModel") -> None:
    import mujoco

    for geom in range(model.ngeom):
        kind = mujoco.mjtGeom(model.geom_type[geom]).name.removeprefix("mjGEOM_").lower()
        if kind not in _SHAPES:
            where = model.body(model.geom_bodyid[geom]).name
            raise _Misfit(f"body {where!r} has a geom of type {kind}, which no robot here may have")


def _require_arm(model: "mujoco.MjModel", arm: ArmMapping, rest: dict[str, float]) -> int:
    """The arm's last body, once its joints were found to be one chain of limited hinges."""
    import mujoco

    above = 0
    for name in arm.joints:
        joint = _find(model, "joint", name)
        body = int(model.jnt_bodyid[joint])
        if model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_HINGE:
            raise _Misfit(f"joint {name!r} of arm {arm.name!r} is not a hinge")
        if body == above or above not in _ancestors(model, body):
            raise _Misfit(
                f"joint {name!r} of arm {arm.name!r} does not come after the one before it: "
                "list them from the shoulder to the wrist, each in a body of its own"
            )
        if model.body(body).name in ("", "base"):
            raise _Misfit(f"the body of joint {name!r} needs a name, and not 'base'")
        if name not in arm.limits_rad and not _limited(model, joint):
            raise _Misfit(
                f"joint {name!r} of arm {arm.name!r} has no finite limits: "
                "give them as limits_rad of the arm"
            )
        low, high = arm.limits_rad.get(name, tuple(model.jnt_range[joint]))
        if not low <= rest.get(name, 0.0) <= high:
            raise _Misfit(
                f"joint {name!r} rests at {rest.get(name, 0.0):g}, outside of its limits "
                f"{low:g} to {high:g}"
            )
        above = body
    return above


def _limited(model: "mujoco.MjModel", joint: int) -> bool:
    low, high = model.jnt_range[joint]
    return bool(model.jnt_limited[joint]) and bool(np.isfinite([low, high]).all()) and low < high


def _arm(model: "mujoco.MjModel", data: "mujoco.MjData", arm: ArmMapping, hand: int) -> Arm:
    world_from_palm, body = _mounted(model, data, arm.hand)
    if hand not in (body, *_ancestors(model, body)):
        raise _Misfit(
            f"the hand of arm {arm.name!r} is on body {model.body(body).name!r}, which "
            f"{arm.joints[-1]!r} does not move"
        )
    world_from_hand = frame(data.xpos[hand], data.xmat[hand])
    return Arm(
        name=arm.name,
        joints=arm.joints,
        hand=model.body(hand).name,
        hand_from_palm=as_pose(np.linalg.inv(world_from_hand) @ world_from_palm),
    )


def _mounted(
    model: "mujoco.MjModel", data: "mujoco.MjData", mount: Mount
) -> tuple[np.ndarray, int]:
    """A mount's 4x4 pose in the table frame with the robot at rest, and the body it is on."""
    mounted, body = np.eye(4), 0
    kinds: tuple[_Named, ...] = ("body", "site", "camera")
    for what in kinds:
        name = getattr(mount, what)
        if name:
            k = _find(model, what, name)
            there, declared = getattr(data, what)(k), getattr(model, what)(k)
            mounted = frame(there.xpos, there.xmat)
            body = k if what == "body" else int(declared.bodyid[0])
    if mount.camera:
        mounted[:3, :3] = mounted[:3, :3] @ _CAMERA_FROM_OURS
    return mounted @ mount.pose.matrix(), body


def _find(model: "mujoco.MjModel", what: _Named, name: str) -> int:
    """The id of a named element; _Misfit says which there are."""
    counts = {"body": model.nbody, "joint": model.njnt, "site": model.nsite, "camera": model.ncam}
    names = [getattr(model, what)(k).name for k in range(counts[what])]
    if name not in names:
        raise _Misfit(f"no {what} {name!r}; there are {listed([n for n in names if n], most=60)}")
    return names.index(name)


def _ancestors(model: "mujoco.MjModel", body: int) -> list[int]:
    found = []
    while body:
        body = int(model.body_parentid[body])
        found.append(body)
    return found

"""Mapping files: facts about a user's robot that its MJCF does not contain.

``docs/robots.md`` explains every key. Mappings for Unitree's 29-DoF G1 are built in and selected by
the model's file name.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, TypeAdapter, model_validator

from pactwin.sim.robots.models import Arm, Robot
from pactwin.sim.robots.source import ModelSource
from pactwin.sim.scene.pose import Pose, axis_angle, quat_multiply
from pactwin.suite import (
    Coordinate,
    InvalidInputError,
    Number,
    Positive,
    Record,
    parse_yaml,
    read_yaml,
)


def _rising(limits: tuple[float, float]) -> tuple[float, float]:
    if not limits[0] < limits[1]:
        raise ValueError(f"the lower limit {limits[0]} is not below the upper one {limits[1]}")
    return limits


def _turn(angle_rad: float) -> float:
    if abs(angle_rad) > math.tau:
        raise ValueError(f"{angle_rad} is more than a whole turn: give radians, not degrees")
    return angle_rad


Metres = tuple[Coordinate, Coordinate, Coordinate]
Angle = Annotated[Number, AfterValidator(_turn)]
Angles = tuple[Angle, Angle, Angle]
Limits = Annotated[tuple[Number, Number], AfterValidator(_rising)]


class Placement(Record):
    """A pose: translation, then rotations about the fixed axes x, y, z in that order."""

    pos_m: Metres = (0.0, 0.0, 0.0)
    rpy_rad: Angles = (0.0, 0.0, 0.0)

    @property
    def pose(self) -> Pose:
        """Pose; ``rpy_rad`` are roll, pitch, yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll)."""
        roll, pitch, yaw = self.rpy_rad
        turn = quat_multiply(axis_angle((0, 1, 0), pitch), axis_angle((1, 0, 0), roll))
        return Pose(self.pos_m, quat_multiply(axis_angle((0, 0, 1), yaw), turn))


class Mount(Placement):
    """A placement in the frame of one body, site or camera of the model, or else of the table."""

    body: str = ""
    site: str = ""
    camera: str = ""

    @model_validator(mode="after")
    def _one(self) -> "Mount":
        if sum(map(bool, (self.body, self.site, self.camera))) > 1:
            raise ValueError("name a body, a site or a camera of the model, and only one of them")
        return self


class ArmMapping(Record):
    """One arm: its hinges from the shoulder to the wrist, and its grasp centre.

    In the frame of ``hand``, z points out of the hand towards the grasped object, and x along the
    fingers' closing line. ``limits_rad`` replace the model's limits.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    joints: tuple[str, ...] = Field(min_length=1)
    hand: Mount
    limits_rad: dict[str, Limits] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _own_joints(self) -> "ArmMapping":
        if len(set(self.joints)) != len(self.joints):
            raise ValueError("a joint is named twice")
        for joint in self.limits_rad:
            if joint not in self.joints:
                raise ValueError(f"limits of {joint!r}, which is not one of the arm's joints")
        return self


class Mapping(Record):
    """A mapping file.

    ``models`` are the names of the MJCF files that it is meant for. ``base`` places the model's
    origin in the table frame. ``rest`` holds joints that do not rest at zero (rad; m for slides).
    All shapes of the bodies ``solid`` collide, as needed for hands without collision shapes.
    ``head_camera`` looks along x, with z up. ``span_m`` is the largest width that one hand grasps.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    models: tuple[str, ...] = ()
    root: str = ""
    base: Placement
    rest: dict[str, Number] = Field(default_factory=dict)
    solid: tuple[str, ...] = ()
    head_camera: Mount
    span_m: Positive = Robot.span_m
    arms: tuple[ArmMapping, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _arms_apart(self) -> "Mapping":
        if len({arm.name for arm in self.arms}) != len(self.arms):
            raise ValueError("two arms have the same name")
        joints = [joint for arm in self.arms for joint in arm.joints]
        if len(set(joints)) != len(joints):
            raise ValueError("two arms have a joint in common")
        return self

    def robot(
        self, name: str, source: ModelSource, arms: Sequence[Arm], world_from_head: Pose
    ) -> Robot:
        """The robot that this describes, its hands and head camera found in its model."""
        return Robot(
            name=name,
            source=source,
            world_from_base=self.base.pose,
            home=dict(self.rest),
            arms=tuple(arms),
            world_from_head=world_from_head,
            limits_rad={joint: pair for arm in self.arms for joint, pair in arm.limits_rad.items()},
            span_m=self.span_m,
        )


_FILE = TypeAdapter(Mapping)
M = TypeVar("M", bound=Mapping)


@dataclass(frozen=True)
class MappingFile:
    """A mapping with the bytes of its file; ``path`` is None for a built-in one."""

    mapping: Mapping
    content: bytes
    path: Path | None = None


def find_mapping(model: Path, path: Path | None) -> MappingFile:
    """The mapping at ``path`` or, without a path, the built-in one for ``model``'s name.

    Raises InvalidInputError.
    """
    if path is not None:
        return MappingFile(*read_yaml(_FILE, path, "robot mapping"), path)
    for ours in _ours():
        if model.name in ours.mapping.models:
            return ours
    known = sorted(name for ours in _ours() for name in ours.mapping.models)
    raise InvalidInputError(
        f"no mapping comes with pactwin for a model called {model.name} (only for "
        f"{', '.join(known)}): write one and give it with --robot-mapping"
    )


@lru_cache
def _ours() -> tuple[MappingFile, ...]:
    return tuple(MappingFile(*found) for found in packaged("mappings", Mapping))


def packaged(folder: str, kind: type[M]) -> list[tuple[M, bytes]]:
    """The mappings in one of this package's folders, with the bytes of their files."""
    found = sorted((files("pactwin.sim.robots") / folder).iterdir(), key=lambda file: file.name)
    contents = [(file.name, file.read_bytes()) for file in found]
    return [(kind.model_validate(parse_yaml(text, name)), text) for name, text in contents]

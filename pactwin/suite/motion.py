"""Joint motion of an episode as ``run`` records it, one row per frame of its video."""

from typing import Annotated

from pydantic import Field, model_validator

from pactwin.suite.base import Record
from pactwin.suite.numbers import Number, Positive

MOTION_FILE = "motion.json"
Angles = tuple[tuple[Number, ...], ...]


class EpisodeMotion(Record):
    """Angles and actions of a robot's joints at ``fps`` frames per second.

    ``joints_rad[f][j]`` is the angle of joint ``joints[j]`` at frame f; ``actions_rad[f][j]`` is
    its commanded angle, which leads to frame f + 1.
    """

    fps: Positive
    joints: Annotated[tuple[str, ...], Field(min_length=1)]
    joints_rad: Annotated[Angles, Field(min_length=1)]
    actions_rad: Angles

    @model_validator(mode="after")
    def _is_whole(self) -> "EpisodeMotion":
        for rows in (self.joints_rad, self.actions_rad):
            if len(rows) != len(self.joints_rad):
                raise ValueError("there is not one action per frame")
            if any(len(row) != len(self.joints) for row in rows):
                raise ValueError("a frame does not list all joints")
        return self

"""Interface of a robot in episodes: sensing, and moving its arms."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

PERIOD_S = 0.02
"""Duration of a command."""


@dataclass(frozen=True)
class Observation:
    """Sensor values: a picture (h, w, 3), uint8 RGB, by camera; angles (rad) by joint."""

    pictures: Mapping[str, np.ndarray]
    joints_rad: Mapping[str, float]


class RobotInterface(Protocol):
    """A robot, simulated or real."""

    def observe(self) -> Observation:
        """Current pictures and joint angles."""
        ...

    def act(self, joints_rad: Mapping[str, float]) -> None:
        """Move these joints towards these angles, for ``PERIOD_S``.

        Raises InvalidInputError for a robot that cannot move, or an unknown joint.
        """
        ...

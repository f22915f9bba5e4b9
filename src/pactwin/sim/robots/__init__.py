"""Robots at the table: their kinematics for reach, their surfaces for pictures."""

from pactwin.sim.robots.models import (
    PREFIX,
    ROBOT_GROUP,
    ROBOTS,
    TABLE_HEIGHT_M,
    Arm,
    Robot,
    add_robot,
    robot_named,
)
from pactwin.sim.robots.surface import draw_robot

__all__ = [
    "PREFIX",
    "ROBOTS",
    "ROBOT_GROUP",
    "TABLE_HEIGHT_M",
    "Arm",
    "Robot",
    "add_robot",
    "draw_robot",
    "robot_named",
]

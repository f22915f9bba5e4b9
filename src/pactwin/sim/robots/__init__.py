"""Robots at the table: their kinematics for reach, their surfaces for pictures."""

from pactwin.sim.robots.builtin import ROBOTS
from pactwin.sim.robots.custom import RobotModel, load_robot_model, use_robot_model
from pactwin.sim.robots.models import PREFIX, ROBOT_GROUP, TABLE_HEIGHT_M, Arm, Robot
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.robots.skeleton import add_robot
from pactwin.sim.robots.surface import draw_robot

__all__ = [
    "PREFIX",
    "ROBOTS",
    "ROBOT_GROUP",
    "TABLE_HEIGHT_M",
    "Arm",
    "Robot",
    "RobotModel",
    "add_robot",
    "draw_robot",
    "load_robot_model",
    "robot_named",
    "use_robot_model",
]

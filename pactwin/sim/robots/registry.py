"""Robots by name: built-in ones, and users' models registered in this process."""

from pactwin.sim.robots.builtin import ROBOTS
from pactwin.sim.robots.models import Robot
from pactwin.suite import InvalidInputError, unknown_name

_GIVEN: dict[str, Robot] = {}


def register(robot: Robot) -> None:
    """Register a robot by its name in this process."""
    _GIVEN[robot.name] = robot


def is_registered(name: str) -> bool:
    """Return whether a user's robot of that name is registered here."""
    return name in _GIVEN


def robot_named(name: str) -> Robot:
    """The robot called ``name``; raises InvalidInputError."""
    known = ROBOTS | _GIVEN
    if name in known:
        return known[name]
    if "@" in name:
        here = f"; given: {', '.join(_GIVEN)}" if _GIVEN else ""
        raise InvalidInputError(
            f"robot {name!r} is made from a file that was not given or has changed since{here}: "
            "give its model with --robot-model"
        )
    raise unknown_name("robot", name, list(ROBOTS))


def robot_names() -> tuple[str, ...]:
    """Names of the built-in robots, which need no files."""
    return tuple(ROBOTS)

"""Robots by name: built-in ones, and users' models registered in this process.

Built-in robots are declared in ``built_in/*.yaml``: mappings that name the model they are for.
"""

from pactwin.sim.robots.mapping import Mapping, packaged
from pactwin.sim.robots.models import Arm, Robot
from pactwin.sim.robots.source import ModelSource
from pactwin.suite import InvalidInputError, unknown_name


class BuiltIn(Mapping):
    """A mapping that names its model, see :class:`ModelSource`; nothing has to be compiled for it.

    Its head camera stands in the table frame, and each hand is on its arm's last body.
    """

    package: str
    model: str
    attached: tuple[tuple[str, str, str], ...] = ()

    @property
    def built(self) -> Robot:
        """The robot."""
        source = ModelSource(self.model, self.package, self.attached)
        arms = [Arm(arm.name, arm.joints, arm.hand.body, arm.hand.pose) for arm in self.arms]
        return self.robot(self.name, source, arms, self.head_camera.pose)


_DECLARED = [declared.built for declared, _ in packaged("built_in", BuiltIn)]
ROBOTS: dict[str, Robot] = {robot.name: robot for robot in _DECLARED}
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

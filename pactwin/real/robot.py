"""The rig's robot as an episode sees it: cameras and joint states, and nothing that moves it."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from pactwin.hardware import CameraSource, RobotSource
from pactwin.sim import Observation
from pactwin.suite import InvalidInputError


class ReadOnlyRobot:
    """A :class:`pactwin.sim.RobotInterface` over devices, rehearsed or real, that are open.

    Arms move in simulation only: nothing here can command a robot.
    """

    def __init__(self, cameras: Sequence[CameraSource], joints: RobotSource) -> None:
        self._cameras, self._joints = cameras, joints

    def observe(self) -> Observation:
        """The newest pictures and joint angles; EnvironmentFaultError if a device is silent."""
        pictures = {camera.name: camera.frame().color for camera in self._cameras}
        return Observation(pictures, self._joints.states()[-1].q_rad)

    def act(self, joints_rad: Mapping[str, float]) -> NoReturn:
        """Raise InvalidInputError, whatever is asked."""
        raise InvalidInputError(
            f"a real robot is not moved ({', '.join(joints_rad) or 'no joint'} asked): "
            "actions are carried out in simulation only, with pactwin run"
        )

"""The rig's robot in the interface of episodes: cameras and joint states, without motion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from pactwin.hardware import FrameSet
from pactwin.real.session.live import Grabber
from pactwin.sim import Observation
from pactwin.suite import InvalidInputError


@dataclass(frozen=True)
class RigObservation(Observation):
    """An observation of any robot, with its ``frame_set``."""

    frame_set: FrameSet


class ReadOnlyRobot:
    """A :class:`pactwin.sim.RobotInterface` over an open bench, rehearsed or real.

    Arms move in simulation only: nothing here can command a robot.
    """

    def __init__(self, bench: Grabber) -> None:
        self._bench = bench

    def observe(self) -> RigObservation:
        """New pictures and the nearest joint angles; EnvironmentFaultError as ``grab``."""
        frame_set = self._bench.grab()
        pictures = {name: frame.color for name, frame in frame_set.frames.items()}
        return RigObservation(pictures, frame_set.state.q_rad, frame_set)

    def act(self, joints_rad: Mapping[str, float]) -> NoReturn:
        """Raise InvalidInputError for any action."""
        raise InvalidInputError(
            f"a real robot is not moved ({', '.join(joints_rad) or 'no joint'} asked): "
            "actions are carried out in simulation only, with pactwin run"
        )

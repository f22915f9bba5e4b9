"""The G1's joint states over DDS, read only: nothing here sends the robot a command."""

import socket
import time
from typing import Any

from pactwin.hardware.lowstate import (
    JOINTS,
    MODE_MACHINES,
    TOPIC,
    TYPE_HASH,
    LowState,
    ReceivedState,
    announced_hash,
    crc_of,
)
from pactwin.hardware.rig_file import RobotLink
from pactwin.hardware.sources import JointState
from pactwin.suite import EnvironmentFaultError, needs

TIMEOUT_S = 5.0
_HISTORY = 1000
"""Messages that wait to be read: 2 s of a robot's, about 2 MB."""
_CONFIG = (
    '<CycloneDDS><Domain Id="any"><General><Interfaces><NetworkInterface name="{}" '
    'priority="default" multicast="default"/></Interfaces></General></Domain></CycloneDDS>'
)


class Network:
    """A DDS participant on one network interface; one per process and domain."""

    def __init__(self, interface: str, domain: int) -> None:
        """Join; EnvironmentFaultError names the interface if it is not there, or DDS refuses."""
        with needs("joint states need cyclonedds", "rig"):
            from cyclonedds.core import DDSException
            from cyclonedds.domain import Domain, DomainParticipant

        here = [name for _, name in socket.if_nameindex()]
        if interface not in here:
            raise EnvironmentFaultError(
                f"no network interface {interface!r} for DDS: this computer has {', '.join(here)}"
            )
        try:
            # Kept, and made before the participant: it says which interface is used.
            self._domain = Domain(domain, _CONFIG.format(interface))
            self.participant = DomainParticipant(domain)
        except DDSException as error:
            raise EnvironmentFaultError(
                f"DDS domain {domain} cannot be joined on {interface!r}: {error}; another part of "
                "this process, such as ROS 2, may have joined it"
            ) from error


def _state_topic(participant: Any) -> Any:
    """The topic of joint states; refused if its type is not the one that the robot survives."""
    from cyclonedds.topic import Topic

    if announced_hash() != TYPE_HASH:
        raise EnvironmentFaultError(
            f"this cyclonedds announces joint states as type {announced_hash().hex()}, the robot's "
            f"is {TYPE_HASH.hex()}: peers of the robot's version would crash; install "
            "requirements/rig.txt"
        )
    return Topic(participant, TOPIC, LowState)


class G1State:
    """See :class:`pactwin.hardware.RobotSource`."""

    def __init__(self, link: RobotLink, timeout_s: float = TIMEOUT_S) -> None:
        """Listen on ``link``; EnvironmentFaultError if there is no such network."""
        from cyclonedds.qos import Policy, Qos
        from cyclonedds.sub import DataReader

        self._link, self._timeout_s = link, timeout_s
        self._network = Network(link.interface, link.domain)
        participant = self._network.participant
        self._topic = _state_topic(participant)
        qos = Qos(Policy.History.KeepLast(_HISTORY))
        self._reader = DataReader(participant, self._topic, qos=qos)
        self._offset_ns: int | None = None

    def states(self) -> list[JointState]:
        """See :class:`pactwin.hardware.RobotSource`.

        What carries a wrong checksum is dropped. Raises EnvironmentFaultError also if the robot
        has other joints than the rig file says.
        """
        until = time.monotonic() + self._timeout_s
        damaged = 0
        while time.monotonic() < until:
            # A publisher that leaves is told of by a sample that is no state.
            taken = self._reader.take(_HISTORY)
            came = [message for message in taken if isinstance(message, ReceivedState)]
            whole = [message for message in came if message.whole]
            damaged += len(came) - len(whole)
            if whole:
                return [self._joints(message) for message in whole]
            time.sleep(0.002)
        where = f"{self._link.interface!r} (domain {self._link.domain})"
        if damaged:
            raise EnvironmentFaultError(f"all {damaged} joint states on {where} are damaged")
        raise EnvironmentFaultError(
            f"no joint states on {where} for {self._timeout_s:g} s: is the robot on, and is this "
            "the interface that leads to it?"
        )

    def _joints(self, message: ReceivedState) -> JointState:
        for variant, machines in MODE_MACHINES.items():
            if message.mode_machine in machines and variant != self._link.variant:
                raise EnvironmentFaultError(
                    f"the robot says that it has {variant} (mode_machine {message.mode_machine}), "
                    f"the rig file {self._link.variant}"
                )
        # The least delay seen is the best estimate of how far the clocks are apart.
        measured_at_ns = message.sample_info.source_timestamp
        delay = time.time_ns() - measured_at_ns
        self._offset_ns = delay if self._offset_ns is None else min(self._offset_ns, delay)
        names = JOINTS[self._link.variant]
        q_rad = dict(zip(names, message.angles_rad(len(names)), strict=True))
        return JointState(
            q_rad, measured_at_ns, self._offset_ns, message.mode_machine, message.tick
        )

    def close(self) -> None:
        """Leave the network."""
        del self._reader, self._topic, self._network


class LowStatePublisher:
    """Plays a robot: publishes its state. For rehearsal and tests, on the loopback interface."""

    def __init__(self, link: RobotLink) -> None:
        """Join the network of ``link``."""
        from cyclonedds.pub import DataWriter

        self._link = link
        self._network = Network(link.interface, link.domain)
        participant = self._network.participant
        self._writer = DataWriter(participant, _state_topic(participant))
        self._tick = 0

    def publish(self, q_rad: dict[str, float]) -> None:
        """Send one state; joints that are not named are at zero."""
        from pactwin.hardware.lowstate import MOTORS, IMUState, MotorState

        names = JOINTS[self._link.variant]
        angles = [q_rad.get(name, 0.0) for name in names] + [0.0] * (MOTORS - len(names))
        self._tick += 1
        message = LowState(
            version=[1, 0],
            mode_pr=0,
            mode_machine=4 if self._link.variant == "23dof" else 5,
            tick=self._tick,
            imu_state=IMUState([1.0, 0, 0, 0], [0.0] * 3, [0.0, 0.0, 9.81], [0.0] * 3, 40),
            motor_state=[
                MotorState(1, q, 0.0, 0.0, 0.0, [30, 30], 48.0, [0, 0], 0, [0] * 4) for q in angles
            ],
            wireless_remote=[0] * 40,
            reserve=[0] * 4,
            crc=0,
        )
        message.crc = crc_of(message)
        self._writer.write(message)

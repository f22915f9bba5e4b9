"""The G1's joint states over DDS, read only: nothing here commands the robot."""

import socket
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pactwin.hardware.clock import ClockOffset
from pactwin.hardware.lowstate import (
    IMU_HASH,
    LAYOUT,
    TOPIC,
    TORSO_TOPIC,
    TYPE_HASH,
    IMUState,
    LowState,
    ReceivedState,
    announced_hash,
    sent_as,
)
from pactwin.hardware.motors import JOINTS, MODE_MACHINES, check_variant, joint_angles
from pactwin.hardware.rig_file import RobotLink
from pactwin.hardware.sources import Imu, JointState
from pactwin.suite import EnvironmentFaultError, needs

TIMEOUT_S = 5.0
_HISTORY = 1000
"""Messages that wait to be read: at least 1 s of a robot's, about 2 MB."""
_DAMAGED_SHARE = 0.05
"""Of the messages of a second or two, that may have a wrong checksum."""
_FROZEN = 100
"""So many messages with one tick are of a robot whose controller has stopped."""
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


def _topic(participant: Any, name: str, kind: Any, known: bytes) -> Any:
    """A topic; refused if its type is not the one that the robot's version survives."""
    from cyclonedds.topic import Topic

    if announced_hash(kind) != known:
        raise EnvironmentFaultError(
            f"this cyclonedds announces {name} as type {announced_hash(kind).hex()}, the robot's "
            f"is {known.hex()}: peers of the robot's version would crash; install "
            "requirements/rig.txt"
        )
    return Topic(participant, name, kind)


class G1State:
    """See :class:`pactwin.hardware.RobotSource`."""

    def __init__(self, link: RobotLink, timeout_s: float = TIMEOUT_S) -> None:
        """Listen on ``link``; EnvironmentFaultError if there is no such network."""
        from cyclonedds.qos import Policy, Qos
        from cyclonedds.sub import DataReader

        self._link, self._timeout_s = link, timeout_s
        self._network = Network(link.interface, link.domain)
        participant = self._network.participant
        qos = Qos(Policy.History.KeepLast(_HISTORY))
        self._topics = [
            _topic(participant, TOPIC, LowState, TYPE_HASH),
            _topic(participant, TORSO_TOPIC, IMUState, IMU_HASH),
        ]
        self._reader = DataReader(participant, self._topics[0], qos=qos)
        self._torso_reader = DataReader(participant, self._topics[1])
        self._clock = ClockOffset()
        self._torso: Imu | None = None
        self._recent: deque[bool] = deque(maxlen=_HISTORY)  # whose checksums were right
        self._robot: int | None = None
        self._tick, self._same_tick = -1, 0

    def states(self) -> list[JointState]:
        """See :class:`pactwin.hardware.RobotSource`.

        Messages with a wrong checksum are dropped. Raises EnvironmentFaultError also if the robot
        has other joints than the rig file says, many messages are damaged, its tick does not
        advance or a second robot is present.
        """
        from cyclonedds.core import DDSException

        until = time.monotonic() + self._timeout_s
        where = f"{self._link.interface!r} (domain {self._link.domain})"
        damaged = 0
        while time.monotonic() < until:
            # A publisher that leaves is told of by a sample that is no state.
            try:
                taken = self._reader.take(_HISTORY)
            except DDSException as error:
                raise EnvironmentFaultError(f"DDS on {where} fails: {error}") from error
            came = [message for message in taken if isinstance(message, ReceivedState)]
            self._recent += [message.whole for message in came]
            whole = [message for message in came if message.whole]
            damaged += len(came) - len(whole)
            share = 1 - sum(self._recent) / max(len(self._recent), 1)
            if share > _DAMAGED_SHARE and damaged > 1 and len(self._recent) > 20:
                raise EnvironmentFaultError(
                    f"{share:.0%} of the joint states on {where} are damaged: use a cable, and "
                    "look what else sends on this network"
                )
            if whole:
                self._torso = self._newest_torso()
                return [self._joints(message) for message in whole]
            time.sleep(0.002)
        if damaged:
            raise EnvironmentFaultError(f"all {damaged} joint states on {where} are damaged")
        raise EnvironmentFaultError(
            f"no joint states on {where} for {self._timeout_s:g} s: is the robot on, and is this "
            "the interface that leads to it?"
        )

    @property
    def drift_ppm(self) -> float:
        """Relative drift of this computer's clock against the robot's."""
        return self._clock.drift_ppm

    def _joints(self, message: ReceivedState) -> JointState:
        fields, info = message.fields, message.sample_info
        tick = int(fields["tick"])
        self._same_tick = self._same_tick + 1 if tick == self._tick else 0
        self._tick = tick
        if self._same_tick >= _FROZEN:
            raise EnvironmentFaultError(
                f"the robot repeats one state (tick {tick}): its controller has stopped; restart it"
            )
        sender = info.publication_handle
        if self._robot not in (None, sender) and self._sends(self._robot):
            raise EnvironmentFaultError(
                f"two robots publish joint states on {self._link.interface!r}: unplug one, or use "
                "another interface"
            )
        self._robot = sender
        machine, mode_pr = int(fields["mode_machine"]), int(fields["mode_pr"])
        check_variant(self._link.variant, machine, message.live)
        measured_at_ns = info.source_timestamp
        return JointState(
            joint_angles(self._link.variant, mode_pr, fields["motor_state"]["q"]),
            measured_at_ns,
            self._clock.update(measured_at_ns, time.time_ns()),
            machine,
            tick,
            mode_pr,
            _imu(fields["imu_state"]),
            self._torso,
        )

    def _sends(self, publisher: int | None) -> bool:
        """Whether a publisher is still there; one that was started again has another handle."""
        return publisher in self._reader.get_matched_publications()

    def _newest_torso(self) -> Imu | None:
        came = [m for m in self._torso_reader.take(_HISTORY) if isinstance(m, IMUState)]
        if not came:
            return self._torso
        last = came[-1]
        return Imu(tuple(last.quaternion), tuple(last.gyroscope), tuple(last.accelerometer))

    def close(self) -> None:
        """Disconnect from the network."""
        del self._reader, self._torso_reader, self._topics, self._network


def _imu(fields: Any) -> Imu:
    names = ("quaternion", "gyroscope", "accelerometer")
    return Imu(*(tuple(fields[name].tolist()) for name in names))


class LowStatePublisher:
    """Simulates a robot's state messages on loopback, for rehearsals and tests."""

    def __init__(self, link: RobotLink) -> None:
        """Join the network of ``link``."""
        from cyclonedds.pub import DataWriter

        self._network = Network(link.interface, link.domain)
        participant = self._network.participant
        self._writer = DataWriter(participant, _topic(participant, TOPIC, LowState, TYPE_HASH))
        self._torso = DataWriter(participant, _topic(participant, TORSO_TOPIC, IMUState, IMU_HASH))
        self._joints = JOINTS[link.variant]
        self.state = np.zeros((), LAYOUT)
        self.state["mode_machine"] = max(MODE_MACHINES[link.variant])
        self.state["imu_state"]["quaternion"] = 1, 0, 0, 0
        self.state["imu_state"]["accelerometer"] = 0, 0, 9.81
        motors = self.state["motor_state"]
        for slot in self._joints:
            motors["mode"][slot], motors["vol"][slot], motors["temperature"][slot] = 1, 48.0, 40

    def publish(
        self,
        q_rad: Mapping[str, float],
        gyroscope_rad_s: Sequence[float] = (0.0, 0.0, 0.0),
        at_ns: int | None = None,
    ) -> None:
        """Send one state at ``at_ns`` of the robot's clock; unnamed joints are at 0."""
        self.state["tick"] += 1
        for slot, name in self._joints.items():
            self.state["motor_state"]["q"][slot] = q_rad.get(name, 0.0)
        self.state["imu_state"]["gyroscope"] = gyroscope_rad_s
        self._writer.write(sent_as(self.state), at_ns)
        imu = _imu(self.state["imu_state"])
        torso = [list(imu.quaternion), list(imu.gyroscope_rad_s), list(imu.accelerometer_m_s2)]
        self._torso.write(IMUState(*torso, [0.0] * 3, 40), at_ns)

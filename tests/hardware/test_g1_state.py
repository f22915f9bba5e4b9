"""Joint states over DDS on loopback, from a publisher in a process of its own."""

import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from pactwin.hardware import G1State, RobotLink, predicted_head_camera
from pactwin.hardware.lowstate import JOINTS, IMUState, LowState, MotorState, crc_of
from pactwin.suite import EnvironmentFaultError

# Written from Unitree's public IDL alone: it shares no code with what it is read by.
PUBLISHER = """
import sys, time
from dataclasses import dataclass
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import autoid, final
from cyclonedds.idl.types import array, float32, int16, uint8, uint32
from cyclonedds.pub import DataWriter
from cyclonedds.topic import Topic

@dataclass
@final
@autoid("sequential")
class IMUState_(IdlStruct, typename="unitree_hg.msg.dds_.IMUState_"):
    quaternion: array[float32, 4]
    gyroscope: array[float32, 3]
    accelerometer: array[float32, 3]
    rpy: array[float32, 3]
    temperature: int16

@dataclass
@final
@autoid("sequential")
class MotorState_(IdlStruct, typename="unitree_hg.msg.dds_.MotorState_"):
    mode: uint8
    q: float32
    dq: float32
    ddq: float32
    tau_est: float32
    temperature: array[int16, 2]
    vol: float32
    sensor: array[uint32, 2]
    motorstate: uint32
    reserve: array[uint32, 4]

@dataclass
@final
@autoid("sequential")
class LowState_(IdlStruct, typename="unitree_hg.msg.dds_.LowState_"):
    version: array[uint32, 2]
    mode_pr: uint8
    mode_machine: uint8
    tick: uint32
    imu_state: IMUState_
    motor_state: array[MotorState_, 35]
    wireless_remote: array[uint8, 40]
    reserve: array[uint32, 4]
    crc: uint32

domain, machine, crc, rate = map(int, sys.argv[1:])
interface = '<NetworkInterface name="lo" priority="default" multicast="default"/>'
kept = Domain(domain, '<CycloneDDS><Domain Id="any"><General><Interfaces>' + interface
              + '</Interfaces></General></Domain></CycloneDDS>')
participant = DomainParticipant(domain)
writer = DataWriter(participant, Topic(participant, "rt/lowstate", LowState_))
imu = IMUState_([1, 0, 0, 0], [0] * 3, [0, 0, 9.75], [0] * 3, 40)
motors = [MotorState_(1, k / 64, 0, 0, 0, [30, 31], 48, [0, 0], 0, [0] * 4) for k in range(35)]
state = LowState_([1, 2], 0, machine, 7, imu, motors, [3] * 40, [0] * 4, crc)
print("ready", flush=True)
while True:
    writer.write(state)
    time.sleep(1 / rate)
"""


@contextmanager
def published(domain: int, machine: int, crc: int, rate: int = 100) -> Iterator[None]:
    command = [sys.executable, "-c", textwrap.dedent(PUBLISHER)]
    arguments = [str(value) for value in (domain, machine, crc, rate)]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


def expected(machine: int) -> LowState:
    """What the publisher sends, without its checksum."""
    imu = IMUState([1, 0, 0, 0], [0] * 3, [0, 0, 9.75], [0] * 3, 40)
    motors = [MotorState(1, k / 64, 0, 0, 0, [30, 31], 48, [0, 0], 0, [0] * 4) for k in range(35)]
    return LowState([1, 2], 0, machine, 7, imu, motors, [3] * 40, [0] * 4, 0)


@pytest.mark.parametrize(("variant", "machine", "domain"), [("29dof", 5, 61), ("23dof", 4, 62)])
def test_angles_of_every_joint_arrive_from_an_independent_publisher(
    variant: str, machine: int, domain: int
) -> None:
    link = RobotLink.model_validate({"variant": variant, "interface": "lo", "domain": domain})
    with published(domain, machine, crc_of(expected(machine))):
        robot = G1State(link, timeout_s=20.0)
        state = robot.state()
        later = robot.state()
        robot.close()
    names = JOINTS[link.variant]
    assert len(names) == int(variant[:2])
    assert state.q_rad == {name: k / 64 for k, name in enumerate(names)}
    assert later.measured_at_ns >= state.measured_at_ns
    assert abs(time.time_ns() - later.here_ns) < 20e9
    assert later.offset_ns <= state.offset_ns


def test_damaged_states_and_another_robot_are_refused() -> None:
    link = RobotLink(interface="lo", domain=63)
    right = crc_of(expected(5))
    with published(63, 5, right ^ 1):
        robot = G1State(link, timeout_s=3.0)
        with pytest.raises(EnvironmentFaultError, match=r"joint states on 'lo' .* are damaged"):
            robot.state()
        robot.close()
    link = RobotLink(interface="lo", domain=64)
    with published(64, 4, crc_of(expected(4))):
        robot = G1State(link, timeout_s=20.0)
        with pytest.raises(EnvironmentFaultError, match=r"it has 23dof .mode_machine 4."):
            robot.state()
        robot.close()


def test_silence_names_the_interface() -> None:
    robot = G1State(RobotLink(interface="lo", domain=65), timeout_s=0.2)
    with pytest.raises(EnvironmentFaultError, match=r"no joint states on 'lo' .domain 65."):
        robot.state()
    robot.close()
    with pytest.raises(EnvironmentFaultError, match="no network interface 'eth77'"):
        G1State(RobotLink(interface="eth77"))


def crc32_mpeg2(words: list[int]) -> int:
    """Bit by bit, as Unitree's SDK does it."""
    crc = 0xFFFFFFFF
    for word in words:
        for bit in range(31, -1, -1):
            top = crc >> 31 ^ (word >> bit & 1)
            crc = (crc << 1 & 0xFFFFFFFF) ^ (0x04C11DB7 if top else 0)
    return crc


def test_the_checksum_is_that_of_the_sdk() -> None:
    from pactwin.hardware.lowstate import _HEAD, _MOTOR, _TAIL, _crc32_mpeg2

    # Of "123456789" the catalogue of CRCs has 0x0376E6E7; here in words, low byte first.
    data = b"4321" + b"8765"
    words = [0x31323334, 0x35363738]
    assert _crc32_mpeg2(data) == crc32_mpeg2(words)
    # The layout in C is 2092 bytes with the checksum.
    assert _HEAD.size + 35 * _MOTOR.size + _TAIL.size + 4 == 2092
    one, other = expected(5), expected(5)
    other.motor_state[34].reserve = [0, 0, 0, 1]
    assert crc_of(one) != crc_of(other)


def test_the_predicted_camera_is_the_simulated_one_and_leans_with_the_waist() -> None:
    from pactwin.sim.robots.registry import robot_named

    link = RobotLink(interface="lo")
    upright = predicted_head_camera(link, {})
    assert np.allclose(upright, robot_named("g1").world_from_head_camera, atol=2e-4)
    forward = predicted_head_camera(link, {"waist_pitch_joint": 0.1})
    assert forward[0, 3] > upright[0, 3] + 0.03
    assert forward[2, 2] < upright[2, 2]  # looks further down
    left = predicted_head_camera(link, {"waist_yaw_joint": 0.1})
    assert left[1, 2] > upright[1, 2]
    fewer = link.model_copy(update={"variant": "23dof"})
    assert np.allclose(predicted_head_camera(fewer, {}), upright)

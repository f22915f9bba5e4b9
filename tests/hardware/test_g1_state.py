"""Joint states over DDS on loopback, from a publisher in a process of its own."""

import resource
import time

import numpy as np
import pytest
from published_states import expected, published

from pactwin.hardware import G1State, RobotLink, predicted_head_camera
from pactwin.hardware.lowstate import JOINTS, crc_of
from pactwin.suite import EnvironmentFaultError


@pytest.mark.parametrize(("variant", "machine", "domain"), [("29dof", 5, 61), ("23dof", 4, 62)])
def test_angles_of_every_joint_arrive_from_an_independent_publisher(
    variant: str, machine: int, domain: int
) -> None:
    link = RobotLink.model_validate({"variant": variant, "interface": "lo", "domain": domain})
    with published(domain, machine, crc_of(expected(machine))):
        robot = G1State(link, timeout_s=20.0)
        state = robot.states()[-1]
        later = robot.states()[-1]
        robot.close()
    names = JOINTS[link.variant]
    assert len(names) == int(variant[:2])
    assert state.q_rad == {name: k / 64 for k, name in enumerate(names)}
    assert later.measured_at_ns >= state.measured_at_ns
    assert abs(time.time_ns() - later.host_time_ns) < 20e9
    assert later.offset_ns <= state.offset_ns


def test_500_states_a_second_arrive_for_10_seconds_without_loss_and_memory_is_flat() -> None:
    count, start_at = 5000, 1000
    message, checksums = expected(5), []
    for message.tick in range(count):
        checksums.append(crc_of(message))
    robot = G1State(RobotLink(interface="lo", domain=66), timeout_s=20.0)
    ticks: list[int] = []
    memory_kb = 0
    with published(66, 5, 0, 500, checksums):
        while not ticks or ticks[-1] < count - 1:
            ticks += [state.tick for state in robot.states()]
            if memory_kb == 0 and ticks[-1] > start_at:
                memory_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            time.sleep(0.01)
    robot.close()
    # Those before the two found each other are nobody's.
    assert ticks == list(range(ticks[0], count))
    assert ticks[0] < start_at
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory_kb < 4096


def test_damaged_states_and_another_robot_are_refused() -> None:
    link = RobotLink(interface="lo", domain=63)
    right = crc_of(expected(5))
    with published(63, 5, right ^ 1):
        robot = G1State(link, timeout_s=3.0)
        with pytest.raises(EnvironmentFaultError, match=r"joint states on 'lo' .* are damaged"):
            robot.states()
        robot.close()
    link = RobotLink(interface="lo", domain=64)
    with published(64, 4, crc_of(expected(4))):
        robot = G1State(link, timeout_s=20.0)
        with pytest.raises(EnvironmentFaultError, match=r"it has 23dof .mode_machine 4."):
            robot.states()
        robot.close()


def test_silence_names_the_interface() -> None:
    robot = G1State(RobotLink(interface="lo", domain=65), timeout_s=0.2)
    with pytest.raises(EnvironmentFaultError, match=r"no joint states on 'lo' .domain 65."):
        robot.states()
    robot.close()
    with pytest.raises(EnvironmentFaultError, match="no network interface 'eth77'"):
        G1State(RobotLink(interface="eth77"))


def test_a_publisher_that_leaves_is_silence() -> None:
    class Left:
        def take(self, most: int) -> list[object]:
            return [object()]  # as CycloneDDS' InvalidSample, which has no fields

    robot = G1State(RobotLink(interface="lo", domain=66), timeout_s=0.1)
    robot._reader = Left()
    with pytest.raises(EnvironmentFaultError, match="no joint states"):
        robot.states()


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

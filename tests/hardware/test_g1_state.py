"""Joint states over DDS on loopback, from a publisher in a process of its own."""

import time
from copy import copy
from types import SimpleNamespace

import numpy as np
import pytest
from published_states import checksum_of, expected, published

from pactwin.hardware import G1State, RobotLink, posture_of, predicted_head_camera
from pactwin.hardware.lowstate import LAYOUT, LowState, ReceivedState, _crc32_mpeg2, sent_as
from pactwin.hardware.motors import check_variant
from pactwin.suite import EnvironmentFaultError

LOCKED = {13, 14}
EMPTY_OF_23 = LOCKED | {20, 21, 27, 28}


@pytest.mark.parametrize(
    ("variant", "machine", "empty", "domain"),
    [("29dof", 5, (), 61), ("23dof", 4, EMPTY_OF_23, 62), ("29dof_lock_waist", 6, LOCKED, 69)],
)
def test_angles_of_every_joint_arrive_from_an_independent_publisher(
    variant: str, machine: int, empty: set[int], domain: int
) -> None:
    link = RobotLink.model_validate({"variant": variant, "interface": "lo", "domain": domain})
    with published(expected(machine, empty), domain):
        robot = G1State(link, timeout_s=20.0)
        state = robot.states()[-1]
        later = robot.states()[-1]
        robot.close()
    # The robot's slots by the names of its URDF: the same in all variants, some are empty.
    slots = {
        "left_hip_pitch_joint": 0,
        "right_ankle_roll_joint": 11,
        "waist_yaw_joint": 12,
        "left_shoulder_pitch_joint": 15,
        "left_wrist_roll_joint": 19,
        "right_shoulder_pitch_joint": 22,
        "right_wrist_roll_joint": 26,
    }
    if variant == "29dof":
        slots |= {"waist_pitch_joint": 14, "right_wrist_yaw_joint": 28}
    assert len(state.q_rad) == 29 - len(empty)
    assert {name: state.q_rad[name] for name in slots} == {n: k / 64 for n, k in slots.items()}
    assert sorted(state.q_rad.values()) == [k / 64 for k in range(29) if k not in empty]
    assert later.measured_at_ns >= state.measured_at_ns
    assert abs(time.time_ns() - later.host_time_ns) < 20e9
    assert later.offset_ns <= state.offset_ns
    assert state.pelvis is not None
    assert state.pelvis.accelerometer_m_s2 == (0.0, 0.0, 9.75)


def test_angles_of_parallel_motors_are_no_joints() -> None:
    link = RobotLink(interface="lo", domain=70)
    with published(expected(5, mode_pr=1), 70):
        robot = G1State(link, timeout_s=20.0)
        state = robot.states()[-1]
        robot.close()
    assert state.mode_pr == 1
    missing = {"waist_roll_joint", "waist_pitch_joint"} | {
        f"{side}_ankle_{axis}_joint" for side in ("left", "right") for axis in ("pitch", "roll")
    }
    assert len(state.q_rad) == 23
    assert not missing & state.q_rad.keys()
    assert posture_of(state) is None


@pytest.mark.parametrize(
    ("variant", "machine", "empty", "said"),
    [
        ("29dof", 4, EMPTY_OF_23, r"is a 23dof .mode_machine 4., the rig file says 29dof"),
        ("29dof", 9, (), "mode_machine 9 is a dual-arm G1 without legs"),
        ("29dof", 77, (), "mode_machine 77 is no G1 that pactwin knows"),
        ("29dof", 5, (13, 14), "motors in slots 13, 14 do not report"),
        ("23dof", 4, EMPTY_OF_23 - {27}, "slots 27 report"),
    ],
)
def test_another_robot_and_motors_in_other_slots_are_refused(variant, machine, empty, said):
    state = wire_state(expected(machine, empty))
    assert state.whole
    with pytest.raises(EnvironmentFaultError, match=said):
        check_variant(variant, int(state.fields["mode_machine"]), state.live)


def wire_state(state: LowState) -> ReceivedState:
    return ReceivedState(bytes(state.serialize()))


def test_damaged_states_are_refused_and_so_is_a_robot_whose_state_stands_still() -> None:
    link = RobotLink(interface="lo", domain=63)
    damaged = expected(5)
    damaged.crc ^= 1
    with published(damaged, 63):
        robot = G1State(link, timeout_s=3.0)
        with pytest.raises(EnvironmentFaultError, match=r"joint states on 'lo' .* are damaged"):
            robot.states()
        robot.close()
    link = RobotLink(interface="lo", domain=64)
    with published(expected(5), 64, 500):
        robot = G1State(link, timeout_s=20.0)
        until = time.monotonic() + 20
        with pytest.raises(EnvironmentFaultError, match=r"repeats one state .tick 7."):
            while time.monotonic() < until:
                robot.states()
        robot.close()


def test_half_of_the_states_damaged_is_no_good_network() -> None:
    robot, reader = listened(71)
    good, bad = wire_state(expected(5)), wire_state(expected(5))
    bad.whole = False
    reader.batches = [[good] * 200, [good, bad] * 40]
    robot.states()
    with pytest.raises(EnvironmentFaultError, match=r"1\d% of the joint states .* are damaged"):
        robot.states()
    robot.close()


def test_two_robots_are_told_apart_and_one_that_restarts_is_not_two() -> None:
    one, other = wire_state(expected(5)), wire_state(expected(5))
    one.sample_info = SimpleNamespace(publication_handle=1, source_timestamp=1)
    other.sample_info = SimpleNamespace(publication_handle=2, source_timestamp=2)
    for domain, there, well in ((72, [2], True), (73, [1, 2], False)):
        robot, reader = listened(domain)
        reader.publishers, reader.batches = there, [[one, other]]
        if well:
            assert len(robot.states()) == 2
        else:
            with pytest.raises(EnvironmentFaultError, match="two robots publish"):
                robot.states()
        robot.close()


class Batches:
    """A reader to whom batches of messages come."""

    def __init__(self) -> None:
        self.batches: list[list[ReceivedState]] = []
        self.publishers = [1]

    def take(self, most: int) -> list[ReceivedState]:
        batch = list(map(copy, self.batches.pop(0))) if self.batches else []
        for tick, message in enumerate(batch):
            message.fields = message.fields.copy()
            message.fields["tick"] = tick
            if message.sample_info is None:
                message.sample_info = SimpleNamespace(publication_handle=1, source_timestamp=1)
        return batch

    def get_matched_publications(self) -> list[int]:
        return self.publishers


def listened(domain: int) -> tuple[G1State, Batches]:
    robot, reader = G1State(RobotLink(interface="lo", domain=domain), timeout_s=0.1), Batches()
    robot._reader = reader
    return robot, reader


def test_silence_names_the_interface() -> None:
    robot = G1State(RobotLink(interface="lo", domain=65), timeout_s=0.2)
    with pytest.raises(EnvironmentFaultError, match=r"no joint states on 'lo' .domain 65."):
        robot.states()
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
    # Of "123456789" the catalogue of CRCs has 0x0376E6E7; here in words, low byte first.
    words = [0x31323334, 0x35363738]
    assert _crc32_mpeg2(b"4321" + b"8765") == crc32_mpeg2(words)
    # The layout in C is 2092 bytes with the checksum.
    assert LAYOUT.itemsize == 2092
    sent = np.zeros((), LAYOUT)
    sent["tick"], sent["motor_state"]["q"] = 9, np.arange(35)
    came = wire_state(sent_as(sent))
    assert came.whole
    assert (came.fields["motor_state"]["q"] == np.arange(35)).all()
    one, other = expected(5), expected(5)
    other.motor_state[34].reserve = [0, 0, 0, 1]
    other.crc = checksum_of(other)
    assert one.crc != other.crc
    assert wire_state(one).whole
    assert wire_state(other).whole
    other.motor_state[34].reserve = [0, 0, 0, 2]
    assert not wire_state(other).whole


def test_the_predicted_camera_is_the_simulated_one_and_leans_with_the_waist() -> None:
    from pactwin.sim.robots.registry import robot_named

    link = RobotLink(interface="lo")
    upright = predicted_head_camera(link, {})
    # The simulated camera is where the URDF has the depth camera; colour is 15 mm to its left.
    left_of = np.linalg.inv(robot_named("g1").world_from_head_camera) @ upright
    assert np.allclose(left_of[:3, 3], (-0.015, 0, 0), atol=2e-4)
    assert np.allclose(left_of[:3, :3], np.eye(3), atol=2e-4)
    forward = predicted_head_camera(link, {"waist_pitch_joint": 0.1})
    assert forward[0, 3] > upright[0, 3] + 0.03
    assert forward[2, 2] < upright[2, 2]  # looks further down
    left = predicted_head_camera(link, {"waist_yaw_joint": 0.1})
    assert left[1, 2] > upright[1, 2]
    fewer = link.model_copy(update={"variant": "23dof"})
    assert np.allclose(predicted_head_camera(fewer, {}), upright)

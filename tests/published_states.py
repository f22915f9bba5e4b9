"""A robot's joint states, published by a process of its own."""

import json
import struct
import subprocess
import sys
import textwrap
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from pactwin.hardware.lowstate import IMUState, LowState, MotorState

# Written from Unitree's public IDL alone: it shares no code with what it is read by.
PUBLISHER = """
import json, struct, sys, time
from dataclasses import dataclass
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.annotations import autoid, final
from cyclonedds.idl.types import array, float32, int16, byte, uint32
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
    mode: byte
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
    mode_pr: byte
    mode_machine: byte
    tick: uint32
    imu_state: IMUState_
    motor_state: array[MotorState_, 35]
    wireless_remote: array[byte, 40]
    reserve: array[uint32, 4]
    crc: uint32

domain, machine, crc, rate = map(int, sys.argv[1:5])
empty = json.loads(sys.argv[5])
interface = '<NetworkInterface name="lo" priority="default" multicast="default"/>'
kept = Domain(domain, '<CycloneDDS><Domain Id="any"><General><Interfaces>' + interface
              + '</Interfaces></General></Domain></CycloneDDS>')
participant = DomainParticipant(domain)
writer = DataWriter(participant, Topic(participant, "rt/lowstate", LowState_))
imu = IMUState_([1, 0, 0, 0], [0] * 3, [0, 0, 9.75], [0] * 3, 40)
motors = [MotorState_(1, k / 64, 0, 0, 0, [30, 31], 48, [0, 0], 0, [0] * 4) for k in range(35)]
for k in empty:
    motors[k] = MotorState_(0, k / 64, 0, 0, 0, [0, 0], 0, [0, 0], 0, [0] * 4)
state = LowState_([1, 2], int(sys.argv[6]), machine, 7, imu, motors, [3] * 40, [0] * 4, crc)
checksums = json.loads(sys.stdin.readline())
print("ready", flush=True)
if checksums:  # as many states, each with its number, on time
    data = bytearray(state.serialize())
    state.serialize = lambda **_: bytes(data)
    start = time.monotonic()
    for number, checksum in enumerate(checksums):
        data[16:20] = struct.pack("<I", number)  # tick
        data[-4:] = struct.pack("<I", checksum)
        time.sleep(max(0, start + number / rate - time.monotonic()))
        writer.write(state)
while not checksums:
    writer.write(state)
    time.sleep(1 / rate)
time.sleep(60)
"""


@contextmanager
def published(
    state: LowState, domain: int, rate: int = 100, numbered: list[int] | None = None
) -> Iterator[None]:
    """States that all are ``state``; with ``numbered`` checksums as many, whose ticks count."""
    empty = [k for k, motor in enumerate(state.motor_state) if motor.mode == 0]
    numbers = [domain, state.mode_machine, state.crc, rate, empty, state.mode_pr]
    command = [sys.executable, "-c", textwrap.dedent(PUBLISHER), *map(json.dumps, numbers)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdin.write(json.dumps(numbered or []) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


def expected(machine: int, empty: Collection[int] = (), mode_pr: int = 0) -> LowState:
    """What the publisher sends, with its checksum; motor k is at k/64 rad."""
    imu = IMUState([1, 0, 0, 0], [0] * 3, [0, 0, 9.75], [0] * 3, 40)
    motors = [MotorState(1, k / 64, 0, 0, 0, [30, 31], 48, [0, 0], 0, [0] * 4) for k in range(35)]
    for k in empty:
        motors[k] = MotorState(0, k / 64, 0, 0, 0, [0, 0], 0, [0, 0], 0, [0] * 4)
    state = LowState([1, 2], mode_pr, machine, 7, imu, motors, [3] * 40, [0] * 4, 0)
    state.crc = checksum_of(state)
    return state


_HEAD = struct.Struct("<2I2B2xI13fh2x")
_MOTOR = struct.Struct("<B3x4f2hf7I")
_TAIL = struct.Struct("<40B4I")
_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


def checksum_of(state: LowState) -> int:
    """CRC-32/MPEG-2 of the message as it lies in memory in C, but the checksum."""
    imu = state.imu_state
    head = [*state.version, state.mode_pr, state.mode_machine, state.tick, *imu.quaternion]
    head += [*imu.gyroscope, *imu.accelerometer, *imu.rpy, imu.temperature]
    parts = [_HEAD.pack(*head)]
    for motor in state.motor_state:
        angles = (motor.q, motor.dq, motor.ddq, motor.tau_est)
        last = (*motor.sensor, motor.motorstate, *motor.reserve)
        parts.append(_MOTOR.pack(motor.mode, *angles, *motor.temperature, motor.vol, *last))
    data = b"".join([*parts, _TAIL.pack(*state.wireless_remote, *state.reserve)])
    words = struct.unpack(f"<{len(data) // 4}I", data)
    turned = struct.pack(f">{len(words)}I", *words).translate(_REVERSED)
    return int(f"{zlib.crc32(turned) ^ 0xFFFFFFFF:032b}"[::-1], 2)

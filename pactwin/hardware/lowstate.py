"""Unitree's message ``unitree_hg::msg::dds_::LowState_``, as its public IDL has it.

Source: unitree_sdk2 (idl/unitree_hg); the checksum is CRC-32/MPEG-2 over the message's C layout.
"""

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import cyclonedds.idl as idl
import cyclonedds.idl.annotations as annotate
import cyclonedds.idl.types as types

TOPIC = "rt/lowstate"
MOTORS = 35

TYPE_HASH = bytes.fromhex("2f38296b52aa0230b92d378b1e39")
"""Identifies the type, as in Unitree's C++ SDK: XTypes' hash of the minimal type object.

Members of 8 bits are ``types.byte``. CycloneDDS 11 announces ``types.uint8`` by a kind that the
robot's CycloneDDS 0.10.2 does not know: its peers end with a segmentation fault in discovery
(cyclonedds issue 1554), and a standing robot could fall.
"""

_LEGS = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
_ARM_29 = (
    "shoulder_pitch",
    "shoulder_roll",
    "shoulder_yaw",
    "elbow",
    "wrist_roll",
    "wrist_pitch",
    "wrist_yaw",
)


def _both(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{side}_{name}_joint" for side in ("left", "right") for name in names)


JOINTS: dict[str, tuple[str, ...]] = {
    "29dof": (
        *_both(_LEGS),
        "waist_yaw_joint",
        "waist_roll_joint",
        "waist_pitch_joint",
        *_both(_ARM_29),
    ),
    "23dof": (*_both(_LEGS), "waist_yaw_joint", *_both(_ARM_29[:5])),
}
"""Motor k of a variant moves joint k."""

MODE_MACHINES = {"23dof": {1, 4, 10}, "29dof": {2, 3, 5, 6, 11, 12, 13, 14, 15, 16}}
"""What ``mode_machine`` tells (unitree_ros, g1_description)."""


@dataclass
@annotate.final
@annotate.autoid("sequential")
class IMUState(idl.IdlStruct, typename="unitree_hg.msg.dds_.IMUState_"):  # type: ignore[call-arg]
    """Quaternion w x y z, rad/s, m/s2, rad, degrees Celsius."""

    quaternion: types.array[types.float32, 4]
    gyroscope: types.array[types.float32, 3]
    accelerometer: types.array[types.float32, 3]
    rpy: types.array[types.float32, 3]
    temperature: types.int16


@dataclass
@annotate.final
@annotate.autoid("sequential")
class MotorState(idl.IdlStruct, typename="unitree_hg.msg.dds_.MotorState_"):  # type: ignore[call-arg]
    """Angle ``q`` (rad), its rates, torque (Nm)."""

    mode: types.byte
    q: types.float32
    dq: types.float32
    ddq: types.float32
    tau_est: types.float32
    temperature: types.array[types.int16, 2]
    vol: types.float32
    sensor: types.array[types.uint32, 2]
    motorstate: types.uint32
    reserve: types.array[types.uint32, 4]


@dataclass
@annotate.final
@annotate.autoid("sequential")
class LowState(idl.IdlStruct, typename="unitree_hg.msg.dds_.LowState_"):  # type: ignore[call-arg]
    """The whole robot, about 500 times a second."""

    version: types.array[types.uint32, 2]
    mode_pr: types.byte
    mode_machine: types.byte
    tick: types.uint32
    imu_state: IMUState
    motor_state: types.array[MotorState, MOTORS]
    wireless_remote: types.array[types.byte, 40]
    reserve: types.array[types.uint32, 4]
    crc: types.uint32

    @classmethod
    def deserialize(cls, data: bytes, *_: object) -> "ReceivedState":
        """What is needed of a message; to take it apart by its types takes 2 ms, this 0.05 ms."""
        return ReceivedState(data)


def announced_hash() -> bytes:
    """The hash by which CycloneDDS announces :class:`LowState` to its peers."""
    information = LowState.__idl__.get_type_info()
    return bytes(information.minimal.typeid_with_size.type_id.equivalence_hash)


class ReceivedState:
    """A message as it came over the wire: ``whole`` says whether its checksum is right."""

    def __init__(self, data: bytes) -> None:
        """Read the message ``data``, whose first 4 bytes tell how it is encoded."""
        self.sample_info: Any = None
        # As in C, but that the first motor begins without padding. CycloneDDS pads with zeros.
        cut = _HEAD.size - 2
        wire = data[4:]
        self._body = wire[:cut] + bytes(2) + wire[cut : cut + 1] + bytes(3) + wire[cut + 2 :]
        self.whole = len(self._body) == _SIZE and data[1] & 1 == 1  # little-endian
        if self.whole:
            (crc,) = _CRC.unpack(self._body[-_CRC.size :])
            self.whole = crc == _crc32_mpeg2(self._body[: -_CRC.size])
            _, _, _, self.mode_machine, self.tick, *_ = _HEAD.unpack_from(self._body)

    def angles_rad(self, count: int) -> list[float]:
        """Of the first ``count`` motors."""
        places = range(_HEAD.size + 4, _HEAD.size + count * _MOTOR.size, _MOTOR.size)
        return [_ANGLE.unpack_from(self._body, place)[0] for place in places]


_HEAD = struct.Struct("<2I2B2xI13fh2x")
_MOTOR = struct.Struct("<B3x4f2hf7I")
_TAIL = struct.Struct("<40B4I")
_CRC, _ANGLE = struct.Struct("<I"), struct.Struct("<f")
_SIZE = _HEAD.size + MOTORS * _MOTOR.size + _TAIL.size + _CRC.size
_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


def crc_of(state: LowState) -> int:
    """The checksum of all but the checksum."""
    imu = state.imu_state
    parts = [
        _HEAD.pack(
            *state.version,
            state.mode_pr,
            state.mode_machine,
            state.tick,
            *imu.quaternion,
            *imu.gyroscope,
            *imu.accelerometer,
            *imu.rpy,
            imu.temperature,
        )
    ]
    parts += [
        _MOTOR.pack(
            motor.mode,
            motor.q,
            motor.dq,
            motor.ddq,
            motor.tau_est,
            *motor.temperature,
            motor.vol,
            *motor.sensor,
            motor.motorstate,
            *motor.reserve,
        )
        for motor in state.motor_state
    ]
    parts.append(_TAIL.pack(*state.wireless_remote, *state.reserve))
    return _crc32_mpeg2(b"".join(parts))


def _crc32_mpeg2(data: bytes) -> int:
    """Over 32-bit words, most significant byte first: zlib's, with all bits the other way round."""
    words = struct.unpack(f"<{len(data) // 4}I", data)
    turned = struct.pack(f">{len(words)}I", *words).translate(_REVERSED)
    return int(f"{zlib.crc32(turned) ^ 0xFFFFFFFF:032b}"[::-1], 2)

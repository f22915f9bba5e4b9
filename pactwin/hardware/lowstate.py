"""Unitree's message ``unitree_hg::msg::dds_::LowState_`` according to its public IDL.

Source: unitree_sdk2 (idl/unitree_hg); the checksum is CRC-32/MPEG-2 over the message's C layout.
"""

import zlib
from dataclasses import dataclass
from typing import Any

import cyclonedds.idl as idl
import cyclonedds.idl.annotations as annotate
import cyclonedds.idl.types as types
import numpy as np

TOPIC = "rt/lowstate"
TORSO_TOPIC = "rt/secondary_imu"
"""Topic of the torso's :class:`IMUState`; the one in :class:`LowState` is the pelvis's."""
MOTORS = 35

TYPE_HASH = bytes.fromhex("2f38296b52aa0230b92d378b1e39")
IMU_HASH = bytes.fromhex("fc687176651206558473df442280")
"""XTypes hashes of the minimal type objects, which identify the types as in Unitree's C++ SDK.

Members of 8 bits are ``types.byte``. CycloneDDS 11 announces ``types.uint8`` by a kind that the
robot's CycloneDDS 0.10.2 does not know: its peers end with a segmentation fault in discovery
(cyclonedds issue 1554), and a standing robot could fall.
"""


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
    """State of the whole robot, sent about 500 times per second."""

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
        """Parse only the needed fields of a message: 0.05 ms instead of 2 ms."""
        return ReceivedState(data)


def announced_hash(kind: type[idl.IdlStruct] = LowState) -> bytes:
    """Hash with which CycloneDDS announces a type to its peers."""
    information = kind.__idl__.get_type_info()
    return bytes(information.minimal.typeid_with_size.type_id.equivalence_hash)


_IMU = np.dtype(
    [
        ("quaternion", "<f4", 4),
        ("gyroscope", "<f4", 3),
        ("accelerometer", "<f4", 3),
        ("rpy", "<f4", 3),
        ("temperature", "<i2"),
    ],
    align=True,
)
_MOTOR = np.dtype(
    [
        ("mode", "u1"),
        ("q", "<f4"),
        ("dq", "<f4"),
        ("ddq", "<f4"),
        ("tau_est", "<f4"),
        ("temperature", "<i2", 2),
        ("vol", "<f4"),
        ("sensor", "<u4", 2),
        ("motorstate", "<u4"),
        ("reserve", "<u4", 4),
    ],
    align=True,
)
LAYOUT = np.dtype(
    [
        ("version", "<u4", 2),
        ("mode_pr", "u1"),
        ("mode_machine", "u1"),
        ("tick", "<u4"),
        ("imu_state", _IMU),
        ("motor_state", _MOTOR, MOTORS),
        ("wireless_remote", "u1", 40),
        ("reserve", "<u4", 4),
        ("crc", "<u4"),
    ],
    align=True,
)
"""C memory layout of the message, over which its checksum is computed."""
_MOTORS_AT = LAYOUT.itemsize - 4 - 16 - 40 - MOTORS * _MOTOR.itemsize


class ReceivedState:
    """A received message; ``whole`` says whether its checksum is correct.

    ``fields`` are those of :data:`LAYOUT`.
    """

    def __init__(self, data: bytes) -> None:
        """Read the message ``data``, whose first 4 bytes tell how it is encoded."""
        self.sample_info: Any = None
        # As in C, but that the first motor begins without padding. CycloneDDS pads with zeros.
        cut = _MOTORS_AT - 2
        wire = data[4:]
        body = wire[:cut] + bytes(2) + wire[cut : cut + 1] + bytes(3) + wire[cut + 2 :]
        self.whole = len(body) == LAYOUT.itemsize and data[1] & 1 == 1  # little-endian
        if self.whole:
            self.fields = np.frombuffer(body, LAYOUT)[0]
            self.whole = int(self.fields["crc"]) == _crc32_mpeg2(body[:-4])

    @property
    def live(self) -> np.ndarray:
        """Mask (29,) of slots that report a voltage or temperature; empty ones report neither."""
        motors = self.fields["motor_state"][:29]
        return (motors["vol"] > 0) | (motors["temperature"] != 0).any(axis=1)


def sent_as(state: np.ndarray) -> LowState:
    """Encode one record of :data:`LAYOUT` with its checksum, ready to send."""
    body = state.tobytes()[:-4]
    body += np.uint32(_crc32_mpeg2(body)).tobytes()
    cut = _MOTORS_AT - 2
    wire = b"\0\1\0\0" + body[:cut] + body[cut + 2 : cut + 3] + b"\0" + body[cut + 6 :]
    message = LowState.__new__(LowState)
    message.serialize = lambda **_: wire
    return message


_REVERSED = bytes(int(f"{value:08b}"[::-1], 2) for value in range(256))


def _crc32_mpeg2(data: bytes) -> int:
    """Over 32-bit words, most significant byte first: zlib's, with all bits the other way round."""
    words = np.frombuffer(data, "<u4").astype(">u4").tobytes().translate(_REVERSED)
    return int(f"{zlib.crc32(words) ^ 0xFFFFFFFF:032b}"[::-1], 2)

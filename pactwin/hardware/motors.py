"""Mapping of a G1's motors to joints.

Source: unitree_sdk2 and unitree_ros, g1_description. A G1 with 23 joints has the slots of one with
29, some of them empty; the same holds if the waist is locked.
"""

from typing import Literal

import numpy as np

from pactwin.suite import EnvironmentFaultError

Variant = Literal["29dof", "29dof_lock_waist", "23dof"]

_LEG = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
_SHOULDER = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw")
_ARM = (*_SHOULDER, "elbow", "wrist_roll", "wrist_pitch", "wrist_yaw")
_ALL = (
    *(f"{side}_{name}_joint" for side in ("left", "right") for name in _LEG),
    *(f"waist_{axis}_joint" for axis in ("yaw", "roll", "pitch")),
    *(f"{side}_{name}_joint" for side in ("left", "right") for name in _ARM),
)
_WAIST_LOCKED = frozenset({13, 14})
_EMPTY: dict[Variant, frozenset[int]] = {
    "29dof": frozenset(),
    "29dof_lock_waist": _WAIST_LOCKED,
    "23dof": _WAIST_LOCKED | {20, 21, 27, 28},
}
_PARALLEL = frozenset({4, 5, 10, 11, 13, 14})
"""Slots that tell angles of motors A and B, not of pitch and roll, where ``mode_pr`` is not 0."""

JOINTS: dict[Variant, dict[int, str]] = {
    variant: {slot: name for slot, name in enumerate(_ALL) if slot not in empty}
    for variant, empty in _EMPTY.items()
}
"""Joints by slot."""

MODE_MACHINES: dict[Variant, frozenset[int]] = {
    "23dof": frozenset({1, 4, 10}),
    "29dof": frozenset({2, 5, 11, 13, 15}),
    "29dof_lock_waist": frozenset({3, 6, 12, 14, 16}),
}
"""Hardware variants by ``mode_machine``."""
_NOT_STANDING = {9: "a dual-arm G1 without legs"}


def check_variant(variant: Variant, mode_machine: int, live: np.ndarray) -> None:
    """Raise an error unless the robot is of ``variant``.

    ``live`` (29,) is which slots report a voltage or a temperature. Raises EnvironmentFaultError
    that names what the robot is, or the slots that differ.
    """
    found = next((name for name, known in MODE_MACHINES.items() if mode_machine in known), None)
    if found is None:
        what = _NOT_STANDING.get(mode_machine, "no G1 that pactwin knows")
        known = ", ".join(f"{n} ({min(m)}-{max(m)})" for n, m in MODE_MACHINES.items())
        raise EnvironmentFaultError(
            f"the robot's mode_machine {mode_machine} is {what}; known are {known}"
        )
    if found != variant:
        raise EnvironmentFaultError(
            f"the robot is a {found} (mode_machine {mode_machine}), the rig file says {variant}: "
            "correct robot.variant"
        )
    fitted = np.isin(np.arange(len(live)), list(JOINTS[variant]))
    for wrong, said in ((fitted & ~live, "do not report"), (live & ~fitted, "report")):
        if wrong.any():
            slots = ", ".join(map(str, np.flatnonzero(wrong)))
            raise EnvironmentFaultError(
                f"motors in slots {slots} {said}, which does not fit a {variant} "
                f"(mode_machine {mode_machine}): have its hardware or firmware looked at"
            )


def joint_angles(variant: Variant, mode_pr: int, angles_rad: np.ndarray) -> dict[str, float]:
    """Angles by joint from the angles in all slots.

    Slots of parallel mechanisms are left out while they tell angles of motors.
    """
    return {
        name: float(angles_rad[slot])
        for slot, name in JOINTS[variant].items()
        if mode_pr == 0 or slot not in _PARALLEL
    }

"""Postures in which a hand takes an object."""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.reach.starts import reachers


@dataclass(frozen=True)
class Posture:
    """An arm's posture at the object, with its quality.

    ``angles_rad`` is the pregrasp, ``taking_rad`` the posture with the fingertips beside the
    object. Errors are the largest on the last straight path; ``clearance_m`` is the smallest
    clearance on it (negative: penetration), at most SEEN_M. ``opening_m`` is the distance between
    the fingers, 0 if their direction was left open.
    """

    arm: str
    approach: str
    angles_rad: tuple[float, ...]
    taking_rad: tuple[float, ...]
    position_error_m: float
    angle_error_rad: float
    clearance_m: float
    opening_m: float


def closing_of(robot: str, posture: Posture) -> np.ndarray:
    """Closing direction of the fingers, a unit vector (3,), in a posture."""
    chains = {reacher.arm.name: reacher.chain for reacher in reachers(robot)}
    (closing,) = chains[posture.arm].closings(np.array([posture.taking_rad]))
    return np.asarray(closing)

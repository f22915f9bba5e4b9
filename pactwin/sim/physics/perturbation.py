"""Disturbed repetitions of a trial: a label that one of them changes is none."""

from dataclasses import dataclass

import numpy as np

_POSE_DRAWS = 4
_POSE_NOISE_M = 0.001
_POSE_NOISE_RAD = float(np.deg2rad(1.0))


@dataclass(frozen=True)
class Perturbation:
    """One disturbed repetition of a trial. The default disturbs nothing.

    ``friction_scale`` is of sliding, ``rolling_friction_scale`` of rolling. ``hand_speed_scale``
    is of all that hands do. ``pose_noise_m`` and ``pose_noise_rad`` bound uniform noise on every
    item's position and yaw, drawn from ``seed``.
    """

    name: str = "nominal"
    friction_scale: float = 1.0
    rolling_friction_scale: float = 1.0
    mass_scale: float = 1.0
    time_step_scale: float = 1.0
    hand_speed_scale: float = 1.0
    pose_noise_m: float = 0.0
    pose_noise_rad: float = 0.0
    seed: int = 0


def perturbations(seed: int) -> tuple[Perturbation, ...]:
    """The thirteen disturbed repetitions of every trial; ``seed`` feeds the pose noise."""
    noisy = tuple(
        Perturbation(
            f"pose noise {k + 1}",
            pose_noise_m=_POSE_NOISE_M,
            pose_noise_rad=_POSE_NOISE_RAD,
            seed=(seed + k) % 2**63,
        )
        for k in range(_POSE_DRAWS)
    )
    return (
        Perturbation("less friction", friction_scale=0.8),
        Perturbation("more friction", friction_scale=1.25),
        Perturbation("more rolling friction", rolling_friction_scale=5.0),
        Perturbation("slower hand", hand_speed_scale=0.5),
        Perturbation("faster hand", hand_speed_scale=1.25),
        Perturbation("lighter", mass_scale=0.8),
        Perturbation("heavier", mass_scale=1.2),
        Perturbation("half the time step", time_step_scale=0.5),
        Perturbation("twice the time step", time_step_scale=2.0),
        *noisy,
    )

"""Perturbed repetitions of a trial; a label that flips under any of them is rejected."""

from dataclasses import dataclass, replace

import numpy as np

_POSE_DRAWS = 4
_POSE_NOISE_M = 0.001
_POSE_NOISE_RAD = float(np.deg2rad(1.0))
KEPT_NOISE = 1.5
"""By this factor more pose noise must leave a label as it is before it is kept."""

_FIELDS = {
    "friction_scale": "friction",
    "rolling_friction_scale": "rolling friction",
    "mass_scale": "mass",
    "time_step_scale": "time step",
    "hand_speed_scale": "hand speed",
    "pose_noise_m": "pose",
    "pose_noise_rad": "pose",
}
QUANTITIES = tuple(dict.fromkeys(_FIELDS.values()))
"""What perturbations disturb, by name."""


@dataclass(frozen=True)
class Perturbation:
    """One disturbed repetition of a trial. The default disturbs nothing.

    ``friction_scale`` is of sliding, ``rolling_friction_scale`` of rolling. ``hand_speed_scale``
    is of all that hands do. ``pose_noise_m`` and ``pose_noise_rad`` bound uniform noise on every
    item's position and yaw. It and where hands let go of things, which is never exact, are drawn
    from ``seed``.
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

    @property
    def disturbs(self) -> frozenset[str]:
        """Those of ``QUANTITIES`` that it changes; none for an undisturbed trial."""
        return frozenset(
            quantity
            for name, quantity in _FIELDS.items()
            if getattr(self, name) != getattr(_UNDISTURBED, name)
        )


_UNDISTURBED = Perturbation()


def undisturbed(seed: int) -> Perturbation:
    """The trial that nothing disturbs; hands let go of things where ``seed`` says."""
    return Perturbation(seed=seed % 2**63)


def perturbations(seed: int, noise: float = 1.0) -> tuple[Perturbation, ...]:
    """The thirteen disturbed repetitions of every trial, each with its own noise from ``seed``.

    ``noise`` scales the pose noise.
    """
    noisy = tuple(
        Perturbation(
            f"pose noise {k + 1}",
            pose_noise_m=noise * _POSE_NOISE_M,
            pose_noise_rad=noise * _POSE_NOISE_RAD,
        )
        for k in range(_POSE_DRAWS)
    )
    runs = (
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
    return tuple(replace(run, seed=(seed + 1 + k) % 2**63) for k, run in enumerate(runs))

"""Perturbed repetitions of a trial; a label that flips under any of them is rejected."""

from dataclasses import dataclass

import numpy as np

from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, quat_multiply, yaw

_POSE_NOISE_M = 0.001
_POSE_NOISE_RAD = float(np.deg2rad(1.0))
KEPT_NOISE = 1.5
"""Factor of extra noise of poses and of hands that a kept label must withstand."""

# Scales of friction, mass, time step, hand speed and rolling friction, and of pose noise.
_COMBINATIONS = (
    (0.8, 0.8, 0.5, 0.5, 1.0, 0.0),
    (0.8, 1.2, 1.0, 1.25, 5.0, 1.0),
    (1.25, 0.8, 1.0, 1.25, 5.0, 1.0),
    (1.25, 1.2, 0.5, 1.25, 1.0, 1.0),
    (1.25, 1.2, 1.0, 0.5, 1.0, 1.0),
)

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
"""Perturbed quantities by name."""


@dataclass(frozen=True)
class Perturbation:
    """One perturbed repetition of a trial. The default perturbs nothing.

    ``friction_scale`` scales sliding friction, ``rolling_friction_scale`` rolling friction, and
    ``hand_speed_scale`` all motions of hands. ``pose_noise_m`` and ``pose_noise_rad`` bound uniform
    noise on every item's position and yaw. ``seed`` determines this noise and the always inexact
    release poses of hands, whose errors ``release_scale`` scales.
    """

    name: str = "nominal"
    friction_scale: float = 1.0
    rolling_friction_scale: float = 1.0
    mass_scale: float = 1.0
    time_step_scale: float = 1.0
    hand_speed_scale: float = 1.0
    pose_noise_m: float = 0.0
    pose_noise_rad: float = 0.0
    release_scale: float = 1.0
    seed: int = 0

    @property
    def disturbs(self) -> frozenset[str]:
        """The ``QUANTITIES`` that it changes; none for an unperturbed trial."""
        return frozenset(
            quantity
            for name, quantity in _FIELDS.items()
            if getattr(self, name) != getattr(_UNDISTURBED, name)
        )


_UNDISTURBED = Perturbation()


def undisturbed(seed: int, noise: float = 1.0) -> Perturbation:
    """The unperturbed trial; ``seed`` determines where hands release objects.

    ``noise`` scales their errors.
    """
    return Perturbation(release_scale=noise, seed=seed % 2**63)


def perturbations(seed: int, noise: float = 1.0) -> tuple[Perturbation, ...]:
    """The five perturbed repetitions of every trial, each with its own noise from ``seed``.

    ``noise`` scales the pose noise and the errors of hands; friction and mass change by a quarter
    of its excess over 1 more. Every pair of values of friction, mass, time step and hand speed
    occurs together: a covering array of strength two. Its five runs find what thirteen runs with a
    single change find, and effects of two changes together. Source: Kuhn, Kacker and Lei,
    Introduction to Combinatorial Testing, 2013.
    """
    stronger = 1.0 + (noise - 1.0) / 4
    runs = (
        Perturbation(
            f"combination {k + 1}",
            friction_scale=friction**stronger,
            mass_scale=mass**stronger,
            time_step_scale=time_step,
            hand_speed_scale=hand_speed,
            rolling_friction_scale=rolling,
            pose_noise_m=noise * moved * _POSE_NOISE_M,
            pose_noise_rad=noise * moved * _POSE_NOISE_RAD,
            release_scale=noise,
            seed=(seed + 1 + k) % 2**63,
        )
        for k, (friction, mass, time_step, hand_speed, rolling, moved) in enumerate(_COMBINATIONS)
    )
    return tuple(runs)


def perturbed_pose(item: Item, perturbation: Perturbation, rng: np.random.Generator) -> Pose:
    """Pose of the item with the perturbation's noise on planar position and yaw."""
    dx, dy = rng.uniform(-1, 1, 2) * perturbation.pose_noise_m
    turn = yaw(float(rng.uniform(-1, 1) * perturbation.pose_noise_rad))
    moved = item.world_from_object.moved(float(dx), float(dy))
    return Pose(moved.pos, quat_multiply(turn, moved.quat))

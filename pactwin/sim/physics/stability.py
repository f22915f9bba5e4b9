"""Detect diverged simulations, which decide nothing."""

import mujoco

from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import PactwinError

_BROKEN = [
    int(kind)
    for kind in (
        mujoco.mjtWarning.mjWARN_BADQPOS,
        mujoco.mjtWarning.mjWARN_BADQVEL,
        mujoco.mjtWarning.mjWARN_BADQACC,
    )
]


class UnstableSimulation(RejectedLayout, PactwinError):
    """Positions, velocities or accelerations became infinite; the draw is rejected."""


def ensure_stable(data: mujoco.MjData) -> None:
    """Raise UnstableSimulation if MuJoCo reset the simulation.

    MuJoCo resets it if numbers become infinite; without this check nothing would seem to have
    moved.
    """
    number = data.warning.number
    if any(number[kind] for kind in _BROKEN):  # one by one: asked for every few steps
        raise UnstableSimulation("the simulation broke down")

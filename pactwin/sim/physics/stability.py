"""Detect diverged simulations, which decide nothing."""

import mujoco

from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import PactwinError

_BROKEN = [int(getattr(mujoco.mjtWarning, f"mjWARN_BAD{of}")) for of in ("QPOS", "QVEL", "QACC")]


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

"""Guide a pour: lead beads from a spout into a box that stands apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, measured, roll_freely, scored
from pactwin.sim.uses.pieces import sheet
from pactwin.sim.uses.things import bounds_m, placed, turned
from pactwin.suite import Constraint

_CUP, _CUP_M = "white box", (0.09, 0.036, 0.05)
_SPOUT, _SPOUT_M = "grey shelf", (0.05, 0.12, 0.095)
_BEADS, _BEAD_M, _MASS_KG, _SPREAD_M = 7, 0.010, 0.003, 0.034
_LONG_M, _WIDE_M, _THICK_M, _SLOPE_RAD, _RUN_S = 0.24, 0.10, 0.003, 0.30, 1.4
_FOLD_RAD, _SHORT_M, _NARROW_M, _FROM_M = 0.6, 0.11, 0.03, -0.02
# How far the lower end is before the middle of the box, which is long enough for the fastest.
_SHORT_OF_M = 0.03
# Three of seven get in by themselves; with six the task is done, with four or five only half.
_FEW, _ENOUGH = 0.36, 0.90


@dataclass(frozen=True)
class GuidePour(Use):
    """``apart_m`` is the distance of the box's middle from the shelf."""

    name = "guide_pour"
    version = 3
    causes = (Constraint.NO_CHANNEL, Constraint.TOO_SHORT, Constraint.TOO_NARROW)
    others = ("ruler", "notepad", "pen", "fork", "marker", "soap_bar")
    affordances = ("pour through",)
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["GuidePour", Things]:
        """A folded sheet; alternatives: a flat one, a short one, a narrow one."""
        long = _LONG_M * float(rng.uniform(0.95, 1.05))
        failing = {
            Constraint.NO_CHANNEL: lambda: sheet(long, _WIDE_M, _THICK_M, 0.0),
            Constraint.TOO_SHORT: lambda: sheet(_SHORT_M, _WIDE_M, _THICK_M, _FOLD_RAD),
            Constraint.TOO_NARROW: lambda: sheet(long, _NARROW_M, _THICK_M, _FOLD_RAD),
        }[cause]()
        serving = sheet(long, _WIDE_M, _THICK_M, _FOLD_RAD)
        return cls(float(rng.uniform(0.16, 0.185))), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The box that collects the beads, and the shelf from which they roll."""
        box = standing_at(open_box("white", _CUP_M, 0.004), self.apart_m, 0.0)
        shelf = standing_at(block("grey", _SPOUT_M), -_SPOUT_M[0] / 2, 0.0)
        return replace(box, name=_CUP), replace(shelf, name=_SPOUT)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"hold {{thing}}, the side up that is up now, sloping from the edge of the {_SPOUT} to "
            f"the {_CUP}, so that beads which roll off the shelf over a width of "
            f"{200 * _SPREAD_M:.0f} cm run down it into the box"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object's lower end is over the box."""
        sloping = turned(thing, pitch_rad=-_SLOPE_RAD)
        yield placed(sloping, front_x=self.apart_m - _SHORT_OF_M, low_z=_CUP_M[2] + 0.018)

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Let the beads roll."""
        for k in range(_BEADS):
            roll_freely(spec, f"bead {k}")

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """Beads over the edge of the shelf, side by side."""
        low, high = bounds_m(thing)
        x = _FROM_M
        flat = float(np.cos(_SLOPE_RAD) * (high[2] - low[2]) - np.sin(_SLOPE_RAD) * _LONG_M)
        z = float(low[2] + (high[0] - x) * np.tan(_SLOPE_RAD)) + max(flat, 0.0) + 0.03
        beads = []
        for k in range(_BEADS):
            y = _SPREAD_M * (2 * k / (_BEADS - 1) - 1)
            at = Pose((x, y, z))
            bead = replace(ball("black", _BEAD_M).at(at), name=f"bead {k}", mass_kg=_MASS_KG)
            beads.append(bead)
        return *self.items, *beads

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Let the beads roll until all are below the rim of the box."""
        half = np.array(_CUP_M[:2]) / 2

        def beads() -> np.ndarray:
            return np.array([world.at(f"bead {k}") for k in range(_BEADS)])

        world.run_until(lambda: bool((beads()[:, 2] < _CUP_M[2]).all()), _RUN_S)
        at = beads()
        in_it = (np.abs(at[:, :2] - (self.apart_m, 0.0)) < half).all(axis=1)
        inside = int((in_it & (at[:, 2] < _CUP_M[2])).sum())
        limit = measured(inside, (_FEW + _ENOUGH) / 2 * _BEADS, "beads")
        return scored((inside / _BEADS - _FEW) / (_ENOUGH - _FEW), "beads_in_it", limit)


USE = GuidePour

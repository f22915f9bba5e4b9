"""Guide a pour: lead what runs out of a spout into a cup that stands aside."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import assembled
from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.primitives import hull, made_of
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, measured, roll_freely
from pactwin.sim.uses.things import bounds_m, placed, some_of, turned
from pactwin.suite import Constraint

_CUP, _CUP_M = "white box", (0.09, 0.036, 0.05)
_SPOUT, _SPOUT_M = "grey shelf", (0.05, 0.12, 0.095)
_BEADS, _BEAD_M, _MASS_KG, _SPREAD_M = 7, 0.010, 0.003, 0.034
_OTHERS = ("ruler", "notepad", "plank", "spirit_level", "spatula", "marker", "wood_chisel")
_LONG_M, _WIDE_M, _THICK_M, _SLOPE_RAD, _RUN_S = 0.24, 0.10, 0.003, 0.30, 1.4
# How far the lower end is before the middle of the box, which is long enough for the fastest.
_SHORT_OF_M = 0.03
# Three of seven get in by themselves; with six the task is done, with four or five only half.
_FEW, _ENOUGH = 0.36, 0.90
_MATERIALS = ("cardboard", "plastic", "wood", "aluminium")


@dataclass(frozen=True)
class GuidePour(Use):
    """``apart_m`` is how far the box's middle is from the shelf."""

    name: ClassVar[str] = "guide_pour"
    version: ClassVar[int] = 2
    constraint: ClassVar[Constraint] = Constraint.NO_CHANNEL
    attribute: ClassVar[str] = "a fold along it"
    affordances: ClassVar[tuple[str, ...]] = ("pour through",)
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["GuidePour", Things]:
        """A folded sheet, and a flat one of the same size."""
        material = str(rng.choice(_MATERIALS))
        long = _LONG_M * float(rng.uniform(0.95, 1.05))
        pair = sheet(long, material, fold_rad=0.6), sheet(long, material, fold_rad=0.0)
        return cls(float(rng.uniform(0.16, 0.185))), Things(
            pair[0], pair[1], some_of(_OTHERS, 2, rng), "sheet"
        )

    @property
    def items(self) -> tuple[Item, ...]:
        """The box that the beads have to get into, and the shelf that they roll off."""
        box = standing_at(open_box("white", _CUP_M, 0.004), self.apart_m, 0.0)
        shelf = standing_at(block("grey", _SPOUT_M), -_SPOUT_M[0] / 2, 0.0)
        return replace(box, name=_CUP), replace(shelf, name=_SPOUT)

    @property
    def fixed(self) -> frozenset[str]:
        """Both."""
        return frozenset((_CUP, _SPOUT))

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"hold {{thing}}, the side up that is up now, sloping from the edge of the {_SPOUT} to "
            f"the {_CUP}, so that beads which roll off the shelf over a width of "
            f"{200 * _SPREAD_M:.0f} cm run down it into the box"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """Its lower end is over the box."""
        sloping = turned(thing, pitch_rad=-_SLOPE_RAD)
        yield placed(sloping, front_x=self.apart_m - _SHORT_OF_M, low_z=_CUP_M[2] + 0.018)

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Beads roll."""
        for k in range(_BEADS):
            roll_freely(spec, f"bead {k}")

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """Beads over the upper end, side by side."""
        low, high = bounds_m(thing)
        x = max(-0.02, float(low[0]) + 0.03)
        flat = float(np.cos(_SLOPE_RAD) * (high[2] - low[2]) - np.sin(_SLOPE_RAD) * _LONG_M)
        z = float(low[2] + (high[0] - x) * np.tan(_SLOPE_RAD)) + max(flat, 0.0) + 0.03
        beads = []
        for k in range(_BEADS):
            y = _SPREAD_M * (2 * k / (_BEADS - 1) - 1)
            at = Pose((x, y, z))
            bead = replace(ball("black", _BEAD_M).at(at), name=f"bead {k}", mass_kg=_MASS_KG)
            beads.append(bead)
        return *self.items, *beads

    def play(self, world: UseWorld, thing: Item) -> Played:
        """They roll, until all are below the rim of the box."""
        half = np.array(_CUP_M[:2]) / 2

        def beads() -> np.ndarray:
            return np.array([world.at(f"bead {k}") for k in range(_BEADS)])

        world.run_until(lambda: bool((beads()[:, 2] < _CUP_M[2]).all()), _RUN_S)
        at = beads()
        in_it = (np.abs(at[:, :2] - (self.apart_m, 0.0)) < half).all(axis=1)
        inside = int((in_it & (at[:, 2] < _CUP_M[2])).sum())
        share = float(np.clip((inside / _BEADS - _FEW) / (_ENOUGH - _FEW), 0.0, 1.0))
        limit = measured(inside, (_FEW + _ENOUGH) / 2 * _BEADS, "beads")
        return Played(round(share, 4), {"beads_in_it": limit})


def sheet(long_m: float, material: str, *, fold_rad: float) -> Item:
    """A stiff sheet along x, folded along its middle so that its sides rise by ``fold_rad``."""
    half, thick = _WIDE_M / 2, _THICK_M
    out, up = half * np.cos(fold_rad), half * np.sin(fold_rad)
    sides = [
        hull(
            (x, side * y, z + dz)
            for x in (-long_m / 2, long_m / 2)
            for y, z in ((0.0, 0.0), (out, up))
            for dz in (0.0, thick)
        )
        for side in (-1, 1)
    ]
    return assembled("sheet", "white", made_of("body", material, 1.0, *sides))


USE = GuidePour

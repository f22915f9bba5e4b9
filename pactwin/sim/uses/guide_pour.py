"""Guide a pour: lead beads from a box into a bowl that stands apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from pactwin.sim.objects.everyday import can
from pactwin.sim.objects.pipes import gutter
from pactwin.sim.objects.posing import UPSIDE_DOWN, standing_at
from pactwin.sim.objects.standard_sizes import TALL_CAN_M, pick
from pactwin.sim.objects.tableware import bowl
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, measured, scored
from pactwin.sim.uses.pieces import beads, carton, roll_freely
from pactwin.sim.uses.things import bounds_m, placed, side_by_side, turned
from pactwin.suite import Constraint

_BOWL, _BOWL_M = "white bowl", (0.122, 0.074, 0.05)
_SHELF, _SHELF_M = "brown box", (0.05, 0.12, 0.095)
# Two cans stand beside the way, so far before the bowl's middle, with so much room between them.
_CANS, _CANS_M, _ROOM_M = ("left white can", "right white can"), 0.105, 0.098
_BEADS, _BEAD_M, _MASS_KG, _SPREAD_M = 7, 0.010, 0.003, 0.024
_LONG_M, _SLOPE_RAD, _RUN_S, _FROM_M = 0.24, 0.30, 1.4, -0.02
# Widths of gutters that pass between the cans, and of one that does not; the length of a short one.
_WIDE_M, _TOO_WIDE_M, _SHORT_M = (0.075, 0.080, 0.085), 0.112, 0.11
# How far the lower end is before the middle of the bowl, which is wide enough for the fastest.
_SHORT_OF_M = 0.03
# Three of seven get in by themselves; with six the task is done, with four or five only half.
_FEW, _ENOUGH = 0.36, 0.90


@dataclass(frozen=True)
class GuidePour(Use):
    """``apart_m`` is the distance of the bowl's middle from the box."""

    name = "guide_pour"
    version = 4
    causes = (Constraint.NO_CHANNEL, Constraint.TOO_SHORT, Constraint.TOO_WIDE)
    others = ("ruler", "notepad", "pen", "fork", "marker", "soap_bar")
    affordances = ("pour through",)
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["GuidePour", Things]:
        """A gutter; alternatives: bottom up, too short, too wide."""
        long, wide = _LONG_M * float(rng.uniform(0.95, 1.05)), pick(rng, _WIDE_M)
        serving = gutter("white", wide, long)
        over = Pose((0.0, 0.0, 0.0), UPSIDE_DOWN)
        failing = {
            Constraint.NO_CHANNEL: lambda: replace(serving.at(over), state="inverted"),
            Constraint.TOO_SHORT: lambda: gutter("white", wide, _SHORT_M),
            Constraint.TOO_WIDE: lambda: gutter("white", _TOO_WIDE_M, long),
        }[cause]()
        return cls(float(rng.uniform(0.17, 0.19))), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """The bowl that collects the beads, the box from which they roll, and two cans."""
        into = standing_at(bowl("white", *_BOWL_M), self.apart_m, 0.0)
        shelf = standing_at(carton(_SHELF_M), -_SHELF_M[0] / 2, 0.0)
        x, out = self.apart_m - _CANS_M, (_ROOM_M + TALL_CAN_M[0]) / 2
        cans = side_by_side(_CANS, can("white", *TALL_CAN_M), x, out)
        return replace(into, name=_BOWL), replace(shelf, name=_SHELF), *cans

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"hold {{thing}}, the side up that is up now, between the two white cans, sloping from "
            f"the edge of the {_SHELF} to the {_BOWL}, so that beads which roll off the box over a "
            f"width of {200 * _SPREAD_M:.0f} cm run down it into the bowl"
        )

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object's lower end is over the bowl."""
        sloping = turned(thing, pitch_rad=-_SLOPE_RAD)
        yield placed(sloping, front_x=self.apart_m - _SHORT_OF_M, low_z=_BOWL_M[2] + 0.018)

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Let the beads roll."""
        roll_freely(spec, _BEADS)

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """Beads over the edge of the box, side by side."""
        low, high = bounds_m(thing)
        x = _FROM_M
        flat = float(np.cos(_SLOPE_RAD) * (high[2] - low[2]) - np.sin(_SLOPE_RAD) * _LONG_M)
        z = float(low[2] + (high[0] - x) * np.tan(_SLOPE_RAD)) + max(flat, 0.0) + 0.012
        spots = [(x, _SPREAD_M * (2 * k / (_BEADS - 1) - 1), z) for k in range(_BEADS)]
        return *self.items, *beads(spots, _BEAD_M, _MASS_KG)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Let the beads roll until all are below the rim of the bowl."""

        def spots() -> np.ndarray:
            return np.array([world.at(f"bead {k}") for k in range(_BEADS)])

        world.run_until(lambda: bool((spots()[:, 2] < _BOWL_M[2]).all()), _RUN_S)
        at = spots()
        in_it = np.hypot(*(at[:, :2] - (self.apart_m, 0.0)).T) < _BOWL_M[0] / 2
        inside = int((in_it & (at[:, 2] < _BOWL_M[2])).sum())
        limit = measured(inside, (_FEW + _ENOUGH) / 2 * _BEADS, "beads")
        return scored((inside / _BEADS - _FEW) / (_ENOUGH - _FEW), "beads_in_it", limit)


USE = GuidePour

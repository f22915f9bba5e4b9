"""Hold grains: carry a handful of beads in an object that is no cup."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import mujoco
import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.posing import UPSIDE_DOWN, standing_at
from pactwin.sim.objects.primitives import ellipsoid, made_of
from pactwin.sim.objects.variants import filled, lidded
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import ORIGIN, Pose
from pactwin.sim.uses.base import Rollout, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.pieces import beads, roll_freely
from pactwin.sim.uses.things import bounds_m, placed, size_m, stretched, thing_of
from pactwin.suite import Constraint

_HEAP, _BEADS, _BEAD_M, _MASS_KG = "heap of black beads", 9, 0.013, 0.004
_VESSELS, _SCALE = ("cup", "tumbler", "mug"), (0.95, 1.18)
_OVER_M, _FALL_S, _RAISE_M, _ASIDE_M, _CARRY_M_S = 0.02, 0.6, 0.05, 0.15, 0.35


@dataclass(frozen=True)
class HoldGrains(Use):
    """``beads`` is the number of beads."""

    name = "hold_grains"
    version = 5
    causes = (Constraint.NO_HOLLOW, Constraint.CLOSED, Constraint.FULL)
    others = ("coaster", "soap_bar", "notepad", "ruler", "can", "bread_slice", "marker", "fork")
    affordances = ("contain", "drink", "scoop", "carry")
    beads: int

    @classmethod
    def draw(cls, rng: np.random.Generator, cause: Constraint) -> tuple["HoldGrains", Things]:
        """An empty vessel; alternatives: one upside down, one with a lid, one full of grain.

        Each has a size of its own, so that the height of a lid or a heap does not tell.
        """
        whole = replace(thing_of(str(rng.choice(_VESSELS)), rng).at(ORIGIN), state="upright, empty")
        serving, vessel = (stretched(whole, (k, k, k)) for k in rng.uniform(*_SCALE, 2).tolist())
        over = Pose((0.0, 0.0, 0.0), UPSIDE_DOWN)
        failing = {
            Constraint.NO_HOLLOW: lambda: replace(vessel.at(over), state="inverted, empty"),
            Constraint.CLOSED: lambda: replace(lidded(vessel), state="upright, closed, empty"),
            Constraint.FULL: lambda: filled(vessel),
        }[cause]()
        return cls(_BEADS), cls.things(serving, failing, rng)

    @property
    def items(self) -> tuple[Item, ...]:
        """A heap of beads."""
        pieces = [
            ellipsoid((2 * _BEAD_M,) * 3, (1.9 * _BEAD_M * x, 1.9 * _BEAD_M * y, _BEAD_M))
            for x, y in product((-1, 0, 1), repeat=2)
        ]
        heap = make_item("bead", "black", made_of("body", "plastic", 1.0, *pieces))
        return (replace(standing_at(heap, 0.0, 0.0), name=_HEAP),)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"carry the {_HEAP} away all at once on or in {{thing}}, which it takes up just as it "
            "lies now, without turning it over; the beads are let fall on it from above"
        )

    def prepare(self, spec: mujoco.MjSpec, thing: Item) -> None:
        """Let the beads roll."""
        roll_freely(spec, _BEADS)

    def played_items(self, thing: Item) -> tuple[Item, ...]:
        """Beads over the middle of the object, without the heap."""
        (heap,) = self.items
        low, high = bounds_m(thing)
        x, y = ((low + high) / 2)[:2].tolist()
        apart, z = 1.2 * _BEAD_M, float(high[2]) + _OVER_M
        spots = [(x + apart * i, y + apart * j, z) for i, j in product((-1, 0, 1), repeat=2)]
        away = heap.at(heap.world_from_object.moved(dx=0.6))
        return away, *beads(spots, _BEAD_M, _MASS_KG)

    def candidates(self, thing: Item) -> Iterator[Item]:
        """The object is held in its resting orientation."""
        yield placed(thing, middle_x=0.0, low_z=0.002)

    def rollout(self, world: UseWorld, thing: Item) -> Rollout:
        """Drop the beads, then raise the object and carry it aside."""
        world.run(_FALL_S)
        world.lead(z=_RAISE_M)
        world.move_hand(np.array([0.0, _ASIDE_M, 0.0]), _CARRY_M_S)
        world.run(0.3)
        here = world.pose(thing.name)
        low = here.pos[2] - size_m(thing)[2] / 2
        half = size_m(thing)[:2] / 2 + 0.005
        kept = 0
        for k in range(_BEADS):
            at = world.at(f"bead {k}")
            inside = np.abs(at[:2] - np.array(here.pos[:2])) < half
            kept += bool(inside.all() and at[2] > low)
        return of_whole("beads_kept", kept, _BEADS, "beads")


USE = HoldGrains

"""Hook and pull: draw a block nearer with something that catches behind it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

import numpy as np

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import span_m, standing_at
from pactwin.sim.scene.layout import Item
from pactwin.sim.uses.base import Played, Things, Use, UseWorld, of_whole
from pactwin.sim.uses.things import bounds_m, placed, roles, some_of, thing_of, with_part_stretched
from pactwin.suite import Constraint

_CUBE, _CUBE_M, _PULL_M = "white block", 0.04, 0.08
_HAMMERS = ("cross_peen_hammer", "wooden_mallet", "rubber_mallet", "soft_faced_hammer")
_OTHERS = ("soap_bar", "sponge", "can", "notepad", "marker", "cold_chisel", "candle")
# How far a head stands out from its handle on either side, and one that does not hook (m).
_HEAD, _WIDE_M, _NARROW_M = ("head", "faces"), 0.045, 0.001
# How much of its front end is behind the block, and how far it passes beside it (m).
_BEHIND_M, _BESIDE_M = (0.02, 0.035, 0.07), 0.010


@dataclass(frozen=True)
class HookAndPull(Use):
    """``apart_m`` is where the block's middle is."""

    name: ClassVar[str] = "hook_and_pull"
    version: ClassVar[int] = 2
    constraint: ClassVar[Constraint] = Constraint.NO_HOOK
    attribute: ClassVar[str] = "width of its head"
    affordances: ClassVar[tuple[str, ...]] = ("pry", "hammer")
    by_end: ClassVar[bool] = True
    apart_m: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> tuple["HookAndPull", Things]:
        """A hammer with its head across the handle, and one whose head is no wider than that."""
        kind = str(rng.choice(_HAMMERS))
        hammer = thing_of(kind, rng)
        wide, narrow = (_headed(hammer, out) for out in (_WIDE_M, _NARROW_M))
        called = "mallet" if "mallet" in kind else "hammer"
        things = Things(wide, narrow, some_of(_OTHERS, 2, rng), called)
        return cls(float(rng.uniform(0.16, 0.22))), things

    @property
    def items(self) -> tuple[Item, ...]:
        """The block."""
        cube = standing_at(block("white", (_CUBE_M,) * 3), self.apart_m, 0.0)
        return (replace(cube, name=_CUBE),)

    @property
    def request(self) -> str:
        """The instruction."""
        return (
            f"draw the {_CUBE} {100 * _PULL_M:.0f} cm nearer with {{thing}}, which lies flat on "
            "the table beside and behind the block and is drawn straight back, not pressed on it"
        )

    def ways(self, thing: Item) -> Iterator[Item]:
        """It lies beside the block, its front end behind it."""
        far = self.apart_m + _CUBE_M / 2
        for behind, side in product(_BEHIND_M, (-1, 1)):
            there = placed(thing, front_x=far + 0.008 + behind, low_z=0.002)
            low, high = _beside(there, far - _CUBE_M - 0.01, far + 0.006)
            gap = _CUBE_M / 2 + _BESIDE_M
            shift = -gap - high if side < 0 else gap - low
            yield there.at(there.world_from_object.moved(dy=shift))

    def play(self, world: UseWorld, thing: Item) -> Played:
        """Draw it back."""
        start = world.at(_CUBE)[0]
        world.lead(x=-_PULL_M - 0.03)
        return of_whole("drawn", start - world.at(_CUBE)[0], _PULL_M)


def _headed(hammer: Item, out_m: float) -> Item:
    """The hammer with a head that stands out by ``out_m`` from its handle, on either side."""
    spans = {role: _span_y(hammer, role) for role in ("handle", *_HEAD) if role in roles(hammer)}
    least, most = spans.pop("handle")
    high = max(span[1] for span in spans.values())
    by = (min(-least, most) + out_m) / high
    for role in spans:
        hammer = with_part_stretched(hammer, role, (1.0, by, 1.0))
    return hammer


def _span_y(item: Item, role: str) -> tuple[float, float]:
    found = [
        span_m(item.world_from_object @ part.pose, part, 1)
        for part in item.parts
        if part.role == role and part.collides
    ]
    return min(low for low, _ in found), max(high for _, high in found)


def _beside(thing: Item, low_x: float, high_x: float) -> tuple[float, float]:
    """Least and largest y of the parts of a thing that reach between two x."""
    found = []
    for part in thing.parts:
        if part.collides:
            pose = thing.world_from_object @ part.pose
            low, high = span_m(pose, part, 0)
            if high > low_x and low < high_x:
                found.append(span_m(pose, part, 1))
    if not found:
        least, most = bounds_m(thing)
        return float(least[1]), float(most[1])
    return min(low for low, _ in found), max(high for _, high in found)


USE = HookAndPull

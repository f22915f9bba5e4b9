"""Build an object of a kind, or a tool of a trade, by its name in the catalogue."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from pactwin.sim.objects.blocks import plank
from pactwin.sim.objects.declared import Thing, things_in
from pactwin.sim.objects.household import cube_puzzle, dumbbell
from pactwin.sim.objects.palette import WOOD, dyed
from pactwin.sim.objects.posing import ON_SIDE, UPRIGHT, UPSIDE_DOWN, resting_at
from pactwin.sim.objects.standard_sizes import STANDARD_SIZES, pick
from pactwin.sim.objects.vessels import cup, pen_stand
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Quat
from pactwin.suite import unknown_name

_VARY = 0.06
_EITHER_WAY = (("upright, empty", UPRIGHT), ("inverted, empty", UPSIDE_DOWN))


@dataclass(frozen=True)
class _Sized:
    """A kind with a builder that takes a colour and a standard size.

    ``poses`` are states and orientations of unfilled objects, by default upright as built.
    """

    colors: tuple[str, ...]
    build: Callable[..., Item]
    poses: tuple[tuple[str, Quat], ...] = ()

    def drawn(self, rng: np.random.Generator, sizes: Sequence[tuple[Any, ...]]) -> Item:
        color, rgba = dyed(rng, *self.colors)
        item = self.build(color, *pick(rng, sizes))
        item = replace(item, rgba=WOOD if item.material == "wood" else rgba)
        poses = () if "filled" in item.state else self.poses
        state, turn = pick(rng, poses) if poses else (item.state, UPRIGHT)
        return resting_at(item, 0.0, 0.0, turn, state=state)


def kind_names() -> tuple[str, ...]:
    """Names of the built-in kinds other than tools, as in the catalogue."""
    return tuple(sorted({*_by_name("kinds"), *_SIZED}))


def tool_names() -> tuple[str, ...]:
    """Names of all tools, as in the catalogue."""
    return tuple(sorted(tools()))


def trades() -> Mapping[str, Mapping[str, Thing]]:
    """The trades, each with its tools by their catalogue names."""
    return things_in("tools")


def tools() -> Mapping[str, Thing]:
    """All tools by name."""
    return _by_name("tools")


def build_thing(name: str, rng: np.random.Generator) -> Item:
    """One object of a kind or tool, drawn from ``rng``, at rest at the table's origin.

    Tools have the sizes in the catalogue, kinds of suites of pairs standard sizes; sizes of other
    kinds vary by 6 %. Raises InvalidInputError for an unknown name.
    """
    sizes = STANDARD_SIZES.get(name, ())
    if name in _SIZED:
        item = _SIZED[name].drawn(rng, sizes)
    elif name in tools():
        item = tools()[name].drawn(name, rng)
    elif name in _by_name("kinds"):
        item = _by_name("kinds")[name].drawn(name, rng, sizes=sizes, vary=_VARY)
    else:
        raise unknown_name("kind of object", name, (*kind_names(), *tool_names()))
    return replace(item, name=name.replace("_", " "))


@lru_cache(maxsize=2)
def _by_name(folder: str) -> Mapping[str, Thing]:
    return {name: thing for things in things_in(folder).values() for name, thing in things.items()}


_SIZED = {
    "cube_puzzle": _Sized(("black",), cube_puzzle),
    "cup": _Sized(("red", "blue", "green", "orange", "yellow", "pink"), cup, _EITHER_WAY),
    "dumbbell": _Sized(("black", "blue", "red", "purple"), dumbbell, (("on_side", UPRIGHT),)),
    "pen_stand": _Sized(
        ("blue", "red", "green", "white", "orange"),
        pen_stand,
        (*_EITHER_WAY, ("on_side, empty", ON_SIDE)),
    ),
    "plank": _Sized(("brown",), plank),
}

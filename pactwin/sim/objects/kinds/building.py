"""Build an item from the name of a kind."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from inspect import isfunction
from pathlib import Path

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.declared import things_in
from pactwin.sim.objects.kinds import (
    containers,
    food,
    household,
    kitchen,
    stationery,
    tools,
)
from pactwin.sim.objects.kinds.parts import Builder
from pactwin.sim.objects.kinds.standard import STANDARD_KINDS, draw_standard
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.pose import Pose, vec3
from pactwin.suite import unknown_name

# In these modules every public function is a builder of the kind that it is called.
_MODULES = (containers, food, household, kitchen, stationery, tools)
_VARY = 0.06


@lru_cache(maxsize=1)
def _builders() -> Mapping[str, Builder]:
    """Kinds declared beside this module, or built by a function where shapes are computed."""
    declared = things_in(Path(__file__).parent).values()
    return {name: thing.built for things in declared for name, thing in things.items()} | {
        name: builder
        for module in _MODULES
        for name, builder in vars(module).items()
        if isfunction(builder)
        and builder.__module__ == module.__name__
        and not name.startswith("_")
    }


def kind_names() -> tuple[str, ...]:
    """Names of the built-in kinds, as in the catalogue."""
    return tuple(sorted({*_builders(), *STANDARD_KINDS}))


def build_kind(name: str, rng: np.random.Generator) -> Item:
    """One object of a kind, drawn from ``rng``, at rest at the table's origin.

    Kinds of suites of pairs have standard sizes; sizes of other kinds vary by 6 %. Raises
    InvalidInputError for an unknown name.
    """
    if name in STANDARD_KINDS:
        item = draw_standard(name, rng)
    elif name in _builders():
        built = _builders()[name](rng)
        scale = float(rng.uniform(1 - _VARY, 1 + _VARY))
        item = make_item(name, built.color, [_scaled(part, scale) for part in built.parts])
        item = resting_at(item, 0.0, 0.0, built.turn, state=built.state)
    else:
        raise unknown_name("kind of object", name, kind_names())
    return replace(item, name=name.replace("_", " "))


def _scaled(part: Part, by: float) -> Part:
    return replace(
        part,
        size_m=vec3(by * s for s in part.size_m),
        pose=Pose(vec3(by * p for p in part.pose.pos), part.pose.quat),
        corners_m=tuple(vec3(by * c for c in corner) for corner in part.corners_m),
    )

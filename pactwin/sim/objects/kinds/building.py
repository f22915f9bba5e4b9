"""Build an item from the name of a kind."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.declared import Thing, things_in
from pactwin.sim.objects.kinds.standard import STANDARD_KINDS, draw_standard
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.objects.primitives import stretched
from pactwin.sim.scene.layout import Item
from pactwin.suite import unknown_name

_VARY = 0.06


@lru_cache(maxsize=1)
def _declared() -> Mapping[str, Thing]:
    """Kinds declared beside this module."""
    files = things_in(Path(__file__).parent).values()
    return {name: thing for things in files for name, thing in things.items()}


def kind_names() -> tuple[str, ...]:
    """Names of the built-in kinds, as in the catalogue."""
    return tuple(sorted({*_declared(), *STANDARD_KINDS}))


def build_kind(name: str, rng: np.random.Generator) -> Item:
    """One object of a kind, drawn from ``rng``, at rest at the table's origin.

    Kinds of suites of pairs have standard sizes; sizes of other kinds vary by 6 %. Raises
    InvalidInputError for an unknown name.
    """
    if name in STANDARD_KINDS:
        item = draw_standard(name, rng)
    elif name in _declared():
        built = _declared()[name].built(rng)
        scale = float(rng.uniform(1 - _VARY, 1 + _VARY))
        parts = stretched(built.parts, (scale, scale, scale))
        item = make_item(name, built.color, parts, rgba=built.rgba)
        item = resting_at(item, 0.0, 0.0, built.turn, state=built.state)
    else:
        raise unknown_name("kind of object", name, kind_names())
    return replace(item, name=name.replace("_", " "))

"""From the name of a tool to an item, and the trades that tools belong to."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.kinds.parts import Builder
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.objects.tools import (
    clamping,
    decorating,
    electrical,
    fastening,
    gardening,
    masonry,
    measuring,
    mechanics,
    metalwork,
    plumbing,
    striking,
    woodwork,
)
from pactwin.sim.scene.layout import Item
from pactwin.suite import unknown_name

TRADES: Mapping[str, Mapping[str, Builder]] = {
    "clamping": clamping.TOOLS,
    "decorating": decorating.TOOLS,
    "electrical": electrical.TOOLS,
    "fastening": fastening.TOOLS,
    "gardening": gardening.TOOLS,
    "masonry": masonry.TOOLS,
    "measuring": measuring.TOOLS,
    "mechanics": mechanics.TOOLS,
    "metalwork": metalwork.TOOLS,
    "plumbing": plumbing.TOOLS,
    "striking": striking.TOOLS,
    "woodwork": woodwork.TOOLS,
}
BUILDERS: dict[str, Builder] = {
    name: build for tools in TRADES.values() for name, build in tools.items()
}


def tool_names() -> tuple[str, ...]:
    """Names of all tools, those of their entries in the catalogue."""
    return tuple(sorted(BUILDERS))


def build_tool(name: str, rng: np.random.Generator) -> Item:
    """One tool of a kind, drawn from ``rng``, as it lies at the table's origin.

    Tools come in the sizes that their catalogue says. Raises InvalidInputError for an unknown name.
    """
    if name not in BUILDERS:
        raise unknown_name("tool", name, tool_names())
    built = BUILDERS[name](rng)
    item = make_item(name, built.color, built.parts)
    item = resting_at(item, 0.0, 0.0, built.turn, state=built.state)
    return replace(item, name=name.replace("_", " "))

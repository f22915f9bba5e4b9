"""Declared tools: a file for each trade beside this module."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.declared import Thing, things_in
from pactwin.sim.objects.kinds.building import build_kind
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.scene.layout import Item
from pactwin.suite import unknown_name


@lru_cache(maxsize=1)
def trades() -> Mapping[str, Mapping[str, Thing]]:
    """The trades, each with its tools by their catalogue names."""
    return things_in(Path(__file__).parent)


@lru_cache(maxsize=1)
def tools() -> Mapping[str, Thing]:
    """All tools by name."""
    return {name: tool for of in trades().values() for name, tool in of.items()}


def tool_names() -> tuple[str, ...]:
    """Names of all tools, as in the catalogue."""
    return tuple(sorted(tools()))


def build_tool(name: str, rng: np.random.Generator) -> Item:
    """One tool of a kind, drawn from ``rng``, lying at the table's origin.

    Tools have the sizes in the catalogue. Raises InvalidInputError for an unknown name.
    """
    if name not in tools():
        raise unknown_name("tool", name, tool_names())
    built = tools()[name].built(rng)
    item = make_item(name, built.color, built.parts, rgba=built.rgba)
    item = resting_at(item, 0.0, 0.0, built.turn, state=built.state)
    return replace(item, name=name.replace("_", " "))


def build_thing(name: str, rng: np.random.Generator) -> Item:
    """A tool or other built-in kind; raises InvalidInputError for an unknown name."""
    return build_tool(name, rng) if name in tools() else build_kind(name, rng)

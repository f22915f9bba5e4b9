"""Build tools from the files beside this module, one per trade.

Each entry of a tool's ``parts`` is a :class:`Piece` and names one shape of
:mod:`~pactwin.sim.objects.tools.shapes` with its arguments, or a list of them that differ in the
first. Lengths are in millimetres, angles in degrees.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from inspect import getmembers, isfunction, signature
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import model_validator

from pactwin.catalogue import read_data
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.kinds.building import build_kind
from pactwin.sim.objects.kinds.parts import BuiltParts, built
from pactwin.sim.objects.palette import RGBA, STEEL, WOOD, dyed, shaded
from pactwin.sim.objects.posing import UPRIGHT, resting_at
from pactwin.sim.objects.primitives import (
    Parts,
    Pieces,
    X,
    Y,
    Z,
    made_of,
    moved,
    parts_of,
    turned,
    visual_only,
    xyz,
)
from pactwin.sim.objects.tools import shapes
from pactwin.sim.scene.layout import ENVELOPE, Item
from pactwin.sim.scene.pose import Pose, axis_angle
from pactwin.suite import Record, unknown_name

_DYES = ("red", "orange", "yellow", "green", "blue")
_BLACK: RGBA = (0.13, 0.13, 0.14, 1.0)
_UNDYED: dict[str, RGBA] = {
    "steel": STEEL,
    "iron": (0.36, 0.37, 0.40, 1.0),
    "brass": (0.82, 0.66, 0.32, 1.0),
    "wood": WOOD,
}
_AXES = {"x": X, "y": Y, "z": Z}
_SHAPES: dict[str, Callable[..., Any]] = {
    name: shape
    for name, shape in getmembers(shapes, isfunction)
    if shape.__module__ == shapes.__name__ and not name.startswith("_")
}
# Shapes whose value are points: a step is added to these.
_BY_POINTS = ("bar", "flat", "hull", "prism", "spun")


class Piece(Record):
    """Shapes of one part of a tool, with one material and colour.

    ``of`` is the material, with "black" or "dyed" before it, or ``tint`` is its colour. A ``mark``
    is only drawn. ``halves`` is the angle by which two halves of pliers are opened: the shape is
    one of them, the other is half a turn about x away. Then all is turned, about one axis or
    several, and put at one place or several; ``times`` times, each time ``step`` farther and
    turned by ``twist`` more. ``before`` is where a shape is before it is turned.
    """

    part: str
    of: str
    tint: tuple[float, float, float] | RGBA | None = None
    shade: float = 1.0
    mark: bool = False
    halves: float | None = None
    turn: str = ""
    before: str = "0 0 0"
    at: str = "0 0 0"
    step: str = "0 0 0"
    twist: float = 0.0
    times: int = 1
    shape: str
    values: tuple[Any, ...]
    sizes: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _finds_its_shape(cls, data: dict[str, Any]) -> dict[str, Any]:
        names = [name for name in data if name in _SHAPES]
        if len(names) != 1:
            raise ValueError(f"one shape is wanted, not {', '.join(names) or 'none'}")
        value = data[names[0]]
        values = value if isinstance(value, list) else [value]
        sizes = {k: v for k, v in data.items() if k not in cls.model_fields and k != names[0]}
        try:
            signature(_SHAPES[names[0]]).bind(values[0], **sizes)
        except TypeError as error:
            raise ValueError(f"{names[0]}: {error}") from error
        if "tint" not in data and len(data["of"].split()) == 1 and data["of"] not in _UNDYED:
            raise ValueError(f"{data['of']} has no colour of its own: tell a tint")
        rest = {k: v for k, v in data.items() if k in cls.model_fields}
        return {**rest, "shape": names[0], "values": values, "sizes": sizes}

    def built(self, dye: RGBA, wood: float) -> Parts:
        """Parts of the piece, in the tool's drawn colour and wood lightness."""
        parts: Parts = ()
        for k in range(self.times):
            step = [k * float(c) for c in self.step.split()]
            parts += self._copy(step, k * self.twist)
        parts = visual_only(parts) if self.mark else parts
        tint = shaded(self._colour(dye), self.shade * (wood if self.of == "wood" else 1.0))
        material = self.of.split()[-1]
        return _every(
            part if part.role == ENVELOPE else made_of(self.part, material, tint, part)
            for part in parts
        )

    def _copy(self, step: list[float], twist: float) -> Parts:
        """Its shapes ``step`` (mm) farther, turned by ``twist`` more."""
        shape = _SHAPES[self.shape]
        values, before, places = self.values, self.before, self.at.split(",")
        if self.turn:
            before = _added(before, step)
        elif self.shape in _BY_POINTS:
            values = tuple(_added(value, step) for value in values)
        else:
            places = [_added(place, step) for place in places]
        one = moved(_every(shape(value, **self.sizes) for value in values), Pose(xyz(before)[0]))
        if self.halves is not None:
            one = turned(one, Z, -self.halves)
            one = (*one, *turned(one, X, 180.0))
        for turn in self.turn.split(",") if self.turn else ():
            axis, degrees = turn.split()
            one = turned(one, _AXES[axis], float(degrees) + twist)
        return _every(moved(one, Pose(xyz(place)[0])) for place in places)

    def _colour(self, dye: RGBA) -> RGBA:
        if self.tint:
            r, g, b, opaque = (*self.tint, 1.0)[:4]
            return r, g, b, opaque
        *look, material = self.of.split()
        return {"dyed": dye, "black": _BLACK}[look[0]] if look else _UNDYED[material]


class Tool(Record):
    """One tool. ``color`` is drawn unless given; the lightness of ``wood`` is drawn from a range.

    ``turn`` is the rotation from its frame to how it lies.
    """

    color: str = ""
    state: str = "on_side"
    turn: str = ""
    wood: tuple[float, float] | None = None
    parts: tuple[Piece, ...]

    def built(self, rng: np.random.Generator) -> BuiltParts:
        """A tool drawn from ``rng``; look-alikes of one draw share their colours."""
        color, dye = (self.color, STEEL) if self.color else dyed(rng, *_DYES)
        wood = float(rng.uniform(*self.wood)) if self.wood else 1.0
        turn = UPRIGHT
        if self.turn:
            axis, degrees = self.turn.split()
            turn = axis_angle(_AXES[axis], float(np.deg2rad(float(degrees))))
        parts = _every(piece.built(dye, wood) for piece in self.parts)
        return built(color, parts, state=self.state, turn=turn)


@lru_cache(maxsize=1)
def trades() -> Mapping[str, Mapping[str, Tool]]:
    """The trades, each with its tools by their catalogue names."""
    files = sorted(Path(__file__).parent.glob("*.yaml"))
    return {path.stem: read_data(path, dict[str, Tool]) for path in files}


@lru_cache(maxsize=1)
def tools() -> Mapping[str, Tool]:
    """All tools by name."""
    return {name: tool for of in trades().values() for name, tool in of.items()}


def tool_names() -> tuple[str, ...]:
    """Names of all tools, as in the catalogue."""
    return tuple(sorted(tools()))


def build_tool(name: str, rng: np.random.Generator) -> Item:
    """One tool of a kind, drawn from ``rng``, lying at the table's origin.

    Tools come in the sizes that their catalogue says. Raises InvalidInputError for an unknown name.
    """
    if name not in tools():
        raise unknown_name("tool", name, tool_names())
    built = tools()[name].built(rng)
    item = make_item(name, built.color, built.parts)
    item = resting_at(item, 0.0, 0.0, built.turn, state=built.state)
    return replace(item, name=name.replace("_", " "))


def build_thing(name: str, rng: np.random.Generator) -> Item:
    """A tool or other built-in kind; raises InvalidInputError for an unknown name."""
    return build_tool(name, rng) if name in tools() else build_kind(name, rng)


def _every(pieces: Iterable[Pieces]) -> Parts:
    return parts_of(*pieces)


def _added(points: str, step: list[float]) -> str:
    """The points, as they are written, ``step`` farther."""
    return ", ".join(
        " ".join(str(float(c) + d) for c, d in zip(point.split(), step, strict=False))
        for point in points.split(",")
    )

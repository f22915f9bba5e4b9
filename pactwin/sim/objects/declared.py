"""Objects declared in files, one file per group, and their builder.

Each entry of an object's ``parts`` is a :class:`Piece`: it names one shape of
:mod:`~pactwin.sim.objects.shapes` with its arguments, or a list of arguments that differ in the
first. Lengths are in millimetres, angles in degrees.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from pactwin.catalogue import load_catalogue, read_data
from pactwin.sim.objects.assembly import make_item
from pactwin.sim.objects.palette import (
    CARDBOARD,
    COLORS,
    INK,
    NATURAL,
    PAPER,
    RGBA,
    STEEL,
    WOOD,
    dyed,
    pale,
    shaded,
)
from pactwin.sim.objects.posing import resting_at
from pactwin.sim.objects.primitives import (
    Parts,
    X,
    Y,
    Z,
    around,
    collision_proxy,
    made_of,
    mass_only,
    moved,
    parts_of,
    stretched,
    turned,
    visual_only,
)
from pactwin.sim.objects.shapes import SHAPES
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose, Quat, Vec3, axis_angle, vec3
from pactwin.suite import Record, unknown_name

Points = tuple[tuple[float, ...], ...]
Dyes = tuple[tuple[str, RGBA], ...]
Light = tuple[tuple[str, float], ...]

_OWN = "dyed"
_DYES = ("red", "orange", "yellow", "green", "blue")
_BLACK: RGBA = (0.13, 0.13, 0.14, 1.0)
_UNDYED: dict[str, RGBA] = {
    "steel": STEEL,
    "iron": (0.36, 0.37, 0.40, 1.0),
    "brass": (0.82, 0.66, 0.32, 1.0),
    "wood": WOOD,
    "cardboard": CARDBOARD,
    "paper": PAPER,
}
_AXES = {"x": X, "y": Y, "z": Z}
# Shapes whose value are points: a step is added to these.
_BY_POINTS = ("bar", "flat", "flat_bar", "hull", "prism", "spun")
# Parameters of shapes that are points, and those that are no lengths.
_OF_POINTS = ("inner", "line", "outline", "points", "profile", "sections")
_NO_LENGTHS = ("flatness", "rounded", "sides", "smooth", "start_deg")
_PALETTE = {**COLORS, **NATURAL, "ink": INK}


def _metres(size: Any, name: str) -> Any:
    """A shape's size in millimetres, or points like ``0 16 2.5, 130 16 0``, in metres.

    What is no length, by its ``name``, stays.
    """
    if isinstance(size, str):
        points = _points(size)
        return points if name in _OF_POINTS else points[0]
    if name in _NO_LENGTHS:
        return size
    if not isinstance(size, int | float):
        raise ValueError(f"{name} {size!r} is neither a length nor a list of points")
    return round(size / 1000, 9)


def _points(text: Any) -> Points:
    points = [point.split() for point in text.split(",")] if isinstance(text, str) else [[]]
    if not all(points):
        raise ValueError(f"{text!r} is not a list of points, such as 0 16 2.5, 130 16 0")
    return tuple(tuple(round(float(c) / 1000, 9) for c in point) for point in points)


def _places(text: Any) -> Points:
    points = _points(text)
    if any(len(point) != 3 for point in points):
        raise ValueError(f"{text!r}: a place has x, y and z")
    return points


Places = Annotated[Points, BeforeValidator(_places)]
_HERE: Points = ((0.0, 0.0, 0.0),)


class Piece(Record):
    """Shapes of one part of an object, with one material and colour.

    ``of`` is the material, optionally preceded by "black" or one of the object's ``dyes``. ``tint``
    is another colour, by name or RGB; an ``opacity`` below 1 makes it see-through. A ``mark`` is
    only drawn, a part ``inside`` only adds mass, a ``ghost`` does both, a ``proxy`` only has
    contacts, in place of the others. ``halves`` is the opening angle of pliers: the shape is one
    half, the other is its copy turned by half a turn about x. The shape is ``stretch``-ed along the
    axes, rotated, about one axis or several, and placed at one place or several. It is repeated
    ``times``, each time moved by ``step`` and first turned by ``twist``, and the result ``around``
    times, evenly about z. ``before`` are the shape's positions before the rotation. ``only`` names
    one of the object's variants.
    """

    part: str
    of: str
    only: str = ""
    tint: str | tuple[float, float, float] | RGBA | None = None
    shade: float = 1.0
    opacity: float = 1.0
    mark: bool = False
    inside: bool = False
    ghost: bool = False
    proxy: bool = False
    stretch: str = ""
    halves: float | None = None
    turn: str = ""
    before: Places = _HERE
    at: Places = _HERE
    step: Places = _HERE
    twist: float = 0.0
    times: int = 1
    around: int = 1
    shape: str
    values: tuple[Any, ...]
    sizes: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _finds_its_shape(cls, data: dict[str, Any]) -> dict[str, Any]:
        names = [name for name in data if name in SHAPES]
        if len(names) != 1:
            raise ValueError(f"one shape is wanted, not {', '.join(names) or 'none'}")
        value, wanted = data[names[0]], signature(SHAPES[names[0]])
        values = value if isinstance(value, list) else [value]
        if not values:
            raise ValueError(f"{names[0]}: no sizes are given")
        sizes = {k: v for k, v in data.items() if k not in cls.model_fields and k != names[0]}
        try:
            wanted.bind(values[0], **sizes)
        except TypeError as error:
            raise ValueError(f"{names[0]}: {error}") from error
        rest = {k: v for k, v in data.items() if k in cls.model_fields}
        values = [_metres(value, next(iter(wanted.parameters))) for value in values]
        sizes = {name: _metres(size, name) for name, size in sizes.items()}
        return {**rest, "shape": names[0], "values": values, "sizes": sizes}

    @model_validator(mode="after")
    def _knows_its_names(self) -> Self:
        _require("material", self.of.rpartition(" ")[2], load_catalogue().materials)
        for turn in self.turn.split(",") if self.turn else ():
            axis, _, degrees = turn.strip().partition(" ")
            _require("axis", axis, _AXES)
            float(degrees)
        if isinstance(self.tint, str):
            _require("tint", self.tint, _PALETTE)
        if not (" " in self.of or self.tint or self.proxy or self.of in _UNDYED):
            raise ValueError(f"{self.of} has no colour of its own: give it a tint")
        return self

    def built(self, dyes: Mapping[str, RGBA], light: Mapping[str, float]) -> Parts:
        """Parts of the piece on a thing with these dyes and lightness."""
        parts = around(self.around, *(self._copy(k) for k in range(self.times)))
        drawn, solid = [p for p in parts if p.drawn], [p for p in parts if p.collides]
        if self.proxy:
            return collision_proxy(solid)
        if self.mark:
            parts = visual_only(drawn)
        elif self.inside:
            parts = mass_only(solid)
        elif self.ghost:
            parts = (*visual_only(drawn), *mass_only(solid))
        return made_of(self.part, self.of.split()[-1], self._look(dyes, light), parts)

    def _copy(self, k: int) -> Parts:
        """Its shapes after ``k`` steps and twists."""
        step = tuple(k * c for c in self.step[0])
        values, before, places = self.values, self.before, self.at
        if self.turn:
            before = _added(before, step)
        elif self.shape in _BY_POINTS:
            values = tuple(_added(value, step) for value in values)
        else:
            places = _added(places, step)
        sizes = tuple(self.sizes.items())
        one = parts_of(*(_shaped(self.shape, value, sizes) for value in values))
        if self.stretch:
            one = stretched(one, vec3(map(float, self.stretch.split())))
        one = _placed(one, before)
        if self.halves is not None:
            one = turned(one, Z, -self.halves)
            one = (*one, *turned(one, X, 180.0))
        twist = k * self.twist
        for turn in self.turn.split(",") if self.turn else ():
            axis, degrees = turn.split()
            one = turned(one, _AXES[axis], float(degrees) + twist)
            twist = 0.0
        return _placed(one, places)

    def _look(self, dyes: Mapping[str, RGBA], light: Mapping[str, float]) -> RGBA | float:
        """Its colour, or the lightness of the object's own colour on it."""
        *look, material = self.of.split()
        shade = self.shade * light.get(material, 1.0)
        if look == [_OWN] and self.tint is None and self.opacity == 1.0:
            return shade
        if isinstance(self.tint, str):
            rgba = _PALETTE[self.tint]
        elif self.tint:
            r, g, b, opaque = (*self.tint, 1.0)[:4]
            rgba = (r, g, b, opaque)
        else:
            rgba = {"black": _BLACK, **dyes}[look[0]] if look else _UNDYED[material]
        r, g, b, opaque = shaded(rgba, shade)
        return r, g, b, opaque * self.opacity


class Variant(Record):
    """One of several states of an object as it is built, drawn with the probability ``share``."""

    share: float
    state: str
    turn: str = ""


class Thing(Record):
    """A declared object around any origin, z up in normal use, ``called`` as its kind by default.

    If ``color`` is not given, colours are drawn from ``dyes``, in this order; the object's own is
    the one ``dyed``, and ``pale`` ones are half bleached. A colour in ``looks`` is this RGB on it.
    A lightness is drawn from the range in ``light`` for each material. ``turn`` is the rotation to
    the resting pose. If there are ``variants``, one is drawn; pieces can be ``only`` in one.
    """

    called: str = ""
    color: str = ""
    dyes: dict[str, tuple[str, ...]] = Field(default={_OWN: _DYES})
    pale: bool = False
    looks: dict[str, tuple[float, float, float]] = Field(default={})
    light: dict[str, tuple[float, float]] = Field(default={})
    state: str = "on_side"
    turn: str = ""
    variants: dict[str, Variant] = Field(default={})
    parts: tuple[Piece, ...]

    __hash__ = object.__hash__  # read once, it is a key of what is made of it

    @model_validator(mode="after")
    def _knows_its_colours(self) -> Self:
        for name in (*([self.color] if self.color else []), *chain(*self.dyes.values())):
            _require("colour", name, {**COLORS, **NATURAL})
        for piece in self.parts:
            if piece.only:
                _require("variant", piece.only, self.variants)
            for look in piece.of.split()[:-1]:
                _require("dye", look, ("black", *(() if self.color else self.dyes)))
        return self

    def drawn(
        self,
        kind: str,
        rng: np.random.Generator,
        *,
        sizes: Sequence[tuple[float, ...]] = (),
        vary: float = 0.0,
    ) -> Item:
        """One of this ``kind`` drawn from ``rng``, at rest at the table's origin.

        It has one of ``sizes``, else that in which it is declared, give or take the share ``vary``.
        Look-alikes of one draw share their colours.
        """
        color, dyes = self.color, dict[str, RGBA]()
        for look, names in ({} if color else self.dyes).items():
            name, rgba = dyed(rng, *names)
            dyes[look] = pale(rgba) if self.pale else rgba
            color = name if look == _OWN else color
        light = tuple((material, float(rng.uniform(*of))) for material, of in self.light.items())
        variant = ""
        if self.variants:
            shares = [of.share for of in self.variants.values()]
            variant = str(rng.choice(list(self.variants), p=shares))
        size_m = sizes[int(rng.integers(len(sizes)))] if sizes else ()
        scale = float(rng.uniform(1 - vary, 1 + vary)) if vary and not sizes else 1.0
        item = self.made(
            kind, color, size_m, variant=variant, scale=scale, dyes=tuple(dyes.items()), light=light
        )
        turn = (self.variants[variant].turn if variant else "") or self.turn
        return resting_at(item, 0.0, 0.0, _rotation(turn), state=item.state)

    def made(
        self,
        kind: str,
        color: str,
        size_m: tuple[float, ...] = (),
        *,
        variant: str = "",
        scale: float = 1.0,
        dyes: Dyes = (),
        light: Light = (),
    ) -> Item:
        """One of this ``kind``, colour and size, upright, by default of the first variant.

        ``size_m`` are its diameter, diameter and height, or extents x, y, z. It is stretched along
        its axes from the size in which it is declared, with the declared height if only a diameter
        is given. ``scale`` is a further factor.
        """
        first = next(iter(self.variants), "")
        variant = variant or first
        by = np.full(3, scale)
        if size_m:
            _, bare = _built(self, first, dyes, light)
            wide, *further = size_m
            if len(size_m) == 3:
                by *= np.divide(size_m, bare)
            else:
                by[:2] *= wide / bare[1]
                by[2] *= (further or bare[2:])[0] / bare[2]
        rgba = dict(dyes).get(_OWN)
        if color in self.looks:
            r, g, b = self.looks[color]
            rgba = (r, g, b, 1.0)
        state = self.variants[variant].state if variant else self.state
        parts, _ = _built(self, variant, dyes, light)
        made, called = stretched(parts, vec3(by)), self.called
        return make_item(kind, color, made, state=state, called=called, rgba=rgba)

    def parts_of(self, variant: str = "", dyes: Dyes = (), light: Light = ()) -> Parts:
        """Its parts around the declared origin, without those of other variants."""
        pieces = (piece for piece in self.parts if piece.only in ("", variant))
        return parts_of(*(piece.built(dict(dyes), dict(light)) for piece in pieces))


@lru_cache(maxsize=256)  # where no colours are drawn, always the same, and it takes time
def _built(thing: Thing, variant: str, dyes: Dyes, light: Light) -> tuple[Parts, Vec3]:
    """Its parts, and its extents (m)."""
    parts = thing.parts_of(variant, dyes, light)
    return parts, make_item("any", "black", parts).size_m


@lru_cache(maxsize=2)
def things_in(folder: str) -> Mapping[str, Mapping[str, Thing]]:
    """The objects declared in the files of a folder beside this module, by file and name."""
    files = sorted((Path(__file__).parent / folder).glob("*.yaml"))
    return {path.stem: read_data(path, dict[str, Thing]) for path in files}


def _require(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ValueError(str(unknown_name(what, name, tuple(known))))


@lru_cache(maxsize=1024)  # the same in all colours, and often in all copies
def _shaped(shape: str, value: Any, sizes: tuple[tuple[str, Any], ...]) -> Parts:
    return parts_of(SHAPES[shape](value, **dict(sizes)))


def _rotation(turn: str) -> Quat:
    """Rotation about an axis: ``x 180``; none if empty."""
    axis, degrees = turn.split() if turn else ("z", "0")
    return axis_angle(_AXES[axis], float(np.deg2rad(float(degrees))))


def _placed(pieces: Parts, places: Points) -> Parts:
    """A copy of the pieces at each of the places."""
    return parts_of(*(moved(pieces, Pose(vec3(place))) for place in places))


def _added(points: Points, step: tuple[float, ...]) -> Points:
    """Translate points by ``step``, of as many axes as they have."""
    return tuple(tuple(c + d for c, d in zip(p, step, strict=False)) for p in points)

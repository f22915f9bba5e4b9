"""Uses as they are declared, a file each: sizes, things, the arrangement, motions and a measure.

Lengths are in millimetres, angles in degrees. A formula may refer to the drawn ``sizes``; those of
poses and motions also to the thing as it is held: its extents ``thing_x``, ``thing_y``, ``thing_z``
and its limits ``thing_front`` (along x), ``thing_low`` and ``thing_top`` (along z).
"""

from dataclasses import replace
from math import radians
from typing import Any, Literal

from pydantic import Field, model_validator

from pactwin.sim.objects.posing import OVERLAP_M
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Vec3
from pactwin.sim.uses.formulas import Formula, Names, Size, computed
from pactwin.sim.uses.pieces import BUILDERS, bead
from pactwin.sim.uses.things import placed, turned
from pactwin.suite import Constraint, Record, unknown_name

Point = tuple[Formula, Formula, Formula]


def metres(point: tuple[Formula, ...], names: Names) -> Vec3:
    """A point of one to three coordinates (mm) in metres; those that are missing are 0."""
    x, y, z = (computed(c, names) / 1000 for c in (*point, 0, 0)[:3])
    return x, y, z


class Piece(Record):
    """What one of the ``BUILDERS`` makes of its ``sizes`` and ``options``."""

    builder: str
    sizes: tuple[Formula | Point | tuple[Formula, ...], ...]
    options: dict[str, str] = Field(default={}, alias="with")
    color: str = "white"

    @model_validator(mode="before")
    @classmethod
    def _names_its_builder(cls, data: dict[str, Any]) -> dict[str, Any]:
        known = {field.alias or name for name, field in cls.model_fields.items()}
        builder = next((key for key in data if key in BUILDERS), "")
        if not builder:
            unknown = ", ".join(data.keys() - known)
            raise ValueError(str(unknown_name("piece", unknown, tuple(BUILDERS))))
        rest = {key: value for key, value in data.items() if key != builder}
        return {**rest, "builder": builder, "sizes": data[builder]}

    def made(self, names: Names, **options: str) -> Item:
        """The item; ``options`` replace those that are declared."""
        sizes = [
            [computed(number, names) for number in size]
            if isinstance(size, tuple)
            else computed(size, names)
            for size in self.sizes
        ]
        return BUILDERS[self.builder](self.color, *sizes, **(self.options | options))


class Placed(Piece):
    """An item of the task: where its foot stands, and how it can move.

    It ``moves`` freely, or only in rollouts: freely when played, hinged about or sliding along
    ``axis`` through the point ``joint`` of the item. Rollouts begin with the item at ``played_at``,
    with its hinge ``opened``. ``pitch`` raises its front.
    """

    at: tuple[Formula, ...] = (0, 0)
    pitch: float = 0
    mass_kg: Formula | None = None
    moves: Literal["", "freely", "when played", "hinged", "sliding"] = ""
    axis: Vec3 = (0, 0, 1)
    joint: Vec3 = (0, 0, 0)
    damping: float = 0
    opened: Formula = 0
    played_at: tuple[Formula, ...] = ()

    def standing(self, name: str, names: Names, at: tuple[Formula, ...] = ()) -> Item:
        """The item, called ``name``, at its place or ``at`` another."""
        x, y, z = metres(at or self.at, names)
        item = turned(self.made(names), pitch_rad=radians(self.pitch))
        mass_kg = item.mass_kg if self.mass_kg is None else computed(self.mass_kg, names)
        there = placed(item, middle_x=x, y=y, low_z=z - OVERLAP_M)
        return replace(there, name=name, mass_kg=round(mass_kg, 4))


class Beads(Record):
    """Black beads in a grid ``apart`` from each other, whose middle is ``at``."""

    diameter: float
    mass_kg: float
    grid: tuple[int, int]
    apart: float
    at: Point

    @property
    def names(self) -> tuple[str, ...]:
        """The beads' names."""
        return tuple(f"bead {k}" for k in range(self.grid[0] * self.grid[1]))

    def items(self, names: Names) -> tuple[Item, ...]:
        """The beads at their start."""
        x, y, z = metres(self.at, names)
        along, across = ([k - (n - 1) / 2 for k in range(n)] for n in self.grid)
        apart = self.apart / 1000
        spots = [(x + apart * i, y + apart * j, z) for i in along for j in across]
        return tuple(
            bead(name, at, self.diameter / 1000, self.mass_kg)
            for name, at in zip(self.names, spots, strict=True)
        )


class Held(Record):
    """How a hand holds the thing at first: lengthwise (along x) or ``across``, rolled or pitched.

    ``front`` is the x of its front end, or ``middle`` of its middle; ``above`` is the height of its
    lowest point. ``beside`` is an item that it passes, on either side.
    """

    across: bool = False
    roll: float = 0
    pitch: float = 0
    front: Formula | None = None
    middle: Formula = 0
    y: Formula = 0
    above: Formula
    beside: str = ""


class Push(Record):
    """A push of ``force_n`` for a time, at a point of an item (by default the thing)."""

    item: str = ""
    at: Point
    force_n: Point
    for_s: float


class Step(Record):
    """One motion.

    The hand leads the thing (mm, mm/s), lets go of it, or puts an item somewhere else, given the
    middle of its foot. ``wait`` is in seconds; with ``watch`` it ends once nothing is left of the
    task. With ``pivot`` the thing turns about a line along y through a point of an item.
    """

    lead: Point | None = None
    speed: float = 150
    release: bool = False
    put: dict[str, Point] = Field(default={})
    wait: float = 0
    watch: bool = False
    pivot: dict[str, Vec3] = Field(default={})
    push: Push | None = None


class Measured(Record):
    """The quantity that says how much of the task is done: 0 at ``none``, 1 at ``all``.

    The coordinate of a ``point`` of an item, from its start or ``start_at`` (mm); its tilt (deg);
    or the number of beads in it, ``below`` a height (mm). The worst ``of`` the items counts;
    without any it is the thing.
    """

    name: str
    what: Literal["x", "z", "tilt", "beads"]
    of: tuple[str, ...] = ()
    point: Vec3 = (0, 0, 0)
    start_at: Formula | None = None
    below: float = 1e6
    none: Formula
    all: Formula


class Arrangement(Record):
    """Items, one of them held in one of several ways, the hand's motions, and what is measured.

    ``by_end`` says whether it matters which end of the thing is used.
    """

    by_end: bool = False
    items: dict[str, Placed]
    beads: Beads | None = None
    held: tuple[Held, ...]
    steps: tuple[Step, ...]
    measured: Measured


class Use(Arrangement):
    """A task for which several things might serve, although none is made for it.

    ``fails`` are the possible reasons for failure, equally frequent, with what is replaced of the
    ``sizes`` and options of the ``thing`` that serves. Neither the request nor the items tell which
    applies. ``others`` are kinds that may lie beside the two things, and ``affordances`` those of
    the catalogue that correspond to the use.
    """

    name: str = ""
    version: int
    affordances: tuple[str, ...]
    others: tuple[str, ...]
    request: str
    sizes: dict[str, Size]
    thing: Piece
    fails: dict[Constraint, dict[str, Formula]]

    @property
    def causes(self) -> tuple[Constraint, ...]:
        """The possible reasons for failure."""
        return tuple(self.fails)

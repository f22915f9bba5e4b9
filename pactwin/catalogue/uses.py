"""Unusual uses that parts of objects can serve, decided from measurements of the parts."""

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Literal

from pydantic import Field, FiniteFloat, model_validator

from pactwin.catalogue.catalogue import load_catalogue, read_data
from pactwin.catalogue.quantities import quantity
from pactwin.catalogue.schema import Name, Positive
from pactwin.suite import InvalidInputError, Record

_FILE = Path(__file__).with_name("uses.yaml")

BAND = 1.1
"""Factor by which a measure must be beyond a limit to count as certain."""


SIDES = "sides_mm"
"""The measure with several values: the object's height on each of its sides."""

HELD_BY_A_BLADE = "held by a blade"
"""The trait of a part beside which there is nothing to hold but a blade."""

_LEAST = 1e-9

ENVIRONMENT = "environment"
"""The camera that sees all things of a scene."""


def thing_camera(number: int) -> str:
    """Name of the camera that shows object ``number`` of a scene, from 1."""
    return f"thing-{number}"


def part_camera(number: int, part: str) -> str:
    """Name of the camera that shows a part of object ``number``."""
    return f"{thing_camera(number)}-{part.replace(' ', '_')}"


class Measure(Record):
    """A measured quantity: its name, its wording, and the wording for parts that lack it.

    ``shown`` says whether a picture shows it, as for shapes and for sizes beside a scale. A measure
    that is not ``told`` only excludes objects, which might serve in another way than measured.
    """

    called: str
    unit: Literal["", "mm", "g", "ml", "N"] = ""
    told: str = Field(default="", pattern=r"^$|\{\}")
    absent: str = ""
    shown: bool = True

    def words(self, value: float | None) -> str:
        """``value`` in the words of a description."""
        return self.absent if value is None else self.told.format(quantity(value, self.unit))


class MaterialTraits(Record):
    """A material's stiffness and other traits, such as strength."""

    modulus_gpa: Positive
    traits: tuple[str, ...]


class Limit(Record):
    """The usual limit of a quantity, and the range from which tasks draw theirs."""

    usual: Positive
    least: Positive
    most: Positive


class Need(Record):
    """One condition on a part: a measure within its limits (numbers, or limits' names), or a trait.

    A part that lacks the measure does not meet it. ``also`` are alternative measures: a part
    certainly meets the need by ``measure``, and certainly fails it if no alternative meets it. With
    ``meant`` it applies only to gold parts: a part that fails no other need might serve.
    """

    measure: str = ""
    also: tuple[str, ...] = ()
    at_least: Positive | str | None = None
    at_most: Positive | str | None = None
    trait: str = ""
    lacks: str = ""
    meant: bool = False

    @model_validator(mode="after")
    def _says_one_thing(self) -> "Need":
        if [bool(self.measure), bool(self.trait), bool(self.lacks)].count(True) != 1:
            raise ValueError("a need names one measure, one trait, or one trait to lack")
        if bool(self.limits) != bool(self.measure):
            raise ValueError("a measure has a limit, a trait has none")
        if self.also and not self.measure:
            raise ValueError("a trait is there or not: nothing else stands for it")
        return self

    @property
    def limits(self) -> tuple[float | str, ...]:
        """The limits of the measure, the lower one first."""
        return tuple(limit for limit in (self.at_least, self.at_most) if limit is not None)

    def bounds(self, limits: Mapping[str, float]) -> tuple[float, float]:
        """Both limits as numbers; 0 for a missing one."""
        low, high = (
            limits[limit] if isinstance(limit, str) else float(limit or 0.0)
            for limit in (self.at_least, self.at_most)
        )
        return low, high

    def values(self, part: "MeasuredPart", *, also: bool = False) -> tuple[float, ...]:
        """Values of this measure on a part; with ``also``, those of alternative measures too."""
        names = (self.measure, *self.also) if also else (self.measure,)
        return tuple(value for name in names for value in part.values(name))

    def ratio(
        self, part: "MeasuredPart", limits: Mapping[str, float], *, also: bool = False
    ) -> float:
        """Factor by which a part meets the limits: above 1 it meets them, below 1 it does not.

        With ``also`` the best over all alternative measures counts.
        """
        if also and self.meant:
            return inf
        if not self.measure:
            holds = self.trait in part.traits if self.trait else self.lacks not in part.traits
            return inf if holds else 0.0
        low, high = self.bounds(limits)
        return max(
            (
                min(value / low if low else inf, high / max(value, _LEAST) if high else inf)
                for value in self.values(part, also=also)
            ),
            default=0.0,
        )


class Use(Record):
    """A purpose, the conditions on the part that serves it, and situations described in words.

    ``done`` describes the use of a part in words. ``below`` maps names of limits to other limits
    that must be clearly larger: a block wider than the gap would bridge it by itself.
    """

    made_for: tuple[str, ...]
    done: str = Field(pattern=r"\$thing.*\$part|\$part.*\$thing")
    limits: dict[str, Limit]
    below: dict[str, str] = Field(default_factory=dict)
    needs: tuple[Need, ...] = Field(min_length=1)
    asks: tuple[str, ...] = Field(min_length=1)

    @property
    def usual(self) -> dict[str, float]:
        """The usual value of every limit."""
        return {name: limit.usual for name, limit in self.limits.items()}

    def ratios(self, part: "MeasuredPart", limits: Mapping[str, float]) -> tuple[float, ...]:
        """The ratio of each need, in order (see :meth:`Need.ratio`)."""
        return tuple(need.ratio(part, limits) for need in self.needs)


class Everywhere(Record):
    """Conditions that hold for every task, added to each :class:`Use`."""

    limits: dict[str, Limit]
    needs: tuple[Need, ...]
    asks: tuple[str, ...] = Field(min_length=1)

    def with_it(self, use: Use) -> Use:
        """Return ``use`` with the conditions that hold for every use."""
        asks = tuple(f"{ask} {self.asks[k % len(self.asks)]}" for k, ask in enumerate(use.asks))
        limits, needs = use.limits | self.limits, (*use.needs, *self.needs)
        return use.model_copy(update={"limits": limits, "needs": needs, "asks": asks})


class MeasuredPart(Record):
    """One part of an object: its material, the loads it can bear, and its measures by name.

    ``sides_mm`` are the heights of the whole object on each side, stable or not.
    """

    material: str
    traits: tuple[str, ...]
    measures: dict[str, FiniteFloat]
    sides_mm: tuple[FiniteFloat, ...] = ()

    def values(self, measure: str) -> tuple[float, ...]:
        """All values of a measure; ``sides_mm`` may have several."""
        if measure == SIDES:
            return self.sides_mm
        return (self.measures[measure],) if measure in self.measures else ()


class Entity(Record):
    """An object with its measured parts by name. ``state`` is its configuration, such as open."""

    kind: Name
    name: str
    state: str
    parts: dict[str, MeasuredPart] = Field(min_length=1)


class Uses(Record):
    """The table of ``uses.yaml``."""

    measures: dict[str, Measure]
    materials: dict[str, MaterialTraits]
    settings: dict[str, tuple[str, ...]]
    everywhere: Everywhere
    uses: dict[str, Use]

    @model_validator(mode="after")
    def _everywhere_is_part_of_all(self) -> "Uses":
        uses = {name: self.everywhere.with_it(use) for name, use in self.uses.items()}
        object.__setattr__(self, "uses", uses)
        return self

    def kinds(self) -> tuple[str, ...]:
        """All kinds available in any place, sorted."""
        return tuple(sorted({kind for kinds in self.settings.values() for kind in kinds}))


@lru_cache(maxsize=1)
def load_uses() -> Uses:
    """The table that comes with the package."""
    return read_uses(_FILE)


def read_uses(path: Path) -> Uses:
    """The table in ``path``; InvalidInputError names its first fault."""
    table = read_data(path, Uses)
    catalogue = load_catalogue()
    traits = {
        "closed",
        "filled",
        HELD_BY_A_BLADE,
        *(t for m in table.materials.values() for t in m.traits),
    }
    known: dict[str, set[str]] = {
        "kind": set(catalogue.kinds),
        "material": set(catalogue.materials),
        "affordance": set(catalogue.affordances),
        "measure": set(table.measures),
        "trait": traits,
    }
    named = [("kind", "settings", kind) for kinds in table.settings.values() for kind in kinds]
    named += [("material", "materials", name) for name in table.materials]
    for name, use in table.uses.items():
        named += [("affordance", name, word) for word in use.made_for]
        measures = {m for need in use.needs for m in (need.measure, *need.also) if m} - {SIDES}
        named += [("measure", name, measure) for measure in sorted(measures)]
        named += [("trait", name, n.trait or n.lacks) for n in use.needs if not n.measure]
        limits = {limit for n in use.needs for limit in n.limits if isinstance(limit, str)}
        if limits != set(use.limits):
            raise InvalidInputError(f"{path.name}: {name}: needs and limits name different ones")
    for what, where, name in named:
        if name not in known[what]:
            raise InvalidInputError(f"{path.name}: {where}: unknown {what} {name!r}")
    return table

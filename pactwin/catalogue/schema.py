"""Schema of the catalogue's files, validated on reading."""

from typing import Annotated, Literal, Self

from pydantic import Field, FiniteFloat, model_validator

from pactwin.catalogue.vocabulary import PROPERTIES
from pactwin.suite import Affordance, Observability, Record

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")]
Words = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9 '/-]*$")]
Positive = Annotated[FiniteFloat, Field(gt=0)]
AssetLibrary = Literal["builtin", "robosuite", "robocasa", "tools"]
Finish = Literal["glossy", "satin", "matte", "metallic", "clear"]


class Material(Record):
    """A material. ``density_kg_m3`` is that of the material as used, pores included.

    ``friction`` is its coefficient of sliding friction on a table top. ``hardness`` and
    ``stickiness`` are None if the material alone does not determine them. A ``film`` covers another
    material and is as hard as that.
    """

    density_kg_m3: Positive
    hardness: Literal["Hard", "Soft", "Brittle"] | None
    stickiness: Literal["Sticky", "Non-sticky", "Variable"] | None
    finish: Finish
    friction: Positive = 0.6
    film: bool = False
    source: str = Field(min_length=1)


class Threshold(Record):
    """A limit between two categories, and its reason."""

    value: Positive
    unit: str
    reason: str = Field(min_length=1)


class AffordanceWords(Record):
    """Synonyms of one affordance.

    ``with_more`` are verbs that mean it only with an object: "hold" alone means to grasp, but "hold
    pens" means to contain.
    """

    synonyms: tuple[Words, ...] = ()
    with_more: tuple[Words, ...] = ()


class KindAffordance(Record):
    """An affordance of a kind by its canonical name, with the part or property that it depends on.

    ``evidence`` is a part of the kind or one of the PAC properties; ``observability`` says whether
    a picture shows it.
    """

    name: Words
    evidence: str
    observability: Observability


class Cavity(Record):
    """A cavity, and the narrowest width of its opening without the lid; 0 if it has no opening."""

    volume_m3: Positive
    opening_m: FiniteFloat = Field(ge=0)


class ObjectKind(Record):
    """One kind of object with its typical dimensions.

    ``sources`` maps each source that has it to its name there. ``size_m`` are the full extents of a
    typical object in its own frame, z up in normal use. ``mass_kg`` and ``solid_m3`` are mass and
    volume of its material, without contents. ``thickness_m`` is the wall thickness of a hollow
    object, or the smallest extent of a solid one. ``surface`` gives the visible share of each
    material; by default equal shares of the parts. ``pieces`` counts separately made pieces.
    ``closure`` says whether it can be closed, and whether tightly. ``contents`` is the material
    that typically fills it. ``states[0]`` is the usual state. ``undecided`` names properties that
    no measurement of this kind decides, each with the reason.
    """

    name: Name
    category: Words
    sources: dict[AssetLibrary, str] = Field(default_factory=dict)
    synonyms: tuple[Words, ...] = ()
    parts: dict[Words, Name] = Field(min_length=1)
    surface: dict[Name, Positive] = Field(default_factory=dict)
    size_m: tuple[Positive, Positive, Positive]
    mass_kg: Positive
    solid_m3: Positive
    thickness_m: Positive
    pieces: int = Field(ge=1)
    cavity: Cavity | None = None
    closure: Literal["none", "loose", "tight"] = "none"
    contents: Name | None = None
    states: tuple[str, ...] = Field(min_length=1)
    consumability: Literal["Consumable", "Non-consumable"] | None
    stickiness: Literal["Sticky", "Non-sticky", "Variable"] | None = None
    undecided: dict[str, str] = Field(default_factory=dict)
    affordances: tuple[KindAffordance, ...] = Field(min_length=1)
    get: str = Field(min_length=1)

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")

    def record_affordances(self) -> tuple[Affordance, ...]:
        """The affordances as records of a suite."""
        return tuple(
            Affordance(name=a.name, observability=a.observability, evidence=a.evidence)
            for a in self.affordances
        )

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        for affordance in self.affordances:
            if affordance.evidence not in self.parts and affordance.evidence not in PROPERTIES:
                raise ValueError(
                    f"{affordance.name!r} depends on {affordance.evidence!r}, "
                    "which is neither a part nor a property"
                )
        names = [a.name for a in self.affordances]
        if len(set(names)) != len(names):
            raise ValueError(f"an affordance is named twice: {sorted(names)}")
        if unknown := set(self.undecided) - set(PROPERTIES):
            raise ValueError(f"undecided names {sorted(unknown)[0]!r}, which is no property")
        if unknown := set(self.surface) - set(self.parts.values()):
            raise ValueError(f"surface names {sorted(unknown)[0]!r}, but no part is made of it")
        if self.surface and abs(sum(self.surface.values()) - 1) > 1e-6:
            raise ValueError("the shares of the surface do not sum to 1")
        if self.contents and not self.cavity:
            raise ValueError("contents without a cavity to hold them")
        return self

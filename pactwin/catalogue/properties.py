"""The PAC properties of an object, computed from its measurements.

Every limit is in ``thresholds.yaml`` with its reason; docs/properties.md explains the rules. An
undecided property gets no label: its measurement is too near a limit or missing, or two categories
hold.
"""

import math

from pactwin.catalogue.catalogue import load_catalogue
from pactwin.catalogue.colours import other_shares
from pactwin.catalogue.facts import ObjectFacts
from pactwin.catalogue.quantities import quantity
from pactwin.catalogue.schema import Material, ObjectKind
from pactwin.catalogue.vocabulary import PROPERTIES
from pactwin.suite import Label, Observability


def property_labels(kind: ObjectKind, facts: ObjectFacts) -> dict[str, Label]:
    """Labels by property, in the published order, without undecided ones."""
    rules = _Rules(kind, facts)
    found = {name: getattr(rules, name.lower())() for name in PROPERTIES}
    return {
        name: label
        for name, label in found.items()
        if label is not None and name not in kind.undecided
    }


def _visible(value: str, evidence: str) -> Label:
    return Label(value=value, observability="visible", evidence=evidence)


def _inferable(value: str, evidence: str) -> Label:
    return Label(value=value, observability="inferable", evidence=evidence)


class _Rules:
    """One rule per property, over the same kind and facts."""

    def __init__(self, kind: ObjectKind, facts: ObjectFacts) -> None:
        self.kind = kind
        self.facts = facts
        self.limit = load_catalogue().limit
        self.surface: list[tuple[Material, float]] = [
            (load_catalogue().material(name), share) for name, share in facts.materials.items()
        ]

    # --- what the rules share -------------------------------------------------------------------

    def below(self, value: float, limit: str) -> bool:
        """Clearly below a limit: by more than the band around it."""
        return value < self.limit(limit) * (1 - self.limit("band"))

    def above(self, value: float, limit: str) -> bool:
        """Clearly above a limit: by more than the band around it."""
        return value > self.limit(limit) * (1 + self.limit("band"))

    def share(self, name: str, value: str | bool) -> float:
        """The share of the surface whose material has this value of one field."""
        total = sum(share for _, share in self.surface)
        return sum(s for m, s in self.surface if getattr(m, name) == value) / total if total else 0

    @property
    def shut(self) -> bool:
        """Whether the inside cannot be seen: closed, and not see-through."""
        closed = bool(self.facts.closed) and self.facts.cavity_m3 > 0
        return closed and self.share("finish", "clear") < self.limit("clear_share")

    @property
    def shut_in(self) -> bool:
        """Whether the contents are unknown from outside; those of an egg are known."""
        return self.shut and self.facts.opening_m > 0

    def outside(self, value: str, evidence: str) -> Label:
        """A label that depends on the contents: hidden while they are shut in."""
        return Label(
            value=value, observability="hidden" if self.shut_in else "inferable", evidence=evidence
        )

    # --- the properties, in the published order -------------------------------------------------

    def weight(self) -> Label | None:
        mass, low, high = self.facts.mass_kg, "light_max", "heavy_min"
        told = quantity(1e3 * mass, "g")
        if self.below(mass, low):
            return self.outside("Light", f"{told}, under the {self.limit(low):g} kg limit")
        if self.above(mass, high):
            return self.outside("Heavy", f"{told}, over the {self.limit(high):g} kg limit")
        if self.above(mass, low) and self.below(mass, high):
            span = f"{self.limit(low):g} and {self.limit(high):g} kg"
            return self.outside("Medium", f"{told}, between {span}")
        return None

    def color(self) -> Label | None:
        metal = self.share("finish", "metallic")
        if metal >= self.limit("metallic_share"):
            return _visible("Metallic", f"bare metal on {metal:.0%} of it")
        if (
            not self.facts.colours
            or metal >= self.limit("one_colour_rest")
            or self.share("finish", "clear") >= self.limit("clear_share")
        ):
            return None
        surely, perhaps = other_shares(
            self.facts.colours,
            alike=self.limit("colours_alike"),
            different=self.limit("colours_different"),
        )
        if surely >= self.limit("second_colour_share"):
            return _visible("Multicolored", f"{surely:.0%} of it has other colours than the rest")
        if surely + perhaps >= self.limit("one_colour_rest"):
            return None
        if self.share("finish", "matte") >= self.limit("one_class_share"):
            return None  # Monochromatic and Matte would both be right
        return _visible("Monochromatic", f"one colour on {1 - surely:.0%} of it")

    def hardness(self) -> Label | None:
        bare = 1 - self.share("film", True)
        for value in PROPERTIES["HARDNESS"]:
            share = self.share("hardness", value)
            if share and share >= self.limit("one_class_share") * bare:
                return _inferable(
                    value, f"{self._named('hardness', value)} on {share / bare:.0%} of it"
                )
        return None

    def orientation(self) -> Label | None:
        size, up = self.facts.size_m, [abs(u) for u in self.facts.up]
        if self._round():
            return _visible("Multi-directional", "a ball, alike from every side")
        axis = up.index(max(up))
        tilt = math.degrees(math.acos(min(1.0, up[axis])))
        if tilt > self.limit("tilt_max"):
            return None
        ratio = size[axis] / max(s for i, s in enumerate(size) if i != axis)
        for value, surely in (
            ("Vertical", self.above(ratio, "standing_min")),
            ("Horizontal", self.below(ratio, "lying_max")),
        ):
            if surely:
                return _visible(value, f"{ratio:.2g} times as high as it is long")
        return None

    def _round(self) -> bool:
        """Whether it is a ball: equal extents and the volume of their ball."""
        size = self.facts.size_m
        ball = math.pi / 6 * math.prod(size)
        volume = self.facts.solid_volume_m3 + self.facts.cavity_m3
        return max(size) / min(size) - 1 <= self.limit("round_extents") and (
            abs(volume / ball - 1) <= self.limit("band")
        )

    def consumability(self) -> Label | None:
        if not self.kind.consumability:
            return None
        return _inferable(self.kind.consumability, f"every {self.kind.title} is")

    def complexity(self) -> Label | None:
        pieces = self.facts.pieces
        if pieces == 1:
            return _visible("Simple", "made in one piece")
        if pieces >= self.limit("assembled_min"):
            return _visible("Multi-object", f"{pieces} separately made pieces")
        return None

    def capacity(self) -> Label | None:
        cavity = self.facts.cavity_m3
        if not cavity:
            return _visible("Non-containable", "no room inside")
        if not self.above(cavity, "container_min") or not self._deep():
            return None
        return Label(
            value="Containable",
            observability="inferable" if self.shut else "visible",
            evidence=f"holds {quantity(cavity * 1e6, 'ml')} behind an opening of "
            f"{quantity(self.facts.opening_m * 1e3, 'mm')}",
        )

    def _deep(self) -> bool:
        """Whether it is deep for its width, so that it encloses its contents, unlike a plate."""
        opening = self.facts.opening_m
        return opening > 0 and self.above(self.facts.cavity_m3 / opening**3, "container_depth")

    def contents(self) -> Label | None:
        inside = self.facts.contents
        if inside is None or not self.facts.cavity_m3:
            return None
        return Label(
            value="Contains" if inside else "Empty",
            observability="hidden" if self.shut_in else "inferable" if self.shut else "visible",
            evidence=f"{inside.replace('_', ' ')} inside" if inside else "nothing inside",
        )

    def sealing(self) -> Label | None:
        if not self.facts.cavity_m3:
            return None
        if self.facts.closed is None:
            return _visible("Unsealed", "nothing closes it")
        if not self.facts.closed:
            return _visible("Unsealed", "it is open")
        if self.kind.closure == "tight":
            return _inferable("Sealed", "closed, and its closure is tight")
        return None  # closed, but a loose lid may leak or not

    def density(self) -> Label | None:
        """Mass over water displaced by its material and by the cavity that keeps water out."""
        facts = self.facts
        if facts.closed and facts.contents is None and facts.cavity_m3:
            return None
        displaced = facts.solid_volume_m3
        if facts.contents or (facts.closed and self.kind.closure == "tight"):
            displaced += facts.cavity_m3
        density, limit = facts.mass_kg / displaced, "water_density"
        value, water = quantity(density), f"water's {self.limit(limit):g}"
        if self.above(density, limit):
            return self.outside("High-density", f"{value} kg/m³, over {water}")
        if self.below(density, limit):
            return self.outside("Low-density", f"{value} kg/m³, under {water}")
        return None

    def thickness(self) -> Label | None:
        thick, low, high = self.facts.thickness_m, "thin_max", "thick_min"
        hollow = self.facts.cavity_m3 > 0
        observability: Observability = "visible"
        if hollow and self.facts.closed:
            observability = "hidden" if self.shut else "inferable"
        what = f"{'walls' if hollow else 'body'} of {quantity(thick * 1e3, 'mm')}"
        if self.below(thick, low):
            return Label(value="Thin", observability=observability, evidence=what)
        if self.above(thick, high):
            return Label(value="Thick", observability=observability, evidence=what)
        if self.above(thick, low) and self.below(thick, high):
            return Label(value="Medium", observability=observability, evidence=what)
        return None

    def stickiness(self) -> Label | None:
        if self.kind.stickiness:
            return _inferable(self.kind.stickiness, f"every {self.kind.title} is")
        for value in PROPERTIES["STICKINESS"]:
            if self.share("stickiness", value) >= self.limit("one_class_share"):
                return _inferable(value, self._named("stickiness", value))
        return None

    def _named(self, field: str, value: str) -> str:
        """Surface materials with this value, largest share first."""
        named = [
            (-share, name.replace("_", " "))
            for (name, share), (material, _) in zip(
                self.facts.materials.items(), self.surface, strict=True
            )
            if getattr(material, field) == value
        ]
        return ", ".join(name for _, name in sorted(named))

"""Second labels of uses that are not simulated: from rays and sections instead of measures.

The needs of shape are evaluated on the whole object and in all directions; traits, masses and
stiffness are those of the measured part. A task is valid only if both rules select the same part.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from pactwin.catalogue import BAND, MeasuredPart, load_uses
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.generation.creative.solids import Hold, Seen, Solid, circle_mm, sides_mm
from pactwin.sim.scene.layout import Item

# What is felt anew: everything else that a use needs is left to the measured part.
_FELT = frozenset((
    "length_mm", "width_mm", "depth_mm", "tip_mm", "edge_mm", "bare_mm", "flat_mm", "cover_mm",
    "top_mm", "lay_mm", "proud_mm", "ring", "roundness", "room_ml", "opening_mm", "wall_mm",
))  # fmt: skip
_NEAR_MM = 1.5
_FLAT_MM = 1.0
_STEPS = 24
_JAMS = 1.5
"""A wedge that is thinner than the gap grows to less than this many gaps before it is broader."""
_PIERCES = 2.0
"""What goes in behind a point is at most this many times as broad as the part that is meant."""
_ROUND, _CUTS_ROUND = 0.87, 0.75


@dataclass(frozen=True)
class Felt:
    """One object, its measured parts by role, and cached raycasts of it."""

    item: Item
    parts: Mapping[str, MeasuredPart]

    @cached_property
    def solid(self) -> Solid:
        """All solid matter of the object."""
        return Solid.of(self.item)

    @cached_property
    def rooms(self) -> tuple[Hold, ...]:
        """Volume that stays in the object, over all orientations."""
        ways = np.concatenate([np.eye(3), -np.eye(3)])
        return tuple(hold for way in ways for hold in self.solid.holds(way))

    @cached_property
    def _seen(self) -> dict[bytes, Seen]:
        return {}

    def ends(self) -> Iterator[tuple[np.ndarray, float, float, frozenset[str]]]:
        """Every direction, the object's end and length along it, and the parts that reach it."""
        for way in self.solid.directions:
            along = self.solid.points @ way
            last = float(along.max())
            yield way, last, last - float(along.min()), self.solid.end_roles(way)

    def having(self, trait: str) -> frozenset[str]:
        """The parts that have a trait."""
        return frozenset(role for role, part in self.parts.items() if trait in part.traits)

    def seen(self, way: np.ndarray, roles: frozenset[str]) -> tuple[Seen, np.ndarray]:
        """Raycast hits along ``way``, and a mask (n, n) of rays that hit one of ``roles`` first."""
        key = way.round(6).tobytes()
        seen = self._seen[key] = self._seen.get(key) or self.solid.seen(way)
        of_roles = np.array([piece.role in roles for piece in self.solid.pieces] + [False])
        return seen, of_roles[seen.piece]


Rule = Callable[[Felt, SimpleNamespace], Iterator[str]]


def _goes_in(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The ends that go ``depth`` deep into a round ``hole``."""
    for way, last, long, roles in thing.ends():
        goes_in = thing.solid.slab(way, last - of.depth, last)
        if long >= of.depth and circle_mm(goes_in, way) <= of.hole:
            yield from roles


def _pierces(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The ends no broader than the ``hole`` at their tip that stay slender for ``depth``."""
    for way, last, long, roles in thing.ends():
        if long < of.depth:
            continue
        if circle_mm(thing.solid.slab(way, last - _NEAR_MM, last), way) > of.hole * BAND:
            continue
        wide = circle_mm(thing.solid.slab(way, last - of.depth, last), way)
        slender = {
            role
            for role in roles
            if wide <= _PIERCES * circle_mm(thing.solid.only((role,)).points, way)
        }
        yield from slender


def _reaches(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The ends that go ``depth`` deep into a ``slit``."""
    for way, last, long, roles in thing.ends():
        goes_in = thing.solid.slab(way, last - of.depth, last)
        if long >= of.depth and sides_mm(goes_in, way)[0] <= of.slit:
            yield from roles


def _wedges(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The ends that begin thinner than a gap and grow steadily until they jam."""
    for way, last, long, roles in thing.ends():
        if long < 40:
            continue
        depths = [max(_NEAR_MM, of.gap / 2), *np.linspace(0, long, _STEPS)[1:]]
        thick = [sides_mm(thing.solid.slab(way, last - d, last), way)[0] for d in depths]
        if thick[0] <= of.gap and any(of.gap <= t <= _JAMS * of.gap for t in thick):
            yield from roles


def _scrapes(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The edges at most ``thin`` and at least ``broad``."""
    for way, last, _, roles in thing.ends():
        thin, broad = sides_mm(thing.solid.slab(way, last - _NEAR_MM, last), way)
        if thin <= of.thin and broad >= of.broad:
            yield from roles


def _holds(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts with a cavity of at least ``volume`` and an opening of at least ``mouth``."""
    for hold in thing.rooms:
        if hold.volume_ml >= of.volume and hold.opening_mm >= of.mouth:
            yield hold.role


def _scoops(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts that hold a ``helping`` and go through a ``neck``."""
    for hold in thing.rooms:
        sizes = [
            sides_mm(thing.solid.only((hold.role,)).points, way)[1]
            for way in thing.solid.directions
        ]
        if hold.volume_ml >= of.helping and min(sizes) <= of.neck:
            yield hold.role


def _cuts(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts with an open round rim from ``low`` to ``high`` across, at most ``rim`` thick."""
    for hold in thing.rooms:
        fits = of.low <= hold.opening_mm + hold.rim_mm and hold.opening_mm <= of.high
        if fits and hold.rim_mm <= of.rim and hold.round >= _CUTS_ROUND:
            yield hold.role


def _strikes(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts with a flat face at least ``face`` broad, found by raycasts."""
    for way in thing.solid.directions:
        for role in thing.parts:
            seen, here = thing.seen(-way, frozenset((role,)))
            if here.any():
                flat = here & (seen.first <= seen.first[here].min() + _FLAT_MM)
                deep = seen.last - seen.first >= 8
                if seen.widest_mm(flat & deep) >= of.face:
                    yield role


def _carries_pot(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts with a flat top at least ``foot`` broad, on a thing that lies at most ``high``."""
    for side in resting_sides(thing.item):
        if side.steady and 1e3 * side.height_m <= of.high:
            for role in thing.parts:
                seen, here = thing.seen(side.down, frozenset((role,)))
                flat = here & (seen.first <= seen.first.min() + _FLAT_MM)
                if seen.widest_mm(flat) >= of.foot:
                    yield role


def _pads(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts at least ``thick`` over a disc at least ``broad`` across."""
    for role in thing.parts:
        alone = thing.solid.only((role,))
        for way in alone.directions if alone.pieces else ():
            seen = alone.seen(way)
            thick = (seen.piece >= 0) & (seen.last - seen.first >= of.thick)
            if seen.widest_mm(thick) >= of.broad:
                yield role


def _conducts(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The metal parts that bridge the ``gap`` and fit both slots; all of them if only together."""
    metal = [role for role in thing.solid.roles if role in thing.having("conducts")]
    alone = [role for role in metal if _joins(thing.solid.only((role,)), of.gap, of.slot)]
    yield from alone or (
        metal if metal and _joins(thing.solid.only(metal), of.gap, of.slot) else ()
    )


def _joins(metal: Solid, gap: float, slot: float) -> bool:
    for way in metal.directions:
        along = metal.points @ way
        low, high = float(along.min()), float(along.max())
        ends = ((low, low + _NEAR_MM), (high - _NEAR_MM, high))
        if high - low >= gap and max(sides_mm(metal.slab(way, *e), way)[0] for e in ends) <= slot:
            return True
    return False


def _rolls(thing: Felt, of: SimpleNamespace) -> Iterator[str]:
    """The parts that stand out furthest and are round over a length of ``broad``."""
    for way in thing.solid.directions:
        for role in thing.parts:
            points = thing.solid.only((role,)).points @ way
            low, high = float(points.min()), float(points.max())
            if high - low < of.broad:
                continue
            all_of_it = circle_mm(thing.solid.points, way)
            for start in np.linspace(low, high - of.broad, 5):
                cuts = [
                    thing.solid.slab(way, at - 0.5, at + 0.5)
                    for at in np.linspace(start + 1, start + of.broad - 1, 6)
                ]
                if any(len(cut) < 3 for cut in cuts):
                    continue
                wide = [circle_mm(cut, way) for cut in cuts]
                narrow = [sides_mm(cut, way)[0] for cut in cuts]
                if (
                    min(narrow) >= _ROUND * max(wide)
                    and min(narrow) >= of.thick
                    and all_of_it <= max(wide) + 2.0
                ):
                    yield role


_RULES: Mapping[str, Rule] = {
    "press through a hole": _goes_in,
    "pierce": _pierces,
    "reach under": _reaches,
    "wedge": _wedges,
    "scrape off": _scrapes,
    "hold water": _holds,
    "scoop": _scoops,
    "cut out rounds": _cuts,
    "drive in": _strikes,
    "carry a hot pot": _carries_pot,
    "pad": _pads,
    "carry current": _conducts,
    "roll a load": _rolls,
}


def serving_parts(
    use: str, limits: Mapping[str, float], thing: Felt, *, spare: float = 1.0
) -> frozenset[str]:
    """The parts of an object that serve by the second rule.

    Needs other than shape may be missed by the factor ``spare``. KeyError for unknown uses.
    """
    needs = [need for need in load_uses().uses[use].needs if need.measure not in _FELT]
    able = {
        role
        for role, part in thing.parts.items()
        if min(need.ratio(part, limits, also=spare < 1) for need in needs) >= spare
    }
    return frozenset(able & {*_RULES[use](thing, SimpleNamespace(**limits))} if able else ())

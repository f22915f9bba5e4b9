"""Second labels of uses that are not simulated: from rays and sections instead of measures.

The needs of shape are evaluated on the whole object and in all directions; traits, masses and
stiffness are those of the measured part. Rooms are found by the same level slabs as the measures',
but in the whole object, whichever side is up. A task is valid only if both rules select the same
part.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from pactwin.catalogue import BAND, MeasuredPart, load_uses
from pactwin.sim.generation.creative.sides import resting_sides
from pactwin.sim.objects.solids import Room, Seen, Solid, circle_mm, sides_mm, solid_of
from pactwin.sim.scene.layout import Item

# What is felt anew: everything else that a use needs is left to the measured part.
_FELT = frozenset((
    "length_mm", "width_mm", "depth_mm", "tip_mm", "edge_mm", "bare_mm", "flat_mm", "cover_mm",
    "top_mm", "lay_mm", "proud_mm", "ring", "roundness", "room_ml", "opening_mm", "wall_mm",
))  # fmt: skip
_NEAR_MM = 1.5
_FLAT_MM = 1.0
_HEAD_MM = 8.0
"""So much matter is behind a face that strikes."""
_STEPS = 24
_WEDGE_MM = 40
_JAMS = 1.5
"""A wedge that is thinner than the gap grows to less than this many gaps before it is broader."""
_PIERCES = 2.0
"""What goes in behind a point is at most this many times as broad as the part that is meant."""
_ROUND, _CUTS_ROUND = 0.87, 0.75


@dataclass(frozen=True)
class End:
    """One end of an object, seen from within: the roles that reach it, the object's length."""

    solid: Solid
    way: np.ndarray
    last: float
    long: float
    roles: frozenset[str]

    def points(self, depth: float) -> np.ndarray:
        """Points (n, 3) whose hull is the matter within ``depth`` of the end."""
        return self.solid.slab(self.way, self.last - depth, self.last)

    def sides_mm(self, depth: float) -> tuple[float, float]:
        """Thickness and breadth of the matter within ``depth`` of the end."""
        return sides_mm(self.points(depth), self.way)

    def circle_mm(self, depth: float) -> float:
        """Diameter of the round hole that lets it in to ``depth``."""
        return circle_mm(self.points(depth), self.way)


@dataclass(frozen=True)
class Felt:
    """One object, its measured parts by role, and cached raycasts of it."""

    item: Item
    parts: Mapping[str, MeasuredPart]

    @property
    def solid(self) -> Solid:
        """All solid matter of the object."""
        return solid_of(self.item)

    @cached_property
    def rooms(self) -> tuple[Room, ...]:
        """Cavities that stay filled, over all orientations."""
        ways = np.concatenate([np.eye(3), -np.eye(3)])
        return tuple(room for way in ways for room in self.solid.rooms(way))

    @cached_property
    def ends(self) -> tuple[End, ...]:
        """The object's ends in every direction."""
        found = []
        for way in self.solid.directions:
            along = self.solid.points @ way
            last, long = float(along.max()), float(np.ptp(along))
            found.append(End(self.solid, way, last, long, self.solid.end_roles(way)))
        return tuple(found)

    @cached_property
    def _seen(self) -> dict[bytes, Seen]:
        return {}

    def face_mm(self, role: str, way: np.ndarray, behind_mm: float = 0.0) -> float:
        """Diameter of a part's largest flat disc that rays along ``way`` meet first.

        Only rays through at least ``behind_mm`` of matter count.
        """
        key = way.round(6).tobytes()
        seen = self._seen[key] = self._seen.get(key) or self.solid.seen(way)
        of_role = np.array([piece.role == role for piece in self.solid.pieces] + [False])
        here = of_role[seen.piece]
        if not here.any():
            return 0.0
        flat = here & (seen.first <= seen.first[here].min() + _FLAT_MM)
        return seen.widest_mm(flat & (seen.last - seen.first >= behind_mm))


Rule = Callable[[Felt, str, SimpleNamespace], bool]
"""Whether a part of an object, by its role, serves at such limits."""


def _of_end(fits: Callable[[End, SimpleNamespace], bool]) -> Rule:
    """The rule that any end of the part ``fits``."""
    return lambda thing, role, of: any(role in end.roles and fits(end, of) for end in thing.ends)


def _of_room(fits: Callable[[Room, SimpleNamespace], bool]) -> Rule:
    """The rule that any room in the part ``fits``."""
    return lambda thing, role, of: any(r.role == role and fits(r, of) for r in thing.rooms)


def _goes_in(end: End, of: SimpleNamespace) -> bool:
    return end.long >= of.depth and end.circle_mm(of.depth) <= of.hole


def _reaches(end: End, of: SimpleNamespace) -> bool:
    return end.long >= of.depth and end.sides_mm(of.depth)[0] <= of.slit


def _scrapes(end: End, of: SimpleNamespace) -> bool:
    thin, broad = end.sides_mm(_NEAR_MM)
    return thin <= of.thin and broad >= of.broad


def _wedges(end: End, of: SimpleNamespace) -> bool:
    """It begins thinner than a gap and grows steadily until it jams."""
    if end.long < _WEDGE_MM or end.sides_mm(max(_NEAR_MM, of.gap / 2))[0] > of.gap:
        return False
    depths = np.linspace(0, end.long, _STEPS)[1:]
    return any(of.gap <= end.sides_mm(depth)[0] <= _JAMS * of.gap for depth in depths)


def _pierces(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    """An end is no broader than the hole at its tip and stays slender for the depth."""
    points = thing.solid.only((role,)).points
    return any(
        role in end.roles
        and end.long >= of.depth
        and end.circle_mm(_NEAR_MM) <= of.hole * BAND
        and end.circle_mm(of.depth) <= _PIERCES * circle_mm(points, end.way)
        for end in thing.ends
    )


def _holds(room: Room, of: SimpleNamespace) -> bool:
    return room.volume_ml >= of.volume and room.opening_mm >= of.mouth


def _scoops(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    """It holds a helping and goes through a neck."""
    points = thing.solid.only((role,)).points
    narrow = min(sides_mm(points, way)[1] for way in thing.solid.directions) <= of.neck
    return narrow and any(r.role == role and r.volume_ml >= of.helping for r in thing.rooms)


def _cuts(room: Room, of: SimpleNamespace) -> bool:
    """It has an open round rim from ``low`` to ``high`` across, at most ``rim`` thick."""
    fits = of.low <= room.opening_mm + room.rim_mm and room.opening_mm <= of.high
    return fits and room.rim_mm <= of.rim and room.round >= _CUTS_ROUND


def _strikes(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    return any(thing.face_mm(role, way, _HEAD_MM) >= of.face for way in thing.solid.directions)


def _carries_pot(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    """It is on top of a thing that lies steadily and at most ``high``."""
    return any(
        side.steady
        and 1e3 * side.height_m <= of.high
        and role in thing.solid.end_roles(-side.down)
        and thing.face_mm(role, side.down) >= of.foot
        for side in resting_sides(thing.item)
    )


def _pads(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    """It is at least ``thick`` over a disc at least ``broad`` across."""
    alone = thing.solid.only((role,))
    for way in alone.directions:
        seen = alone.seen(way)
        thick = (seen.piece >= 0) & (seen.last - seen.first >= of.thick)
        if seen.widest_mm(thick) >= of.broad:
            return True
    return False


def _conducts(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    """It is of metal and joins the slots by itself, or all metal only together."""
    metal = [one for one in thing.solid.roles if _is_metal(thing, one)]
    alone = [one for one in metal if _joins(thing.solid.only((one,)), of)]
    return role in (alone or (metal if metal and _joins(thing.solid.only(metal), of) else ()))


def _is_metal(thing: Felt, role: str) -> bool:
    return role in thing.parts and "conducts" in thing.parts[role].traits


def _joins(metal: Solid, of: SimpleNamespace) -> bool:
    for way in metal.directions:
        along = metal.points @ way
        low, high = float(along.min()), float(along.max())
        ends = ((low, low + _NEAR_MM), (high - _NEAR_MM, high))
        thick = max(sides_mm(metal.slab(way, *end), way)[0] for end in ends)
        if high - low >= of.gap and thick <= of.slot:
            return True
    return False


def _rolls(thing: Felt, role: str, of: SimpleNamespace) -> bool:
    """It stands out furthest and is round over a length of ``broad``."""
    points = thing.solid.only((role,)).points
    for way in thing.solid.directions:
        low, high = float((points @ way).min()), float((points @ way).max())
        for start in np.linspace(low, high - of.broad, 5) if high - low >= of.broad else ():
            spots = np.linspace(start + 1, start + of.broad - 1, 6)
            cuts = [thing.solid.slab(way, at - 0.5, at + 0.5) for at in spots]
            if all(len(cut) >= 3 for cut in cuts):
                wide = max(circle_mm(cut, way) for cut in cuts)
                narrow = min(sides_mm(cut, way)[0] for cut in cuts)
                furthest = circle_mm(thing.solid.points, way) <= wide + 2.0
                if narrow >= max(_ROUND * wide, of.thick) and furthest:
                    return True
    return False


_RULES: Mapping[str, Rule] = {
    "press through a hole": _of_end(_goes_in),
    "pierce": _pierces,
    "reach under": _of_end(_reaches),
    "wedge": _of_end(_wedges),
    "scrape off": _of_end(_scrapes),
    "hold water": _of_room(_holds),
    "scoop": _scoops,
    "cut out rounds": _of_room(_cuts),
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
    rule, of = _RULES[use], SimpleNamespace(**limits)
    needs = [need for need in load_uses().uses[use].needs if need.measure not in _FELT]
    return frozenset(
        role
        for role, part in thing.parts.items()
        if min(need.ratio(part, limits, also=spare < 1) for need in needs) >= spare
        and rule(thing, role, of)
    )

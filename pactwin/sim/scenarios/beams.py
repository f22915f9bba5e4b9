"""Objects on a board that overhangs its base: removing one of them may tip the board.

It takes a comparison of weights to see which object holds the balance: two like objects and a load
of another size stand anywhere along the board, and the base anywhere under it. The twins differ in
one of three ways: the two objects change places, the base moves to one side, or the load moves or
changes size. No variant is frequent enough for a single cue (which object is farther out, or the
base) to decide more than every other pair.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import numpy as np

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.scenarios.common import Colors, oblique_turn
from pactwin.sim.scenarios.things import off
from pactwin.sim.scenarios.twins import Items, Pair, as_one
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import Constraint

# How far the centre of mass is from the base's edge, outside in one twin and inside in the other.
# With other weights less will do: verdicts flip within about 1 mm, and things are put down 1.5 mm
# beside their places.
_OUT_M, _INSIDE_M, _LEAST_M = (0.010, 0.030), (0.010, 0.040), 0.002
# Weights of the first thing, the second, the load and the board, as repetitions change them: they
# do so to the deciding things in turn, which the board is before a place is asked about, or after.
_IN_TURN = np.array([(1.0, -1, 1, -1), (1, 1, -1, 1)])
_REWEIGHED = np.concatenate([0.78**_IN_TURN, 1.23**_IN_TURN])
_AS_IT_IS = np.ones(4)
_DRAWS, _ROUNDS = 60_000, 5
# A thing that holds the balance is nearly always nearer to the base than one that does not, a base
# that would do stands farther from it, and a load nearer to it: of these kinds there are few.
_KINDS = {"exchange": 0.05, "base": 0.05, "place": 0.15, "size": 0.75}
_BOARDS_M = (0.24, 0.26, 0.28, 0.30, 0.32)
_DEPTH_M, _THICK_M, _APART_M = 0.09, 0.008, 0.008
# A base stands out so far on either side of the board, so that pictures show where it ends.
_SHOWN_M = 0.008
# Between the first thing and others there is room for fingers: of 51 draws with less than 15 mm 39
# were rejected, as no hand takes it, of 109 others 38.
_FOR_FINGERS_M = 0.015
_LOADS_M = tuple((side, high) for side in (0.04, 0.05, 0.06) for high in (0.02, 0.05, 0.09, 0.13))
# A load is as often there where nothing is changed about it.
_LADEN = 0.5


@dataclass(frozen=True)
class _Beams:
    """Candidate beams, one per row: offsets (m) along the board from its centre.

    ``slots``, ``widths`` and ``masses`` are (n, 3), of the first thing, the second and the load,
    whose mass is 0 where there is none; the others are (n,).
    """

    long: np.ndarray
    board_kg: np.ndarray
    half: np.ndarray
    base_at: np.ndarray
    slots: np.ndarray
    widths: np.ndarray
    masses: np.ndarray
    load: np.ndarray

    def middle_m(self, without: int | None = None, heavier: np.ndarray = _AS_IT_IS) -> np.ndarray:
        """Centre of mass of the board and what is on it; masses are ``heavier`` (4,) times."""
        masses = self.masses * heavier[:3]
        if without is not None:
            masses[:, without] = 0.0
        all_kg = heavier[3] * self.board_kg + masses @ np.ones(3)  # faster than a sum
        return np.einsum("nk,nk->n", masses, self.slots) / all_kg

    def inside_m(self, without: int | None = None, heavier: np.ndarray = _AS_IT_IS) -> np.ndarray:
        """Distance of the centre of mass inside the base's edges; negative: the board tips."""
        return self.half - np.abs(self.middle_m(without, heavier) - self.base_at)

    def stands(
        self, margin_m: float, without: int | None = None, *, tips: bool = False
    ) -> np.ndarray:
        """Stands, or ``tips``, by ``margin_m``, and a little with other weights, too."""
        sign = -1.0 if tips else 1.0
        found = sign * self.inside_m(without) > margin_m
        some = self.rows(found)
        reweighed = [sign * some.inside_m(without, heavier) for heavier in _REWEIGHED]
        found[found] = np.min(reweighed, axis=0) > _LEAST_M
        return found

    def load_moment(self) -> np.ndarray:
        """The moment of the load about the base, kg m: farther out, or larger, it is more."""
        return np.abs(self.slots[:, 2] - self.base_at) * self.masses[:, 2]

    def has_room(self) -> np.ndarray:
        """Whether nothing overlaps or protrudes beyond an end."""
        there = self.masses > 0.0
        room = np.abs(self.base_at) + self.half < self.long / 2
        ends = np.abs(self.slots) + self.widths / 2 < (self.long[:, None] - _APART_M) / 2
        room &= (ends | ~there).all(axis=1)
        for a, b, gap in ((0, 1, _FOR_FINGERS_M), (0, 2, _FOR_FINGERS_M), (1, 2, _APART_M)):
            needed = (self.widths[:, a] + self.widths[:, b]) / 2 + gap
            apart = np.abs(self.slots[:, a] - self.slots[:, b]) > needed
            room &= apart | ~(there[:, a] & there[:, b])
        return room

    def rows(self, chosen: np.ndarray) -> "_Beams":
        """The chosen rows."""
        return _Beams(**{name: values[chosen] for name, values in vars(self).items()})

    def with_loads(self, load: np.ndarray) -> "_Beams":
        """The beams with loads of other sizes; beams without a load stay without."""
        widths, masses = self.widths.copy(), self.masses.copy()
        widths[:, 2] = np.array([side for side, _ in _LOADS_M])[load]
        there = masses[:, 2] > 0.0
        masses[there, 2] = _loads_kg()[load[there]]
        return replace(self, widths=widths, masses=masses, load=load)


@cache
def _loads_kg() -> np.ndarray:
    return np.array([block("red", (side, side, high)).mass_kg for side, high in _LOADS_M])


def _drawn(rng: np.random.Generator, thing: Item, count: int, *, laden: bool) -> _Beams:
    boards = np.array([plank("red", (m, _DEPTH_M, _THICK_M)).mass_kg for m in _BOARDS_M])
    kind, load = rng.integers(len(_BOARDS_M), size=count), rng.integers(len(_LOADS_M), size=count)
    long = np.array(_BOARDS_M)[kind]
    with_load = laden | (rng.random(count) < _LADEN)
    masses = np.tile([thing.mass_kg, thing.mass_kg, 0.0], (count, 1))
    masses[:, 2] = with_load
    widths = np.tile([thing.size_m[0], thing.size_m[0], 0.0], (count, 1))
    room = widths.copy()
    room[:, 2] = with_load * max(side for side, _ in _LOADS_M)
    return _Beams(
        long,
        boards[kind],
        np.round(rng.uniform(0.02, 0.06, count), 3),
        rng.uniform(-0.5, 0.5, count) * long,
        _side_by_side(rng, long, room),
        widths,
        masses,
        load,
    ).with_loads(load)


def _side_by_side(rng: np.random.Generator, long: np.ndarray, room: np.ndarray) -> np.ndarray:
    """Positions (n, 3) of three things, ``room`` wide, in random order along each board."""
    order = rng.permuted(np.tile(np.arange(3), (len(long), 1)), axis=1)
    taken = np.take_along_axis(room, order, axis=1) + _APART_M
    free = (long - taken.sum(axis=1))[:, None]
    ends = np.cumsum(taken, axis=1) + free * np.sort(rng.random(order.shape), axis=1)
    slots = np.empty_like(room)
    np.put_along_axis(slots, order, ends - taken / 2 - long[:, None] / 2, axis=1)
    return slots


def _changed(rng: np.random.Generator, kind: str, beams: _Beams) -> _Beams:
    """The beams with a change of this kind; unchanged where only the base is to move."""
    count = len(beams.long)
    match kind:
        case "exchange":
            return replace(beams, slots=beams.slots[:, [1, 0, 2]])
        case "place":
            slots = beams.slots.copy()
            slots[:, 2] = rng.uniform(-0.5, 0.5, count) * beams.long
            return replace(beams, slots=slots)
        case "size":
            return beams.with_loads(rng.integers(len(_LOADS_M), size=count))
    return beams


def _on_bases(
    rng: np.random.Generator, kind: str, bad: _Beams, good: _Beams
) -> tuple[_Beams, _Beams]:
    """Both on bases off which the one tips without the first thing, and on which the other stays.

    Where only the base moves, it does so by a few centimetres.
    """
    before, after = bad.middle_m(0), good.middle_m(0)
    side, between = np.sign(after - before), np.abs(after - before)
    if kind == "base":
        side = np.sign(bad.base_at - before)
        between = rng.uniform(_OUT_M[0] + _INSIDE_M[0], _OUT_M[1] + _INSIDE_M[1], len(side))
    out = _OUT_M[0] + (between - _OUT_M[0] - _INSIDE_M[0]) * rng.random(len(side))
    at = before + side * (bad.half + out)
    moved = side * between if kind == "base" else 0.0
    return replace(bad, base_at=at), replace(good, base_at=at - moved)


def balancing(rng: np.random.Generator, colors: Colors, things: tuple[Item, Item]) -> Pair:
    """A board with two like objects and maybe a load; without the first it tips in one twin."""
    names, way = [colors.next() for _ in range(3)], oblique_turn(rng)
    kind = str(rng.choice(list(_KINDS), p=list(_KINDS.values())))
    # What it would be seen by at a glance, if it were always so.
    like = bool(rng.random() < 0.5)
    out, inside = float(rng.uniform(*_OUT_M)), float(rng.uniform(*_INSIDE_M))
    for _ in range(_ROUNDS):  # rather than another kind, which would be easier to come by
        first = _drawn(rng, things[0], _DRAWS, laden=kind in ("place", "size"))
        bad, good = _on_bases(rng, kind, first, _changed(rng, kind, first))
        bad, good = _that_serve(kind, bad, good, like=like)
        if len(bad.long):
            miss = np.abs(bad.inside_m(0) + out) + np.abs(good.inside_m(0) - inside)
            one = np.array([miss.argmin()])
            return _pair(names, things, kind, (bad.rows(one), good.rows(one)), way)
    raise RejectedLayout("no balance within margins")


def edging(
    rng: np.random.Generator,
    colors: Colors,
    things: tuple[Item, Item],
    inside_m: tuple[float, float],
    *,
    laden: bool,
) -> tuple[Pair, Callable[[float], tuple[float, float]]]:
    """A board whose centre of mass, without the first object, is ``inside_m[0]`` inside its base.

    It also returns how far along x and y the base must move to make that distance any other (m) up
    to ``inside_m[1]``. With the first object, the board stands in each case. If ``laden``, the
    other object and a load are on it.
    """
    names, way = [colors.next() for _ in range(3)], oblique_turn(rng)
    beams = _drawn(rng, things[0], _DRAWS, laden=laden)
    if not laden:
        beams.masses[:, 1:] = 0.0
    middle = beams.middle_m(0)
    side = np.sign(beams.base_at - middle)

    def at(inside: float) -> _Beams:
        return replace(beams, base_at=middle + side * (beams.half - inside))

    ends = [at(inside) for inside in inside_m]
    fits = np.all([beam.has_room() & beam.stands(_LEAST_M) for beam in ends], axis=0)
    if not fits.any():
        raise RejectedLayout("no balance within margins")
    row = rng.choice(np.flatnonzero(fits), 1)
    first = ends[0].rows(row)

    def moved(inside: float) -> tuple[float, float]:
        return off(0.0, 0.0, -float(side[row[0]]) * (inside - inside_m[0]), way)

    return _pair(names, things, "base", (first, first), way), moved


def _that_serve(kind: str, bad: _Beams, good: _Beams, *, like: bool) -> tuple[_Beams, _Beams]:
    """The rows in which both stand, but without the first object only ``good`` does."""
    tests: list[Callable[[_Beams, _Beams], np.ndarray]] = [
        lambda bad, good: bad.stands(_OUT_M[0], 0, tips=True),
        lambda bad, good: good.stands(_INSIDE_M[0], 0),
        lambda bad, good: bad.has_room() & bad.stands(_LEAST_M),
        lambda bad, good: good.has_room() & good.stands(_LEAST_M),
    ]
    if kind == "exchange":  # the outer of two
        tests.append(lambda bad, _: (np.abs(bad.slots[:, 0]) > np.abs(bad.slots[:, 1])) == like)
    if kind in ("place", "size"):  # was the load farther out, or larger?
        tests.append(lambda bad, good: (bad.load_moment() > good.load_moment()) == like)
    for test in tests:  # each of what the others leave
        rows = test(bad, good)
        bad, good = bad.rows(rows), good.rows(rows)
    return bad, good


def _pair(
    names: list[str],
    things: tuple[Item, Item],
    kind: str,
    beams: tuple[_Beams, _Beams],
    way: float,
) -> Pair:
    def build(first: bool, _: bool, x: float, y: float) -> Items:
        return _built(names, things, beams[0 if first else 1], way, (x, y))

    base, board, _, *weights = build(True, False, 0.0, 0.0)
    decisive = board.name, base.name, *(weight.name for weight in weights)
    form: Literal["exchange", "change"] = "exchange" if kind == "exchange" else "change"
    return as_one(things, Constraint.WOULD_COLLAPSE, build, decisive, form)


def _built(
    names: list[str],
    things: tuple[Item, Item],
    beam: _Beams,
    way_rad: float,
    place: tuple[float, float],
) -> Items:
    """The items of one beam with the board's middle at ``place``, its end towards ``way_rad``."""
    board = plank(names[0], (float(beam.long[0]), _DEPTH_M, _THICK_M))
    deep = _DEPTH_M + 2 * _SHOWN_M
    base = block(names[1], (2 * float(beam.half[0]), deep, 0.06), kind="base_block")
    weights = [*things]
    if beam.masses[0, 2] > 0.0:
        side, high = _LOADS_M[int(beam.load[0])]
        weights.append(block(names[2], (side, side, high)))

    def at(item: Item, offset: float, on_z: float) -> Item:
        return standing_at(item, *off(*place, offset, way_rad), on_z=on_z, yaw_rad=way_rad)

    stood = at(base, float(beam.base_at[0]), 0.0)
    lies = at(board, 0.0, top_m(stood))
    on_it = (
        at(weight, float(slot), top_m(lies))
        for weight, slot, mass in zip(weights, beam.slots[0], beam.masses[0], strict=False)
        if mass > 0.0
    )
    return (stood, lies, *on_it)

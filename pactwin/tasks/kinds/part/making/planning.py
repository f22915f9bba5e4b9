"""Plan every task: a gold object for a use, and other objects that do not serve.

A part serves if it clearly meets every need, each by the factor ``BAND``. It resembles the gold
part if it fails only one need. No object beside the gold one has a part that serves or nearly
serves, and a gold object never has two such parts: the difference is always measurable.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from pactwin.catalogue import BAND
from pactwin.solvers import other_seeds
from pactwin.suite import InvalidInputError, Record
from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase
from pactwin.tasks.kinds.part.making.balance import Balance
from pactwin.tasks.kinds.part.making.limits import draw_limits, limit_ranges

Tier = Literal["difficult", "medium", "low"]
TIERS: dict[Tier, tuple[int, ...]] = {
    "difficult": (3, 6, 9, 12),
    "medium": (6, 12),
    "low": (3, 6, 9, 12),
}
"""Numbers of objects beside the gold one; all, half or none of them share some of its traits."""

BANDS = ((2, 4), (5, 10), (11, 50))
"""Ranges of cluster sizes (similar parts) from which gold parts are taken in turn."""

_LIMITS_TRIED = 8
_REFUSALS = 3
_DRAWS = 40
_TOGETHER = ((3, 2), (2, 1), (1, 1))
"""(n, d): n tasks about the same things; the least used 1/d is tried, and the largest n wins."""
_TRIED = 12
_LOOKED_AT = 12
_RIVALRY = 40.0
_FAMILIAR = 0.25
"""At most this share of tasks, and one more, means what ``pactwin/familiar`` expects."""
_BY_WEIGHT, _WEIGHTS = 0.15, frozenset(("mass_g", "thing_g"))
"""At most this share of tasks, and one more, is decided by weight alone, which no picture shows."""
_NONE_MADE = 0.7
"""The share of tasks beside whose meant thing is nothing that is made for the use."""


class UsePlan(Record):
    """One task: the gold part, the use with its limits, and the other objects, by kind."""

    setting: str
    tier: Tier
    use: str
    limits: dict[str, float]
    kind: str
    part: str
    level: int
    cluster_size: int
    others: tuple[str, ...]
    wording: int


Group = tuple[UsePlan, ...]
"""Tasks of one use with the same objects, each with its own limits and gold object."""


@dataclass(frozen=True)
class Meant:
    """A possible gold part in its setting."""

    setting: str
    use: str
    kind: str
    part: str
    level: int
    cluster_size: int


@dataclass(frozen=True)
class _Drawn:
    """A gold part at drawn limits, and the kinds of its setting that clearly fail there.

    ``alike`` are those of them with a part that fails one need alone; ``number`` is the draw's.
    """

    number: int
    meant: Meant
    limits: dict[str, float]
    failing: frozenset[str]
    alike: frozenset[str]


def plan_tasks(
    known: KnowledgeBase,
    count: int,
    seed: int,
    borne_out: Callable[[UsePlan], bool] = lambda _: True,
) -> list[Group]:
    """Groups of ``count`` plans in total, alternating tiers, numbers, levels and bands if possible.

    A group is drawn again if trials do not confirm a plan (``borne_out``), or if it has a familiar
    gold object, or one that its weight alone decides, after too many of these; a part that failed
    three times is no longer used for that use. If too few objects are known for a tier's number,
    the tier is left out. Raises InvalidInputError if the known objects do not suffice.
    """
    rng = np.random.default_rng([seed, count])
    cells = [(tier, number) for tier, numbers in TIERS.items() for number in numbers]
    choice = _drawn(known, rng)
    fits = _Together([one for some in choice.values() for one in some])
    used: Counter[object] = Counter()
    groups: list[Group] = []
    left = count
    refused: Counter[object] = Counter()
    balance = Balance(known)

    found = weighed = 0.0

    def kept(group: Group) -> bool:
        made = count - left + len(group)
        for rate, most, so_far in (
            (_familiar, _FAMILIAR, found),
            (_by_weight, _BY_WEIGHT, weighed),
        ):
            more = sum(rate(known, plan) for plan in group)
            if more and so_far + more > 1 + most * made:
                return False
        for plan in group:
            first, *_ = _counted(plan)
            if used[plan.tier, len(plan.others), first] or refused[first] >= _REFUSALS:
                return False
            if not borne_out(plan):
                refused[first] += 1
                return False
        return True

    while left and cells:
        tier, number = min(cells, key=lambda cell: used[cell])
        left_over = [meant for meant in choice if refused[_counted(meant)[0]] < _REFUSALS]
        turn = _in_turn({meant: choice[meant] for meant in left_over}, used, rng)
        drawn = _groups(known, fits, turn, tier, number, balance, rng)
        group = next(filter(kept, _most_even(drawn, balance)), ())[:left]
        if not group:
            cells.remove((tier, number))
            continue
        for plan in group:
            first, *_ = _counted(plan)
            used.update((*_counted(plan), (tier, number), (tier, number, first)))
            found += _familiar(known, plan)
            weighed += _by_weight(known, plan)
            balance.add(plan.use, plan.kind, plan.others)
        groups.append(group)
        left -= len(group)
    if left:
        raise InvalidInputError(
            f"{count - left} tasks can be made of the known objects, not {count}"
        )
    return groups


def _familiar(known: KnowledgeBase, plan: UsePlan) -> float:
    """Accuracy of always choosing the object that is the gold one most often in other tasks."""
    rates = [
        other_seeds().rate(plan.use, known.entities[kind].name)
        for kind in (plan.kind, *plan.others)
    ]
    return float(rates[0] == max(rates)) / rates.count(max(rates))


def _by_weight(known: KnowledgeBase, plan: UsePlan) -> float:
    """1 if another object would serve if it weighed as much as the gold one, else 0."""
    needs = known.table.uses[plan.use].needs
    seen = [k for k, need in enumerate(needs) if need.measure not in _WEIGHTS]
    ratios = known.ratios(plan.use, plan.limits)[:, seen].min(axis=1)
    beside = [kind in plan.others for kind, _ in known.parts]
    return float(bool((ratios[beside] >= 1).any()))


def lacking(
    known: KnowledgeBase, use: str, limits: Mapping[str, float]
) -> dict[str, list[int | None]]:
    """Needs that the parts of each object fail, in order; None if one nearly serves.

    A part that might serve in another way also nearly serves.
    """
    short = (known.ratios(use, limits) < BAND).sum(axis=1)
    at_most = known.ratios(use, limits, also=True)
    nearly = (short > 0) & (at_most.min(axis=1) > 1 / BAND)
    found: dict[str, list[int | None]] = {}
    for (kind, _), count, near in zip(known.parts, short.tolist(), nearly.tolist(), strict=True):
        found.setdefault(kind, []).append(None if near else count)
    return found


def _could_be_meant(known: KnowledgeBase) -> Iterator[Meant]:
    """Parts that serve at some limits of a task, from clusters of the given sizes."""
    for name, use in known.table.uses.items():
        for kind, part in known.parts:
            size = known.cluster_size((kind, part))
            if limit_ranges(use, known.of(kind)[part]) and BANDS[0][0] <= size <= BANDS[-1][1]:
                level = known.level(kind, part, name)
                for setting, kinds in known.table.settings.items():
                    if kind in kinds:
                        yield Meant(setting, name, kind, part, level, size)


def _counted(of: "Meant | UsePlan") -> tuple[object, ...]:
    """What should not occur more often than others, the most important first."""
    band = next(k for k, (low, high) in enumerate(BANDS) if low <= of.cluster_size <= high)
    return (of.kind, of.part, of.use), ("use", of.use), ("level", of.level, band), ("kind", of.kind)


def _drawn(known: KnowledgeBase, rng: np.random.Generator) -> dict[Meant, list[_Drawn]]:
    """Possible gold parts, each at limits at which no other part of the object serves."""
    found: dict[Meant, list[_Drawn]] = {}
    for meant in _could_be_meant(known):
        use, part = known.table.uses[meant.use], known.of(meant.kind)[meant.part]
        for number in range(_LIMITS_TRIED):
            limits = draw_limits(use, part, rng)
            if limits is None:
                continue
            short = lacking(known, meant.use, limits)
            if sum(not count for count in short[meant.kind]) == 1:
                there = known.table.settings[meant.setting]
                failing = frozenset(kind for kind in there if kind in short and all(short[kind]))
                alike = frozenset(kind for kind in failing if 1 in short[kind])
                drawn = _Drawn(number, meant, limits, failing, alike)
                found.setdefault(meant, []).append(drawn)
    return found


def _in_turn(
    choice: Mapping[Meant, Sequence[_Drawn]], used: Counter[object], rng: np.random.Generator
) -> list[_Drawn]:
    """All drawn gold parts, the least used first."""
    shuffled = [[*choice][k] for k in rng.permutation(len(choice))]
    shuffled.sort(key=lambda meant: tuple(used[key] for key in _counted(meant)))
    return [drawn for meant in shuffled for drawn in choice[meant]]


class _Together:
    """Which draws can be tasks about the same things: each one's gold part fails in the others."""

    def __init__(self, drawn: Sequence[_Drawn]) -> None:
        self._drawn = drawn
        self._at = {id(one): k for k, one in enumerate(drawn)}
        kinds = {kind: k for k, kind in enumerate({one.meant.kind for one in drawn})}
        fails = np.zeros((len(drawn), len(kinds)), bool)
        for k, one in enumerate(drawn):
            fails[k, [kinds[kind] for kind in one.failing if kind in kinds]] = True
        mutual = fails[:, [kinds[one.meant.kind] for one in drawn]]
        self._fit = mutual & mutual.T

    def of(
        self, first: _Drawn, beside: Sequence[_Drawn], together: int
    ) -> Iterator[Sequence[_Drawn]]:
        """Groups of ``together`` compatible tasks: ``first`` and some of those ``beside`` it."""
        others = np.array([self._at[id(one)] for one in beside], int)
        for members in self._more((self._at[id(first)],), others, together):
            yield [self._drawn[k] for k in members]

    def _more(
        self, so_far: tuple[int, ...], among: np.ndarray, together: int
    ) -> Iterator[tuple[int, ...]]:
        if len(so_far) == together:
            yield so_far
            return
        fitting = among[self._fit[so_far[-1], among]]
        for one in fitting.tolist():
            yield from self._more((*so_far, one), fitting, together)


def _groups(
    known: KnowledgeBase,
    fits: _Together,
    turn: Sequence[_Drawn],
    tier: Tier,
    number: int,
    balance: Balance,
    rng: np.random.Generator,
) -> Iterator[Group]:
    """Groups of tasks about ``number`` + 1 things, the largest first, in the order of ``turn``."""
    beside: dict[tuple[str, str], list[_Drawn]] = {}
    for one in sorted(turn, key=lambda drawn: drawn.number):
        beside.setdefault((one.meant.use, one.meant.setting), []).append(one)
    tried = [(first, n) for n, part in _TOGETHER for first in turn[: len(turn) // part]]
    for first, together in tried:
        # Whether things made for it are there, though none will do, says nothing.
        made = known.made_for(first.meant.use) - {first.meant.kind}
        left_out = made if rng.random() < _NONE_MADE else frozenset()
        fitting = beside[first.meant.use, first.meant.setting]
        rivals = Counter(one.meant.kind for one in fitting)
        allowed = [one for one in fitting if one.meant.kind not in left_out]
        for members in islice(fits.of(first, allowed, together), _TRIED):
            others = _others(members, rivals, (tier, number), left_out, balance, rng)
            if others is not None:
                kinds = {*others, *(member.meant.kind for member in members)}
                yield tuple(_plan(known, m, tier, kinds, rng) for m in members)


def _most_even(groups: Iterator[Group], balance: Balance) -> Iterator[Group]:
    """Sort groups, a few at a time, by how even they leave ``balance`` for their size."""

    def uneven(group: Group) -> float:
        meant = [plan.kind for plan in group]
        others = sorted({*group[0].others} - {*meant})
        return float(balance.uneven(group[0].use, meant, [others])[0]) / len(group)

    while some := list(islice(groups, _LOOKED_AT)):
        yield from sorted(some, key=uneven)


def _plan(
    known: KnowledgeBase, drawn: _Drawn, tier: Tier, kinds: set[str], rng: np.random.Generator
) -> UsePlan:
    meant = drawn.meant
    return UsePlan(
        setting=meant.setting,
        tier=tier,
        use=meant.use,
        limits=drawn.limits,
        kind=meant.kind,
        part=meant.part,
        level=meant.level,
        cluster_size=meant.cluster_size,
        others=tuple(sorted(kinds - {meant.kind})),
        wording=int(rng.integers(len(known.table.uses[meant.use].asks))),
    )


def _others(
    members: Sequence[_Drawn],
    rivals: Mapping[str, int],
    wanted: tuple[Tier, int],
    left_out: frozenset[str],
    balance: Balance,
    rng: np.random.Generator,
) -> list[str] | None:
    """Objects that fail in all tasks of a group, with its other gold objects; None if too few.

    The tier says how many are similar to each gold object. ``rivals`` serve the use at other
    limits; they are preferred, so that names reveal nothing. Several choices are drawn, and the one
    is taken that leaves ``balance`` most even.
    """
    tier, number = wanted
    meant = {member.meant.kind for member in members}
    like_it = {"difficult": number, "medium": number // 2, "low": 0}[tier]
    among = {len(meant & member.alike) for member in members}
    failing = frozenset.intersection(*(member.failing for member in members)) - left_out
    alike = sorted(frozenset.intersection(*(member.alike for member in members)) & failing)
    unlike = sorted(failing.difference(*(member.alike for member in members)))
    sizes = like_it - min(among), number + 1 - len(meant) - like_it + min(among)
    if len(among) > 1 or min(sizes) < 0 or sizes[0] > len(alike) or sizes[1] > len(unlike):
        return None
    choices = [
        [
            kind
            for some, size in zip((alike, unlike), sizes, strict=True)
            for kind in _preferring(rivals, some, size, rng)
        ]
        for _ in range(_DRAWS)
    ]
    uneven = balance.uneven(members[0].meant.use, sorted(meant), choices)
    return choices[int(uneven.argmin())]


def _preferring(
    rivals: Mapping[str, int], among: Sequence[str], size: int, rng: np.random.Generator
) -> list[str]:
    """Draw ``size`` of ``among``; ``rivals`` are drawn more often than others."""
    if not size:
        return []
    weights = np.array([1.0 + _RIVALRY * rivals.get(one, 0) for one in among])
    chosen = rng.choice(len(among), size, replace=False, p=weights / weights.sum())
    return [among[k] for k in chosen]

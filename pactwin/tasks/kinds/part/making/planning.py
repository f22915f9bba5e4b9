"""Which thing serves for what, beside which others that do not: the plan of every task.

A part serves if it surely meets every need, each by the factor ``BAND``. It is like the meant one
if it lacks one need alone. Things with a part that serves, or nearly does, are never beside the
meant one, nor is a thing meant that has two such parts: what decides is always measured.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pactwin.catalogue import BAND, MeasuredPart, Use
from pactwin.suite import InvalidInputError, Record
from pactwin.tasks.kinds.part.making.affordances import KnowledgeBase
from pactwin.tasks.kinds.part.making.balance import Balance

Tier = Literal["difficult", "medium", "low"]
TIERS: dict[Tier, tuple[int, ...]] = {
    "difficult": (3, 6, 9, 12),
    "medium": (6, 12),
    "low": (3, 6, 9, 12),
}
"""Numbers of things beside the meant one. All are like it in part, half of them, or none."""

BANDS = ((2, 4), (5, 10), (11, 50))
"""Sizes of clusters, of parts that are alike, from which meant ones are taken in turn."""

# By which factor the meant part keeps to what is asked for.
_SPARE = (1.15, 2.2)
_HARDEST = 1.5
"""Within this factor of the end of its range a limit is as hard as it gets."""
_LIMITS_TRIED = 8
_REFUSALS = 3
_DRAWS = 40
_FOUND = 0.34
"""How often who takes the most familiar thing may find the meant one in a task, if it can be so."""
_LOOKED_AT = 40
"""So many plans are looked at for one in which it is not found."""
_NONE_MADE = 0.7
"""The share of tasks beside whose meant thing is nothing that is made for the use."""


class UsePlan(Record):
    """One task: the meant part, the use with its limits, and the other things, by kind."""

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


@dataclass(frozen=True)
class Meant:
    """A part that could be meant, at the setting where it lies."""

    setting: str
    use: str
    kind: str
    part: str
    level: int
    cluster_size: int


def plan_tasks(
    known: KnowledgeBase,
    count: int,
    seed: int,
    borne_out: Callable[[UsePlan], bool] = lambda _: True,
) -> list[UsePlan]:
    """``count`` plans: tiers and numbers in turn, levels and bands of clusters as evenly as can be.

    A plan that is not ``borne_out``, by trials, is drawn anew, a part of which three were not for
    that use never again. Where too few things are known for a
    tier's number it is left out. Raises InvalidInputError if what is known does not make that many.
    """
    rng = np.random.default_rng([seed, count])
    cells = [(tier, number) for tier, numbers in TIERS.items() for number in numbers]
    choice = list(_could_be_meant(known))
    used: Counter[object] = Counter()
    plans: list[UsePlan] = []
    refused: Counter[object] = Counter()
    balance = Balance(known, ((meant.use, meant.kind) for meant in choice))

    def kept(plan: UsePlan) -> bool:
        first, *_ = _counted(plan)
        if refused[first] >= _REFUSALS or not borne_out(plan):
            refused[first] += 1
            return False
        return True

    while len(plans) < count and cells:
        tier, number = cells[len(plans) % len(cells)]
        possible = [meant for meant in choice if refused[_counted(meant)[0]] < _REFUSALS]
        turn = _in_turn(possible, used, rng)
        drawn = _plans(known, turn, tier, number, plans, balance, rng)
        plan = next(filter(kept, _least_familiar(drawn, balance)), None)
        if plan is None:
            cells.remove((tier, number))
        else:
            used.update(_counted(plan))
            balance.add(plan.use, plan.kind, plan.others)
            plans.append(plan)
    if len(plans) < count:
        raise InvalidInputError(f"{len(plans)} tasks can be made of what is known, not {count}")
    return plans


def lacking(
    known: KnowledgeBase, use: str, limits: Mapping[str, float]
) -> dict[str, list[int | None]]:
    """How many needs the parts of each thing fail, in order; None for one that nearly serves.

    One does that might serve in another way, too.
    """
    short = (known.ratios(use, limits) < BAND).sum(axis=1)
    at_most = known.ratios(use, limits, also=True)
    nearly = (short > 0) & (at_most.min(axis=1) > 1 / BAND)
    found: dict[str, list[int | None]] = {}
    for (kind, _), count, near in zip(known.parts, short.tolist(), nearly.tolist(), strict=True):
        found.setdefault(kind, []).append(None if near else count)
    return found


def _could_be_meant(known: KnowledgeBase) -> Iterator[Meant]:
    """What serves at some limits that a task may ask for, of clusters of the sizes in question."""
    for name, use in known.table.uses.items():
        for kind, part in known.parts:
            size = known.cluster_size((kind, part))
            if _ranges(use, known.of(kind)[part]) and BANDS[0][0] <= size <= BANDS[-1][1]:
                level = known.level(kind, part, name)
                for setting, kinds in known.table.settings.items():
                    if kind in kinds:
                        yield Meant(setting, name, kind, part, level, size)


def _counted(of: "Meant | UsePlan") -> tuple[object, ...]:
    """What should not occur more often than others, the most important first."""
    band = next(k for k, (low, high) in enumerate(BANDS) if low <= of.cluster_size <= high)
    return (of.kind, of.part, of.use), ("level", of.level, band), ("kind", of.kind), ("use", of.use)


def _in_turn(
    choice: Sequence[Meant], used: Counter[object], rng: np.random.Generator
) -> list[Meant]:
    """What could be meant, the least used first."""
    shuffled = [choice[k] for k in rng.permutation(len(choice))]
    return sorted(shuffled, key=lambda meant: tuple(used[key] for key in _counted(meant)))


def _plans(
    known: KnowledgeBase,
    choice: Sequence[Meant],
    tier: Tier,
    number: int,
    earlier: Sequence[UsePlan],
    balance: Balance,
    rng: np.random.Generator,
) -> Iterator[UsePlan]:
    taken = {(plan.kind, plan.part, plan.use, plan.tier, len(plan.others)) for plan in earlier}
    for meant in choice:
        if (meant.kind, meant.part, meant.use, tier, number) in taken:
            continue
        use = known.table.uses[meant.use]
        part = known.of(meant.kind)[meant.part]
        drawn = [limits for _ in range(_LIMITS_TRIED) if (limits := _limits(use, part, rng))]
        tried = [(limits, lacking(known, meant.use, limits)) for limits in drawn]

        def rivals(short: Mapping[str, Sequence[int | None]], meant: Meant = meant) -> float:
            """How familiar those things are, in sum, that can be there."""
            there = [kind for kind in known.table.settings[meant.setting] if kind in short]
            return sum(balance.familiar(meant.use, kind) for kind in there if all(short[kind]))

        for limits, short in sorted(tried, key=lambda one: -rivals(one[1])):
            others = None
            if sum(not count for count in short[meant.kind]) == 1:  # no other part of it serves
                others = _others(known, meant, short, (tier, number), balance, rng)
            if others is not None:
                yield UsePlan(
                    setting=meant.setting,
                    tier=tier,
                    use=meant.use,
                    limits=limits,
                    kind=meant.kind,
                    part=meant.part,
                    level=meant.level,
                    cluster_size=meant.cluster_size,
                    others=others,
                    wording=int(rng.integers(len(use.asks))),
                )


def _least_familiar(plans: Iterator[UsePlan], balance: Balance) -> Iterator[UsePlan]:
    """Plans whose meant thing is not the familiar one, then the others that came before."""
    left: list[UsePlan] = []
    for plan in plans:
        if balance.found(plan.use, plan.kind, plan.others) <= _FOUND:
            yield plan
        else:
            left.append(plan)
            if len(left) > _LOOKED_AT:
                break
    yield from left


def _ranges(use: Use, part: MeasuredPart) -> dict[str, tuple[float, float]] | None:
    """For each limit the values that the part keeps to with something to spare; None if not all."""
    if any(not need.measure and not need.ratio(part, {}) for need in use.needs):
        return None
    found = {}
    for name, limit in use.limits.items():
        low, high = limit.least, limit.most
        for need in use.needs:
            value = part.measures.get(need.measure, 0.0)
            # What keeps to a limit by far keeps to the hardest that a task may ask for.
            if need.at_most == name:
                low = max(low, value * _SPARE[0])
                high = min(high, max(value * _SPARE[1], limit.least * _HARDEST))
            if need.at_least == name:
                low = max(low, min(value / _SPARE[1], limit.most / _HARDEST))
                high = min(high, value / _SPARE[0])
        if low > high:
            return None
        found[name] = (low, high)
    return found


def _limits(use: Use, part: MeasuredPart, rng: np.random.Generator) -> dict[str, float] | None:
    """Limits drawn for a part that could be meant; None if it does not surely serve at them."""
    found = {
        name: _plain(float(np.exp(rng.uniform(*np.log(ends)))))
        for name, ends in (_ranges(use, part) or {}).items()
    }
    return found if min(use.ratios(part, found)) >= BAND else None


def _plain(value: float) -> float:
    """Two digits, as people say such numbers."""
    return float(f"{value:.2g}")


def _others(
    known: KnowledgeBase,
    meant: Meant,
    short: Mapping[str, Sequence[int | None]],
    wanted: tuple[Tier, int],
    balance: Balance,
    rng: np.random.Generator,
) -> tuple[str, ...] | None:
    """Other things of the setting: as many like the meant one as the tier wants; None if too few.

    Of several such choices the one is taken that leaves ``balance`` most even.
    """
    tier, number = wanted
    alike: list[str] = []
    unlike: list[str] = []
    # Whether things made for it are there, though none will do, says nothing of what is meant.
    left_out = known.made_for(meant.use) if rng.random() < _NONE_MADE else frozenset()
    for kind in sorted(known.table.settings[meant.setting]):
        if kind == meant.kind or kind not in known.entities or kind in left_out:
            continue
        if all(short[kind]):
            (alike if 1 in short[kind] else unlike).append(kind)
    like_it = {"difficult": number, "medium": number // 2, "low": 0}[tier]
    if len(alike) < like_it or len(unlike) < number - like_it:
        return None
    choices = []
    for _ in range(_DRAWS):
        chosen: list[str] = []
        for some, size in ((alike, like_it), (unlike, number - like_it)):
            if size:
                # Things that are meant elsewhere first: that it is there shall say little.
                odds = np.array([balance.familiar(meant.use, kind) for kind in some])
                chosen += rng.choice(some, size, replace=False, p=odds / odds.sum()).tolist()
        choices.append(sorted(chosen))
    return tuple(balance.best(meant.use, meant.kind, choices))

"""Meant things of our own tasks, played: where a use has a trial, do rules and trials agree?

A trial plays one need of a use: how long a thing is that bridges a gap, how heavy one that weighs
down. The rule beside it is that need alone, kept by any part of the thing; the others (roundness,
softness, a foot) are nothing that the trial knows.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pactwin.catalogue import BAND, Entity, load_uses
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.uses.base import HALF, Use
from pactwin.sim.uses.bridge_gap import BridgeGap
from pactwin.sim.uses.deciding import best_way, parts_of
from pactwin.sim.uses.reach_with_stick import ReachWithStick
from pactwin.sim.uses.weigh_down import WeighDown

# The limit that the trial plays, from where on it can, and the task that is half done at it: of a
# stick 5 cm are in the hand, and half of a push is 2.5 cm.
_PLAYED: Mapping[str, tuple[str, float, Callable[[float], Use]]] = {
    "bridge a gap": ("gap", 0.0, lambda mm: BridgeGap(mm / 1000)),
    "reach under": ("depth", 130.0, lambda mm: ReachWithStick(mm / 1000 - 0.075)),
    "weigh down": ("load", 0.0, lambda g: WeighDown(g / 1000)),
}


@dataclass(frozen=True)
class MeantUse:
    """A task: its use with the limits asked for, the meant kind, and the kinds beside it."""

    use: str
    limits: Mapping[str, float]
    kind: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class RuleAgreement:
    """Things played for one use, by whether the rule and the trial say that they serve.

    ``meant`` of them are what tasks mean, ``meant_serve`` of these served; ``no_room`` more are too
    large for the trial's table.
    """

    use: str
    both: int
    rule_only: int
    trial_only: int
    neither: int
    no_room: int
    meant: int
    meant_serve: int

    @property
    def agreed(self) -> float | None:
        """The share on which both say the same; None if nothing was played."""
        n = self.both + self.rule_only + self.trial_only + self.neither
        return (self.both + self.neither) / n if n else None


def rule_agreement(
    tasks: Iterable[MeantUse], entities: Mapping[str, Entity], seed: int
) -> list[RuleAgreement]:
    """One row for each use of ``tasks`` that is played, by name.

    ``entities`` are the specimens of ``seed``, measured. Things near the limit are left out.
    """
    counts: dict[str, Counter[str]] = {}
    for task in tasks:
        limit, least, at = _PLAYED.get(task.use, ("", 0.0, None))
        if at is None or task.limits[limit] < least:
            continue
        (need,) = (n for n in load_uses().uses[task.use].needs if n.limit == limit)
        count = counts.setdefault(task.use, Counter())
        for kind in (task.kind, *task.others):
            ratio = max(need.ratio(part, task.limits) for part in entities[kind].parts.values())
            if 1 / BAND < ratio < BAND:
                continue
            serves = _serves(at(task.limits[limit]), kind, seed)
            if serves is None:
                count["no room"] += 1
                continue
            count[f"{ratio >= BAND} {serves}"] += 1
            if kind == task.kind:
                count["meant"] += 1
                count["meant serve"] += serves
    return [
        RuleAgreement(
            use,
            both=count["True True"],
            rule_only=count["True False"],
            trial_only=count["False True"],
            neither=count["False False"],
            no_room=count["no room"],
            meant=count["meant"],
            meant_serve=count["meant serve"],
        )
        for use, count in sorted(counts.items())
    ]


def _serves(use: Use, kind: str, seed: int) -> bool | None:
    """Whether half of the task or more comes about with any end of it; None without room."""
    thing = specimen(kind, seed)
    found = [best_way(use, thing, part) for part in parts_of(use, thing)]
    shares = [one[1].share for one in found if one is not None]
    return max(shares) >= HALF if shares else None

"""Check the gold objects of pactwin's own tasks by trials, and compare both rules with them.

A trial simulates the deciding needs of a use: length and flatness of a bridge over a gap, or the
weight of a load. The rule of these needs alone is compared with it; one part of the object meets
the rule or, if a need says so, the whole object. The trial ignores other needs (softness, a slit).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf

from pactwin.catalogue import BAND, Entity, load_uses
from pactwin.sim.generation.creative.measuring import specimen
from pactwin.sim.generation.creative.playing import Cover, HookUp, Prop, declared
from pactwin.sim.generation.creative.second_rule import Felt, serving_parts
from pactwin.sim.generation.uses.agreement import Agreement
from pactwin.sim.physics.trials.using import HALF
from pactwin.sim.uses.base import PlayedTask
from pactwin.sim.uses.deciding import best_way, parts_of

# The limits that the trial plays, from where on it can, and the task that is half done at them: of
# a stick 5 cm are in the hand, and half of a push is 2.5 cm.
_PLAYED: Mapping[str, tuple[dict[str, float], Callable[[Mapping[str, float]], PlayedTask]]] = {
    "bridge a gap": ({"gap": 0.0, "foot": 0.0}, partial(declared, "bridge a gap")),
    "cover an opening": ({"mouth": 0.0}, lambda of: Cover(of["mouth"] / 1000)),
    "hook out": ({"wire": 0.0}, lambda of: HookUp(of["wire"] / 1000)),
    "prop open": ({"low": 0.0, "high": 0.0}, lambda of: Prop(of["low"] / 1000, of["high"] / 1000)),
    "reach under": ({"depth": 130.0}, partial(declared, "reach under")),
    "weigh down": ({"load": 0.0}, partial(declared, "weigh down")),
}


@dataclass(frozen=True)
class MeantUse:
    """A task: its use with limits, the gold kind and part, and the other kinds."""

    use: str
    limits: Mapping[str, float]
    kind: str
    part: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class RuleAgreement(Agreement):
    """Agreement of the rule of the simulated needs with the trial.

    ``meant`` counts gold objects, ``meant_serve`` those that served, and ``unique`` those that
    alone served in their task. ``no_room`` counts further objects too large for the trial's table.
    """

    no_room: int
    meant: int
    meant_serve: int
    unique: int


@dataclass(frozen=True)
class UseTrials:
    """Simulates uses with the specimens of ``seed``, whose measures are ``entities``."""

    entities: Mapping[str, Entity]
    seed: int

    def plays(self, task: MeantUse) -> bool:
        """Return whether a trial exists for the use at such limits."""
        least, _ = _PLAYED.get(task.use, ({}, None))
        return bool(least) and all(task.limits[name] >= low for name, low in least.items())

    def rule(self, task: MeantUse, kind: str, *, played: bool) -> float:
        """Factor by which the best part meets all tried needs, or all other needs."""
        limits, _ = _PLAYED[task.use]
        needs = [
            need
            for need in load_uses().uses[task.use].needs
            if bool(set(limits) & {str(limit) for limit in need.limits}) == played
        ]
        return max(
            min((need.ratio(part, task.limits, also=True) for need in needs), default=inf)
            for part in self.entities[kind].parts.values()
        )

    def serves(self, task: MeantUse, kind: str) -> bool | None:
        """Return whether any end of an object achieves half of the task; None without room.

        KeyError for a task without a trial.
        """
        use, thing = _PLAYED[task.use][1](task.limits), specimen(kind, self.seed)
        found = [best_way(use, thing, part) for part in parts_of(use, thing)]
        shares = [one[1].share for one in found if one is not None]
        return max(shares) >= HALF if shares else None

    def parts(self, task: MeantUse, kind: str, spare: float = 1.0) -> frozenset[str]:
        """The parts of an object that serve by the second rule (see :func:`serving_parts`)."""
        if kind not in self._felt:
            self._felt[kind] = Felt(specimen(kind, self.seed), self.entities[kind].parts)
        return serving_parts(task.use, task.limits, self._felt[kind], spare=spare)

    @cached_property
    def _felt(self) -> dict[str, Felt]:
        return {}

    def borne_out(self, task: MeantUse) -> bool:
        """Return whether only the gold object serves, by the trial or the second rule.

        Needs that the trial cannot test are left to the rules: another object counts as serving if
        the trial says so and it clearly fails no other need.
        """
        if not self.plays(task):
            return self.parts(task, task.kind) == {task.part} and not any(
                self.parts(task, kind, spare=1 / BAND) for kind in task.others
            )
        might = [k for k in task.others if self.rule(task, k, played=False) > 1 / BAND]
        return bool(self.serves(task, task.kind)) and not any(self.serves(task, k) for k in might)


def rule_agreement(
    tasks: Iterable[MeantUse], entities: Mapping[str, Entity], seed: int
) -> list[RuleAgreement]:
    """One row for each simulated use of ``tasks``, by name.

    ``entities`` are the measured specimens of ``seed``. Objects near a limit are left out.
    """
    trials = UseTrials(entities, seed)
    played = [task for task in tasks if trials.plays(task)]
    rows = []
    for use in sorted({task.use for task in played}):
        mine = [task for task in played if task.use == use]
        tried = [
            (trials.rule(task, kind, played=True), trials.serves(task, kind), kind == task.kind)
            for task in mine
            for kind in (task.kind, *task.others)
        ]
        count = Counter(
            (ratio >= BAND, serves)
            for ratio, serves, _ in tried
            if serves is not None and not 1 / BAND < ratio < BAND
        )
        further = {
            "no_room": sum(serves is None for _, serves, _ in tried),
            "meant": len(mine),
            "meant_serve": sum(bool(serves) and meant for _, serves, meant in tried),
            "unique": sum(map(trials.borne_out, mine)),
        }
        rows.append(RuleAgreement.counted(use, count, **further))
    return rows

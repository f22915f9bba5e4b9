"""Compare the catalogue's affordances with trials of the uses.

The catalogue says what objects are made for, and little about other uses. The table shows how well
a list of affordances could replace trials.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from pactwin.catalogue import load_catalogue
from pactwin.sim.uses import load_use
from pactwin.suite import Scene


@dataclass(frozen=True)
class Agreement:
    """Objects tried for one use, counted by the verdicts of a rule and of the trial."""

    use: str
    both: int
    rule_only: int
    trial_only: int
    neither: int

    @classmethod
    def counted(cls, use: str, counts: Counter[tuple[bool, bool]], **further: int) -> Self:
        """Agreement by counts of (what the rule says, what the trial says)."""
        pairs = ((True, True), (True, False), (False, True), (False, False))
        return cls(use, *(counts[pair] for pair in pairs), **further)

    @property
    def tried(self) -> int:
        """Number of all of them."""
        return self.both + self.rule_only + self.trial_only + self.neither

    @property
    def agreed(self) -> float | None:
        """Share on which rule and trial agree; None if nothing was tried."""
        return (self.both + self.neither) / self.tried if self.tried else None

    @property
    def kappa(self) -> float:
        """Cohen's kappa between rule and trial; 0 if one of them never varies."""
        n = self.tried
        says, serves = (self.both + other for other in (self.rule_only, self.trial_only))
        chance = (says * serves + (n - says) * (n - serves)) / n**2
        return 0.0 if chance == 1 else ((self.both + self.neither) / n - chance) / (1 - chance)


@dataclass(frozen=True)
class UseAgreement(Agreement):
    """Agreement of the catalogue with the trial.

    ``asked`` counts objects that questions name, and ``as_labelled`` those for which the trial
    agrees with the label.
    """

    asked: int
    as_labelled: int


def affordance_agreement(scenes: Iterable[Scene]) -> list[UseAgreement]:
    """One row for each use among ``scenes``, by name, without objects of unknown kinds."""
    counts: dict[str, Counter[tuple[bool, bool]]] = {}
    asked, as_labelled = Counter[str](), Counter[str]()
    kinds = load_catalogue().kinds
    for scene in scenes:
        count = counts.setdefault(scene.domain, Counter())
        wanted = set(load_use(scene.domain).affordances)
        serves = dict[str, bool]()
        for use in scene.decided.played:
            serves[use.thing] = serves.get(use.thing, False) or use.serves
        asked[scene.domain] += 1
        as_labelled[scene.domain] += serves[scene.decided.objects[0]] == scene.decided.feasible
        category = {obj.name: obj.category for obj in scene.objects}
        for thing, does in serves.items():
            if category[thing] in kinds:
                says = bool(wanted & {a.name for a in kinds[category[thing]].affordances})
                count[says, does] += 1
    return [
        UseAgreement.counted(name, count, asked=asked[name], as_labelled=as_labelled[name])
        for name, count in sorted(counts.items())
    ]

"""Compare the catalogue's affordances with trials of the uses.

The catalogue says what objects are made for, and little about other uses. The table shows how well
a list of affordances could replace trials.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pactwin.catalogue import load_catalogue
from pactwin.sim.uses import load_use
from pactwin.suite import Scene


@dataclass(frozen=True)
class UseAgreement:
    """Objects tried for one use, by the catalogue's and the trial's answers.

    ``asked`` counts objects that questions name, and ``as_labelled`` those for which the trial
    agrees with the label.
    """

    use: str
    both: int
    catalogue_only: int
    trial_only: int
    neither: int
    asked: int
    as_labelled: int

    @property
    def tried(self) -> int:
        """Number of all of them."""
        return self.both + self.catalogue_only + self.trial_only + self.neither

    @property
    def kappa(self) -> float:
        """Cohen's kappa between catalogue and trial; 0 if one of them never varies."""
        n = self.tried
        says, serves = (self.both + other for other in (self.catalogue_only, self.trial_only))
        chance = (says * serves + (n - says) * (n - serves)) / n**2
        return 0.0 if chance == 1 else ((self.both + self.neither) / n - chance) / (1 - chance)


def affordance_agreement(scenes: Iterable[Scene]) -> list[UseAgreement]:
    """One row for each use among ``scenes``, by name, without objects of unknown kinds."""
    counts: dict[str, Counter[str]] = {}
    kinds = load_catalogue().kinds
    for scene in scenes:
        count = counts.setdefault(scene.domain, Counter())
        wanted = set(load_use(scene.domain).affordances)
        serves = dict[str, bool]()
        for use in scene.decided.played:
            serves[use.thing] = serves.get(use.thing, False) or use.serves
        count["asked"] += 1
        count["as_labelled"] += serves[scene.decided.objects[0]] == scene.decided.feasible
        category = {obj.name: obj.category for obj in scene.objects}
        for thing, does in serves.items():
            if category[thing] in kinds:
                says = bool(wanted & {a.name for a in kinds[category[thing]].affordances})
                count[f"{says} {does}"] += 1
    return [
        UseAgreement(
            name,
            both=count["True True"],
            catalogue_only=count["True False"],
            trial_only=count["False True"],
            neither=count["False False"],
            asked=count["asked"],
            as_labelled=count["as_labelled"],
        )
        for name, count in sorted(counts.items())
    ]

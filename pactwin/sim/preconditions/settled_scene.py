"""A settled layout under one perturbation, on which preconditions are tried."""

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import replace
from functools import cached_property, wraps
from typing import Concatenate, ParamSpec, TypeVar

from pactwin.sim.objects.posing import heights_m
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import QUANTITIES, Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.removal import in_the_way
from pactwin.sim.physics.world import World
from pactwin.sim.reach.postures import Posture
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose

Way = TypeVar("Way", bound=Hashable)
FailedCandidates = dict[Hashable, frozenset[Hashable]]
Outcomes = dict[str, TrialOutcome]
"""Outcome of each precondition by its name."""

Arguments = ParamSpec("Arguments")

_FIRM_S = 0.01
_ASIDE_M = 1.5


class SettledScene:
    """A settled layout, and the world that its trials share.

    ``settle_error`` is the reason why it did not come to rest in place, or "". ``postures`` are
    known postures by precondition, from this scene or a similar one: they are tried first, and
    replaced by better ones. ``failed_candidates`` holds, by purpose, candidates that clearly failed
    unperturbed while another came nearer: repetitions skip them. ``longer`` is the factor by which
    unperturbed searches for postures are extended. With ``ends_at_first`` they end at the first
    collision-free posture, whatever its clearance, and with ``ends_at_failure`` a trial ends where
    no hand gets to the first of its ends.
    """

    def __init__(
        self,
        layout: Layout,
        perturbation: Perturbation,
        robot: str,
        postures: dict[str, Posture] | None = None,
        failed_candidates: FailedCandidates | None = None,
        longer: int = 1,
    ) -> None:
        self.layout, self.perturbation, self.robot = layout, perturbation, robot
        self.postures = {} if postures is None else postures
        self.failed_candidates = {} if failed_candidates is None else failed_candidates
        self.longer, self.ends_at_first, self.ends_at_failure = longer, False, False
        self._world = World(layout, perturbation, held=layout.critical_objects[0])
        self.settle_error = settle(self._world)
        self._rest = self._world.snapshot()

    @property
    def nominal(self) -> bool:
        """Return whether nothing is perturbed."""
        return not self.perturbation.disturbs

    def under(self, perturbation: Perturbation) -> "SettledScene":
        """The same layout under another perturbation, with postures found without perturbation."""
        return SettledScene(
            self.layout, perturbation, self.robot, self.postures, self.failed_candidates
        )

    def candidates(self, what: Hashable, all_ways: Iterable[Way]) -> list[Way]:
        """Candidates for ``what`` worth a trial, at least one; all of them if unperturbed."""
        found = list(all_ways)
        left_out = () if self.nominal else self.failed_candidates.get(self._with_these(what), ())
        return [way for way in found if way not in left_out] or found

    def record_failures(
        self, what: Hashable, plainly_failed: Collection[Hashable], best: Hashable
    ) -> None:
        """If unperturbed, record which candidates for ``what`` clearly failed, except the best."""
        if self.nominal:
            self.failed_candidates[self._with_these(what)] = frozenset(plainly_failed) - {best}

    def _with_these(self, what: Hashable) -> Hashable:
        return what, frozenset(item.name for item in self.layout.items)

    def world(self, held: str, grip_time_s: float = _FIRM_S) -> World:
        """The world at rest, its hand ready to grasp ``held``; invalidated by the next call."""
        self._world.restore(self._rest)
        self._world.hold(held, grip_time_s)
        return self._world

    @cached_property
    def items(self) -> list[Item]:
        """All items at their resting poses."""
        world = self.world(self.layout.critical_objects[0])
        return [item.at(world.pose(item.name)) for item in self.layout.items]

    def item(self, name: str) -> Item:
        """The item called ``name`` at its resting pose."""
        return next(item for item in self.items if item.name == name)

    def without(self, names: Collection[str], *instead: Item) -> "SettledScene":
        """The scene without some items, or with those of the same names replaced by ``instead``."""
        other = {item.name: item for item in instead}
        items = tuple(other.get(i.name, i) for i in self.items if i.name not in names)
        named = tuple(n for n in self.layout.critical_objects if n not in names)
        return SettledScene(
            replace(self.layout, items=items, critical_objects=named),
            self.quiet,
            self.robot,
            self.postures,
            self.failed_candidates,
        )

    def in_hand(self, name: str, place: str) -> "SettledScene":
        """The scene with ``name``, and everything attached to it, removed from its place.

        Consequences at the item's original place do not concern its new place.
        """
        world = self.world(name)
        others = world.contact_cluster(name)
        if place in others:
            others = world.supported_items(name) - {place}
        if not others:
            return self
        item = self.item(name)
        aside = item.at(Pose((_ASIDE_M, 0.0, 0.0), item.world_from_object.quat))
        aside = aside.at(aside.world_from_object.moved(dz=-heights_m(aside)[0]))
        return self.without(others, aside)

    def around(self, named: Collection[str], others: Iterable[str] = ()) -> Layout:
        """The layout with all items fixed that touch neither these nor their neighbours.

        What a ``named`` item may hit as it comes off is loose, too: if fixed, it could not fall.
        """
        moving = [name for name in named if self.layout.moves(self.layout.item(name))]
        met = (in_the_way(self.world(name)) for name in moving)
        loose, new = set[str](), {*named, *others}.union(*met)
        world = self.world(self.layout.critical_objects[0])
        while new:
            loose |= new
            near = set[str]().union(*(world.contact_cluster(name) for name in new))
            for item in self.layout.items:
                both = {item.name, item.attached_to}
                if both & loose:
                    near |= both - {""}
            new = near - loose
        bystanders = {item.name for item in self.layout.items} - loose
        return replace(self.layout, fixed=self.layout.fixed | bystanders)

    @property
    def at_rest(self) -> Layout:
        """The layout with every item at its resting pose."""
        return replace(self.layout, items=tuple(self.items))

    @property
    def quiet(self) -> Perturbation:
        """The perturbation without its pose noise, which ``items`` already contain."""
        return replace(self.perturbation, pose_noise_m=0.0, pose_noise_rad=0.0)


Trial = Callable[Concatenate[SettledScene, Arguments], Outcomes]


def affected_by(*quantities: str) -> Callable[[Trial[Arguments]], Trial[Arguments]]:
    """Declare which of ``QUANTITIES`` a trial depends on; others do not repeat it.

    Its outcomes name the quantities that they are independent of.
    """
    independent = tuple(quantity for quantity in QUANTITIES if quantity not in quantities)

    def declare(trial: Trial[Arguments]) -> Trial[Arguments]:
        @wraps(trial)
        def tried(
            situation: SettledScene, *args: Arguments.args, **kwargs: Arguments.kwargs
        ) -> Outcomes:
            disturbs = situation.perturbation.disturbs
            if disturbs and not disturbs & set(quantities):
                return {}
            found = trial(situation, *args, **kwargs)
            return {k: replace(outcome, independent_of=independent) for k, outcome in found.items()}

        return tried

    return declare

"""Balance: set A on top of B and let go; it has to stay there.

Physics: A stays on a flat top under its centre of mass; on a tip, a ridge, a ball, a steep slope or
something that rolls it does not come to rest. The trial lays A flush on B's top, as that feels
under its middle, and lets go, four times, each time a little off (see ``sim.trials.resting``).
A can be set there if it stays each time, and cannot if it falls three times or more; what is left
to chance is rejected.

The table holds B and another thing of its kind, one with a flat top, one without. The twins
exchange the two, so that only *which* of them is asked about decides:

- ``tip``: a pyramid, and one that is cut off.
- ``ridge``: a roof, and one that is cut off.
- ``slope``: a block cut askew, steeper than friction holds, and one cut level.
- ``ball``: a ball on a column, and a disc on a column.
- ``lying``: a can that lies, and one that stands.
"""

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import SHOWING_SHAPE, Colors, Exchange, any_turn, turned_to_show
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.groceries import can
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.posing import laid_down, standing_at
from pactwin.sim.objects.standard_sizes import CAN_M, SMALL_CAN_M, in_steps, pick
from pactwin.sim.objects.stands import unlike_stands
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.trials.putting import GRIP_TIME_S
from pactwin.sim.physics.trials.removal import DISTURBED, UNDISTURBED
from pactwin.sim.physics.trials.resting import DROPS, aimed, flush_on, set_down
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import alike_places, bounding_radius_m
from pactwin.suite import Constraint, Measurement

# Of four drops, as many must fail for the action to be infeasible.
_FALLS = 3


class Balance:
    """See the module's docstring."""

    name = "balance"
    precondition = "it_stays_there"
    trial_version = 2
    min_margin = 0.5

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        pair = [colors.next(SHOWING_SHAPE) for _ in range(2)]
        thing = _thing(rng, colors.next())
        top = str(rng.choice(["tip", "ridge", "slope", "ball", "lying"]))
        if top == "lying":
            bad, good = _lying(pair)
        else:
            bad, good = unlike_stands(rng, top, pair, thing.size_m[2])
        radius = max(bounding_radius_m(bad), bounding_radius_m(good))
        places = alike_places(rng, radius, bounding_radius_m(thing))
        turns = [*turned_to_show(rng, top, 2), any_turn(rng)]
        items = tuple(
            standing_at(item, x, y, yaw_rad=turn)
            for item, (x, y), turn in zip((bad, good, thing), places, turns, strict=True)
        )
        action = f"set the {thing.name} on top of the {bad.name} and let go; it has to stay there"
        critical_objects = (thing.name, bad.name)
        exchange = Exchange(
            items, (bad, good), action, critical_objects, Constraint.UNSTABLE_SUPPORT
        )
        return exchange.twins(rng, colors)

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Set A on B, let go and see how far it goes, four times."""
        thing, support = (layout.item(name) for name in layout.critical_objects)
        world = World(layout, perturbation, held=thing.name, grip_time_s=GRIP_TIME_S)
        if settle_error := settle(world):
            return TrialOutcome.undecided(settle_error)
        at_rest = world.snapshot()
        place = flush_on(world, thing, support)
        rng = np.random.default_rng(perturbation.seed)
        displacement = []
        for _ in range(DROPS):
            world.restore(at_rest)
            rest = set_down(world, aimed(rng, place))
            if rest.stopped_by:
                return TrialOutcome.undecided("no room on the way to its place")
            displacement.append(rest.displacement)
        return _outcome(np.array(displacement))

    def handling(self, layout: Layout) -> Handling:
        """A hand takes the thing and comes over the support."""
        thing, place = layout.critical_objects[:2]
        return Handling((Grasp(thing),), (place,), (thing,))


def _outcome(displacement: np.ndarray) -> TrialOutcome:
    # Set down exactly in line with a ridge or a roll, a thing may stay once: that is no success.
    worst, falls = float(displacement.max()), float(np.sort(displacement)[-_FALLS])
    stays = worst <= UNDISTURBED
    decisive = worst if stays else falls
    measurements = {
        "moved_after_letting_go": Measurement(
            value=round(decisive, 4), limit=1.0, unit="times 10 mm or 10 degrees"
        )
    }
    return TrialOutcome.of(
        Constraint.UNSTABLE_SUPPORT,
        measurements,
        1.0 - decisive,
        works=stays,
        fails=falls >= DISTURBED,
        between="it stays or falls by chance",
    )


def _thing(rng: np.random.Generator, color: str) -> Item:
    """What is put on top: a cube puzzle, a block or a full can, 45-60 mm across."""
    match rng.integers(3):
        case 0:
            return cube_puzzle(color, pick(rng, (0.046, 0.05, 0.057)))
        case 1:
            side = in_steps(rng, 0.05, 0.06)
            return block(color, (side, side, side + in_steps(rng, 0.0, 0.02)))
        case _:
            return can(color, *SMALL_CAN_M)


def _lying(colors: list[str]) -> tuple[Item, Item]:
    bad, good = (can(color, *CAN_M) for color in colors)
    return laid_down(bad), good


DOMAIN = Balance()

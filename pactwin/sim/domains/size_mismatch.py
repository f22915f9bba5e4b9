"""Size mismatch: put A into container B.

Physics: A goes in if, in some orientation with its faces or its axis along the opening's, both
extents across the opening are smaller than the opening. The trial holds A above the middle of the
opening in each such orientation in turn and lowers it with a hand that yields when it meets
resistance. A is in when its lowest point has come down more than 0.8 of the way to the floor of
the container, out below 0.4; between, the scene is rejected.

Twins exchange two sizes, so that as arrangements they hold the same things:

- ``thing``: two things of one kind, a larger one and a smaller one that fits: A is either.
- ``container``: two containers of one kind, a wider one and a narrower one: B is either.

The step between the two sizes is the smallest that leaves a clearance of the drawn margin on each
side of the limit.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import Colors, any_turn, completed
from pactwin.sim.objects.blocks import block, cylinder, open_box
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import in_steps, pick
from pactwin.sim.objects.tableware import cup
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import bounding_radius_m, free_places
from pactwin.sim.scene.pose import Pose, Quat, axis_angle, quat_multiply, quat_of, yaw
from pactwin.suite import Constraint, Measurement

# Clearance that counts as one unit of margin, and the range that designs draw from: verdicts flip
# between -3 and +1.5 mm.
_UNIT_M = 0.008
_CLEARANCE_M = 0.012
_IN, _OUT = 0.8, 0.4
_HOVER_M = 0.008
# Of boxes and cups; their floors are as thick.
_WALL_M = 0.005
_LAG_M = 0.006
_SPEED_M_S = 0.08


class SizeMismatch:
    """See the module's docstring."""

    name = "size_mismatch"
    precondition = "it_fits"
    trial_version = 2
    min_margin = 0.9

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if the table has no room."""
        colors = Colors(rng)
        family = (_two_things, _two_containers)[rng.integers(2)]
        infeasible, feasible, critical_objects = family(rng, colors)
        action = f"put the {critical_objects[0]} into the {critical_objects[1]}, all the way down"
        return completed(
            rng,
            colors,
            infeasible,
            feasible,
            action=action,
            critical_objects=critical_objects,
            constraint=Constraint.DOES_NOT_FIT,
        )

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Try to lower A into B in every allowed orientation."""
        thing, container = (layout.item(name) for name in layout.critical_objects)
        opening = ContainerOpening.of(container)
        world = World(layout, perturbation, held=thing.name, grip_time_s=0.02)
        if settle_error := settle(world):
            return TrialOutcome.undecided(settle_error)
        at_rest = world.snapshot()
        ways = orientations(thing)
        clearance = max(opening.clearance_m(extents) for _, extents in ways)
        depth = 0.0
        for turn, extents in ways:
            world.restore(at_rest)
            depth = max(depth, _lowered(world, layout, turn, extents, opening))
            if depth > _IN:
                break
        measurements = {
            "clearance": Measurement(value=round(clearance, 5), limit=0.0, unit="m"),
            "inserted_depth": Measurement(value=round(depth, 3), limit=0.6, unit="of the depth"),
        }
        return TrialOutcome.of(
            Constraint.DOES_NOT_FIT,
            measurements,
            clearance / _UNIT_M,
            works=depth > _IN,
            fails=depth < _OUT,
            between="got stuck half way",
        )

    def handling(self, layout: Layout) -> Handling:
        """A hand takes the thing and comes over the container."""
        thing, place = layout.critical_objects[:2]
        return Handling((Grasp(thing),), (place,), (thing,))


@dataclass(frozen=True)
class ContainerOpening:
    """A container's opening: inner extents across it (x, y in its frame), depth, round or not."""

    x_m: float
    y_m: float
    depth_m: float
    round: bool

    @classmethod
    def of(cls, container: Item) -> "ContainerOpening":
        """The opening of a builtin box or cup, from its floor's thickness and outer size."""
        floor = container.parts[0].size_m[2]
        x, y, z = container.size_m
        return cls(x - 2 * floor, y - 2 * floor, z - floor, container.parts[0].shape == "cylinder")

    def clearance_m(self, extents: tuple[float, float, bool]) -> float:
        """Opening minus thing across it, the lesser of both directions, m (negative: too large).

        ``extents`` are the thing's extents across the opening and whether it is round there. A
        cuboid in a round opening needs its diagonal.
        """
        x, y, is_round = extents
        if not self.round:
            return min(max(self.x_m, self.y_m) - max(x, y), min(self.x_m, self.y_m) - min(x, y))
        return self.x_m - (x if is_round else float(np.hypot(x, y)))


_Extents = tuple[float, float, bool]
_Way = tuple[Quat, _Extents]


def orientations(thing: Item) -> list[_Way]:
    """The allowed turns of a thing (quaternions, before it is turned to face the opening).

    Beside each turn stand the extents x, y across the opening, and whether the thing is round seen
    from above. Six for a cuboid, two for a cylinder, one for a ball.
    """
    x, y, z = thing.size_m
    flat = axis_angle((1.0, 0.0, 0.0), np.pi / 2)
    match thing.parts[0].shape:
        case "sphere":
            return [((1.0, 0.0, 0.0, 0.0), (x, y, True))]
        case "cylinder":
            return [((1.0, 0.0, 0.0, 0.0), (x, y, True)), (flat, (x, z, False))]
    ways = []
    for axes in permutations(range(3)):  # which of the thing's axes point along x, y, z
        turn = np.zeros((3, 3))
        turn[range(3), axes] = 1.0
        turn[2] *= np.linalg.det(turn)  # a rotation, not a mirror image
        extents = (thing.size_m[axes[0]], thing.size_m[axes[1]], False)
        ways.append((quat_of(turn), extents))
    return ways


def _lowered(
    world: World,
    layout: Layout,
    turn: Quat,
    extents: _Extents,
    opening: ContainerOpening,
) -> float:
    """Lower A, so turned, into B; returns how deep its lowest point got (share of the depth)."""
    thing, container = (layout.item(name) for name in layout.critical_objects)
    across = quat_multiply(container.world_from_object.quat, turn)
    if not opening.round and (extents[0] > extents[1]) != (opening.x_m > opening.y_m):
        across = quat_multiply(
            container.world_from_object.quat, quat_multiply(yaw(np.pi / 2), turn)
        )
    height = thing.size_m[0] + thing.size_m[1] + thing.size_m[2] - extents[0] - extents[1]
    x, y, z = container.world_from_object.pos
    rim = z + container.size_m[2] / 2
    world.place_held(Pose((x, y, rim + _HOVER_M + height / 2), across))
    world.grasp()
    # Down to 2 mm above the floor of the container.
    way = _HOVER_M + opening.depth_m - 0.002
    world.move_hand(np.array((0.0, 0.0, -way)), _SPEED_M_S, stop=lambda: world.lag_m() > _LAG_M)
    world.run(0.05)
    lowest = world.positions()[world.held][2] - height / 2
    return float(np.clip((rim - lowest) / opening.depth_m, 0.0, 1.0))


_Family = tuple[tuple[Item, ...], tuple[Item, ...], tuple[str, ...]]


def _two_things(rng: np.random.Generator, colors: Colors) -> _Family:
    small, large, opening_x, opening_y = _sizes(rng)
    kind = int(rng.integers(3))
    first, second = colors.next(), colors.next()
    container = _container(rng, colors.next(), kind, opening_x, opening_y)
    tall = in_steps(rng, 0.01, 0.03)
    a_small, c_small = (_thing(n, kind, small, tall) for n in (first, second))
    a_large, c_large = (_thing(n, kind, large, tall) for n in (first, second))
    places = _places(rng, a_large, c_large, container)
    return (
        _stood((a_large, c_small, container), places),
        _stood((a_small, c_large, container), places),
        (a_large.name, container.name),
    )


def _two_containers(rng: np.random.Generator, colors: Colors) -> _Family:
    # The thing is the larger of the two sizes; one opening leaves room for it, one does not.
    small, large, narrow_x, narrow_y = _sizes(rng)
    step = large - small
    kind = int(rng.integers(3))
    thing = _thing(colors.next(), kind, large, in_steps(rng, 0.01, 0.03))
    first, second = colors.next(), colors.next()
    draw = np.random.default_rng(rng.integers(2**63)).bit_generator.state

    def container(color: str, extra: float) -> Item:
        same = np.random.default_rng()
        same.bit_generator.state = draw  # both containers alike but for their opening
        return _container(same, color, kind, narrow_x + extra, narrow_y + extra)

    b_narrow, d_narrow = (container(n, 0.0) for n in (first, second))
    b_wide, d_wide = (container(n, step) for n in (first, second))
    places = _places(rng, thing, b_wide, d_wide)
    return (
        _stood((thing, b_narrow, d_wide), places),
        _stood((thing, b_wide, d_narrow), places),
        (thing.name, b_narrow.name),
    )


def _sizes(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """Width of the thing that fits, of the one that does not, and the opening's x and y, m."""
    opening = in_steps(rng, 0.06, 0.08)
    longer = opening + in_steps(rng, 0.0, 0.02)
    return opening - _CLEARANCE_M, opening + _CLEARANCE_M, opening, longer


def _thing(color: str, kind: int, width_m: float, taller_m: float) -> Item:
    """A block, cylinder or ball whose least extents across an opening are ``width_m``."""
    match kind:
        case 0:
            return block(color, (width_m, width_m, width_m + taller_m))
        case 1:
            return cylinder(color, width_m, width_m + taller_m)
        case _:
            return ball(color, width_m)


def _container(rng: np.random.Generator, color: str, kind: int, x_m: float, y_m: float) -> Item:
    depth = pick(rng, (0.05, 0.07))
    if kind == 0 or rng.random() < 0.4:
        return open_box(color, (x_m, y_m, depth), _WALL_M)
    return cup(color, x_m, x_m, depth + _WALL_M, wall_m=_WALL_M, floor_m=_WALL_M)


def _places(rng: np.random.Generator, *widest: Item) -> list[tuple[float, float, float]]:
    """A free place (x, y, yaw) for each item, given in the larger of its sizes."""
    places = free_places(rng, [bounding_radius_m(item) for item in widest])
    return [(x, y, any_turn(rng)) for x, y in places]


def _stood(items: tuple[Item, ...], places: list[tuple[float, float, float]]) -> tuple[Item, ...]:
    return tuple(
        standing_at(item, x, y, yaw_rad=turn)
        for item, (x, y, turn) in zip(items, places, strict=True)
    )


DOMAIN = SizeMismatch()

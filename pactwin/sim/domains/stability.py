"""Stability: take X away; the rest must stay standing.

Physics: a plank lies across a base and overhangs it. It stays while the centre of mass of all that
it carries, itself included, is over the base (inside its edge by a margin), and tips when taking X
away brings that point past the edge. The trial carries X off (see ``sim.trials.removal``);
the offsets of the centre of mass only steer the draw.

Families:

- ``exchange``: two equal weights lie on the plank, one over the base and one at the inner end,
  where it balances the overhang. X is the balancing one, or the other.
- ``shift``: X balances the overhang; in the feasible twin the base stands nearer the overhang, by
  the smallest step of a 2 mm grid that leaves the rest standing with margin.
"""

from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.common import Colors, completed, oblique_turn
from pactwin.sim.objects.blocks import block, cylinder, plank
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.standard_sizes import in_steps
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.removal import LIFTING, removal_trial
from pactwin.sim.preconditions.handling import Grasp, Handling
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout, bounding_radius_m, free_places
from pactwin.suite import Constraint

# How far the centre of mass must be from the base's edge before the trial is tried, on the side to
# which it tips or does not: so far that a person can see it. Before anything is taken away, and
# with other weights, less will do: verdicts flip within about 1 mm.
_MARGIN_M, _LEAST_M = 0.024, 0.008
_REWEIGHED = (0.8, 1.25)
_DRAWS = 1500


class Stability:
    """See the module's docstring."""

    name = "stability"
    precondition = "the_rest_keeps_standing"
    trial_version = 2
    min_margin = 0.5

    def propose(self, rng: np.random.Generator, robot: str) -> Twins:
        """Draw twins; raises RejectedLayout if no balance within the margins was found."""
        colors = Colors(rng)
        family = (_exchange, _shift)[rng.integers(2)]
        infeasible, feasible, critical_objects = family(rng, colors)
        action = f"take the {critical_objects[0]} away; everything else must stay standing"
        return completed(
            rng,
            colors,
            infeasible,
            feasible,
            action=action,
            critical_objects=critical_objects,
            constraint=Constraint.WOULD_COLLAPSE,
        )

    def trial(self, layout: Layout, perturbation: Perturbation, robot: str) -> TrialOutcome:
        """Carry X off and measure what else moves."""
        return removal_trial(layout, perturbation, Constraint.WOULD_COLLAPSE, LIFTING)

    def handling(self, layout: Layout) -> Handling:
        """A hand takes X; the trial says what that disturbs."""
        return Handling((Grasp(layout.critical_objects[0]),))


@dataclass(frozen=True)
class _Beam:
    """Plank, base and weights, with offsets (m) along the plank, outwards from the plank's middle.

    ``base_at`` is the base's middle; ``slots`` are the middles of what stands on the plank.
    """

    board: Item
    base: Item
    weights: tuple[Item, ...]
    base_at: float
    slots: tuple[float, ...]

    def overhang_m(self, without: int | None = None, heavier: float = 1.0) -> float:
        """Centre of mass past the base's outer edge (negative: inside), without one weight.

        ``heavier`` scales the weights against the plank.
        """
        return self._com_m(without, heavier) - self.base_at - self.base.size_m[0] / 2

    def inset_m(self, without: int | None = None, heavier: float = 1.0) -> float:
        """Centre of mass inside the base's inner edge (negative: it tips inwards)."""
        return self._com_m(without, heavier) - self.base_at + self.base.size_m[0] / 2

    def _com_m(self, without: int | None, heavier: float) -> float:
        loads = [
            (w.mass_kg * heavier, s)
            for k, (w, s) in enumerate(zip(self.weights, self.slots, strict=True))
            if k != without
        ]
        total = self.board.mass_kg + sum(m for m, _ in loads)
        return sum(m * s for m, s in loads) / total

    def stands(self, without: int | None = None) -> bool:
        """Stands, plainly without that weight, if the weights are heavier or lighter, too."""
        margin = _LEAST_M if without is None else _MARGIN_M
        return self.overhang_m(without) < -margin and all(
            self.overhang_m(without, h) < -_LEAST_M and self.inset_m(without, h) > _LEAST_M
            for h in (1.0, *_REWEIGHED)
        )

    def tips(self, without: int) -> bool:
        """Tips outwards plainly, and if the weights are heavier or lighter than thought, too."""
        return self.overhang_m(without) > _MARGIN_M and all(
            self.overhang_m(without, h) > _LEAST_M for h in _REWEIGHED
        )

    def built(self, x: float, y: float, way_rad: float) -> tuple[Item, ...]:
        """The items with the plank's middle at (x, y) and its outer end towards ``way_rad``."""

        def at(item: Item, offset: float, on_z: float) -> Item:
            place = (x + offset * np.cos(way_rad), y + offset * np.sin(way_rad))
            return standing_at(item, float(place[0]), float(place[1]), on_z=on_z, yaw_rad=way_rad)

        base = at(self.base, self.base_at, 0.0)
        board = at(self.board, 0.0, top_m(base))
        weights = (at(w, s, top_m(board)) for w, s in zip(self.weights, self.slots, strict=True))
        return (base, board, *weights)


_Family = tuple[tuple[Item, ...], tuple[Item, ...], tuple[str, ...]]


def _weight(color: str, side_m: float, height_m: float, round_: bool) -> Item:
    if round_:
        return cylinder(color, side_m, height_m)
    return block(color, (side_m, side_m, height_m))


def _board_and_base(rng: np.random.Generator, names: list[str]) -> tuple[Item, Item]:
    board_size = (in_steps(rng, 0.26, 0.32, 0.02), 0.06, in_steps(rng, 0.01, 0.012, 0.002))
    base_size = (in_steps(rng, 0.04, 0.09), 0.06, in_steps(rng, 0.06, 0.08))
    return plank(names[0], board_size), block(names[1], base_size, kind="base_block")


def _placed(rng: np.random.Generator, board: Item) -> tuple[float, float, float]:
    ((x, y),) = free_places(rng, [bounding_radius_m(board) * 0.85])
    return x, y, oblique_turn(rng)


def _exchange(rng: np.random.Generator, colors: Colors) -> _Family:
    names = [colors.next() for _ in range(5)]
    round_, loaded = bool(rng.random() < 0.4), bool(rng.random() < 0.5)
    for _ in range(_DRAWS):
        board, base = _board_and_base(rng, names)
        side, height = in_steps(rng, 0.05, 0.06), in_steps(rng, 0.05, 0.07)
        weights = [_weight(n, side, height, round_) for n in names[2:4]]
        end = board.size_m[0] / 2
        base_at = rng.uniform(-end + side + base.size_m[0] / 4, 0.0)
        inner = -end + side / 2 + 0.004
        slots = [inner, max(base_at, inner + side) + rng.uniform(0.0, 0.04)]
        if loaded:
            load = _weight(names[4], 0.05, in_steps(rng, 0.02, 0.04), False)
            weights.append(load)
            slots.append(end - load.size_m[0] / 2 - rng.uniform(0.004, 0.03))
        beam = _Beam(board, base, tuple(weights), base_at, tuple(slots))
        apart = np.diff(slots).min() > side + 0.008
        if apart and beam.stands() and beam.tips(0) and beam.stands(1):
            swapped = replace(beam, weights=(weights[1], weights[0], *weights[2:]))
            place = _placed(rng, board)
            critical_objects = (weights[0].name, board.name, base.name)
            return beam.built(*place), swapped.built(*place), critical_objects
    raise RejectedLayout("no balance within margins")


def _shift(rng: np.random.Generator, colors: Colors) -> _Family:
    names = [colors.next() for _ in range(4)]
    round_, loaded = bool(rng.random() < 0.4), bool(rng.random() < 0.3)
    for _ in range(_DRAWS):
        board, base = _board_and_base(rng, names)
        balance = _weight(names[2], in_steps(rng, 0.05, 0.06), in_steps(rng, 0.05, 0.08), round_)
        end = board.size_m[0] / 2
        weights, slots = [balance], [-end + balance.size_m[0] / 2 + 0.004]
        if loaded:
            load = _weight(names[3], 0.05, in_steps(rng, 0.03, 0.05), False)
            weights.append(load)
            slots.append(rng.uniform(0.0, end - load.size_m[0] / 2 - 0.004))
        base_at = rng.uniform(-end + base.size_m[0] / 2, end / 2)
        beam = _Beam(board, base, tuple(weights), base_at, tuple(slots))
        if not (beam.stands() and beam.tips(0)):
            continue
        for step in np.arange(0.02, 0.08, 0.002):
            moved = replace(beam, base_at=base_at + float(step))
            if moved.stands() and moved.stands(0):
                place = _placed(rng, board)
                critical_objects = (balance.name, board.name, base.name)
                return beam.built(*place), moved.built(*place), critical_objects
    raise RejectedLayout("no balance within margins")


DOMAIN = Stability()

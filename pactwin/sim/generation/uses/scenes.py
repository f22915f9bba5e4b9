"""Draw two scenes of a use from a seed, with verdicts from trials, and try finished ones again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pactwin.sim.generation.objects.settling import settled
from pactwin.sim.generation.pairs.scenes import layout_rng, noise_seed
from pactwin.sim.generation.pairs.stored import shows
from pactwin.sim.generation.sampling import stream
from pactwin.sim.objects.posing import OVERLAP_M
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.uses import load_use
from pactwin.sim.uses.deciding import (
    NOISE_SCALES,
    Tried,
    disturbances,
    parts_of,
    repeated,
    try_once,
)
from pactwin.sim.uses.declared import Use
from pactwin.sim.uses.task import Task, draw
from pactwin.sim.uses.things import along_x, placed, recolored, size_m, yawed
from pactwin.suite import Check, Constraint, Perturbations, PlayedUse, Scene, SuiteError, Verdict

CHECK = "it_serves"
"""Name of the single precondition."""

_CAUSE = 6  # a stream of random numbers, none of those that pairs draw from
_COLORS = ("red", "blue", "yellow", "green", "orange", "purple")
# What the use is about stands on one side, the things lie on the other (m).
_STAGE, _STAGE_JITTER_M = (0.22, 0.23), 0.012
_LANES_Y_M, _LANE_GAP_M, _LANES_X_M, _TURN_RAD = (-0.40, 0.08), 0.014, (0.05, 0.50), 0.08


Trials = dict[tuple[str, str], Tried]
"""Results by object part: its key in ``UseTwins.shapes``, and the part."""


@dataclass(frozen=True)
class UseTwins:
    """A drawn use with the objects beside it; the twins swap the names of two objects.

    ``layouts`` are the infeasible and the feasible one. ``shapes`` are all objects by their names
    in the feasible one.
    """

    use: Use
    task: Task
    layouts: tuple[Layout, Layout]
    shapes: dict[str, Item]
    target: str
    partner: str
    cause: Constraint

    def shape_of(self, name: str, *, served: bool) -> str:
        """Key in ``shapes`` of the object called ``name`` in the feasible or infeasible twin."""
        exchanged = {self.target: self.partner, self.partner: self.target}
        return name if served else exchanged.get(name, name)


def cause_of(name: str, seed: int) -> Constraint:
    """Cause of failure in the pair of a use that is drawn from ``seed``."""
    causes = load_use(name).causes
    return causes[int(stream(seed, _CAUSE).integers(len(causes)))]


def use_twins(name: str, seed: int) -> UseTwins:
    """Both layouts of a pair; raises RejectedLayout if there is no room."""
    rng, cause = layout_rng(seed), cause_of(name, seed)
    use = load_use(name)
    task, things = draw(use, rng, cause)
    items = task.items
    taken = {item.color for item in items}
    one, two = rng.permutation([c for c in _COLORS if c not in taken])[:2].tolist()
    called = things.serving.name.removeprefix("white ")
    target, partner = f"{one} {called}", f"{two} {called}"
    category = things.serving.category
    pair = [
        [recolored(shape, color, who, category) for shape in (things.serving, things.failing)]
        for color, who in ((one, target), (two, partner))
    ]
    names = {target, partner, *(item.name for item in items)}
    if len(names | {thing.name for thing in things.others}) != len(names) + len(things.others):
        raise RejectedLayout("two things of one name")
    groups = [*pair, *([other] for other in things.others)]
    side = float(rng.choice((-1.0, 1.0)))
    lanes = _lanes([[along_x(settled(item)) for item in group] for group in groups], side, rng)
    dx, dy = rng.uniform(-_STAGE_JITTER_M, _STAGE_JITTER_M, 2).tolist()
    stage = tuple(
        i.at(i.world_from_object.moved(_STAGE[0] + dx, side * _STAGE[1] + dy)) for i in items
    )
    (good, bad), (good_too, bad_too) = lanes[0], lanes[1]
    rest = tuple(replace(item, distractor=True) for (item,) in lanes[2:])
    action = things.request.format(thing=f"the {target}")
    layouts = [
        Layout(
            (*stage, *pair_here, *rest),
            action,
            # Pictures show both: aimed at the one that is asked about alone, they would have more
            # of it in the twin where it is the larger one.
            (target, *(item.name for item in stage), partner),
            fixed=task.fixed,
        )
        for pair_here in ((bad, good_too), (good, bad_too))
    ]
    shapes = {target: pair[0][0], partner: pair[1][1]} | {o.name: o for o in things.others}
    return UseTwins(use, task, (layouts[0], layouts[1]), shapes, target, partner, cause)


def _lanes(groups: list[list[Item]], side: float, rng: np.random.Generator) -> list[list[Item]]:
    """Lay groups of things into lanes along x; a lane has room for any thing of its group."""
    sizes = [np.max([size_m(item) for item in group], axis=0) for group in groups]
    wide = [size[1] + _TURN_RAD * size[0] + _LANE_GAP_M for size in sizes]
    free = _LANES_Y_M[1] - _LANES_Y_M[0] - sum(wide)
    if free < 0 or max(size[0] for size in sizes) > _LANES_X_M[1] - _LANES_X_M[0]:
        raise RejectedLayout("no room on the table")
    shares = rng.dirichlet(np.ones(len(groups) + 1)) * free
    at, found = _LANES_Y_M[0], dict[int, list[Item]]()
    for k, spare in zip(rng.permutation(len(groups)).tolist(), shares, strict=False):
        at += spare
        y, turn = side * (at + wide[k] / 2), float(rng.uniform(-_TURN_RAD, _TURN_RAD))
        x = float(rng.uniform(_LANES_X_M[0] + sizes[k][0] / 2, _LANES_X_M[1] - sizes[k][0] / 2))
        turn += float(rng.choice((0.0, np.pi)))
        found[k] = [
            placed(yawed(item, turn), middle_x=x, y=y, low_z=-OVERLAP_M) for item in groups[k]
        ]
        at += wide[k]
    return [found[k] for k in range(len(groups))]


def label_use(twins: UseTwins, seed: int) -> tuple[Verdict, Verdict]:
    """Verdicts on both layouts of a pair; raises RejectedLayout."""
    for layout in twins.layouts:
        settle_error = settle(World(layout, Perturbation(), held=twins.target))
        if settle_error:
            raise RejectedLayout(settle_error)
    tried = try_use(twins, disturbances(noise_seed(seed), *NOISE_SCALES))
    return verdict_of(twins, tried, served=False), verdict_of(twins, tried, served=True)


def try_use(twins: UseTwins, disturbed: Sequence[Perturbation], *, clearly: bool = True) -> Trials:
    """Results of every part of every object; raises RejectedLayout if one is undecided.

    All objects are tried unperturbed before any repetition, as in :func:`repeated`. Both twins hold
    the same objects.
    """
    task = twins.task
    tried = {
        (name, part): try_once(task, item, part)
        for name, item in sorted(twins.shapes.items())
        for part in sorted(parts_of(task, item))
    }
    for served in (False, True):
        verdict_of(twins, tried, served=served)
    return {
        which: repeated(task, once, disturbed, clearly=clearly) for which, once in tried.items()
    }


def verdict_of(twins: UseTwins, tried: Trials, *, served: bool) -> Verdict:
    """Verdict on one twin; raises RejectedLayout if the trials contradict the drawn intent."""
    here = {
        (name, part): result
        for name in sorted(twins.shapes)
        for (shape, part), result in tried.items()
        if shape == twins.shape_of(name, served=served)
    }
    mine = [result for (name, _), result in here.items() if name == twins.target]
    best = max(mine, key=lambda result: result.share)
    if best.serves != served:
        raise RejectedLayout("it serves, not as intended" if best.serves else "it does not serve")
    constraint = Constraint.NONE if served else twins.cause
    layout = twins.layouts[served]
    return Verdict(
        action=layout.action,
        objects=tuple(name for name in layout.critical_objects if name != twins.partner),
        involved=(twins.partner,),
        feasible=served,
        constraint=constraint,
        checks={
            CHECK: Check(
                holds=served,
                constraint=constraint,
                measurements=best.measurements,
                margin=best.margin,
            )
        },
        trial=twins.use.name,
        trial_version=twins.use.version,
        measurements=best.measurements,
        margin=best.margin,
        perturbations=Perturbations(agreed=best.run, run=best.run),
        played=tuple(
            PlayedUse(
                thing=name,
                part=part,
                serves=result.serves,
                margin=result.margin,
                perturbations=Perturbations(agreed=result.run, run=result.run),
            )
            for (name, part), result in here.items()
        ),
    )


def retry_use(scene: Scene, noise: int) -> str:
    """Difference from the stored label, "" if there is none.

    Raises SuiteError if the current generator draws something else from the scene's seed.
    """
    twins = _drawn_again(scene)
    before = scene.decided
    try:
        tried = try_use(twins, disturbances(noise, 1.0), clearly=False)
    except RejectedLayout as rejected:
        return str(rejected)
    again = verdict_of(twins, tried, served=before.feasible)
    then, now = ([(p.thing, p.part, p.serves) for p in v.played] for v in (before, again))
    return "" if then == now else "other things serve"


def _drawn_again(scene: Scene) -> UseTwins:
    """Twins of a scene, drawn from its seed."""
    try:
        twins = use_twins(scene.domain, scene.seed)
        if shows(scene, twins.layouts[scene.decided.feasible]):
            return twins
    except RejectedLayout:
        pass
    raise SuiteError(
        f"scene {scene.id}: its seed draws another layout with this version of {scene.domain!r}"
    )

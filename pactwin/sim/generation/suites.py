"""Suites at scale: each twin pair or ladder depends only on the seed, its family and its number.

The family is a domain, use, quantity or task of tools; all of a suite take turns. Units are stored
in order for any engine and number of workers. So a suite is the same for one worker and for many,
with or without interruptions.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from pactwin.catalogue import load_procedures
from pactwin.sim.domains import Domain, load_domain
from pactwin.sim.domains.base import Family
from pactwin.sim.generation.configs import (
    ConstraintSuiteConfig,
    LadderSuiteConfig,
    ToolSuiteConfig,
    UseSuiteConfig,
)
from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    as_twins,
    batch_seeds,
    sample_until_accepted,
    stream,
)
from pactwin.sim.robots.custom import use_robot_model

_MAX_PAIRS, _MAX_USES, _MAX_LADDERS, _MAX_TOOLS = 400, 200, 200, 60
"""Numbers of draws of a unit, of a use for each of its causes."""
_PLACE = 9  # a stream of random numbers
# Multiples of it, modulo 1, spread more evenly over 0 to 1 than those of any other number do.
_GOLDEN = (5**0.5 - 1) / 2


def draw_pair(request: ConstraintSuiteConfig, index: int) -> SceneBatch:
    """Draw pair ``index`` until one is accepted.

    Raises EnvironmentFaultError if 400 draws were all rejected, so that the domain cannot be built
    for this robot and these cameras. InvalidInputError if the robot's files have changed, if every
    family of the domain depends on arm reach and no camera can show the arms, or if the pictures
    are too small.
    """
    from pactwin.sim.generation.pairs import scenes as of_pairs

    if request.robot_model is not None:
        use_robot_model(request.robot_model)
    number, turn = divmod(index, len(request.domains))
    domain = load_domain(request.domains[turn])
    unseen: dict[Family, of_pairs.UnseenArmsError] = {}

    def draw(seed: int) -> Drawn:
        family = domain.drawn_family(of_pairs.layout_rng(seed))
        if family in unseen:
            raise unseen[family]
        # What rejects most often comes first, the many repetitions of the trials last.
        try:
            tried = of_pairs.try_layouts(request, domain, seed)
        except of_pairs.UnseenArmsError as rejected:
            unseen[family] = rejected
            if len(unseen) == len(domain.families):
                raise of_pairs.unseen_arms(domain.name) from None
            raise
        return of_pairs.labelled_pair(request, tried, domain.name, seed)

    seeds = seeds_in_turn(domain, request.seed, number)
    wanted = f"scene of domain {domain.name!r} {request.seen_by}"
    return sample_until_accepted(draw, seeds, wanted)


def seeds_in_turn(domain: Domain, suite_seed: int, number: int) -> Iterator[int]:
    """Seeds for a domain's pair ``number``, starting with those of the family whose turn it is.

    So each family has the share of pairs given by its weight, whatever its rate of rejection; a
    family that robot or cameras exclude is replaced by the others.
    """
    from pactwin.sim.generation.pairs.scenes import layout_rng

    (start,) = batch_seeds(suite_seed, domain.name, 0, 1)
    due = domain.family((start / 2**63 + number * _GOLDEN) % 1.0)
    others = []
    for seed in batch_seeds(suite_seed, domain.name, number, _MAX_PAIRS):
        if domain.drawn_family(layout_rng(seed)) is due:
            yield seed
        else:
            others.append(seed)
    yield from others


def draw_use_pair(request: UseSuiteConfig, index: int) -> SceneBatch:
    """Draw pair ``index`` until one is accepted; the causes of failure of its use alternate.

    Raises EnvironmentFaultError if about 200 draws were all rejected, InvalidInputError if the
    pictures are too small.
    """
    from pactwin.sim.generation.pairs.scenes import check_size, render_alike
    from pactwin.sim.generation.uses.scenes import cause_of, label_use, use_twins
    from pactwin.sim.uses import load_use

    number, turn = divmod(index, len(request.uses))
    use = request.uses[turn]

    def draw(seed: int) -> Drawn:
        twins = use_twins(use, seed)
        check_size(request, twins.layouts, seed)
        known = [{"verdict": verdict} for verdict in label_use(twins, seed)]
        scenes, files, order = render_alike(request, twins.layouts, use, seed)
        return as_twins(scenes, order, known), files

    causes = load_use(use).causes
    wanted = causes[(number + turn) % len(causes)]
    drawn = batch_seeds(request.seed, f"uses/{use}", number, len(causes) * _MAX_USES)
    seeds = (seed for seed in drawn if cause_of(use, seed) is wanted)
    return sample_until_accepted(draw, seeds, f"scene of use {use!r} at {request.size} px")


def draw_ladder_batch(request: LadderSuiteConfig, index: int) -> SceneBatch:
    """Draw ladder ``index`` until one is accepted.

    Raises EnvironmentFaultError if 200 draws were all rejected, so that the quantity cannot be
    stepped for this robot and these cameras. InvalidInputError if no camera shows what decides.
    """
    from pactwin.sim.generation.ladders.scenes import draw_ladder

    if request.robot_model is not None:
        use_robot_model(request.robot_model)
    number, turn = divmod(index, len(request.quantities))
    quantity = request.quantities[turn]

    seeds = batch_seeds(request.seed, f"ladders/{quantity}", number, _MAX_LADDERS)
    draw = partial(draw_ladder, request, quantity)
    return sample_until_accepted(draw, seeds, f"ladder of {quantity!r} {request.seen_by}")


def draw_tool_pair(request: ToolSuiteConfig, index: int) -> SceneBatch:
    """Draw pair ``index`` until one is accepted.

    Raises EnvironmentFaultError if 60 draws were all rejected: the pictures are too small.
    """
    from pactwin.sim.generation.tools.scenes import places_for, tool_pair

    tasks = load_procedures().tasks
    turn, number = divmod(index, len(tasks))
    order = np.random.default_rng([request.seed, turn]).permutation(sorted(tasks))
    name = str(order[number])
    places = places_for(tasks[name])

    def draw(seed: int) -> Drawn:
        place = str(stream(seed, _PLACE).choice(places))
        return tool_pair(tasks[name], place, request.size_px, seed)

    seeds = batch_seeds(request.seed, f"tools/{name}", turn, _MAX_TOOLS)
    return sample_until_accepted(draw, seeds, f"scene of task {name!r} at {request.size} px")

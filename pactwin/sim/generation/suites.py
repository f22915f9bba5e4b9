"""Suites at scale: each twin pair or ladder depends only on the seed, its family and its number.

The family is a domain, use, quantity or task of tools; all of a suite take turns. Units are stored
in order for any engine and number of workers. So a suite is the same for one worker and for many,
with or without interruptions.
"""

from dataclasses import dataclass

import numpy as np

from pactwin.catalogue import load_procedures
from pactwin.sim.domains import Domain, load_domain
from pactwin.sim.domains.base import Family
from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    SuiteConfig,
    batch_seeds,
    sample_until_accepted,
    stream,
)
from pactwin.sim.robots.custom import RobotModel, use_robot_model

_MAX_PAIRS, _MAX_USES, _MAX_LADDERS, _MAX_TOOLS = 400, 200, 200, 60
"""Numbers of draws of a unit, of a use for each of its causes."""
_PLACE = 9  # a stream of random numbers
# Multiples of it, modulo 1, spread more evenly over 0 to 1 than those of any other number do.
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class ConstraintSuiteConfig(SuiteConfig):
    """Settings that determine a suite's content: total number of ``pairs``; domains alternate.

    ``robot_model`` is the source of a user's robot, whose name is then ``robot``. With ``repairs``,
    changes of each scene are tried for questions about which of them help. ``room`` is ``study``
    (built in) or ``kitchen`` (RoboCasa's).
    """

    seed: int
    pairs: int
    domains: tuple[str, ...]
    robot: str
    cameras: tuple[str, ...]
    width_px: int
    height_px: int
    robot_model: RobotModel | None = None
    repairs: bool = False
    room: str = "study"


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
    robot, cameras, size_px = request.robot, request.cameras, request.size_px
    unseen: dict[Family, of_pairs.UnseenArmsError] = {}

    def draw(seed: int) -> Drawn:
        family = domain.drawn_family(of_pairs.layout_rng(seed))
        if family in unseen:
            raise unseen[family]
        # What rejects most often comes first, the many repetitions of the trials last.
        try:
            twins = of_pairs.try_layouts(domain, robot, seed, cameras, size_px)
        except of_pairs.UnseenArmsError as rejected:
            unseen[family] = rejected
            if len(unseen) == len(domain.families):
                raise of_pairs.unseen_arms(domain.name) from None
            raise
        scenes, files = of_pairs.render_pair(twins, cameras, size_px, request.room)
        return of_pairs.labelled(twins, scenes, repairs=request.repairs), files

    seeds = seeds_in_turn(domain, request.seed, number)
    seen_by = f"for {robot!r} and cameras {', '.join(cameras)}"
    wanted = f"scene of domain {domain.name!r} {seen_by} at {request.size} px"
    return sample_until_accepted(draw, iter(seeds), wanted)


def seeds_in_turn(domain: Domain, suite_seed: int, number: int) -> list[int]:
    """Seeds for a domain's pair ``number``, starting with those of the family whose turn it is.

    So each family has the share of pairs given by its weight, whatever its rate of rejection; a
    family that robot or cameras exclude is replaced by the others.
    """
    from pactwin.sim.generation.pairs.scenes import layout_rng

    (start,) = batch_seeds(suite_seed, domain.name, 0, 1)
    due = domain.family((start / 2**63 + number * _GOLDEN) % 1.0)
    seeds = batch_seeds(suite_seed, domain.name, number, _MAX_PAIRS)
    return sorted(seeds, key=lambda seed: domain.drawn_family(layout_rng(seed)) is not due)


@dataclass(frozen=True)
class UseSuiteConfig(SuiteConfig):
    """Settings that determine a suite's content: total number of ``pairs``; uses alternate."""

    seed: int
    pairs: int
    uses: tuple[str, ...]
    robot: str
    cameras: tuple[str, ...]
    width_px: int
    height_px: int


def draw_use_pair(request: UseSuiteConfig, index: int) -> SceneBatch:
    """Draw pair ``index`` until one is accepted; the causes of failure of its use alternate.

    Raises EnvironmentFaultError if about 200 draws were all rejected, InvalidInputError if the
    pictures are too small.
    """
    from pactwin.sim.generation.pairs.scenes import check_size, render_pair
    from pactwin.sim.generation.uses.scenes import cause_of, label_use, use_twins
    from pactwin.sim.uses import load_use

    number, turn = divmod(index, len(request.uses))
    use = request.uses[turn]

    def draw(seed: int) -> Drawn:
        twins = use_twins(use, seed)
        check_size(twins.layouts, request.robot, seed, request.cameras, request.size_px)
        return render_pair(label_use(twins, request.robot, seed), request.cameras, request.size_px)

    causes = load_use(use).causes
    wanted = causes[(number + turn) % len(causes)]
    drawn = batch_seeds(request.seed, f"uses/{use}", number, len(causes) * _MAX_USES)
    seeds = (seed for seed in drawn if cause_of(use, seed) is wanted)
    return sample_until_accepted(draw, seeds, f"scene of use {use!r} at {request.size} px")


@dataclass(frozen=True)
class LadderSuiteConfig(SuiteConfig):
    """Settings that determine a suite's content: number of ``ladders``; quantities alternate.

    ``robot_model`` is the source of a user's robot, whose name is then ``robot``.
    """

    seed: int
    ladders: int
    quantities: tuple[str, ...]
    steps: int
    robot: str
    cameras: tuple[str, ...]
    width_px: int
    height_px: int
    robot_model: RobotModel | None = None


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

    def draw(seed: int) -> Drawn:
        size_px, cameras = request.size_px, request.cameras
        return draw_ladder(quantity, request.steps, request.robot, seed, cameras, size_px)

    seeds = batch_seeds(request.seed, f"ladders/{quantity}", number, _MAX_LADDERS)
    seen_by = f"for {request.robot!r} and cameras {', '.join(request.cameras)}"
    wanted = f"ladder of {quantity!r} {seen_by} at {request.size} px"
    return sample_until_accepted(draw, seeds, wanted)


@dataclass(frozen=True)
class ToolSuiteConfig(SuiteConfig):
    """Settings that determine a suite's content: ``pairs`` of scenes; tasks alternate."""

    seed: int
    pairs: int
    width_px: int
    height_px: int


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

"""Twin pairs at scale: each depends only on the seed, its domain and its number.

Pairs are stored in order for any engine and number of workers. So a suite is the same for one
worker and for many, with or without interruptions.
"""

from dataclasses import dataclass

from pactwin.sim.domains import Domain, load_domain
from pactwin.sim.domains.base import Family
from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    SuiteConfig,
    batch_seeds,
    sample_until_accepted,
)
from pactwin.sim.robots.custom import RobotModel, use_robot_model

_MAX_DRAWS = 400
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

    size_px = request.width_px, request.height_px
    unseen: dict[Family, of_pairs.UnseenArmsError] = {}

    def draw(seed: int) -> Drawn:
        family = domain.drawn_family(of_pairs.layout_rng(seed))
        if family in unseen:
            raise unseen[family]
        # What rejects most often comes first, the many repetitions of the trials last.
        try:
            twins = of_pairs.try_layouts(domain, request.robot, seed, request.cameras, size_px)
        except of_pairs.UnseenArmsError as rejected:
            unseen[family] = rejected
            if len(unseen) == len(domain.families):
                raise of_pairs.unseen_arms(domain.name) from None
            raise
        scenes, files = of_pairs.render_pair(twins, request.cameras, size_px, request.room)
        return of_pairs.labelled(twins, scenes, repairs=request.repairs), files

    seeds = seeds_in_turn(domain, request.seed, number)
    wanted = (
        f"scene of domain {domain.name!r} for {request.robot!r} and cameras "
        f"{', '.join(request.cameras)} at {request.width_px}x{request.height_px} px"
    )
    return sample_until_accepted(draw, iter(seeds), wanted)


def seeds_in_turn(domain: Domain, suite_seed: int, number: int) -> list[int]:
    """Seeds for a domain's pair ``number``, starting with those of the family whose turn it is.

    So each family has the share of pairs given by its weight, whatever its rate of rejection; a
    family that robot or cameras exclude is replaced by the others.
    """
    from pactwin.sim.generation.pairs.scenes import layout_rng

    (start,) = batch_seeds(suite_seed, domain.name, 0, 1)
    due = domain.family((start / 2**63 + number * _GOLDEN) % 1.0)
    seeds = batch_seeds(suite_seed, domain.name, number, _MAX_DRAWS)
    return sorted(seeds, key=lambda seed: domain.drawn_family(layout_rng(seed)) is not due)

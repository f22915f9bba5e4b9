"""Ladders at scale: each depends only on the seed, its quantity and its number."""

from dataclasses import dataclass

from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    SuiteConfig,
    batch_seeds,
    sample_until_accepted,
)
from pactwin.sim.robots.custom import RobotModel, use_robot_model

_MAX_DRAWS = 200


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
    size_px = request.width_px, request.height_px

    def draw(seed: int) -> Drawn:
        return draw_ladder(quantity, request.steps, request.robot, seed, request.cameras, size_px)

    seeds = batch_seeds(request.seed, f"ladders/{quantity}", number, _MAX_DRAWS)
    wanted = (
        f"ladder of {quantity!r} for {request.robot!r} and cameras {', '.join(request.cameras)} "
        f"at {request.width_px}x{request.height_px} px"
    )
    return sample_until_accepted(draw, seeds, wanted)

"""Suites of creative uses: each pair depends only on the seed, its use and its number."""

from dataclasses import dataclass

from pactwin.sim.generation.sampling import (
    Drawn,
    SceneBatch,
    SuiteConfig,
    batch_seeds,
    sample_until_accepted,
)

_MAX_DRAWS = 200


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
    size_px = request.width_px, request.height_px

    def draw(seed: int) -> Drawn:
        twins = use_twins(use, seed)
        check_size(twins.layouts, request.robot, seed, request.cameras, size_px)
        return render_pair(label_use(twins, request.robot, seed), request.cameras, size_px)

    causes = load_use(use).causes
    wanted = causes[(number + turn) % len(causes)]
    drawn = batch_seeds(request.seed, f"uses/{use}", number, len(causes) * _MAX_DRAWS)
    seeds = (seed for seed in drawn if cause_of(use, seed) is wanted)
    size = f"{request.width_px}x{request.height_px}"
    return sample_until_accepted(draw, seeds, f"scene of use {use!r} at {size} px")

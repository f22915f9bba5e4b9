"""Pictures that are too small for what decides are refused after a few draws."""

from contextlib import nullcontext
from itertools import count
from pathlib import Path

import pytest
from commands import invoke

from pactwin.sim.domains import load_domain
from pactwin.sim.generation.configs import RobotSuiteConfig
from pactwin.sim.generation.pairs.scenes import check_size, layout_rng, render_alike
from pactwin.sim.generation.sampling import TooSmallError, sample_until_accepted
from pactwin.sim.objects.blocks import block, open_box
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.rendering.cameras import CAMERAS
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.suite import InvalidInputError


def request(width_px: int, height_px: int, *cameras: str) -> RobotSuiteConfig:
    return RobotSuiteConfig(
        seed=0, robot="g1", cameras=cameras or CAMERAS, width_px=width_px, height_px=height_px
    )


@pytest.mark.parametrize(("one_in", "refused"), [(100, True), (4, False)])
def test_draws_end_once_nearly_all_are_too_small(one_in: int, refused: bool) -> None:
    drawn: list[int] = []

    def draw(seed: int) -> tuple[tuple[()], dict[str, bytes]]:
        drawn.append(seed)
        if seed == 60:
            raise KeyboardInterrupt
        raise RejectedLayout("unsteady") if seed % one_in == 1 else TooSmallError(300.0 + seed)

    with pytest.raises(InvalidInputError if refused else KeyboardInterrupt) as stopped:
        sample_until_accepted(draw, count(), "mug")
    if refused:
        assert len(drawn) == 40
        assert "no mug: in 39 of 40 draws" in str(stopped.value)
        assert "give at least 311 px of height" in str(stopped.value)


def test_only_what_pictures_would_refuse_is_too_small() -> None:
    small, refused = request(200, 200), 0
    for seed in range(8):
        twins = load_domain("size_mismatch").propose(layout_rng(seed), "g1")
        layouts = twins.infeasible, twins.feasible
        try:
            check_size(small, layouts, seed)
        except TooSmallError as refusal:
            refused += 1
            with pytest.raises(RejectedLayout, match="hidden from too many cameras"):
                render_alike(small, layouts, "size_mismatch", seed)
            high = round(refusal.enough_px * 1.03)
            check_size(request(high, high), layouts, seed)
    assert 2 <= refused <= 6


@pytest.mark.parametrize(("deep_m", "hidden"), [(0.02, False), (0.09, True)])
def test_what_other_things_hide_is_left_out_before_anything_is_tried(deep_m, hidden):
    thing = standing_at(block("red", (0.05, 0.05, 0.03)), 0.25, 0.0, on_z=0.005)
    box = standing_at(open_box("blue", (0.06, 0.06, deep_m)), 0.25, 0.0)
    layout = Layout((thing, box), "", (thing.name,))
    check_size(request(640, 480, "front", "side"), (layout, layout), 0)
    refused = pytest.raises(RejectedLayout, match="hidden") if hidden else nullcontext()
    with refused:
        check_size(request(320, 240, "front", "side"), (layout, layout), 0)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["constraints --domains order", "uses --uses block_roll"])
def test_a_size_that_shows_nothing_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    options = "--pairs", 1, "--seed", 3, "--size", "160x160", "--out", tmp_path / "suite"
    error = invoke("make", *what.split(), *options, code=2).stderr.splitlines()[-1]
    assert "at 160x160 px: in " in error
    assert "less than 600 px" in error and "px of height" in error

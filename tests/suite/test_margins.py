"""Distances from limits by check, and how often each check was repeated."""

from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from fake_objects import make_fake_objects
from fakes import FakePair, make_fake_suite
from PIL import Image

from pactwin.suite import (
    Check,
    InvalidInputError,
    Measurement,
    Perturbations,
    Scene,
    Suite,
    bin_of,
    draw_margins,
    fullest_bin,
    repetitions,
)


@pytest.mark.parametrize(
    ("left", "name"),
    [(-0.0049, "0 to 5 mm"), (0.005, "5 to 10 mm"), (-0.3, "40 mm and more"), (None, "no length")],
)
def test_labels_are_binned_by_the_size_of_the_length_that_decides(left, name, fake_suite_path):
    scene = next(iter(Suite.open(fake_suite_path).scenes()))
    assert name in bin_of(planted(scene, left).decided)


def planted(scene: Scene, left: float | None, unit: str = "m", runs: int = 5) -> Scene:
    """The scene with one check, which decides, and its distance."""
    verdict = scene.decided
    check = Check(
        holds=verdict.feasible,
        constraint=verdict.constraint,
        measurements=verdict.measurements,
        margin=verdict.margin,
        distance=None if left is None else Measurement(value=left, unit=unit),
        perturbations=Perturbations(agreed=runs, run=runs),
    )
    checks = {f"hand_gets_to: {scene.id}": check}
    return scene.model_copy(update={"verdict": verdict.model_copy(update={"checks": checks})})


def test_check_prints_and_draws_distances_and_repetitions(tmp_path: Path) -> None:
    def change(pair: FakePair) -> FakePair:
        scenes = tuple(
            planted(scene, 0.02 if scene.decided.feasible else -0.01, runs=2 + k)
            for k, scene in enumerate(pair.scenes)
        )
        return FakePair((scenes[0], scenes[1]), pair.files, pair.rejections)

    path = make_fake_suite(tmp_path / "suite", n_pairs=4, change=change)
    assert repetitions(Suite.open(path).scenes()) == {"hand_gets_to": (2, 3)}
    picture = tmp_path / "margins.png"
    result = invoke("check", path, "--margins", picture)
    assert "hand_gets_to, mm (8)" in result.output
    assert "2 to 3" in result.output
    with Image.open(picture) as drawn:
        red = np.abs(np.asarray(drawn).astype(int) - (196, 43, 38)).sum(axis=-1) < 30
    assert red.any()
    with pytest.raises(InvalidInputError, match="no check stores one"):
        draw_margins([], tmp_path / "none.png")


def test_a_suite_without_distances_is_refused_a_drawing(tmp_path: Path) -> None:
    """It ended with 0 and without the file."""
    path, picture = make_fake_objects(tmp_path / "suite"), tmp_path / "margins.png"
    result = invoke("check", path, "--margins", picture, code=2)
    assert "no check stores one" in result.stderr and not picture.exists()


def test_a_wrong_robot_is_refused_before_all_is_checked(fake_suite_path: Path) -> None:
    missing = fake_suite_path / "missing.xml"
    result = invoke("check", fake_suite_path, "--retrial", "--robot-model", missing, code=2)
    assert "missing.xml" in result.stderr and not result.stdout


def test_the_fullest_bin_tells_heaps_from_what_is_spread() -> None:
    spread = np.linspace(-30.0, 30.0, 200)
    assert fullest_bin(spread) < 0.15
    assert fullest_bin(np.concatenate([spread, np.full(200, 10.0)])) > 0.5
    assert fullest_bin(np.concatenate([spread, [9000.0]])) < 0.15, "one value far out is no heap"
    assert fullest_bin(np.full(5, 1.0)) == 1.0

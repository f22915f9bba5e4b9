"""Margins by domain: every scene is counted once, on its side, barely or plainly as it was."""

from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from fakes import FakePair, make_fake_suite
from PIL import Image

from pactwin.suite import (
    Check,
    Constraint,
    Measurement,
    Suite,
    bin_names,
    bin_of,
    distances,
    draw_margins,
    fullest_bin,
    margin_counts,
)

UNMEASURED = Check(holds=True, constraint=Constraint.NONE, measurements={}, margin=1.0)


def test_every_scene_is_counted_once_on_its_side(fake_suite_path: Path) -> None:
    scenes = list(Suite.open(fake_suite_path).scenes())
    counts = margin_counts(scenes)
    assert sum(found.sum() for found in counts.values()) == len(scenes)
    for domain, found in counts.items():
        mine = [scene.decided.feasible for scene in scenes if scene.domain == domain]
        assert found.sum(axis=1).tolist() == [mine.count(False), mine.count(True)]
        assert found.shape == (2, len(bin_names()))


@pytest.mark.parametrize(
    ("margin", "name"),
    [(0.0, "0-0.5"), (-0.49, "0-0.5"), (0.5, "0.5-0.6"), (-1.0, "1"), (40.0, "1")],
)
def test_bins_go_by_size_from_barely_to_plainly(margin: float, name: str) -> None:
    assert bin_names()[bin_of(margin)] == name


def test_check_prints_and_draws_what_was_barely_decided(tmp_path: Path) -> None:
    def barely(pair: FakePair) -> FakePair:
        first, second = pair.scenes
        verdict = first.decided
        near = verdict.model_copy(update={"margin": 0.1 if verdict.feasible else -0.1})
        planted = first.model_copy(update={"verdict": near})
        return FakePair((planted, second), pair.files, pair.rejections)

    path = make_fake_suite(tmp_path / "suite", n_pairs=4, change=barely)
    counts = margin_counts(Suite.open(path).scenes())
    assert all(found[:, 0].sum() >= 1 for found in counts.values())
    picture = tmp_path / "margins.png"
    result = invoke("check", path, "--margins", picture)
    assert "0.9-1" in result.output
    with Image.open(picture) as drawn:
        red = np.abs(np.asarray(drawn).astype(int) - (196, 43, 38)).sum(axis=-1) < 30
    assert red.any()
    one = draw_margins(list(Suite.open(path).scenes())[:1], tmp_path / "one.png")
    assert one.stat().st_size > 1000


def test_distances_are_told_by_check_and_unit_with_their_fullest_bin(fake_suite_path: Path) -> None:
    scenes = list(Suite.open(fake_suite_path).scenes())
    left = [-0.02, -0.01, 0.004, 0.03]
    planted = []
    for value, scene in zip(left, scenes, strict=False):
        check = Check(
            holds=value > 0,
            constraint=Constraint.NONE if value > 0 else Constraint.PATH_BLOCKED,
            measurements={},
            margin=value,
            distance=Measurement(value=value, unit="m"),
        )
        checks = {f"hand_gets_to: {scene.id}": check, "unmeasured": UNMEASURED}
        verdict = scene.decided.model_copy(update={"checks": checks})
        planted.append(scene.model_copy(update={"verdict": verdict}))
    ((kind, values),) = distances(planted).items()
    assert kind == "hand_gets_to, mm"
    assert values == pytest.approx([1000 * value for value in left])


def test_the_fullest_bin_tells_heaps_from_what_is_spread() -> None:
    spread = np.linspace(-30.0, 30.0, 200)
    assert fullest_bin(spread) < 0.15
    assert fullest_bin(np.concatenate([spread, np.full(200, 10.0)])) > 0.5
    assert fullest_bin(np.concatenate([spread, [9000.0]])) < 0.15, "one value far out is no heap"
    assert fullest_bin(np.full(5, 1.0)) == 1.0

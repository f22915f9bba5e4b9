"""Views, twins, causes and dependence, each against an independent calculation."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from fakes import make_fake_suite
from made_up import Answer, make_rows, noisy, oracle, scene_row
from statsmodels.stats.power import NormalIndPower

from pactwin.compare import joint_views
from pactwin.compare.dependence import dependence, scenes_of
from pactwin.compare.intervals import clustered_rate
from pactwin.compare.joint_views import joint_gains
from pactwin.compare.paired import compare_models
from pactwin.suite import Check, Measurement, Suite
from pactwin.tasks import AnswerRow, AnswerState


def test_joint_views_are_held_against_the_best_single_one() -> None:
    def answer(domain: str, pair: int, feasible: bool, view: str, form: str) -> Answer:
        right = {"head+side": True, "head": pair != 0, "side": False}[view]
        return feasible == right, None

    views = ("head", "side", "head+side")
    rows = make_rows(answer, views=views, forms=("yes_no",), pairs=7, domains=("support",))
    (gain,) = joint_gains(rows)
    assert (gain.within, gain.first, gain.second) == ("m", "head+side", "head")
    assert (gain.only_first, gain.only_second, gain.pairs) == (2, 0, 7)
    assert gain.difference == pytest.approx(1 / 7)


@pytest.mark.slow
def test_choosing_the_best_view_does_not_flatter_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five conditions that are equally good: chosen and compared on the same, one looks better."""
    rng = np.random.default_rng(5)
    pair = np.repeat(np.arange(40), 2)
    places = {"model": "m", "pair": pair, "question": np.arange(80), "epoch": 1}
    index = pd.MultiIndex.from_frame(pd.DataFrame(places))
    gains = []
    for _ in range(120):
        skill = rng.beta(4, 2.5, 40)[pair]
        right = {view: (rng.random(80) < skill).astype(float) for view in "abcd"}
        wide = pd.DataFrame(right | {"a+b": rng.random(80) < skill}, index=index).astype(float)
        monkeypatch.setattr(joint_views, "_by_view", lambda *_, w=wide, **__: [("m", w)])
        (test,) = joint_gains([])
        gains.append(test.difference)
    error = np.std(gains, ddof=1) / np.sqrt(len(gains))
    assert abs(np.mean(gains)) < 3 * error < 0.03


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return Suite.open(make_fake_suite(tmp_path_factory.mktemp("details") / "suite", n_pairs=24))


def test_correctness_on_what_is_seen(suite: Suite) -> None:
    scenes = {(suite.info.content_hash, scene.id): scene for scene in suite.scenes()}

    def pixels(scene_id: str, view: str) -> int:
        scene = scenes[suite.info.content_hash, scene_id]
        (seen,) = (v.visibility for v in scene.views if v.camera.name == view)
        return min(seen[name].pixels for name in scene.decided.objects)

    rows = []
    for scene in scenes.values():
        for view in ("front", "side"):
            says = scene.decided.feasible == (pixels(scene.id, view) > 200)
            rows.append(
                scene_row(suite.info, scene, says=says, view=view, state=AnswerState.CORRECT)
            )
    curves = {curve.quantity: curve for curve in dependence(rows, scenes)}
    assert set(curves) == {"pixels", "margin"}, "all scenes have as many objects"
    points = curves["pixels"].points
    assert [point.value for point in points] == [0.0] + [1.0] * (len(points) - 1)
    assert sum(point.n for point in points) == len(rows)
    first = points[0]
    mine = [row for row in rows if pixels(row.scene_id, row.view) <= first.most]
    sizes = np.unique([row.pair_id for row in mine], return_counts=True)[1]
    assert (first.low, first.high) == clustered_rate(np.zeros(len(sizes)), sizes)
    assert first.most < 200 < points[1].least
    margins = curves["margin"].points
    assert all(a.most <= b.least for a, b in pairwise(margins))
    assert dependence(rows, {}) == []


def test_a_model_that_always_says_no_does_not_depend_on_margins(suite: Suite) -> None:
    """Though scenes where it works have small ones, and the others large ones."""
    scenes, rows = {}, []
    for k, (key, scene) in enumerate(scenes_of([suite]).items()):
        feasible = scene.decided.feasible
        margin = (0.5 + 0.01 * k) if feasible else -(2.0 + 0.1 * k)
        check = Check(
            holds=feasible,
            constraint=scene.decided.constraint,
            measurements=scene.decided.measurements,
            margin=margin,
            distance=Measurement(value=margin / 100, unit="m"),
        )
        verdict = {"margin": margin, "checks": {"it_fits": check}}
        scenes[key] = scene.model_copy(update={"verdict": scene.decided.model_copy(update=verdict)})
        rows.append(scene_row(suite.info, scene, says=False, view="front"))
    curves = {curve.quantity: curve for curve in dependence(rows, scenes)}
    for quantity in ("margin", "distance_mm"):
        assert len(curves[quantity].points) > 1
        assert {point.value for point in curves[quantity].points} == {0.5}
    least = min(abs(scene.decided.margin) for scene in scenes.values())
    assert curves["distance_mm"].points[0].least == pytest.approx(10 * least)


def test_pairs_needed_are_those_of_a_power_calculation() -> None:
    rows: list[AnswerRow] = make_rows(noisy(1, silent=0), model="a", pairs=9)
    rows += make_rows(noisy(2, silent=0), model="b", pairs=9)
    (test,) = compare_models(rows)
    gains: dict[str, list[int]] = {}
    for a, b in zip(rows[: len(rows) // 2], rows[len(rows) // 2 :], strict=True):
        right = [int(row.predicted_feasible == row.truth_feasible) for row in (a, b)]
        gains.setdefault(a.pair_id, []).append(right[0] - right[1])
    spread = np.std([np.mean(gain) for gain in gains.values()], ddof=1)
    one_sample = NormalIndPower()
    wanted = one_sample.solve_power(effect_size=0.1 / spread, alpha=0.05, power=0.8, ratio=0)
    assert test.pairs_needed == pytest.approx(wanted, abs=1)
    (same,) = compare_models(make_rows(oracle, model="a") + make_rows(oracle, model="b"))
    assert same.pairs_needed is None

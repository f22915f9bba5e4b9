"""The sim-to-real panel from answers that models gave: baselines, and two with planted gaps.

A rehearsal's suites are pretended, the way from their pictures to the page is the real one.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from copied_pairs import copied
from evaluating import evaluate
from fakes import make_fake_suite
from planted_models import MODELS, PLANTED, planted_models
from scipy import stats
from stand_in_detector import StandIn

from pactwin.compare import Comparison, read_comparison
from pactwin.compare.sim_to_real import Gap, SimToReal
from pactwin.perception import Detection, detect_suite
from pactwin.suite import InvalidInputError, Suite

pytestmark = pytest.mark.slow

COPIED, ALL = 20, 40
BASELINES = ("oracle", "always-no")


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("rehearsed")
    make = partial(make_fake_suite, cameras=("head",), seed=4)
    made = {"sim": make(folder / "sim", n_pairs=ALL)}
    changes = {
        "captured": copied("rehearsal", 0.004, noisy=True),
        "measured": copied("sim", 0.004),
        "planned": copied("sim"),
    }
    for name, change in changes.items():
        made[name] = make(folder / name, n_pairs=COPIED, change=change)
    return made


@pytest.fixture(scope="module")
def logs(suites: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    models = [*(f"pactwin/{name}" for name in BASELINES), *PLANTED]
    with planted_models(list(suites.values())) as server:
        for name, suite in suites.items():
            evaluate(suite, models, form="yes_no", log_dir=folder / name)
    # What is rendered again is the same picture here: its replies are in the cache.
    assert len(server.requests) == len(MODELS) * 2 * (ALL + COPIED)
    return folder


@pytest.fixture(scope="module")
def compared(logs: Path) -> Comparison:
    return read_comparison([logs])


@pytest.fixture(scope="module")
def panel(compared: Comparison) -> SimToReal:
    (found,) = compared.sim_to_real
    assert (found.source, found.pairs, found.misplaced) == ("rehearsal", COPIED, ())
    return found


def gap_of(panel: SimToReal, model: str) -> Gap:
    (found,) = (gap for gap in panel.gaps if (gap.model, gap.domain) == (model, "all"))
    return found


@pytest.mark.parametrize(("model", "planted"), [*zip(PLANTED, MODELS.values(), strict=True)])
def test_a_planted_gap_is_recovered_within_its_interval(panel, suites, model, planted):
    test = gap_of(panel, model).test
    assert test.low <= planted.expected <= test.high
    sim = {scene.id: scene for scene in Suite.open(suites["sim"]).scenes()}
    by_hand = [
        float(planted.right(scene)) - planted.right(sim[str(scene.mirror_of)])
        for scene in Suite.open(suites["captured"]).scenes()
    ]
    assert test.difference == pytest.approx(np.mean(by_hand))
    # It is there for the one that sees texture, and only for it.
    assert (test.high < 0.0) == (planted.gap > 0)
    # All of it is appearance: rendered through the same cameras, both answer as in simulation.
    steps = panel.splits[model]
    assert [steps[name].difference for name in ("geometry", "camera")] == [0.0, 0.0]
    assert steps["appearance"].difference == pytest.approx(test.difference)


def test_the_panel_is_whole_for_baselines_and_models(panel: SimToReal) -> None:
    names = {*(f"pactwin/{name}" for name in BASELINES), *PLANTED}
    assert {gap.model for gap in panel.gaps} == set(panel.ppi) == set(panel.splits) == names
    assert gap_of(panel, "pactwin/oracle").test.difference == 0.0
    for model, powered in panel.ppi.items():
        assert (powered.n_real, powered.n_sim) == (COPIED, ALL - COPIED), model
    assert panel.across is not None
    assert panel.across.r is not None
    assert panel.across.r > 0.8
    assert panel.across.rank_violation >= 0.0


class Blinking(StandIn):
    """Sees nothing in every third picture."""

    seen = 0

    def detect(
        self, images: Sequence, queries: Sequence[Sequence[str]], threshold: float
    ) -> list[list[Detection]]:
        found = super().detect(images, queries, threshold)
        first, self.seen = self.seen, self.seen + len(found)
        return [[] if k % 3 == 0 else boxes for k, boxes in enumerate(found, start=first)]


def test_what_a_detector_loses_stands_beside_what_models_lose(suites, logs, tmp_path):
    for name, detector in (("sim", StandIn), ("captured", Blinking)):
        suite = Suite.open(suites[name])
        detect_suite(suite, detector(suite, 0.0), "stand-in")
    found = read_comparison([logs], detections="stand-in")
    seen = found.perceived["rehearsal"]
    blind = [k % 3 == 0 for k in range(2 * COPIED)]
    by_pair = -np.reshape(blind, (COPIED, 2)).mean(axis=1)
    assert (seen.scenes, seen.pairs, seen.sim.recall) == (2 * COPIED, COPIED, 1.0)
    assert seen.captured.recall == pytest.approx(1.0 - np.mean(blind))
    assert seen.recall_gap == pytest.approx(by_pair.mean())
    expected = stats.t.interval(0.95, COPIED - 1, by_pair.mean(), stats.sem(by_pair))
    # At least Student's; what is skewed reaches farther on one side.
    low, high = seen.interval or (0.0, 0.0)
    assert low <= expected[0] + 1e-9 and expected[1] - 1e-9 <= high < 0
    page = tmp_path / "report.html"
    found.write_report(page)
    assert "Perception’s part" in page.read_text()
    with pytest.raises(InvalidInputError, match="no captured suite with detections"):
        read_comparison([logs / "sim"], detections="stand-in")

"""``pactwin detect``, and what is answered from its boxes, as commands."""

from pathlib import Path

import pytest
from commands import invoke
from depth_suite import make_depth_suite
from fakes import FakePair, make_fake_suite
from stand_in_detector import StandIn
from typer.testing import Result

from pactwin.suite import Suite
from pactwin.tasks import read_answers


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of a model: its "weights" are how far it moves true boxes, and in which suite."""

    def made(weights: str, revision: str | None) -> StandIn:
        suite, shift = weights.rsplit(":", 1)
        detector = StandIn(Suite.open(Path(suite)), float(shift))
        detector.weights = "tiny"
        return detector

    monkeypatch.setattr("pactwin.perception.TransformersDetector", made)


def detected(suite: Path, shift: float, *options: object) -> Result:
    weights = f"{suite}:{shift}"
    return invoke("detect", suite, "--detector", "transformers", "--weights", weights, *options)


@pytest.mark.usefixtures("stand_in")
def test_geometry_answers_from_the_boxes_that_the_command_stored(tmp_path: Path) -> None:
    suite = make_depth_suite(tmp_path / "suite")
    done = detected(suite, 0.0, "--name", "boxes", "--overlays", tmp_path / "drawn")
    assert "AP 1.000, AP50 1.000" in done.stdout
    assert len(list((tmp_path / "drawn").glob("*.png"))) == 6
    asked = ("eval", suite, "--model", "pactwin/geometry", "--views", "joint")
    invoke(*asked, "-M", "detections=boxes", "--log-dir", tmp_path / "logs")
    rows = list(read_answers(list((tmp_path / "logs").glob("*.eval"))))
    assert len(rows) == 6
    assert all(row.predicted_feasible is row.truth_feasible for row in rows)
    missing = invoke(*asked, "-M", "detections=others", "--log-dir", tmp_path / "none", code=4)
    assert "no detections 'others' (there: boxes)" in " ".join(missing.stderr.split())


@pytest.mark.usefixtures("stand_in")
def test_captured_and_simulated_scenes_are_scored_beside_each_other(tmp_path: Path) -> None:
    simulated = make_fake_suite(tmp_path / "sim", n_pairs=1)
    originals = (scene.id for scene in Suite.open(simulated).scenes())

    def copied(pair: FakePair) -> FakePair:
        first, second = (
            scene.model_copy(update={"source": "rehearsal", "mirror_of": next(originals)})
            for scene in pair.scenes
        )
        return FakePair((first, second), pair.files, pair.rejections)

    captured = make_fake_suite(tmp_path / "captured", n_pairs=1, seed=3, change=copied)
    detected(simulated, 0.0)
    done = detected(captured, 0.24, "--original", simulated)
    *_, scene, twin, both = (line.split() for line in done.stdout.splitlines() if line.strip())
    assert both == ["all", "32", "1.000", "0.300", "-0.700", "1.00", "1.00"]
    for row, captured_scene in zip((scene, twin), Suite.open(captured).scenes(), strict=True):
        assert row[1:] == [captured_scene.id, "16", *both[2:]]

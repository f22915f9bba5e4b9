"""``pactwin run``: a decision that is not carried out, and what is refused."""

import json
from functools import partial
from pathlib import Path

import pytest
from commands import invoke

from pactwin.suite import Suite


def test_a_no_does_nothing_and_is_recorded(fake_suite_path, tmp_path, monkeypatch):
    refuse = partial(pytest.fail, "the robot moved")
    monkeypatch.setattr("pactwin.sim.prepare_episode", lambda scene: refuse)
    scene = next(Suite.open(fake_suite_path).scenes())
    view = scene.views[0].camera.name
    asked = ["run", str(fake_suite_path), scene.id, "--film", "none", "--view", view]
    out = tmp_path / "episode"
    said_no = ["--model", "pactwin/always-no", "--out", str(out)]
    result = invoke(*asked, *said_no)
    assert "says no: the robot does nothing" in result.output
    record = json.loads((out / "episode.json").read_text())
    assert (record["scene"], record["decision"]) == (scene.id, "no")
    assert record["feasible"] == scene.decided.feasible
    assert "episode" not in record
    # The log holds this scene's question alone, and can be read like any other.
    assert len(list((out / "logs").glob("*.eval"))) == 1


def test_a_scene_that_is_drawn_otherwise_today_is_refused_before_a_model_is_asked(
    fake_suite_path: Path, tmp_path: Path
) -> None:
    scene = next(Suite.open(fake_suite_path).scenes())
    asked = [str(fake_suite_path), scene.id, "--film", "none", "--out", str(tmp_path / "episode")]
    result = invoke("run", *asked, "--model", "pactwin/oracle", code=3)
    assert "draws another layout" in result.stderr
    assert not (tmp_path / "episode").exists()


def test_unknown_scenes_and_cameras_are_refused(fake_suite_path: Path, tmp_path: Path) -> None:
    scene = next(Suite.open(fake_suite_path).scenes())
    model = ["--model", "pactwin/oracle", "--out", str(tmp_path / "episode")]
    for arguments, reason in (
        (["none"], "no scene 'none'"),
        ([scene.id, "--film", "nose"], "unknown camera 'nose'"),
    ):
        result = invoke("run", fake_suite_path, *arguments, *model, code=2)
        assert reason in result.stderr
    assert not (tmp_path / "episode").exists()

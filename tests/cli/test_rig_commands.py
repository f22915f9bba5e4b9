"""The rig's commands at a rehearsed bench: what an operator types, once, on one scene."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from drawn_scenes import drawn_suite
from mcap.reader import make_reader
from PIL import Image
from typer.testing import CliRunner, Result

from pactwin.cli import app
from pactwin.hardware import read_rig
from pactwin.real import captured_scenes, read_capture
from pactwin.real.rehearsal.hands import Hands, calibrated_hands
from pactwin.suite import Suite

SIZE = (960, 540)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A pair as it is drawn, with made-up verdicts and no pictures."""
    return drawn_suite(tmp_path_factory.mktemp("drawn") / "suite", "two_hands")


@pytest.fixture(scope="module")
def bench(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Hands]]:
    rig = tmp_path_factory.mktemp("bench") / "rig.yaml"
    with calibrated_hands(suite.path, rig, 4, SIZE) as hands:
        yield rig, hands


def invoke(*arguments: object, answers: str = "") -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=answers)


def test_the_bench_is_checked_and_calibrated(bench: tuple[Path, Hands]) -> None:
    rig, hands = bench
    hands.operator.do("mat")
    before = read_rig(rig).calibration
    found = invoke("rig", "check", "--rig", rig)
    assert found.exit_code == 0, found.output
    assert found.stdout.count(" mm from where they were at calibration") == 2
    done = invoke("calibrate", "--rig", rig, "--ruler-mm", 99, "--shots", 1)
    assert done.exit_code == 0, done.output
    assert "(rehearsal)" in done.stdout
    calibration = read_rig(rig).calibration
    assert calibration is not None
    assert calibration != before
    refused = invoke("calibrate", "--rig", rig, "--ruler-mm", 80, "--shots", 1)
    assert (refused.exit_code, read_rig(rig).calibration) == (2, calibration)


def test_a_scene_is_checked_and_captured_with_its_raw_streams(
    bench: tuple[Path, Hands], suite: Suite, tmp_path: Path
) -> None:
    rig, hands = bench
    first = next(suite.scenes())
    scene, picture = first.id, tmp_path / "placement.png"
    name = next(o.name for o in first.objects if o.name not in first.decided.objects)
    hands.set_up(scene, "missing", name)
    checked = invoke("mirror", "check", suite.path, scene, "--rig", rig, "--out", picture)
    assert checked.exit_code == 1
    assert checked.stderr.rstrip().endswith(f"not as planned: {name}"), checked.stderr
    assert np.asarray(Image.open(picture)).shape == (2 * SIZE[1], SIZE[0], 3)
    options = ["--rig", rig, "--out", tmp_path / "real", "--notes", "lamp on", "--mcap", 0.5]
    stored = invoke("capture", suite.path, scene, *options)
    assert stored.exit_code == 1
    assert stored.stderr.rstrip().endswith(f"stored, but not as planned: {name}"), stored.stderr
    capture = read_capture(captured_scenes(tmp_path / "real")[scene])
    assert (capture.source, capture.as_planned, capture.notes) == ("rehearsal", False, "lamp on")
    with (tmp_path / "real" / "session" / "raw" / f"{scene}.mcap").open("rb") as file:
        topics = {channel.topic for _, channel, _ in make_reader(file).iter_messages()}
    assert topics == {
        "/head/color",
        "/head/depth",
        "/side/color",
        "/side/depth",
        "/robot/joints",
    }
    again = invoke("capture", suite.path, scene, *options)
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)


def test_a_session_needs_either_a_rig_or_a_rehearsal_and_a_port_that_is_free(
    bench: tuple[Path, Hands], suite: Suite, tmp_path: Path
) -> None:
    rig, _ = bench
    prepared = invoke("session", suite.path, "--out", tmp_path, "--prepare")
    assert prepared.exit_code == 0, prepared.output
    neither = invoke("session", suite.path, "--out", tmp_path)
    assert (neither.exit_code, "--rig or --rehearse" in neither.stderr) == (2, True)
    away = ["--rig", rig, "--host", "192.0.2.1"]  # an address of nobody
    refused = invoke("session", suite.path, "--out", tmp_path, *away)
    assert refused.exit_code == 2
    assert "choose others with --host and --port" in refused.stderr

"""The rig's commands at a rehearsed bench: what an operator types, once, on one scene."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from drawn_scenes import drawn_suite
from mcap.reader import make_reader
from PIL import Image

from pactwin.hardware import Bench, read_rig
from pactwin.real import MockRig, captured_scenes, pose_difference, read_capture
from pactwin.sim import Episode, Layout
from pactwin.sim.episodes.simulation import State
from pactwin.suite import Suite, load_image

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

RULERS = ("--ruler-mm", 99, "--ruler-away-mm", 99)
SIZE = (1280, 720)


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A pair as it is drawn, with made-up verdicts and no pictures."""
    return drawn_suite(tmp_path_factory.mktemp("drawn") / "suite", "two_hands")


@pytest.fixture(scope="module")
def bench(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, MockRig]]:
    rig = tmp_path_factory.mktemp("bench") / "rig.yaml"
    with MockRig(suite.path, rig, 4, SIZE) as mock:
        yield rig, mock


def test_the_bench_is_checked_and_calibrated(bench: tuple[Path, MockRig], tmp_path: Path) -> None:
    rig, mock = bench
    mock.do("board")
    before = read_rig(rig).calibration
    found = invoke("rig", "check", "--rig", rig)
    assert found.stdout.count(" mm from where they were at calibration") == 2
    done = invoke("rig", "calibrate", "--rig", rig, *RULERS, "--frames", 1)
    assert "(rehearsal)" in done.stdout
    calibration = read_rig(rig).calibration
    assert calibration is not None
    assert calibration != before
    live = calibration
    assert all(any(known.lens) for known in calibration.cameras.values())
    enters = "\n" * 4  # the board stays where it is, which is little to go by
    lenses = [*("--rig", rig, *RULERS, "--frames", 1), "--lens", 3]
    done = invoke("rig", "calibrate", *lenses, input=enters)
    assert "another place (3 of 3)" in done.stdout
    calibration = read_rig(rig).calibration
    assert calibration is not None
    assert all(any(known.lens) for known in calibration.cameras.values())
    for along, away, why in ((80, 80, "print it anew"), (99, 100, "is stretched")):
        rulers = ["--ruler-mm", along, "--ruler-away-mm", away]
        refused = invoke("rig", "calibrate", "--rig", rig, *rulers, "--frames", 1, code=2)
        assert why in refused.stderr
    assert read_rig(rig).calibration == calibration
    invoke("rig", "record", "--rig", rig, "--out", tmp_path, "--seconds", 0.5)
    kept = tmp_path / "rig.yaml"
    kept.write_text(rig.read_text())
    invoke("rig", "calibrate", "--rig", kept, *RULERS, "--frames", 1, "--from", tmp_path)
    again = read_rig(kept).calibration
    assert again is not None
    for name, known in again.cameras.items():  # one small picture each tells that much
        now = np.array(live.cameras[name].table_from_camera)
        assert pose_difference(np.array(known.table_from_camera), now)[0] < 10.0
    invoke("rig", "calibrate", "--rig", kept, *RULERS, "--frames", 1, "--from", tmp_path)
    same = read_rig(kept).calibration
    assert same is not None
    assert same.cameras == again.cameras


def test_a_scene_is_checked_and_captured_with_its_raw_streams(
    bench: tuple[Path, MockRig], suite: Suite, tmp_path: Path
) -> None:
    rig, mock = bench
    first = next(suite.scenes())
    scene, picture = first.id, tmp_path / "placement.png"
    name = next(o.name for o in first.objects if o.name not in first.decided.objects)
    mock.set_up(scene, "missing", name)
    checked = invoke("mirror", "check", suite.path, scene, "--rig", rig, "--out", picture, code=1)
    assert f"{name}: missing" in checked.stderr
    assert np.asarray(Image.open(picture)).shape == (2 * SIZE[1], SIZE[0], 3)
    options = ["--rig", rig, "--out", tmp_path / "real", "--notes", "lamp on", "--mcap", 0.5]
    stored = invoke("mirror", "capture", suite.path, scene, *options, code=1)
    assert "stored, but not as planned" in stored.stderr
    assert f"{name}: missing" in stored.stderr
    folder = captured_scenes(tmp_path / "real")[scene]
    capture = read_capture(folder)
    # The same is said of what was kept: of the capture, and of a recording of the cameras.
    invoke("rig", "record", "--rig", rig, "--out", tmp_path / "case", "--seconds", 0.3)
    for kept in (folder, tmp_path / "case"):
        look = ["--rig", rig, "--from", kept, "--out", tmp_path / f"{kept.name}.png"]
        told = invoke("mirror", "check", suite.path, scene, *look, code=1)
        assert f"{name}: missing" in told.stderr
    assert (capture.source, capture.as_planned, capture.notes) == ("rehearsal", False, "lamp on")
    with (tmp_path / "real" / "session" / "raw" / f"{scene}.mcap").open("rb") as file:
        topics = {channel.topic for _, channel, _ in make_reader(file).iter_messages()}
    kinds = ("color", "depth", "calibration", "pose")
    assert topics == {"/robot/joints", *(f"/{n}/{k}" for n in ("head", "side") for k in kinds)}
    again = invoke("mirror", "capture", suite.path, scene, *options, code=2)
    assert "is there already" in again.stderr


def test_a_model_is_asked_about_what_the_rig_sees_and_nothing_moves(
    bench: tuple[Path, MockRig], suite: Suite, tmp_path: Path
) -> None:
    rig, mock = bench
    scene = next(suite.scenes())
    mock.set_up(scene.id)
    asked = ["run", suite.path, scene.id, "--rig", rig, "--out", tmp_path]
    done = invoke(*asked, "--model", "pactwin/always-yes", "--view", "side")
    assert "says yes: a real robot is not moved" in done.stdout
    record = json.loads((tmp_path / "episode.json").read_text())
    assert (record["scene"], record["seen"], record["decision"]) == (scene.id, "rehearsal", "yes")
    assert "episode" not in record
    seen = Suite.open(tmp_path / "seen")
    (observed,) = seen.scenes()
    assert (observed.source, observed.mirror_of) == ("rehearsal", scene.id)
    assert observed.capture is not None
    assert observed.capture.unverified
    assert observed.capture.joints_rad
    # It is the picture that the camera takes, to its noise.
    with Bench(read_rig(rig)) as devices:
        taken = devices.grab().frames["side"].color
    shown = load_image(seen, observed.views[0])
    assert np.abs(shown.astype(int) - taken).mean() < 3.0
    unknown = invoke(
        *asked[:-1], tmp_path / "other", "--model", "pactwin/oracle", "--view", "nose", code=2
    )
    assert "unknown camera 'nose'" in unknown.stderr


def test_a_rehearsed_robot_carries_out_what_is_decided_where_things_really_are(
    bench: tuple[Path, MockRig],
    suite: Suite,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig, mock = bench
    scene = next(suite.scenes())

    @contextmanager
    def there(
        suite: Path, played: Path, seed: int, size: tuple[int, int], *, calibrated: bool
    ) -> Iterator[MockRig]:
        played.parent.mkdir(parents=True)
        played.write_text(rig.read_text())
        yield mock

    begun: list[Layout] = []

    def carried(action: object, layout: Layout, *_: object) -> Episode:
        begun.append(layout)
        still = State(np.zeros((0, 3)), np.zeros((0, 4)), {"elbow": 0.0}, {"elbow": 0.0})
        return Episode(scene.decided.feasible, (), "", "", layout, (still,))

    monkeypatch.setattr("pactwin.real.MockRig", there)
    monkeypatch.setattr("pactwin.sim.episodes.run.carry_out", carried)
    out = tmp_path / "episode"
    asked = ["run", suite.path, scene.id, "--rehearse", "--film", "none", "--out", out]
    invoke(*asked, "--model", "pactwin/always-yes")
    record = json.loads((out / "episode.json").read_text())
    assert (record["seen"], record["agrees"]) == ("rehearsal", True)
    (layout,) = begun
    poses = mock.poses()
    for item in layout.items:
        np.testing.assert_allclose(item.world_from_object.matrix(), poses[item.name], atol=1e-6)
    planned = {thing.name: np.array(thing.world_from_object) for thing in scene.objects}
    assert any(not np.allclose(poses[name], planned[name], atol=1e-4) for name in planned)


def test_a_session_needs_either_a_rig_or_a_rehearsal_and_a_port_that_is_free(
    bench: tuple[Path, MockRig], suite: Suite, tmp_path: Path
) -> None:
    rig, _ = bench
    neither = invoke("mirror", "session", suite.path, "--out", tmp_path, code=2)
    assert "--rig or --rehearse" in neither.stderr
    away = ["--rig", rig, "--host", "192.0.2.1"]  # an address of nobody
    refused = invoke("mirror", "session", suite.path, "--out", tmp_path, *away, code=2)
    assert "choose others with --host and --port" in refused.stderr

"""The rig's commands and a whole session at one rehearsed bench, through the drivers' interfaces.

One world serves all tests, with frames at their real rates, but fewer of them to settle.
"""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from drawn_scenes import drawn_suite
from mcap.reader import make_reader
from PIL import Image

from pactwin.hardware import (
    Bench,
    read_rig,
    write_rig,
)
from pactwin.real import (
    MockRig,
    captured_scenes,
    pose_difference,
    read_capture,
    verify_captures,
)
from pactwin.real.rehearsal.rehearse import Accuracy, rehearse
from pactwin.sim import Episode, Layout
from pactwin.sim.episodes.simulation import State
from pactwin.suite import (
    EnvironmentFaultError,
    InvalidInputError,
    Suite,
    SuiteInfo,
    check_suite,
    load_image,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

RULERS = ("--ruler-mm", 99, "--ruler-away-mm", 99)
SIZE, SEED = (1280, 720), 5


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A pair as it is drawn, with made-up verdicts and no pictures."""
    return drawn_suite(tmp_path_factory.mktemp("drawn") / "suite", "size_mismatch")


@pytest.fixture(scope="module")
def bench(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, MockRig]]:
    rig = tmp_path_factory.mktemp("bench") / "rig.yaml"
    with MockRig(suite.path, rig, SEED, SIZE) as mock:
        known = read_rig(rig)
        quick = tuple(camera.model_copy(update={"warmup": 3}) for camera in known.cameras)
        write_rig(rig, known.model_copy(update={"cameras": quick}))
        yield rig, mock


@contextmanager
def played(rig: Path, mock: MockRig, *asked: object, **_: bool) -> Iterator[MockRig]:
    """The bench that is there, for who would start one of their own."""
    where = asked[1]
    assert isinstance(where, Path)
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(rig.read_text())
    yield mock


@pytest.fixture(scope="module")
def rehearsed(
    suite: Suite, bench: tuple[Path, MockRig], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, SuiteInfo, Accuracy]:
    out = tmp_path_factory.mktemp("rehearsed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: scene.verdict)
        patch.setattr("pactwin.real.rehearsal.rehearse.MockRig", partial(played, *bench))
        info, found = rehearse(suite, out, SEED, SIZE)
    return out, info, found


def test_rulers_that_were_measured_twice_are_believed_against_depth(
    bench: tuple[Path, MockRig], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pactwin.real.calibration._ALL_DEPTH_OFF", 0.005)
    rig = tmp_path / "rig.yaml"
    rig.write_text(bench[0].read_text())
    bench[1].do("board")
    rulers = ["--ruler-mm", 98.6, "--ruler-away-mm", 98.6, "--frames", 1]
    refused = invoke("rig", "calibrate", "--rig", rig, *rulers, code=2)
    assert "say --measured-twice" in refused.stderr
    invoke("rig", "calibrate", "--rig", rig, *rulers, "--measured-twice")


def test_the_bench_is_checked_and_calibrated(bench: tuple[Path, MockRig], tmp_path: Path) -> None:
    mock, rig = bench[1], tmp_path / "own.yaml"  # one picture calibrates less well than three
    rig.write_text(bench[0].read_text())
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
    enters = "\n" * 4  # the board stays where it is, which is too little to go by
    lenses = [*("--rig", rig, *RULERS, "--frames", 1), "--lens", 3]
    done = invoke("rig", "calibrate", *lenses, input=enters, code=None)
    assert "another place (3 of 3)" in done.stdout
    calibration = read_rig(rig).calibration
    assert calibration is not None
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
    assert f"{name}: " in checked.stderr
    assert np.asarray(Image.open(picture)).shape == (2 * SIZE[1], SIZE[0], 3)
    options = ["--rig", rig, "--out", tmp_path / "real", "--notes", "lamp on", "--mcap", 0.5]
    stored = invoke("mirror", "capture", suite.path, scene, *options, code=1)
    assert "stored, but not as planned" in stored.stderr
    assert f"{name}: " in stored.stderr
    folder = captured_scenes(tmp_path / "real")[scene]
    capture = read_capture(folder)
    # The same is said of what was kept: of the capture, and of a recording of the cameras.
    invoke("rig", "record", "--rig", rig, "--out", tmp_path / "case", "--seconds", 0.3)
    for kept in (folder, tmp_path / "case"):
        look = ["--rig", rig, "--from", kept, "--out", tmp_path / f"{kept.name}.png"]
        told = invoke("mirror", "check", suite.path, scene, *look, code=1)
        assert f"{name}: " in told.stderr
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

    begun: list[Layout] = []

    def carried(action: object, layout: Layout, *_: object) -> Episode:
        begun.append(layout)
        still = State((), {"elbow": 0.0}, {"elbow": 0.0})
        return Episode(scene.decided.feasible, (), "", "", layout, (still,))

    monkeypatch.setattr("pactwin.real.MockRig", partial(played, rig, mock))
    monkeypatch.setattr("pactwin.sim.episodes.episode.carry_out", carried)
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


def test_it_makes_a_suite_without_fault_that_says_what_it_is(
    rehearsed: tuple[Path, SuiteInfo, Accuracy],
) -> None:
    out, info, _ = rehearsed
    assert check_suite(out / "captured") == []
    assert info.name == info.request["source"] == "rehearsal"
    assert info.counts["pairs"] == 1
    assert info.counts["questions"] >= 6
    scenes = list(Suite.open(out / "captured").scenes())
    assert any(scene.capture and scene.capture.outcome for scene in scenes)
    for scene in scenes:
        assert scene.source == "rehearsal"
        assert scene.capture is not None
        assert "rehearsal" in scene.capture.notes


def test_what_is_measured_fits_what_is_there(
    rehearsed: tuple[Path, SuiteInfo, Accuracy],
) -> None:
    out, _, found = rehearsed
    for mm, degrees in found.cameras.values():
        assert 0 < mm < 2.0
        assert degrees < 0.2
    assert found.within(8.0) == 1.0
    assert len(found.alarms) <= 2
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["cameras"].keys() == {"head", "side"}
    assert len(report["objects_mm"]) == 2
    assert math.isclose(report["p95_mm"], found.quantile_mm(0.95))


def test_a_rehearsal_that_is_done_is_found_done_and_another_refused(
    suite: Suite, rehearsed: tuple[Path, SuiteInfo, Accuracy], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, info, _ = rehearsed
    monkeypatch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: scene.verdict)
    again, _ = rehearse(suite, out, SEED, SIZE)
    assert again.content_hash == info.content_hash
    result = invoke("mirror", "rehearse", suite.path, "--out", out, "--seed", "6", code=2)
    assert "is of another rehearsal" in result.stderr


def test_a_capture_that_is_not_as_planned_does_not_count(
    suite: Suite, rehearsed: tuple[Path, SuiteInfo, Accuracy], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: scene.verdict)
    path = next(iter(captured_scenes(rehearsed[0] / "captured").values()))
    known = (path / "capture.json").read_text(encoding="utf-8")
    wrong = read_capture(path).model_copy(update={"as_planned": False})
    (path / "capture.json").write_text(wrong.model_dump_json(), encoding="utf-8")
    info, unverified = verify_captures(suite, path.parents[1])
    (path / "capture.json").write_text(known, encoding="utf-8")
    assert unverified[wrong.mirror_of] == "not as planned"
    assert (info.counts["pairs"], info.counts["questions"]) == (0, 0)


def test_a_folder_of_something_else_and_a_world_that_does_not_come_up_are_told(
    suite: Suite, tmp_path: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is not empty"):
        rehearse(suite, tmp_path, seed=1)
    with pytest.raises(EnvironmentFaultError, match=r"world ended: .*nothing"):
        MockRig(tmp_path / "nothing", tmp_path / "rig.yaml", 1)

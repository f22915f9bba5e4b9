"""Captures become a suite: what was measured is tried again, and only what holds is asked about."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from calibrated import calibrated
from commands import invoke
from making import made_suite
from measured import Measured

from pactwin.hardware import FrameSet, JointState, RgbdFrame, Rig
from pactwin.real import (
    Placement,
    TableCheck,
    captured_scenes,
    read_capture,
    render_captures,
    verify_captures,
    write_capture,
    write_outcome,
)
from pactwin.sim import ensure_gl
from pactwin.suite import (
    Camera,
    Constraint,
    InvalidInputError,
    Outcome,
    Scene,
    Suite,
    Visibility,
    check_suite,
    load_suite,
)

pytestmark = pytest.mark.slow

OFF_M = 0.003
SIZE = (640, 360)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    options = [
        "--seed=3",
        "--pairs=1",
        "--domains=occupancy",
        "--cameras=head,side",
        "--size=640x360",
    ]
    return Suite.open(made_suite(tmp_path_factory.mktemp("simulated"), "constraints", *options))


@pytest.fixture(scope="module")
def rig(simulated: Suite) -> Rig:
    """Cameras that stand where those of the simulated scene do, and know it."""
    rig = Measured(1).rig
    assert rig.calibration is not None
    views = next(simulated.scenes()).views
    known = {
        view.camera.name: calibrated(view.camera.K, view.camera.world_from_camera)
        for view in views
        if isinstance(view.camera, Camera)
    }
    calibration = rig.calibration.model_copy(update={"cameras": known})
    return rig.model_copy(update={"calibration": calibration})


def found(scene: Scene, off_m: float = OFF_M) -> list[Placement]:
    """All things in their places, each off by as much."""
    placements = []
    for thing in scene.objects:
        pose = np.array(thing.world_from_object)
        pose[0, 3] += off_m
        placements.append(Placement(thing.name, "ok", 1e3 * off_m, 0.0, 1.0, 90, pose))
    return placements


def capture(
    folder: Path, suite: Suite, rig: Rig, scene: Scene, placements: list[Placement]
) -> Path:
    width, height = SIZE
    frames = {
        camera.name: RgbdFrame(
            np.full((height, width, 3), 90, np.uint8),
            np.full((height, width), 800, np.uint16),
            1,
            10**18,
        )
        for camera in rig.cameras
    }
    frame_set = FrameSet(frames, JointState({"waist_yaw_joint": 0.1}, 10**18, 0, 5), 3.0, 2.0)
    return write_capture(
        folder,
        scene.id,
        suite.info.content_hash,
        rig,
        frame_set,
        TableCheck(tuple(placements)),
        "lamp on the left",
    )


@pytest.fixture(scope="module")
def captured(simulated: Suite, rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both twins as captured, verified."""
    folder = tmp_path_factory.mktemp("captured")
    for scene in simulated.scenes():
        capture(folder, simulated, rig, scene, found(scene))
    outcome = Outcome(worked=False, constraint=Constraint.COVERED, how="the lid is in the way")
    write_outcome(folder, next(simulated.scenes()).id, outcome)
    _, unverified = verify_captures(simulated, folder)
    assert not unverified
    return folder


def test_verified_captures_are_a_suite_without_fault_that_asks_what_the_twins_ask(
    simulated: Suite, captured: Path
) -> None:
    assert check_suite(captured) == []
    suite = load_suite(captured)
    assert suite.suite.info.name == "rehearsal"
    originals = {scene.id: scene for scene in simulated.scenes()}
    asked = {(q.scene_id, q.form): q for q in simulated.questions()}
    assert {scene.mirror_of for scene in suite.scenes.values()} == originals.keys()
    for question in suite.questions.values():
        scene = suite.scenes[question.scene_id]
        same = asked[str(scene.mirror_of), question.form]
        assert (question.text, question.truth, question.options) == (
            same.text,
            same.truth,
            same.options,
        )
        assert question.views
    assert {q.form for q in suite.questions.values()} >= {"yes_no", "choice", "open"}


def test_scenes_tell_how_they_were_captured_and_where_things_were_measured(simulated, captured):
    first = next(simulated.scenes())
    for scene in Suite.open(captured).scenes():
        assert scene.source == "rehearsal"
        assert scene.capture is not None
        assert scene.capture.joints_rad == {"waist_yaw_joint": 0.1}
        assert scene.capture.notes == "lamp on the left"
        assert set(scene.capture.placement.values()) == {"ok"}
        assert (scene.capture.outcome is not None) == (scene.mirror_of == first.id)
        off = places_of(scene) - places_of(simulated.scene(str(scene.mirror_of)))
        assert off[:, 0, 3] == pytest.approx(OFF_M, abs=2e-6)  # stored in micrometres
        assert all(view.mask is None and view.captured_at_ns for view in scene.views)


def test_verifying_again_gives_the_same_suite(simulated, captured, monkeypatch):
    before = Suite.open(captured).info
    # Trials that were made take seconds.
    made = {scene.mirror_of: scene.decided for scene in Suite.open(captured).scenes()}
    monkeypatch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: made[scene.id])
    part = captured.with_name(f".{captured.name}.part")
    part.mkdir()  # of a process that was killed
    (part / "scenes.jsonl").write_text("half")
    info, _ = verify_captures(simulated, captured)
    assert not part.exists()
    assert info.content_hash == before.content_hash
    assert info.files == before.files


def test_views_that_were_hidden_when_they_were_captured_are_not_asked_about(
    simulated: Suite, captured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {scene.mirror_of: scene.decided for scene in Suite.open(captured).scenes()}
    monkeypatch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: made[scene.id])
    copy = shutil.copytree(captured, tmp_path / "copy")
    one = next(iter(captured_scenes(copy).values()))
    before = read_capture(one)
    nothing = {thing.name: Visibility(pixels=9, fraction=0.01) for thing in before.objects}
    side = [v.model_copy(update={"seen": nothing}) for v in before.views if v.camera.name == "side"]
    kept = [view for view in before.views if view.camera.name != "side"]
    changed = before.model_copy(update={"views": (*kept, *side)})
    (one / "capture.json").write_text(changed.model_dump_json(), encoding="utf-8")
    verify_captures(simulated, copy)
    questions = list(Suite.open(copy).questions())
    assert questions
    assert all(question.views == ("head",) for question in questions)


def test_what_is_not_as_planned_or_tried_otherwise_is_kept_and_not_asked_about(
    simulated: Suite, rig: Rig, tmp_path: Path
) -> None:
    blocked, free = sorted(simulated.scenes(), key=lambda scene: scene.decided.feasible)
    lost = found(blocked)
    lost[0] = replace(lost[0], state="missing", table_from_object=None)
    capture(tmp_path, simulated, rig, blocked, lost)
    # Where it was measured, one thing stands in another: no trial can tell anything of that.
    jammed = found(free)
    assert jammed[1].table_from_object is not None
    pose = jammed[0].table_from_object
    jammed[1] = replace(jammed[1], table_from_object=pose)
    capture(tmp_path, simulated, rig, free, jammed)
    info, unverified = verify_captures(simulated, tmp_path)
    assert unverified[blocked.id] == "not as planned"
    assert unverified[free.id].startswith("feasible twin: ")
    assert (info.counts["scenes"], info.counts["questions"]) == (2, 0)
    assert check_suite(tmp_path) == []
    for scene in Suite.open(tmp_path).scenes():
        assert scene.verdict is None
        assert scene.capture is not None
        assert scene.capture.unverified


def test_captures_of_another_suite_or_changed_ones_are_refused(
    simulated: Suite, captured: Path, tmp_path: Path, fake_suite_path: Path
) -> None:
    with pytest.raises(InvalidInputError, match="is no capture of a scene of"):
        verify_captures(Suite.open(fake_suite_path), captured)
    with pytest.raises(InvalidInputError, match="holds no captures"):
        verify_captures(simulated, tmp_path)
    copy = shutil.copytree(captured, tmp_path / "copy")
    picture = next(iter(captured_scenes(copy).values())) / "head.png"
    picture.write_bytes(picture.read_bytes() + b"x")
    assert "hash" in {fault.what for fault in check_suite(copy)}
    result = invoke("mirror", "verify", simulated.path, copy, code=3)
    assert "was changed after it was captured" in result.stderr


def test_twins_are_drawn_again_through_the_cameras_of_the_captures(simulated, captured, tmp_path):
    gl = ensure_gl().renderer
    real = {scene.mirror_of: scene for scene in Suite.open(captured).scenes()}
    for where in ("measured", "planned"):
        out = tmp_path / where
        render_captures(simulated, Suite.open(captured), out, where, gl)
        assert check_suite(out) == []
        for scene in Suite.open(out).scenes():
            taken, original = real[scene.mirror_of], simulated.scene(str(scene.mirror_of))
            assert [v.camera for v in scene.views] == [v.camera for v in taken.views]
            wanted = taken if where == "measured" else original
            assert np.allclose(places_of(scene), places_of(wanted), atol=2e-6)
            assert scene.source == "sim"


def places_of(scene: Scene) -> np.ndarray:
    return np.array([thing.world_from_object for thing in scene.objects])


def test_outcomes_are_noted_by_command_and_only_of_captures(simulated, captured):
    scene = list(simulated.scenes())[1].id
    noted = ["mirror", "outcome", str(captured), scene, "--failed", "--constraint"]
    invoke(*noted, "occupied")
    assert (captured_scenes(captured)[scene] / "outcome.json").is_file()
    invoke(*noted, "tired", code=2)
    other = invoke("mirror", "outcome", captured, "0" * 16, "--worked", code=2)
    assert "has no capture of scene" in other.stderr
    assert read_capture(captured_scenes(captured)[scene]).mirror_of == scene

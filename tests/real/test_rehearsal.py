"""The whole session without hardware, through the drivers' own interfaces, on one pair."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from commands import invoke
from drawn_scenes import drawn_suite

from pactwin.hardware import (
    ColorSettings,
    Intrinsics,
    RecordedCamera,
    RgbdFrame,
    Undistorter,
    read_rig,
)
from pactwin.hardware.bench import finished, open_camera
from pactwin.real import captured_scenes, check_table, read_capture, verify_captures
from pactwin.real.rehearsal.mock_rig import MockRig
from pactwin.real.rehearsal.rehearse import Accuracy, rehearse
from pactwin.real.table_check import TableCheck
from pactwin.sim import rebuild_layout
from pactwin.suite import (
    EnvironmentFaultError,
    InvalidInputError,
    Suite,
    SuiteInfo,
    check_suite,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def drawn_pair(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A pair as it is drawn, with made-up verdicts and no pictures."""
    return drawn_suite(tmp_path_factory.mktemp("drawn") / "suite", "size_mismatch")


@pytest.fixture(scope="module")
def rehearsed(
    drawn_pair: Suite, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, SuiteInfo, Accuracy]:
    out = tmp_path_factory.mktemp("rehearsed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: scene.verdict)
        info, found = rehearse(drawn_pair, out, seed=5, size_px=SIZE)
    return out, info, found


def test_it_makes_a_suite_without_fault_that_says_what_it_is(
    rehearsed: tuple[Path, SuiteInfo, Accuracy],
) -> None:
    out, info, _ = rehearsed
    assert check_suite(out / "captured") == []
    assert info.name == info.request["source"] == "rehearsal"
    assert info.counts["pairs"] == 1
    assert info.counts["questions"] >= 6
    for scene in Suite.open(out / "captured").scenes():
        assert scene.source == "rehearsal"
        assert scene.capture is not None
        assert scene.capture.outcome is not None
        assert "rehearsal" in scene.capture.notes


def test_what_is_measured_fits_what_is_there(
    rehearsed: tuple[Path, SuiteInfo, Accuracy],
) -> None:
    out, _, found = rehearsed
    for mm, degrees in found.cameras.values():
        assert 0 < mm < 2
        assert degrees < 0.2
    assert found.within(8.0) == 1.0
    assert len(found.alarms) <= 2
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["cameras"].keys() == {"head", "side"}
    assert len(report["objects_mm"]) == 2
    assert math.isclose(report["p95_mm"], found.quantile_mm(0.95))


def test_a_rehearsal_that_is_done_is_found_done_and_another_refused(
    drawn_pair: Suite, rehearsed: tuple[Path, SuiteInfo, Accuracy], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, info, _ = rehearsed
    monkeypatch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: scene.verdict)
    again, _ = rehearse(drawn_pair, out, seed=5, size_px=SIZE)
    assert again.content_hash == info.content_hash
    result = invoke("mirror", "rehearse", drawn_pair.path, "--out", out, "--seed", "6", code=2)
    assert "is of another rehearsal" in result.stderr


def test_a_capture_that_is_not_as_planned_does_not_count(
    drawn_pair: Suite, rehearsed: tuple[Path, SuiteInfo, Accuracy], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pactwin.real.verification.verdict_on", lambda scene, _: scene.verdict)
    path = next(iter(captured_scenes(rehearsed[0] / "captured").values()))
    known = (path / "capture.json").read_text(encoding="utf-8")
    wrong = read_capture(path).model_copy(update={"as_planned": False})
    (path / "capture.json").write_text(wrong.model_dump_json(), encoding="utf-8")
    info, unverified = verify_captures(drawn_pair, path.parents[1])
    (path / "capture.json").write_text(known, encoding="utf-8")
    assert unverified[wrong.mirror_of] == "not as planned"
    assert (info.counts["pairs"], info.counts["questions"]) == (0, 0)


def test_a_recorded_scene_replays_bit_by_bit_to_the_same_check(
    drawn_pair: Suite, rehearsed: tuple[Path, SuiteInfo, Accuracy], tmp_path: Path
) -> None:
    rig_path = tmp_path / "rig.yaml"
    rig_path.write_text((rehearsed[0] / "rig.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    ((scene, twin),) = drawn_pair.pairs()
    live: dict[str, list[RgbdFrame]] = {}
    with MockRig(drawn_pair.path, rig_path, 5, SIZE) as mock:
        rig = read_rig(rig_path)
        mock.set_up(scene.id)
        for spec in rig.cameras:
            file = tmp_path / f"{spec.name}.db3"
            camera = open_camera(rig, spec, ColorSettings(), record=file)
            live[spec.name] = [camera.frame() for _ in range(5)]
            camera.close()
            del camera  # the file is whole once nobody refers to the device
    again: dict[str, list[RgbdFrame]] = {}
    for spec in rig.cameras:
        numbers = {frame.number for frame in live[spec.name]}
        with RecordedCamera(tmp_path / f"{spec.name}.db3", spec) as recorded:
            kept = [recorded.frame()]
            while kept[-1].number < max(numbers):
                kept.append(recorded.frame())
        again[spec.name] = [frame for frame in kept if frame.number in numbers]
        for before, after in zip(live[spec.name], again[spec.name], strict=True):
            assert np.array_equal(before.color, after.color)
            assert np.array_equal(before.depth_mm, after.depth_mm)
            assert before.captured_at_ns == after.captured_at_ns

    def checked(shown: dict[str, list[RgbdFrame]]) -> TableCheck:
        frames = {}
        for name, (first, *more) in shown.items():
            known = rig.calibrated(name)
            width_px, height_px = first.color.shape[1::-1]
            pinhole = Intrinsics(width_px, height_px, np.array(known.K), np.zeros(5))
            lens = Undistorter(pinhole, known.lens)
            frames[name] = finished(first, more, known.depth_scale, lens)
        return check_table(rebuild_layout(scene), rebuild_layout(twin), rig, frames)

    first, second = checked(live), checked(again)
    assert first.wrong == second.wrong
    assert repr(first.placements) == repr(second.placements)
    assert repr(first.solved) == repr(second.solved)
    assert first.solved.keys() == {"head", "side"}


def test_a_folder_of_something_else_and_a_world_that_does_not_come_up_are_told(
    drawn_pair: Suite, tmp_path: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("mine", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is not empty"):
        rehearse(drawn_pair, tmp_path, seed=1)
    with pytest.raises(EnvironmentFaultError, match=r"world ended: .*nothing"):
        MockRig(tmp_path / "nothing", tmp_path / "rig.yaml", 1)

"""The rig file: what is wrong in it is named with its line, and calibration leaves it as it is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from calibrated import calibrated

from pactwin.hardware import (
    Calibration,
    Rig,
    RigCamera,
    RobotLink,
    read_rig,
    write_calibration,
    write_rig,
)
from pactwin.suite import InvalidInputError

RIG = """\
# my bench
cameras:
- name: head
  serial: "123456"   # in the head
  mount: head
- {name: side, serial: "654321", mount: fixed}
robot:
  interface: eth0
"""


def calibration(ruler_mm: float = 99.0) -> Calibration:
    return Calibration(
        date=datetime(2026, 11, 22, tzinfo=UTC),
        board="apriltag_36h11 7x5 50 mm",
        ruler_mm=ruler_mm,
        cameras={"side": calibrated(depth_scale=1.01)},
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rig.yaml"
    path.write_text(RIG, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "wrong", "number", "said"),
    [
        ('  serial: "123456"   # in the head', "  serial: 12", 4, "cameras.0.serial"),
        ("  interface: eth0", "  interface: eth0\n  domain: 999", 9, "robot.domain"),
        ("  interface: eth0", "  interfaces: eth0", 7, "robot.interface"),
        ('"654321", mount: fixed', '"654321", mount: roof', 6, "cameras.1.mount"),
        ('"654321"', '"123456"', 1, "two cameras have the same serial"),
        ("# my bench", "# my bench\ncolour: blue", 2, "colour"),
        ("# my bench", "# my bench\ntable: {depth_mm: 1.0e+308}", 2, "table.depth_mm"),
        ("# my bench", "# my bench\nlimits: {skew_ms: 1.0e-320}", 2, "limits.skew_ms"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(path, line, wrong, number, said):
    assert line in RIG
    path.write_text(RIG.replace(line, wrong), encoding="utf-8")
    with pytest.raises(InvalidInputError) as caught:
        read_rig(path)
    assert f"rig.yaml, line {number}: " in str(caught.value)
    assert said in str(caught.value)


def test_what_is_no_rig_file_is_refused_in_one_line(tmp_path: Path) -> None:
    for name, data in (
        ("a", b"- 1"),
        ("b", b"{"),
        ("c", b"\xff\xfe"),
        ("d", b""),
        ("e", b'a: "\\ud800"'),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InvalidInputError, match=f"rig file .*{name}"):
            read_rig(path)
    with pytest.raises(InvalidInputError, match="pactwin rig init"):
        read_rig(tmp_path / "nothing")


def test_calibration_replaces_calibration_and_nothing_else(path: Path) -> None:
    text = RIG + "limits: {skew_ms: 5.0}   # strict\n"
    path.write_text(text, encoding="utf-8")
    for ruler in (99.0, 98.5):
        write_calibration(path, calibration(ruler))
        rig = read_rig(path)
        assert rig.calibration == calibration(ruler)
        assert path.read_text(encoding="utf-8").startswith(text)
        assert rig.limits.skew_ms == 5.0
    # wherever the operator moved it
    moved = path.read_text(encoding="utf-8")
    head, _, block = moved.partition("calibration:")
    path.write_text("calibration:" + block + head, encoding="utf-8")
    write_calibration(path, calibration(97.0))
    found = read_rig(path)
    assert found.calibration == calibration(97.0)
    assert [camera.name for camera in found.cameras] == ["head", "side"]
    assert path.read_text(encoding="utf-8").count("calibration:") == 1


@pytest.mark.parametrize("key", ["board", "mat"])  # its name of before
def test_a_calibration_with_another_board_or_of_another_camera_does_not_count(path, key):
    write_calibration(path, calibration())
    rig = read_rig(path)
    assert rig.calibrated("side").depth_scale == 1.01
    with pytest.raises(InvalidInputError, match="'head' is not calibrated"):
        rig.calibrated("head")
    path.write_text(f"{key}: {{square_mm: 40}}\n" + path.read_text("utf-8"), encoding="utf-8")
    with pytest.raises(InvalidInputError, match="its board is now apriltag_36h11 7x5 40 mm"):
        read_rig(path).calibrated("side")
    assert calibration(99.0).id != calibration(98.0).id


def test_a_rig_that_is_written_reads_the_same(tmp_path: Path) -> None:
    rig = Rig(
        cameras=(RigCamera(name="head", serial="123456", mount="head"),),
        robot=RobotLink(interface="lo", domain=1),
    )
    write_rig(tmp_path / "rig.yaml", rig)
    assert read_rig(tmp_path / "rig.yaml") == rig

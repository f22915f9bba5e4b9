"""What is wrong with a bench is said device by device, with what to do."""

from pathlib import Path

import pytest
from commands import invoke
from played_camera import SPEC, Filming, Player
from published_states import expected, published

from pactwin.hardware import (
    Finding,
    Limits,
    RealSenseCamera,
    Rig,
    RobotLink,
    check_bench,
    write_rig,
)
from pactwin.hardware import bench as bench_module
from pactwin.hardware import bench_check as check_module
from pactwin.hardware.dds_peers import unused_domain


@pytest.fixture(autouse=True)
def _heard_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "LISTEN_S", 0.1)


SILENT = RobotLink(interface="nowhere0")


def rig_of(player: Player | None, robot: RobotLink = SILENT, **limits: float) -> Rig:
    address = None if player is None else player.address
    return Rig(cameras=(SPEC,), robot=robot, limits=Limits(**limits), rehearsal=address)


def found(rig: Rig) -> dict[str, Finding]:
    return {finding.subject: finding for finding in check_bench(rig)}


def frames(count: int, step: int = 1) -> list[dict | None]:
    return [{"number": number} for number in range(1, 1 + step * count, step)]


def test_each_fault_is_said_and_hides_no_other(tmp_path: Path) -> None:
    with Player(tmp_path, frames(20)) as player:
        said = found(rig_of(player))
    assert said["camera side"].ok
    assert "sends pictures" in said["camera side"].message
    assert not said["board from side"].ok
    assert (
        "0 corners are seen, 12 are needed: lay the board flat in view"
        in said["board from side"].message
    )
    assert not said["robot"].ok
    assert "no network interface 'nowhere0' for DDS: this computer has lo" in said["robot"].message


def test_usb_2_and_lost_pictures_are_told(tmp_path: Path) -> None:
    with Player(tmp_path, [], usb="2.1") as player:
        assert "is on USB 2.1: use a USB 3 port" in found(rig_of(player))["camera side"].message
    (tmp_path / "b").mkdir()
    with Player(tmp_path / "b", frames(20, step=4)) as player:
        camera = found(rig_of(player))["camera side"]
    assert not camera.ok
    assert "pairs of pictures were lost: give it a USB port of its own" in camera.message


def test_a_camera_that_is_not_there_or_that_another_process_holds(monkeypatch):
    absent = found(rig_of(None))["camera side"]
    assert not absent.ok
    assert "camera 'side' (played-1) is not connected, found: none; plug it in" in absent.message
    with Filming() as film:
        monkeypatch.setattr(bench_module, "find_device", lambda spec: film.device.device)
        with RealSenseCamera(film.device.device, SPEC):
            held = found(rig_of(None))["camera side"]
        free = found(rig_of(None))["camera side"]
    assert not held.ok
    assert "holds it" in held.message
    assert free.ok, free.message


@pytest.mark.parametrize(("rate", "domain", "ok"), [(100, 67, True), (4, 68, False)])
def test_joint_states_that_come_seldom_are_stale(rate: int, domain: int, ok: bool) -> None:
    link = RobotLink(interface="lo", domain=domain)
    # Whoever runs this may be held up; four states a second are stale whatever happens.
    rig = rig_of(None, link, state_age_ms=200.0)
    with published(expected(5), domain, rate):
        robot = found(rig)["robot"]
    assert robot.ok == ok, robot.message
    if not ok:
        assert "joint states on 'lo' (domain 68) are stale for up to 2" in robot.message


def test_a_rehearsal_is_given_a_domain_that_nobody_uses() -> None:
    with published(expected(5), first := unused_domain()):
        second = unused_domain()
        with published(expected(5), second):
            assert len({first, second, unused_domain()}) == 3


def test_the_command_tells_every_device_and_fails(tmp_path: Path) -> None:
    write_rig(tmp_path / "rig.yaml", rig_of(None))
    result = invoke("rig", "check", "--no-board", "--rig", tmp_path / "rig.yaml", code=1)
    camera, peers, robot = result.stdout.splitlines()
    assert camera.startswith("fault camera side")
    assert peers.startswith("fault DDS peers")
    assert robot.startswith("fault robot")
    assert "rig.yaml: not ready: camera side, DDS peers, robot" in result.stderr

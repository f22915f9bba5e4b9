"""What pactwin announces does no harm to peers of the robot's DDS version.

CycloneDDS 0.10.2 crashes in discovery on kinds of types that it does not know.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from played_camera import SPEC
from robot_peers import built_peer, peers

from pactwin.hardware import Rig, RobotLink, check_bench
from pactwin.hardware.lowstate import TYPE_HASH, announced_hash

pytestmark = pytest.mark.slow

RATE_HZ = 500
SECONDS = 10
READER = """
import sys, time
import cyclonedds.idl.types as types
if sys.argv[3] == "planted":
    types.byte = types.uint8
from pactwin.hardware import RobotLink, g1_state, lowstate
g1_state.TYPE_HASH = lowstate.announced_hash()  # whatever it is, it is announced
robot = g1_state.G1State(RobotLink(interface="lo", domain=int(sys.argv[1])), timeout_s=20.0)
until, ticks = time.monotonic() + float(sys.argv[2]), []
while time.monotonic() < until:
    ticks += [state.tick for state in robot.states()]
    time.sleep(0.01)
print(len(ticks), ticks[-1] - ticks[0] + 1, len(set(ticks)))
"""


def reader(domain: int, seconds: float, member: str = "byte") -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", READER, str(domain), str(seconds), member]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_peer(tmp_path_factory.mktemp("peer"))


@pytest.fixture(scope="module", autouse=True)
def long_run(program: Path) -> Iterator[tuple["subprocess.Popen[str]", ...]]:
    """Goes on beside the other tests of this module."""
    with peers(program, 81, RATE_HZ, 60.0) as (writer, other):
        ours = reader(81, SECONDS)
        try:
            yield writer, other, ours
        finally:
            ours.kill()
            ours.communicate()


def test_the_announced_type_is_that_of_the_sdk_in_c(program: Path) -> None:
    assert TYPE_HASH.hex() == "2f38296b52aa0230b92d378b1e39"
    assert announced_hash() == TYPE_HASH
    # As the IDL compiler of 0.10 tells it for a message of octets.
    compiled = (program.parent / "lowstate.c").read_text()
    assert ", ".join(f"0x{byte:02x}" for byte in TYPE_HASH[:8]) in compiled


def test_planted_uint8_crashes_both_peers(program: Path) -> None:
    with peers(program, 82, RATE_HZ, 60.0) as (writer, other):
        ours = reader(82, 5.0, "planted")
        try:
            assert writer.wait(30) == -signal.SIGSEGV
            assert other.wait(30) == -signal.SIGSEGV
        finally:
            ours.kill()
            ours.communicate()


def test_another_type_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    from pactwin.hardware import g1_state
    from pactwin.suite import EnvironmentFaultError

    monkeypatch.setattr(g1_state, "TYPE_HASH", bytes(14))
    for device in (g1_state.G1State, g1_state.LowStatePublisher):
        with pytest.raises(EnvironmentFaultError, match="peers of the robot's version would crash"):
            device(RobotLink(interface="lo", domain=83))


def test_the_check_names_peers_and_their_version_before_joining(long_run):
    rig = Rig(cameras=(SPEC,), robot=RobotLink(interface="lo", domain=81))
    found = {finding.subject: finding for finding in check_bench(rig)}
    assert "2 of CycloneDDS 0.10." in found["DDS peers"].message
    assert TYPE_HASH.hex() in found["DDS peers"].message
    assert found["robot"].ok, found["robot"].message


def test_peers_survive_our_reader_and_nothing_is_lost(long_run):
    writer, other, ours = long_run
    told, fault = ours.communicate(timeout=2 * SECONDS)
    assert ours.returncode == 0, fault
    states, span, distinct = map(int, told.split())
    assert states == span == distinct
    assert states > 0.5 * RATE_HZ * SECONDS
    for peer in (writer, other):
        peer.terminate()
        count, _ = peer.communicate(timeout=SECONDS)
        assert peer.returncode == 0
        assert int(count) > RATE_HZ

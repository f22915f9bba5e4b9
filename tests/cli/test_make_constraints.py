"""``pactwin make constraints``: refuses mistakes early, loses nothing when killed."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import invoke

from pactwin.sim import domain_names
from pactwin.suite import Suite, check_suite

COMMAND = [sys.executable, "-c", "from pactwin.cli import main; main()", "make", "constraints"]


def arguments(out: Path) -> list[str]:
    options = {"seed": 23, "pairs": 2, "cameras": "head", "size": "320x240"}
    options["domains"] = "size_mismatch,occupancy"
    return ["--out", str(out), *(f"--{name}={value}" for name, value in options.items())]


@pytest.mark.parametrize(
    ("option", "known"),
    [
        ("--domains=levitation", ", ".join(domain_names())),
        ("--domains=support,,stability", "reachability"),
        ("--domains=support,support", "more than once"),
        ("--robot=r2d2", "g1, panda"),
        ("--robot=all", "g1, panda"),
        ("--cameras=ceiling", "agent, front, head, side"),
        ("--address=head:6379", "only with --engine ray"),
        ("--size=640", "640x480"),
        ("--size=5x99999", "160 to 1920"),
        ("--size=160x120", "160 to 1920"),
    ],
)
def test_a_wrong_name_is_one_line_that_says_what_exists(tmp_path, option, known):
    out = tmp_path / "suite"
    result = invoke("make", "constraints", *arguments(out), option, code=2)
    assert known in result.stderr
    assert result.stderr.count("\n") == 1
    assert not out.exists()


def test_names_are_checked_before_the_simulator_is_loaded(tmp_path: Path) -> None:
    constraints = ["make", "constraints", *arguments(tmp_path), "--robot=r2d2"]
    objects = ["make", "objects", f"--out={tmp_path}", "--seed=1", "--kinds=unicorn"]
    program = (
        "import sys; from pactwin.cli import app\n"
        f"for command in {[constraints, objects]}:\n"
        "    app(command, standalone_mode=False)\n"
        "    print({'mujoco', 'inspect_ai', 'sklearn', 'ray'} & sys.modules.keys())"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "r2d2" in run.stderr and "unicorn" in run.stderr
    assert run.stdout == "set()\n" * 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite that two workers made, without interruption."""
    out = tmp_path_factory.mktemp("whole") / "suite"
    invoke("make", "constraints", *arguments(out), "--workers=2")
    return out


@pytest.mark.slow
def test_killed_and_resumed_is_the_same_as_never_interrupted(whole: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    process = subprocess.Popen([*COMMAND, *arguments(killed)], stderr=subprocess.DEVNULL)
    journal = killed / "journal.jsonl"
    give_up = time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") == 2):
        assert process.poll() is None, "ended before it could be killed"
        assert time.monotonic() < give_up
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (killed / "suite.json").exists()
    invoke("show", killed, code=3)  # a half-written suite is not one

    invoke("make", "constraints", *arguments(killed))
    assert Suite.open(killed).info.content_hash == Suite.open(whole).info.content_hash
    assert check_suite(killed) == []

    finished = (killed / "suite.json").stat().st_mtime_ns
    invoke("make", "constraints", *arguments(killed))
    assert (killed / "suite.json").stat().st_mtime_ns == finished
    other = invoke("make", "constraints", *arguments(killed), "--seed=6", code=3)
    assert "seed 23, not 6" in other.stderr

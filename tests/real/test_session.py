"""A session: one scene after another, and nothing is lost whatever happens in between."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest
from commands import invoke
from tables import Table

from pactwin.hardware import ColorSettings, write_rig
from pactwin.real import captured_scenes, color_settings, read_capture
from pactwin.real.captures import read_outcome
from pactwin.real.session import live as live_module
from pactwin.sim import Item
from pactwin.suite import (
    Constraint,
    EnvironmentFaultError,
    InvalidInputError,
    Outcome,
    SuiteError,
)

pytestmark = pytest.mark.slow


def test_a_scene_is_checked_captured_tried_by_hand_and_the_next_one_comes(table: Table) -> None:
    with table.session() as session:
        first = session.current
        assert first == session.scenes[0]
        assert session.check(first)
        assert session.found is not None
        assert {placement.name for placement in session.found.placements} == {
            item.name for item in session.layout.items
        }
        assert session.capture(first, "lamp on", anyway=False)
        session.note(first, Outcome(worked=False, constraint=Constraint.COVERED, how="the hand"))
        capture = read_capture(captured_scenes(table.folder)[first])
        assert (capture.mirror_of, capture.notes, capture.as_planned) == (first, "lamp on", True)
        assert session.outcome() == Outcome(
            worked=False, constraint=Constraint.COVERED, how="the hand"
        )
        assert session.next(first)
        assert session.current == session.scenes[1]
        assert session.found is None
        assert session.outcome() is None
        with pytest.raises(InvalidInputError, match="is at scene"):
            session.capture(first, "", anyway=False)


def test_what_is_not_as_planned_is_stored_with_notes_only(table: Table) -> None:
    table.bench.items.pop()
    with table.session() as session:
        scene = session.current
        assert not session.capture(scene, "", anyway=False)
        assert session.found is not None
        assert session.found.wrong == ["plank: missing"]
        assert captured_scenes(table.folder) == {}
        with pytest.raises(InvalidInputError, match="say in the notes why"):
            session.capture(scene, " ", anyway=True)
        assert session.capture(scene, "the plank is lost", anyway=True)
        assert not read_capture(captured_scenes(table.folder)[scene]).as_planned
        with pytest.raises(InvalidInputError, match="is there already"):
            session.capture(scene, "again", anyway=True)


def test_a_session_goes_on_where_it_was_and_skips_what_is_captured(table: Table) -> None:
    with table.session() as session:
        first, second, third = session.scenes[:3]
        session.go(first, second)
        assert session.capture(second, "", anyway=False)
        with pytest.raises(InvalidInputError, match="another session is open"):
            table.session()
    # Cameras are set as in the captures of before.
    assert color_settings(table.folder) == {"head": ColorSettings(), "side": ColorSettings()}
    with table.session() as session:
        assert session.current == second  # its outcome may still be noted
        assert session.next(second)
        assert session.current == third
        session.go(third, session.scenes[-1])
        assert session.next(session.current)
        assert session.current == first
        with pytest.raises(InvalidInputError, match="no scene 'elsewhere'"):
            session.go(first, "elsewhere")
    (table.folder / "session" / "state.json").unlink()
    with table.session() as session:
        assert session.current == first


def test_a_session_of_another_suite_or_with_damaged_files_is_refused(table: Table) -> None:
    with table.session() as session:
        session.next(session.current)
    state = table.folder / "session" / "state.json"
    text = state.read_text("utf-8")
    state.write_text(text.replace(table.suite.info.content_hash, "0" * 64), encoding="utf-8")
    with pytest.raises(InvalidInputError, match="has a session with another suite"):
        table.session()
    state.write_text("{", encoding="utf-8")
    with pytest.raises(SuiteError, match=r"state.json"):
        table.session()


def test_a_full_disk_is_told_and_the_session_goes_on(table, monkeypatch):
    def full(fd: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with table.session() as session:
        scene = session.current
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(OSError, match="No space left on device"):
                session.capture(scene, "", anyway=False)
        assert captured_scenes(table.folder) == {}
        assert session.doing == ""
        assert session.capture(scene, "", anyway=False)


KILLED = """
import os, signal, sys
from pathlib import Path
from measured import Measured
from pactwin.suite import Suite
from tables import Table, TableBench, three_things
suite, folder = Path(sys.argv[1]), Path(sys.argv[2])
bench = TableBench(Measured(1), list(three_things().items))
session = Table(Suite.open(suite), {}, bench, folder).session()
session.capture(session.current, "", anyway=False)
session.next(session.current)
real, calls = os.fsync, []
def killed(fd):
    calls.append(fd)
    if len(calls) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
os.fsync = killed
session.capture(session.current, "", anyway=False)
"""


def test_kill_9_while_a_capture_is_written_loses_nothing_that_was_captured(table, fake_suite_path):
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(fake_suite_path)]
    paths = [str(Path(__file__).parent), *sys.path]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    died = subprocess.run([*command, str(table.folder)], capture_output=True, check=False, env=env)
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    with table.session() as session:
        first, second = session.scenes[:2]
        assert session.current == second
        assert session.captured() == {first}
        assert read_capture(captured_scenes(table.folder)[first]).mirror_of == first
        assert session.capture(second, "", anyway=False)
        assert session.captured() == {first, second}


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "PAUSE_S", 0.01)
    monkeypatch.setattr(live_module, "RETRY_S", 0.05)


@pytest.mark.usefixtures("hasty")
def test_a_device_that_fails_is_told_and_opened_again_until_it_works(table: Table) -> None:
    table.bench.fault = "camera 'side' sent no new pair: check its cable and replug it"
    live = table.live()
    try:
        with table.session(live.grab) as session:
            with pytest.raises(EnvironmentFaultError, match="check its cable and replug it"):
                session.check(session.current)
            assert live.newest is None
            table.bench.fault = ""
            _until(lambda: not live.fault)
            assert table.bench.opened > 1
            assert session.check(session.current)
            before = time.time_ns()
            assert live.grab().frames["side"].captured_at_ns > before
            table.bench.fault = "no joint states on 'eth0'"
            _until(lambda: bool(live.fault))
            with pytest.raises(EnvironmentFaultError, match="no joint states on 'eth0'"):
                session.capture(session.current, "", anyway=False)
            assert captured_scenes(table.folder) == {}
    finally:
        live.close()


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not holds() and time.monotonic() < until:
        time.sleep(0.01)
    assert holds()


def test_the_terminal_leads_through_scenes(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a rehearsal, whose world and bench are those of this table."""
    things = list(table.bench.items)

    @contextmanager
    def played(suite: Path, rig: Path, seed: int, size: tuple[int, int]) -> Iterator[TableHands]:
        assert (suite, seed, size) == (table.suite.path, 4, (960, 540))
        write_rig(rig, table.rig)
        yield TableHands(table.bench.items, things)

    monkeypatch.setattr("pactwin.real.MockRig", played)
    monkeypatch.setattr("pactwin.hardware.Bench", lambda *_: table.bench.open())
    monkeypatch.setattr("pactwin.sim.rebuild_layout", table.layout_of)
    monkeypatch.setattr("pactwin.sim.verdict_on", lambda *_: None)
    table.bench.items.clear()
    out = ["--out", str(table.folder), "--terminal"]
    options = [str(table.suite.path), *out, "--rehearse", "--seed", "4", "--size", "960x540"]
    keys = ["c", "u", "s", "lamp on", "x", "f", "covered", "the lid", "n", "w", "q", ""]
    done = invoke("mirror", "session", *options, input="\n".join(keys))
    first, second = (scene.id for scene in next(table.suite.pairs()))
    assert f"scene 1 ({first}), 0 of 16 captured" in done.stdout
    assert f"scene 2 ({second}), 1 of 16 captured" in done.stdout
    assert "put the red block on the plank" in done.stdout
    assert done.stdout.count("missing") >= 3
    assert "unknown answer 'x'" in done.stderr
    assert f"has no capture of scene {second!r}" in done.stderr
    assert captured_scenes(table.folder).keys() == {first}
    path = captured_scenes(table.folder)[first]
    assert read_capture(path).notes == "lamp on"
    assert read_outcome(path) == Outcome(worked=False, constraint=Constraint.COVERED, how="the lid")


class TableHands:
    """They put down all ``things``."""

    def __init__(self, there: list[Item], things: list[Item]) -> None:
        self._there, self._things = there, things

    def set_up(self, scene: str) -> None:
        self._there[:] = self._things


def test_a_bench_that_ends_by_an_error_of_ours_is_told_and_does_not_hang(table, monkeypatch):
    monkeypatch.setattr("threading.excepthook", lambda told: None)

    def broken() -> NoReturn:
        raise KeyError("an error of pactwin")

    live = live_module.LiveBench(broken)
    with pytest.raises(EnvironmentFaultError, match="start the session again"):
        live.grab()
    live.close()

"""Tasks without a suite ask about the newest edition, made once in the user's cache."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from planted_editions import NAME, pinned, planted

from pactwin.suite import (
    EnvironmentFaultError,
    InvalidInputError,
    Suite,
    edition_folder,
    load_editions,
)
from pactwin.tasks import AnswerState, read_answers
from pactwin.tasks.core import editions as made_on_use
from pactwin.tasks.core.editions import suite_or_edition
from pactwin.tasks.kinds.lists.tasks import RECOGNITION


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _stub(patch: pytest.MonkeyPatch, suite: Path, journal: Path, code: str) -> None:
    """In place of ``pactwin make``: copies ``suite`` after noting its call in ``journal``."""
    program = (
        "import shutil, sys, time; from pathlib import Path\n"
        f"file = open({str(journal)!r}, 'a'); file.write(' '.join(sys.argv[1:]) + chr(10))\n"
        f"file.close()\n{code}\n"
        f"out = sys.argv[sys.argv.index('--out') + 1]; shutil.copytree({str(suite)!r}, out)\n"
    )
    patch.setattr(made_on_use, "_MAKE", (sys.executable, "-c", program))


def test_two_at_once_make_it_once(fake_suite_path, tmp_path, monkeypatch):
    journal = tmp_path / "journal"
    monkeypatch.setattr(made_on_use, "_POLL_S", 0.05)
    _stub(monkeypatch, fake_suite_path, journal, "time.sleep(0.5)")
    fixed = pinned(Suite.open(fake_suite_path))
    with planted(tmp_path / "editions.yaml", constraints=fixed), ThreadPoolExecutor(3) as threads:
        folders = set(threads.map(lambda _: suite_or_edition(None, "constraints"), range(3)))
        assert suite_or_edition("mine", "constraints") == "mine"
    (folder,) = folders
    assert Path(folder) == edition_folder(fixed["content_hash"])
    assert Suite.open(folder).info.content_hash == fixed["content_hash"]
    (call,) = journal.read_text().splitlines()
    assert call.startswith(f"constraints --edition {NAME} --out {folder}")


def test_a_failed_making_is_said_and_tried_again(fake_suite_path, tmp_path, monkeypatch):
    journal = tmp_path / "journal"
    with planted(tmp_path / "editions.yaml", objects=pinned(Suite.open(fake_suite_path))):
        _stub(monkeypatch, fake_suite_path, journal, "sys.exit(4)")
        with pytest.raises(EnvironmentFaultError, match="exit code 4"):
            suite_or_edition(None, "objects")
        _stub(monkeypatch, fake_suite_path, journal, "")
        Suite.open(suite_or_edition(None, "objects"))
    assert len(journal.read_text().splitlines()) == 2


def test_kinds_without_an_edition_say_so() -> None:
    with pytest.raises(InvalidInputError, match="-T suite=FOLDER"):
        RECOGNITION.task()


@pytest.mark.slow
def test_inspect_runs_the_bare_task(fake_suite_path: Path, tmp_path: Path) -> None:
    """By Inspect's own command; what lies in the cache is not the edition's, which is said."""
    fixed = list(load_editions().values())[-1]["constraints"]
    shutil.copytree(fake_suite_path, edition_folder(fixed.content_hash))
    inspect = str(Path(sys.executable).with_name("inspect"))
    command = [inspect, "eval", "pactwin/pac_constraints", "--model", "pactwin/oracle"]
    command += ["-T", "limit=2", "-T", "form=yes_no", "--epochs", "2", "--display", "plain"]
    run = subprocess.run(
        [*command, "--log-dir", str(tmp_path / "logs")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"COLUMNS": "1000"},  # nothing is broken into lines
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "is not edition" in "".join((run.stdout + run.stderr).split("\n")).replace("  ", "")
    (log,) = (tmp_path / "logs").glob("*.eval")
    rows = read_answers([log])
    assert {row.state for row in rows} == {AnswerState.CORRECT}
    assert {row.epoch for row in rows} == {1, 2}
    header = read_eval_log(str(log), header_only=True)
    assert header.status == "success"
    assert header.eval.metadata is not None
    told = header.eval.metadata
    assert told["suite_hash"] == Suite.open(fake_suite_path).info.content_hash
    assert told["edition"] == ""

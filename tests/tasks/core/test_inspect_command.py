"""Inspect's own command runs pactwin's tasks, in a process that imported nothing else."""

import subprocess
import sys
from pathlib import Path

from pactwin.tasks import AnswerState, read_answers


def test_inspect_finds_task_scorer_and_model(fake_suite_path: Path, tmp_path: Path) -> None:
    inspect = Path(sys.executable).with_name("inspect")
    asked = ["eval", "pactwin/pac_constraints", "--model", "pactwin/oracle", "--display", "none"]
    about = ["-T", f"suite={fake_suite_path}", "-T", "limit=2", "-T", "form=yes_no"]
    done = subprocess.run(
        [inspect, *asked, *about, "--epochs", "2", "--log-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = read_answers(list(tmp_path.glob("*.eval")))
    assert {row.state for row in rows} == {AnswerState.CORRECT}
    assert {row.epoch for row in rows} == {1, 2}

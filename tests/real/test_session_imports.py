"""Sessions run on the robot's own computer, which has neither MuJoCo nor torch."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

WITHOUT = r"""
import sys
from pathlib import Path
from commands import invoke
from measured import Measured
from pactwin.hardware import write_rig
from pactwin.real.layouts import layouts_of
from pactwin.real.session.described import described
from pactwin.real.session.live import LiveBench
from pactwin.real.session.page import session_app
from pactwin.suite import EnvironmentFaultError
from tables import set_table
table = set_table(Path(sys.argv[1]), Path(sys.argv[2]) / "real", Measured(1))
assert layouts_of(table.suite, table.plans.folder) == table.plans
session = table.session()
assert session_app(session, LiveBench(table.bench.open))
assert session.capture(session.current, "", anyway=False)
assert described(session, "", rehearsed=False)["captured"]
session.close()
rig = Path(sys.argv[2]) / "rig.yaml"
write_rig(rig, table.rig)
options = ["--rig", str(rig), "--out", str(table.folder), "--terminal"]
shown = invoke("mirror", "session", table.suite.path, *options, input="q\n")
assert "1 captured" in shown.output
next(table.plans.folder.iterdir()).unlink()
try:
    layouts_of(table.suite, table.plans.folder)
except EnvironmentFaultError as error:
    print(error)
"""


def test_a_session_captures_without_simulator_and_torch_and_asks_for_plans_that_it_lacks(
    fake_suite_path: Path, tmp_path: Path
) -> None:
    absent = tmp_path / "absent"
    absent.mkdir()
    for name in ("mujoco", "torch", "robosuite"):
        (absent / f"{name}.py").write_text("raise ImportError(__name__)", encoding="utf-8")
    paths = [str(absent), str(Path(__file__).parent), *sys.path]
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(fake_suite_path), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert run.returncode == 0, run.stderr
    assert "lacks the plans of 1 scenes, and there is no simulator" in run.stdout
    assert "bring its folder" in run.stdout

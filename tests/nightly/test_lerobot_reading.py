"""LeRobot's own loader opens what is exported for it, in an environment of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from lerobot_episodes import write_episode

from pactwin.suite import export_lerobot

ROOT = Path(__file__).parents[2]
LEROBOT = "lerobot[dataset]==0.6.1"

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(3600)]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with LeRobot: LEROBOT_PYTHON, or 3.12 of this machine with what uv installs."""
    if given := os.environ.get("LEROBOT_PYTHON"):
        return given
    uv = shutil.which(
        "uv", path=f"{ROOT / '.cache' / 'uv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    )
    venv = tmp_path_factory.mktemp("lerobot") / "venv"
    there = venv / "bin" / "python"
    steps = (
        ["venv", "--quiet", "--python", "3.12", str(venv)],
        ["pip", "install", "--quiet", "--python", str(there), LEROBOT],
    )
    for step in steps if uv else ():
        done = subprocess.run([str(uv), *step], capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"uv {step[0]}: {done.stderr.strip().splitlines()[-1]}")
    if uv is None:
        pytest.skip("no uv")
    return str(there)


def read(python: str, exported: Path, source: Path) -> str:
    """What the script that compares every frame says; it has to find all equal."""
    script = ROOT / "tools" / "lerobot_reading.py"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run = subprocess.run(
        [python, str(script), str(exported), str(source)],
        capture_output=True,
        text=True,
        env=environment | {"HF_HUB_OFFLINE": "1"},
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_every_frame_of_episodes_is_read_as_it_was_recorded(python: str, tmp_path: Path) -> None:
    for seed, frames in ((3, 7), (4, 26), (5, 5)):
        write_episode(tmp_path / "played" / f"{seed}", frames, seed)
    export_lerobot(tmp_path / "played", tmp_path / "out")
    assert "38 of 38 frames equal" in read(python, tmp_path / "out", tmp_path / "played")
    # Planted: some joints are elsewhere.
    motion = tmp_path / "played" / "3" / "motion.json"
    motion.write_text(motion.read_text().replace("0.0", "0.1"))
    with pytest.raises(AssertionError, match="of 38 frames equal"):
        read(python, tmp_path / "out", tmp_path / "played")


def test_every_picture_and_depth_of_scenes_is_read_as_it_is(python, fake_suite_path, tmp_path):
    export_lerobot(fake_suite_path, tmp_path / "out")
    assert "16 of 16 frames equal" in read(python, tmp_path / "out", fake_suite_path)

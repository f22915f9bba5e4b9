"""The scripts in examples/ do what they say."""

import runpy
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from copied_pairs import copied
from fakes import make_fake_suite

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *words: object, folder: Path, code: int = 0) -> str:
    """What an example printed, run as a user would in ``folder``."""
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_each_explains_itself(name: str, tmp_path: Path) -> None:
    assert run(name, "--help", folder=tmp_path).startswith(f"usage: {name}.py")


@pytest.mark.slow
def test_a_constant_model_fails_the_gate_and_is_blind_to_twins(fake_suite_path, tmp_path):
    assert "always-yes" in run("local_server", fake_suite_path, folder=tmp_path, code=1)
    said = run("own_metric", "example-logs", folder=tmp_path)
    assert "always-yes: 1.00 (1.00 to 1.00), 8 pairs" in said


@pytest.mark.slow
def test_the_gap_of_a_model_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The second half, with made-up captures in place of a rehearsal."""
    make = partial(make_fake_suite, n_pairs=4, cameras=("head",), seed=4)
    sim = make(tmp_path / "sim")
    captured = make(tmp_path / "captured", change=copied("rehearsal", 0.004))
    example = runpy.run_path(str(EXAMPLES / "rehearsed_gap.py"))
    example["ask"](sim, captured, tmp_path / "logs", "pactwin/oracle")
    example["show_gap"](tmp_path / "logs")
    said = capfd.readouterr().out
    assert "pactwin/oracle, rehearsal minus simulated: +0.00" in said
    assert "over 4 pairs" in said


@pytest.mark.nightly
def test_a_capture_is_rehearsed_and_its_gap_printed(tmp_path: Path) -> None:
    said = run("rehearsed_gap", tmp_path / "gap", folder=tmp_path)
    assert "pactwin/geometry, rehearsal minus simulated:" in said

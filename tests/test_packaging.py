"""The action's own steps are run as a runner would; the Dockerfile builds from what there is."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


STEPS = ("suite", "answer", "report")


def run_action(
    folder: Path, inputs: dict[str, str], steps: tuple[str, ...] = STEPS
) -> dict[str, int]:
    """The exit codes of the ``steps``, in ``folder``, by the steps' names."""
    given = {name: field.get("default", "") for name, field in ACTION["inputs"].items()} | inputs
    carried = folder / "env"
    carried.touch()
    codes: dict[str, int] = {}
    for step in ACTION["runs"]["steps"]:
        if step.get("name") not in steps:
            continue
        assert "${{" not in step["run"], "an input could add commands"
        if any(codes.values()) and "cancelled" not in step.get("if", ""):
            continue
        own = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], text)
            for name, text in step["env"].items()
        }
        earlier = dict(line.split("=", 1) for line in carried.read_text().splitlines())
        commands = str(Path(sys.executable).parent)
        environment = os.environ | own | earlier
        environment |= {
            "GITHUB_ENV": str(carried),
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        }
        codes[step["name"]] = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder,
            env=environment,
            check=False,
        ).returncode
    return codes


@pytest.mark.slow
def test_the_action_makes_a_suite_answers_gates_and_reports(tmp_path: Path) -> None:
    asked = {
        "pairs": "1",
        "views": "head,front",
        "model": "pactwin/oracle",
        "fail-under": "informedness=0.9",
    }
    assert run_action(tmp_path, asked) == dict.fromkeys(STEPS, 0)
    made = (tmp_path / "env").read_text(encoding="utf-8").splitlines()[0]
    assert (tmp_path / made.removeprefix("PACTWIN_SUITE=") / "suite.json").exists()
    assert (tmp_path / "pactwin" / "report.html").stat().st_size
    assert (tmp_path / "pactwin" / "scores.json").stat().st_size


@pytest.mark.slow
def test_the_action_takes_a_suite_and_fails_below_the_floor(tmp_path, fake_suite_path):
    asked = {"suite": str(fake_suite_path), "views": "front", "model": "pactwin/always-no"}
    asked |= {"fail-under": "informedness=0.3"}
    assert run_action(tmp_path, asked, ("suite", "answer")) == {"suite": 0, "answer": 1}


def test_the_action_and_the_image_install_what_drawing_needs() -> None:
    from pactwin.sim.rendering.gl import FIXES

    libraries = FIXES["egl"].split("install ", 1)[1].removeprefix("-y ")
    (install,) = [s["run"] for s in ACTION["runs"]["steps"] if s.get("name") == "install"]
    for text in (DOCKERFILE, install):
        assert f"--no-install-recommends {libraries}" in text


def test_the_image_is_built_from_files_that_are_sent() -> None:
    sent = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    copied = {
        name
        for line in re.findall(r"^COPY (.*)", DOCKERFILE, re.MULTILINE)
        for name in line.split()[:-1]
    }
    assert copied == sent
    assert [name for name in copied if not (ROOT / name).exists()] == []
    for name in re.findall(r"-r (\S+)", DOCKERFILE):
        assert name in copied

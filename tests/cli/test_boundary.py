"""Every error a user can mend is one line and a documented exit code."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pactwin.cli import app
from pactwin.cli.boundary import CANNOT_WRITE, FOUND, INTERRUPTED, found, shown
from pactwin.suite import EnvironmentFaultError, InvalidInputError, PactwinError, SuiteError

README = Path(__file__).parents[2] / "README.md"
HEAVY = {"cv2", "inspect_ai", "mujoco", "numpy", "pandas", "PIL", "rich", "scipy", "sklearn"}


def outcome_of(error: BaseException) -> tuple[int, str]:
    one = typer.Typer()

    @one.command()
    @shown
    def fail() -> None:
        raise error

    result = CliRunner().invoke(one)
    return result.exit_code, result.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInputError("unknown robot 'r2d2': use one of g1, panda"), 2),
        (SuiteError("here is no suite"), 3),
        (EnvironmentFaultError("no OpenGL"), 4),
        (OSError(28, "No space left on device", "suite/x.png"), CANNOT_WRITE),
        (KeyboardInterrupt(), INTERRUPTED),
    ],
)
def test_an_error_is_one_line_and_its_code(error: BaseException, code: int) -> None:
    exit_code, stderr = outcome_of(error)
    assert exit_code == code
    assert stderr.startswith("pactwin: ")
    assert stderr.count("\n") == 1


def test_a_message_of_many_lines_becomes_one() -> None:
    _, stderr = outcome_of(PactwinError("first\n  second\r\nthird"))
    assert stderr == "pactwin: error: first second third\n"


def test_a_mistake_of_the_program_keeps_its_traceback() -> None:
    with pytest.raises(IndexError):
        shown(lambda: [][0])()


def test_a_no_is_code_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert found("two faults").exit_code == FOUND
    assert capsys.readouterr().err == "pactwin: two faults\n"


def test_the_readme_lists_every_exit_code() -> None:
    def subclasses(kind: type[PactwinError]) -> set[type[PactwinError]]:
        return {kind}.union(*(subclasses(sub) for sub in kind.__subclasses__()))

    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", README.read_text(), re.M)}
    used = {error.exit_code for error in subclasses(PactwinError)}
    assert documented == used | {0, FOUND, CANNOT_WRITE, INTERRUPTED}


def commands(tree: Any, *path: str) -> list[list[str]]:
    """Paths of all commands in a tree of groups."""
    if not hasattr(tree, "commands"):
        return [list(path)]
    return [found for name, sub in tree.commands.items() for found in commands(sub, *path, name)]


@pytest.mark.parametrize("command", commands(typer.main.get_command(app)), ids=" ".join)
def test_the_readme_lists_every_command(command: list[str]) -> None:
    assert f"| `pactwin {' '.join(command)}" in README.read_text()
    assert CliRunner().invoke(app, [*command, "--help"]).exit_code == 0


@pytest.mark.parametrize("arguments", [["--help"], ["make", "constraints", "--help"]], ids=len)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import sys; from pactwin.cli import app\n"
        f"app({arguments}, standalone_mode=False)\n"
        f"print(*sorted({HEAVY} & sys.modules.keys()), file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "Usage" in run.stdout
    assert run.stderr.strip() == ""

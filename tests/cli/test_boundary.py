"""Every error a user can mend is one line and a documented exit code."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import invoke
from typer.testing import CliRunner

from pactwin.cli import app
from pactwin.cli.boundary import CANNOT_WRITE, INTERRUPTED, NEGATIVE, handle_errors
from pactwin.suite import EnvironmentFaultError, InvalidInputError, PactwinError, SuiteError

DOCS = Path(__file__).parents[2] / "docs"
HEAVY = {"cv2", "inspect_ai", "mujoco", "numpy", "pandas", "PIL", "scipy", "sklearn"}


def outcome_of(error: BaseException) -> tuple[int, str]:
    one = typer.Typer()

    @one.command()
    @handle_errors
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


def test_a_message_of_many_lines_becomes_one_and_a_mistake_of_the_program_is_not_caught() -> None:
    _, stderr = outcome_of(PactwinError("first\n  second\r\nthird"))
    assert stderr == "pactwin: error: first second third\n"
    with pytest.raises(IndexError):
        handle_errors(lambda: [][0])()


def test_a_reader_that_closes_the_pipe_is_no_error(fake_suite_path: Path) -> None:
    """As with ``pactwin ls SUITE | head``: nothing is said."""
    reader, writer = os.pipe()
    os.close(reader)
    listing = [str(Path(sys.executable).with_name("pactwin")), "ls", str(fake_suite_path)]
    ended = subprocess.run(listing, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (NEGATIVE, "")


def test_the_docs_list_every_command_and_exit_code() -> None:
    def subclasses(kind: type[PactwinError]) -> set[type[PactwinError]]:
        return {kind}.union(*(subclasses(sub) for sub in kind.__subclasses__()))

    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    used = {error.exit_code for error in subclasses(PactwinError)}
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.M)}
    assert documented == used | {0, NEGATIVE, CANNOT_WRITE, INTERRUPTED}
    found = commands(typer.main.get_command(app))
    assert [command for command in found if f"| `pactwin {' '.join(command)}" not in page] == []


def commands(tree: Any, *path: str) -> list[list[str]]:
    """Paths of all commands in a tree of groups."""
    if not hasattr(tree, "commands"):
        return [list(path)]
    return [
        command
        for name, sub in tree.commands.items()
        if not sub.hidden
        for command in commands(sub, *path, name)
    ]


def in_one_line(text: str) -> str:
    """Help without the spaces and frames that its layout adds."""
    return re.sub(r"[\s│]", "", text)


def test_every_command_and_option_has_its_help() -> None:
    def walk(tree: Any, *path: str) -> Iterator[tuple[str, ...]]:
        options = tree.get_params(typer.Context(tree))
        yield from ((*path, o.name) for o in options if not (o.hidden or getattr(o, "help", None)))
        if not tree.help:
            yield path
        for name, sub in getattr(tree, "commands", {}).items():
            if not sub.hidden:
                yield from walk(sub, *path, name)

    assert list(walk(typer.main.get_command(app))) == []
    assert max(map(len, invoke("eval", "-h", env={"COLUMNS": "80"}).stdout.splitlines())) <= 80


def test_help_is_one_screen_and_a_version_is_told() -> None:
    entries = {command[0] for command in commands(typer.main.get_command(app))}
    assert len(entries) <= 17
    assert invoke("-h").stdout == invoke("--help").stdout
    assert len(invoke("-h", env={"COLUMNS": "100"}).stdout.splitlines()) <= 40
    assert re.fullmatch(r"pactwin \d[\w.]*\n", invoke("--version").stdout)


RENAMED = {
    "retrial": ["check", "--retrial"],
    "affordances": ["check", "--affordances"],
    "robot": ["doctor", "--robot"],
    "judge-agreement": ["people", "agreement"],
    "seal": ["challenge", "seal"],
    "grade": ["challenge", "grade"],
    "calibrate": ["rig", "calibrate"],
    "capture": ["mirror", "capture"],
    "session": ["mirror", "session"],
    "rehearse": ["mirror", "rehearse"],
    "as-published": ["compare", "--as-published"],
    "mirror mat": ["rig", "board"],
    "annotate export": ["people", "export"],
    "annotate import": ["people", "import"],
}


def test_what_was_renamed_leads_to_what_is_there() -> None:
    tree = typer.main.get_command(app)
    there = {" ".join(command) for command in commands(tree)}
    for old, new in RENAMED.items():
        text = in_one_line(invoke(*old.split(), "--help").stdout)
        assert in_one_line(f"use pactwin {' '.join(new)}.") in text
        assert " ".join(word for word in new if not word.startswith("--")) in there | {
            "mirror rehearse"
        }


def test_an_old_name_works_and_says_the_new_one(fake_suite_path: Path) -> None:
    said = invoke("affordances", fake_suite_path, code=2).stderr
    assert said.startswith("pactwin: `pactwin affordances` is now `pactwin check --affordances`\n")
    assert "pactwin make uses" in said


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

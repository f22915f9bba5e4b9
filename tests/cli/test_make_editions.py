"""``make --edition`` and ``--not-in``: what comes out is the edition's, or is none of it."""

import json
from pathlib import Path

import pytest
from commands import invoke
from known_things import write_inspected
from planted_editions import NAME, pinned, planted

from pactwin.suite import Suite

REQUEST = {
    "seed": 23,
    "pairs": 1,
    "domains": ["size_mismatch"],
    "robot": "g1",
    "cameras": ["head"],
    "size": [320, 240],
}


def make(out: Path, *options: str, code: int = 0) -> str:
    result = invoke("make", "constraints", "--out", out, *options, code=code)
    return result.output


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A suite made by options that say what the edition says."""
    out = tmp_path_factory.mktemp("editions") / "suite"
    given = ("--seed=23", "--pairs=1", "--domains=size_mismatch")
    make(out, *given, "--cameras=head", "--size=320x240")
    suite = Suite.open(out)
    assert suite.info.request == REQUEST
    return suite


def test_an_edition_fixes_the_options_and_refuses_others(tmp_path: Path) -> None:
    out, fixed = tmp_path / "suite", {"request": REQUEST, "content_hash": "0" * 64}
    with planted(tmp_path / "editions.yaml", constraints=fixed):
        for option, said in (
            ("--pairs=2", f"edition {NAME} has pairs 1, not 2"),
            ("--seed=4", "seed 23, not 4"),
            ("--cameras=side", "cameras ['head'], not ['side']"),
            ("--repairs", "repairs None, not True"),
            ("--edition=2031-01", f"unknown edition '2031-01': use one of {NAME}"),
            ("--not-in=1999-01", "seed 23 is the edition's"),
        ):
            said_now = make(out, f"--edition={NAME}", option, code=2)
            assert said in said_now and said_now.count("\n") == 1
        tools = invoke("make", "tools", "--out", out, "--edition", NAME, code=2)
        assert f"unknown suite of edition {NAME} 'tools': use one of constraints" in tools.stderr
    assert not out.exists()


@pytest.mark.slow
def test_the_edition_comes_out_or_the_command_fails(made: Suite, tmp_path: Path) -> None:
    out = tmp_path / "suite"
    with planted(tmp_path / "right.yaml", constraints=pinned(made)):
        assert made.info.content_hash in make(out, f"--edition={NAME}")
    assert Suite.open(out).info.content_hash == made.info.content_hash
    # A complete suite is held against the edition, too.
    with planted(tmp_path / "wrong.yaml", constraints=pinned(made, content_hash="0" * 64)):
        said = make(out, f"--edition={NAME}", code=1)
    assert said.count("\n") == 1
    assert f"{out} is not edition {NAME}: content hash {made.info.content_hash[:12]}" in said
    with planted(tmp_path / "older.yaml", constraints=pinned(made, trial_version=1)):
        said = make(tmp_path / "other", f"--edition={NAME}", code=2)
    assert "trials of version 1, this pactwin version" in said
    assert not (tmp_path / "other" / "suite.json").exists()


@pytest.mark.slow
def test_scenes_that_an_edition_has_are_not_made_again(made: Suite, tmp_path: Path) -> None:
    """The seed that draws them is another than the edition's, as far as it says."""
    given = (
        "--seed=23",
        "--pairs=1",
        "--domains=size_mismatch",
        "--cameras=head",
        "--size=400x300",
    )
    overlapping = pinned(made, request=REQUEST | {"seed": 5})
    with planted(tmp_path / "editions.yaml", constraints=overlapping):
        said = make(tmp_path / "suite", *given, f"--not-in={NAME}", code=2)
        assert f"is in edition {NAME}" in said
        assert not (tmp_path / "suite" / "suite.json").exists()
        make(tmp_path / "apart", *given, "--seed=24", f"--not-in={NAME}")
    assert json.loads((tmp_path / "apart" / "suite.json").read_text())["request"]["not_in"] == NAME


def test_nobody_is_trained_on_an_edition(tmp_path: Path) -> None:
    suite = Suite.open(write_inspected(tmp_path / "suite"))
    with planted(tmp_path / "editions.yaml", creative=pinned(suite)):
        refused = invoke("export", "training", suite.path, tmp_path / "rows", code=2)
    assert f"is in edition {NAME}, on which models are compared" in refused.stderr
    assert not (tmp_path / "rows").exists()
    invoke("export", "training", suite.path, tmp_path / "rows")

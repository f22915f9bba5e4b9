"""``pactwin make creative``: a few tasks, made by the command and checked, asked and answered."""

import json
from pathlib import Path

import pytest
from evaluating import evaluate
from typer.testing import CliRunner

from pactwin.cli import app
from pactwin.suite import Suite, check_suite
from pactwin.tasks import UseRow, knowledge_path, read_rows, require_asked


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("creative") / "suite"
    options = ["--seed=2", "--tasks=2", "--kinds=bowl,coaster,cup,knife,mug,plate,sponge,tumbler"]
    result = CliRunner().invoke(app, ["make", "creative", "--out", str(out), *options])
    assert result.exit_code == 0, result.output
    return out


def test_a_suite_is_what_it_says_it_is(made: Path) -> None:
    assert check_suite(made) == []
    known = json.loads(knowledge_path(made).read_text())
    scenes = [scene.id for scene in Suite.open(made).scenes()]
    assert list(known["plans"]) == scenes and len(scenes) == 2
    assert known["entities"]["mug"]["parts"]["body"]["material"] == "ceramic"
    assert known["parts"]["mug"]["body"]["affordances"]["hold water"] == 0


def test_who_knows_is_right_and_who_guesses_is_asked_the_same(made: Path, tmp_path: Path) -> None:
    logs = evaluate(made, ["pactwin/oracle", "pactwin/random"], log_dir=tmp_path / "logs")
    rows = [row for row in read_rows(logs) if isinstance(row, UseRow)]
    require_asked(Suite.open(made), rows)
    assert {r.relation for r in rows if r.model == "pactwin/oracle"} == {"gold"}
    assert len(rows) == 4


def test_a_kind_that_is_not_known_is_named(tmp_path: Path) -> None:
    options = ["--seed=2", "--kinds=mug,unicorn", "--out", str(tmp_path / "suite")]
    result = CliRunner().invoke(app, ["make", "creative", *options])
    assert result.exit_code != 0 and "unicorn" in result.output

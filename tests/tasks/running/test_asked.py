"""What is scored together was asked alike: the same pictures, words, options, in the same order."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from evaluating import evaluate
from fakes import HEIGHT_PX, WIDTH_PX, hash_as_earlier, make_fake_suite, png, rewrite
from numpy import uint8, zeros

from pactwin.compare import read_comparison, read_leaderboard
from pactwin.suite import InvalidInputError, Suite, check_suite
from pactwin.tasks import read_answers, read_rows

Change = Callable[[dict[str, Any]], None]
BLACK = png(zeros((HEIGHT_PX, WIDTH_PX, 3), uint8))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_fake_suite(tmp_path_factory.mktemp("asked") / "suite", n_pairs=2)


@pytest.fixture(scope="module")
def log(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    options: dict[str, Any] = {"views": "head", "form": "choice", "display": "none"}
    (log,) = evaluate(
        suite, ["pactwin/always-no"], log_dir=tmp_path_factory.mktemp("logs"), **options
    )
    return log


def by_another_model(log: Path, path: Path, change: Change, model: str = "lab/other") -> Path:
    """The log as if ``model`` had been asked, with one sample changed."""
    read_answers([log])  # Inspect teaches zipfile the compression of its logs
    with ZipFile(log) as old, ZipFile(path, "w") as new:
        first = next(name for name in old.namelist() if name.startswith("samples/"))
        for name in old.namelist():
            data = json.loads(old.read(name))
            if name in ("header.json", "_journal/start.json"):
                data["eval"] |= {"model": model, "eval_id": model}
            if name == first:
                change(data)
            new.writestr(name, json.dumps(data))
    return path


def paint(sample: dict[str, Any]) -> None:
    sample["metadata"]["pictures"][0]["sha256"] = "0" * 64


def reword(sample: dict[str, Any]) -> None:
    sample["metadata"]["question"]["text"] += " It can."


def reorder(sample: dict[str, Any]) -> None:
    sample["metadata"]["question"]["options"].reverse()


def leave_out(sample: dict[str, Any]) -> None:
    del sample["metadata"]["question"]


CHANGES = [paint, reword, reorder, leave_out]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("read", [read_rows, read_leaderboard, read_comparison])
def test_logs_that_were_asked_otherwise_are_not_scored_together(read, change, log, suite, tmp_path):
    moved = suite.rename(suite.with_name("moved"))
    try:
        read([log, by_another_model(log, tmp_path / "same.eval", lambda sample: None)])
        other = by_another_model(log, tmp_path / "other.eval", change)
        with pytest.raises(InvalidInputError, match="does not agree with the answers before on"):
            read([log, other])
    finally:
        moved.rename(suite)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("read", [read_leaderboard, read_comparison])
def test_a_log_alone_is_held_against_its_suite(read, change, log, tmp_path):
    read([log])
    other = by_another_model(log, tmp_path / "other.eval", change)
    with pytest.raises(InvalidInputError, match="is about other pictures or words than"):
        read([other])


def paint_all(suite: Path) -> None:
    for view in (view for scene in Suite.open(suite).scenes() for view in scene.views):
        rewrite(suite, view.image, BLACK)


def test_suites_of_earlier_versions_are_read_and_their_pictures_still_compared(suite, tmp_path):
    """Their hash is over the records alone: what a log was shown tells the pictures apart."""
    older = shutil.copytree(suite, tmp_path / "older")
    assert hash_as_earlier(older) != Suite.open(suite).info.content_hash
    assert check_suite(older) == []
    options: dict[str, Any] = {"views": "head", "form": "yes_no", "display": "none"}
    logs = evaluate(older, ["pactwin/always-no"], log_dir=tmp_path / "logs", **options)
    assert read_comparison(logs).suites
    paint_all(older)
    with pytest.raises(InvalidInputError, match="is about other pictures or words than"):
        read_comparison(logs)

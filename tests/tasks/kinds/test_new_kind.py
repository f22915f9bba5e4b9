"""A kind of question that is one module: everything works for it that is written once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from cup_counting import COUNT, count_questions
from evaluating import evaluate
from fakes import make_fake_suite
from openai_server import Reply, openai_server
from pages import Page, assert_inert

from pactwin.compare import read_leaderboard
from pactwin.suite import (
    InvalidInputError,
    Suite,
    new_key,
    open_answers,
    seal_suite,
    sealed_suite_path,
)
from pactwin.tasks import KINDS, grade_logs, read_rows

GOOD, BAD = "openai-api/local/good", "openai-api/local/bad"
N = 16
"""Scenes of the suite."""


@pytest.fixture(autouse=True, scope="module")
def listed() -> Iterator[None]:
    """What adding a kind to the one list does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(KINDS, "count", COUNT)
        yield


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("counting") / "suite"
    return make_fake_suite(
        path, n_pairs=N // 2, cameras=("head", "side"), questions=count_questions
    )


@pytest.fixture(scope="module")
def logs(suite: Path) -> Path:
    """Two models in two epochs: one counts the four things, one is off by one, and once silent."""
    silent = iter([True])

    def answer(body: dict[str, Any]) -> Reply:
        if body["model"] == "good":
            return Reply("There are 4 of them.")
        return Reply("No idea." if next(silent, False) else "5")

    folder = suite.with_name("logs")
    how: dict[str, Any] = {"epochs": 2, "vision_check": False, "views": "head"}
    with openai_server(answer):
        evaluate(suite, [GOOD, BAD], log_dir=folder, **how)
    return folder


def test_a_kind_of_one_module_is_asked_scored_compared_and_shown(suite, logs, tmp_path):
    assert {len(scene.objects) for scene in Suite.open(suite).scenes()} == {4}
    rows = read_rows(logs.glob("*.eval"))
    assert (len(rows), {row.kind for row in rows}) == (2 * 2 * N, {"count"})
    files = {
        name: tmp_path / name
        for name in ("page.html", "t.md", "t.tex", "a.csv", "scores.json", "board.html")
    }
    told = invoke(
        "compare", logs, "--out", files["page.html"], "--markdown", files["t.md"],
        "--latex", files["t.tex"], "--answers", files["a.csv"], "--json", files["scores.json"],
    )  # fmt: skip
    assert "counts" in told.output and "over epochs" in told.output
    pooled = {
        (s["model"], s["metric"]): s
        for s in json.loads(files["scores.json"].read_text())
        if s["domain"] == s["view"] == s["things"] == "all"
    }
    assert pooled[GOOD, "count_exact"]["value"] == pooled[GOOD, "count_pass_k"]["value"] == 1.0
    assert pooled[BAD, "count_closeness"]["value"] == pytest.approx(0.9)
    assert pooled[BAD, "count_coverage"]["value"] == (2 * N - 1) / (2 * N)
    assert pooled[BAD, "count_epoch_agreement"]["n"] == N - 1
    assert all(s["low"] <= s["value"] <= s["high"] for s in pooled.values())
    markdown = files["t.md"].read_text()
    assert "Counts, with 95 % intervals" in markdown and "1.00 [" in markdown
    assert "% Counts" in files["t.tex"].read_text()
    assert "count" in files["a.csv"].read_text()
    page = Page(files["page.html"].read_text(encoding="utf-8"))
    assert_inert(page)
    text = files["page.html"].read_text(encoding="utf-8")
    assert '<section id="count">' in text
    assert "Paired tests between models (1)" in text
    assert text.count('<div class="card">') == N, "the gallery has a card per scene"
    assert "data:image/webp" in text
    invoke("leaderboard", logs, "--out", files["board.html"])
    (table,) = read_leaderboard([logs])
    assert (table.kind, [row.model for row in table.rows]) == ("count", [GOOD, BAD])


def test_gates_and_baselines_know_it(suite: Path, logs: Path, tmp_path: Path) -> None:
    failed = invoke("compare", logs, "--fail-under", "count_exact=0.5", code=1)
    assert f"{BAD}: count_exact is 0.000" in " ".join(failed.stderr.split())
    with openai_server(lambda body: Reply("4")):
        better = tmp_path / "better"
        evaluate(suite, [BAD], epochs=2, log_dir=better, vision_check=False, views="head")
    (worse,) = [log for log in logs.glob("*.eval") if read_rows([log])[0].model == BAD]
    lost = invoke("compare", worse, "--baseline", better, code=1)
    assert "worse than the baseline (count)" in " ".join(lost.stderr.split())


def test_it_is_sealed_and_graded(tmp_path: Path) -> None:
    source = make_fake_suite(
        tmp_path / "suite", n_pairs=2, cameras=("head",), questions=count_questions, secret=True
    )
    key = new_key(tmp_path / "key")
    seal_suite(source, tmp_path / "sealed", key)
    contestants = sealed_suite_path(tmp_path / "sealed")
    assert {q.truth for q in Suite.open(contestants).questions()} == {"yes"}
    assert not any(scene.objects for scene in Suite.open(contestants).scenes())
    with openai_server(lambda body: Reply("There are 4.")):
        (log,) = evaluate(contestants, [GOOD], log_dir=tmp_path / "logs", vision_check=False)
    ledger, scores = tmp_path / "ledger", tmp_path / "scores.json"
    told = invoke(
        "challenge", "grade", tmp_path / "sealed", log, "--key", tmp_path / "key",
        "--ledger", ledger, "--json", scores,
    )  # fmt: skip
    assert "counts" in told.output
    exact = {s["value"] for s in json.loads(scores.read_text()) if s["metric"] == "count_exact"}
    assert exact == {1.0}
    with pytest.raises(InvalidInputError, match="repeated"):
        answers = open_answers(tmp_path / "sealed", key)
        grade_logs(tmp_path / "sealed", [log], answers, ledger)

"""Lists of tools asked over HTTP: what is sent, how it is read, judged, scored and reported."""

import json
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from openai_server import OpenAIServer, Reply, openai_server, sent_images, sent_text
from phystool_data import write

from pactwin.compare import compare_logs
from pactwin.suite import Suite
from pactwin.tasks import (
    AnswerState,
    ToolRow,
    import_published,
    read_rows,
    require_asked,
    score_as_published,
)

MODEL, JUDGE = "openai-api/local/handy", "openai-api/local/referee"
LEVEL_FIRST = "1. Spirit level\n2. Drill\n3. Screwdriver"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    import_published("phystool", write(tmp_path / "data"), tmp_path / "suite")
    return tmp_path / "suite"


def answer(body: dict[str, Any]) -> Reply:
    text = sent_text(body)
    if body["model"] == "referee":
        found = json.loads(text[text.index("{") : text.index("}") + 1])["found"]
        return Reply(json.dumps({name: "Drill" if "bor" in name else None for name in found}))
    if "Name every one" in text:
        return Reply("Answer: fork, knives, spoon")
    if "Lay the table" in text:
        return Reply("knife\nfork")
    return Reply("The tools are:\n- a spirit level\n- borer\n- screwdriver\n- saw\n- hoover")


def ask(suite: Path, tmp_path: Path, **options: Any) -> tuple[list[ToolRow], OpenAIServer]:
    with openai_server(answer) as server:
        logs = evaluate(suite, [MODEL], log_dir=tmp_path / "logs", vision_check=False, **options)
    rows = read_rows(logs)
    assert all(isinstance(row, ToolRow) for row in rows)
    return [row for row in rows if isinstance(row, ToolRow)], server


def test_pictures_go_with_what_is_seen_and_names_with_what_is_told(suite, tmp_path):
    rows, server = ask(suite, tmp_path)
    assert len(rows) == 9
    for body in server.requests:
        told = "These tools are at hand" in sent_text(body)
        assert len(sent_images(body)) == (0 if told else 1)
    require_asked(Suite.open(suite), rows)
    free = [r for r in rows if r.kind != "recognition" and r.published_id == "7_slot_0"]
    assert {row.state for row in free} == {AnswerState.CORRECT}  # in either order
    (seen,) = [r for r in rows if r.kind == "recognition" and r.published_id == "7_slot_0"]
    assert (seen.found, seen.rules) == ((0, 1, None), ("exact", "number", ""))
    first = next(r for r in rows if r.kind == "plan" and r.published_id == "q1_slot_1")
    assert first.items == ("spirit level", "borer", "screwdriver", "saw", "hoover")
    assert first.found == (0, None, 2, None, None)
    assert first.distracted == (3,)  # the saw is there, the hoover is not


def test_a_judge_is_asked_about_what_is_left(suite: Path, tmp_path: Path) -> None:
    rows, server = ask(suite, tmp_path, judge=JUDGE, kind="plan")
    judged = [body for body in server.requests if body["model"] == "referee"]
    assert len(judged) == 2  # the third plan leaves nothing open
    first = next(row for row in rows if row.published_id == "q1_slot_1")
    assert first.found == (0, 1, 2, None, None)
    assert first.rules[1] == "judge" and "borer = Drill" in first.judged
    for body in judged:
        assert "handy" not in sent_text(body)


def test_scores_count_every_query_and_the_report_shows_them(suite: Path, tmp_path: Path) -> None:
    ask(suite, tmp_path)
    scores = compare_logs([tmp_path / "logs"], tmp_path / "report.html")
    found = {s.metric: s for s in scores if s.is_pooled}
    assert found["plan_complete"].value == pytest.approx(1 / 3)
    assert found["plan_failure_substitute"].value == pytest.approx(2 / 3)
    assert found["plan_sr1"].n == 2 and found["plan_sr3_all"].n == 2
    assert found["plan_distractor_rate"].value == pytest.approx(1 / 6)  # saw and hoover, twice each
    assert found["plan_coverage"].value == 1.0
    page = (tmp_path / "report.html").read_text()
    assert "Tools of a task, in order" in page and "out of order" in page
    (published,), _ = score_as_published(Suite.open(suite), [tmp_path / "logs"])
    assert {row["task"] for row in published.rows} == {"I", "II"}

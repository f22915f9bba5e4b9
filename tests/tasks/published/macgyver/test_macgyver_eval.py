"""Problems put to a model over HTTP: strategies turn by turn, grading, efforts, faults."""

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from macgyver_data import WHOLE_BENCHMARK, WHOLE_PROBLEMS, write
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.tasks import import_published, read_rows
from pactwin.tasks.core.results import AnswerState
from pactwin.tasks.kinds.problem.records import ProblemRow
from pactwin.tasks.published.macgyver.source import RATINGS

MODEL, JUDGE = "openai-api/local/solver", "openai-api/local/referee"
STEPS = "Step 1: Use the ruler.\nStep 2: Pull."


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    write(tmp_path / "data")
    import_published("macgyver", tmp_path / "data", tmp_path / "suite")
    return tmp_path / "suite"


def ask(suite: Path, tmp_path: Path, **options: Any) -> list[ProblemRow]:
    logs = evaluate(suite, [MODEL], log_dir=tmp_path / "logs", **options)
    rows = read_rows(logs)
    assert all(isinstance(row, ProblemRow) for row in rows)
    return [row for row in rows if isinstance(row, ProblemRow)]


def is_judge(body: dict[str, Any]) -> bool:
    return body["model"] == "referee"


def said(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Role and text of each message of a request."""
    return [(m["role"], sent_text({"messages": [m]})) for m in body["messages"]]


def test_a_problem_is_sent_in_words_alone_and_nothing_tells_its_answer(suite, tmp_path):
    with openai_server(lambda body: Reply(STEPS)) as server:
        rows = ask(suite, tmp_path)
    assert len(rows) == len(server.requests) == len(WHOLE_PROBLEMS)
    for body in server.requests:
        assert sent_images(body) == []
        text = sent_text(body)
        (row,) = [row for row in WHOLE_PROBLEMS if row[1] in text]
        assert row[4] not in text and row[5] not in text
        assert "unconventional" not in text
    assert {row.view for row in rows} == {"text"}


def test_a_judge_votes_and_is_asked_only_what_is_open(suite: Path, tmp_path: Path) -> None:
    lock, asked = threading.Lock(), Counter[str]()
    grades = ["A", "A", "B"]

    def answer(body: dict[str, Any]) -> Reply:
        if not is_judge(body):
            return Reply(STEPS)
        text = sent_text(body)
        with lock:
            asked[text] += 1
            return Reply(json.dumps({"grade": grades[asked[text] - 1]}))

    with openai_server(answer):
        rows = ask(suite, tmp_path, judge=JUDGE)
    solvable = [row for row in rows if row.solvable]
    assert len(solvable) == 4
    for row in solvable:
        assert sorted(row.judged) == grades
        assert (row.category, row.state) == ("B", AnswerState.CORRECT)
        assert row.judge.startswith(JUDGE)
    assert set(asked.values()) == {3}
    assert len(asked) == len(solvable)
    for text in asked:
        assert "solver" not in text
        assert "- C:" not in text and "- F:" not in text


@pytest.mark.parametrize(
    "verdict", ["A", '{"grade": "C"}', '{"grade": "A", "why": "x"}', '{"grade": ["A"]}', "{}"]
)
def test_a_judge_that_gives_no_possible_grade_is_a_fault(verdict, suite, tmp_path):
    with openai_server(lambda b: Reply(verdict if is_judge(b) else STEPS)):
        rows = ask(suite, tmp_path, judge=JUDGE)
    assert {row.state for row in rows if row.solvable} == {AnswerState.ERROR}
    assert {row.category for row in rows if not row.solvable} == {"F"}


def test_self_reflection_ends_when_nothing_is_to_be_changed(suite: Path, tmp_path: Path) -> None:
    """The second answer stands, though the last reply has none."""
    replies = ["Answer:\nStep 1: Wish.", f"Changes: needed\nAnswer:\n{STEPS}", "**Changes: none**"]

    def answer(body: dict[str, Any]) -> Reply:
        return Reply(replies[sum(m["role"] == "assistant" for m in body["messages"])])

    with openai_server(answer) as server:
        rows = ask(suite, tmp_path, strategy="self-reflect", limit=1)
    (row,) = rows
    assert row.reply == replies[1]
    assert (row.calls, row.tokens_in, row.tokens_out) == (3, 33, 21)
    assert row.model == f"{MODEL} · self-reflect"
    last = max(server.requests, key=lambda body: len(body["messages"]))
    assert [role for role, _ in said(last)] == ["user", "assistant"] * 2 + ["user"]
    assert [text for role, text in said(last) if role == "assistant"] == replies[:2]
    assert "Changes: none" in said(last)[2][1]


def test_only_the_final_answer_is_graded(suite: Path, tmp_path: Path) -> None:
    thought = "It is not possible to reach it by hand.\nAnswer:\n" + STEPS

    def answer(body: dict[str, Any]) -> Reply:
        if is_judge(body):
            assert "by hand" not in sent_text(body)
            return Reply('{"grade": "A"}')
        return Reply(thought)

    with openai_server(answer):
        rows = ask(suite, tmp_path, strategy="reason", judge=JUDGE)
    assert {row.category for row in rows if row.solvable} == {"A"}


@pytest.mark.slow
def test_a_judge_is_held_against_the_raters_and_too_poor_a_one_is_no_base(suite, tmp_path):
    """The judge grades as the raters do, wherever the problem's flag lets it."""
    ratings = {r["solution"]: r["annotation"] for rs in WHOLE_BENCHMARK.values() for r in rs}
    labels = {solution: RATINGS[rating] for solution, rating in ratings.items()}

    def answer(body: dict[str, Any]) -> Reply:
        if not is_judge(body):
            return Reply(STEPS)
        text = sent_text(body)
        material = json.loads(text[text.index("\n{") : text.rindex("}\n\nReply") + 1])
        label = labels.get(material["answer"], "B")
        return Reply(json.dumps({"grade": label if f"- {label}: " in text else "E"}))

    logs, agreement = tmp_path / "logs", tmp_path / "agreement.json"
    with openai_server(answer):
        asked = ("--model", MODEL, "--log-dir", logs, "--judge", JUDGE)
        invoke("eval", suite, *asked)
        where = ("--log-dir", tmp_path / "judge", "--json", agreement)
        told = invoke("people", "agreement", suite, "--judge", JUDGE, *where)
    (found,) = json.loads(agreement.read_text())
    answers = sum(map(len, WHOLE_BENCHMARK.values()))
    assert (found["answers"], found["failed"]) == (answers, 0)
    assert found["kappa"]["low"] <= found["kappa"]["value"] <= found["kappa"]["high"]
    assert 0 < found["accuracy"]["value"] < 1 and "kappa" in told.output
    page = tmp_path / "report.html"
    least = ("--agreement", agreement, "--least-agreement", "1.1", "--out", page)
    assert "not for conclusions" in " ".join(invoke("compare", logs, *least).output.split())
    text = page.read_text(encoding="utf-8")
    assert "Not for conclusions" in text and "human (published)" in text

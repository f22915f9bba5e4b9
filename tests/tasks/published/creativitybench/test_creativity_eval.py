"""Situations told to a model over HTTP: at once, and thing by thing to who asks."""

import json
from pathlib import Path
from typing import Any

import pytest
from creativity_data import TASK, write
from evaluating import evaluate
from openai_server import OpenAIServer, Reply, openai_server, sent_text

from pactwin.compare import compare_logs
from pactwin.suite import Suite
from pactwin.tasks import (
    AnswerState,
    UseRow,
    import_published,
    read_rows,
    require_asked,
    score_as_published,
)

MODEL = "openai-api/local/inventor"
LADLE = "steel soup ladle 3"
GOLD = json.dumps({"entity": LADLE, "part": "ladle_bowl", "use": "press it in"})


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    import_published("creativitybench", write(tmp_path / "data"), tmp_path / "suite")
    return tmp_path / "suite"


def ask(
    suite: Path, tmp_path: Path, answer: Any, **options: Any
) -> tuple[list[UseRow], OpenAIServer]:
    with openai_server(answer) as server:
        logs = evaluate(suite, [MODEL], log_dir=tmp_path / "logs", **options)
    rows = [row for row in read_rows(logs) if isinstance(row, UseRow)]
    return rows, server


def said(body: dict[str, Any]) -> list[str]:
    """The text of each message from us."""
    return [sent_text({"messages": [m]}) for m in body["messages"] if m["role"] == "user"]


def test_all_is_told_at_once_and_the_last_object_counts(suite: Path, tmp_path: Path) -> None:
    reply = f'{{"entity": "x", "part": "y"}} no, better: {GOLD}'
    rows, server = ask(suite, tmp_path, lambda body: Reply(reply))
    assert len(rows) == len(server.requests) == 3
    assert {(r.relation, r.state) for r in rows} == {("gold", AnswerState.CORRECT)}
    for body in server.requests:
        (text,) = said(body)
        assert "A deep polished steel bowl" in text and "Two turned grips" in text
        assert TASK["solution"]["apply_affordance"] not in text and "gold" not in text
    require_asked(Suite.open(suite), rows)
    scores = {s.metric: s.value for s in compare_logs([tmp_path / "logs"]) if s.is_pooled}
    assert scores["creative_gold"] == scores["creative_exact"] == 1.0


def test_things_are_described_to_who_asks_and_mistakes_cost_a_turn(
    suite: Path, tmp_path: Path
) -> None:
    script = [
        "What have we here?",
        '{"explore": "teapot"}',
        '{"explore": "Steel Soup Ladle 3"}',
        f'{{"explore": "{LADLE}"}}',
        GOLD,
    ]

    def answer(body: dict[str, Any]) -> Reply:
        return Reply(script[len(said(body)) - 1])

    rows, server = ask(suite, tmp_path, answer, strategy="explore", limit=1)
    (row,) = rows
    assert (row.state, row.explored, row.calls) == (AnswerState.CORRECT, (LADLE, LADLE), 5)
    last = said(server.requests[-1])
    assert f"- {LADLE}" in last[0] and "polished" not in last[0]
    assert "could not be read" in last[1] and 'no thing called "teapot"' in last[2]
    assert "A deep polished steel bowl" in last[3] and "gold" not in last[3]
    assert [f"Replies left: {n}" in text for n, text in zip(range(15, 10, -1), last, strict=True)]
    scores = {s.metric: s.value for s in compare_logs([tmp_path / "logs"]) if s.is_pooled}
    assert scores["creative_turns"] == 5 and scores["creative_explored"] == 1
    assert scores["creative_repeated"] == scores["creative_looked_first_right"] == 1.0


def test_who_never_answers_has_no_answer_when_the_turns_are_used_up(
    suite: Path, tmp_path: Path
) -> None:
    rows, server = ask(
        suite, tmp_path, lambda body: Reply('{"explore": "ball of dough"}'),
        strategy="explore", limit=1,
    )  # fmt: skip
    assert len(server.requests) == 15
    assert rows[0].state is AnswerState.UNPARSED and "turns" in rows[0].reason
    scores = {s.metric: s.value for s in compare_logs([tmp_path / "logs"]) if s.is_pooled}
    assert scores["creative_gold_strict"] == 0.0 and scores["creative_coverage"] == 0.0


def test_published_shares_are_over_answers_with_what_was_asked_beside(
    suite: Path, tmp_path: Path
) -> None:
    replies = iter([GOLD, "I'm sorry, I can't help with that.", GOLD.replace("ladle_bowl", "lid")])
    ask(suite, tmp_path, lambda body: Reply(next(replies)))
    (table,), _ = score_as_published(Suite.open(suite), [tmp_path / "logs"])
    found = {row["metric"]: row for row in table.rows}
    gold = found["gold correct"]
    assert (gold["count"], gold["answered"], gold["asked"]) == (1, 2, 3)
    assert found["entity correct"]["published"] == 1.0

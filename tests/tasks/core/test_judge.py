"""A judge model against a real server: what it sees, what its verdicts do, and how it fails."""

import json
from collections.abc import Callable, Iterator
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval
from openai_server import OpenAIServer, Reply, openai_server, sent_images, sent_text

from pactwin.suite import SCENE_CONSTRAINTS, Constraint, InvalidInputError, Suite
from pactwin.tasks import AnswerRow, AnswerState, pac_constraints, read_answers
from pactwin.tasks.core.judge import (
    UNCLEAR,
    judge_question,
    refuse_self_judging,
)

MODEL, JUDGE = "openai-api/local/candidate-7b", "openai-api/local/referee"
VAGUE = "No, the picture speaks for itself."


@pytest.fixture(scope="module")
def suite(fake_suite_path: Path) -> Path:
    return fake_suite_path


class Examination:
    """One server for both models, since Inspect keeps a model's address; ``judge`` gets bodies."""

    def __init__(self) -> None:
        self.server: OpenAIServer | None = None
        self.answer: Callable[[], Reply] = lambda: Reply("")
        self.judge: Callable[[dict[str, Any]], Reply] = lambda body: Reply("")

    def reply(self, body: dict[str, Any]) -> Reply:
        return self.judge(body) if body["model"] == "referee" else self.answer()


EXAMINATION = Examination()


@pytest.fixture(scope="module", autouse=True)
def _running() -> Iterator[None]:
    with openai_server(EXAMINATION.reply) as server:
        EXAMINATION.server = server
        yield


def examiner(answer: Callable[[], Reply], judge: Callable[[dict[str, Any]], Reply]) -> OpenAIServer:
    """The server, with no requests yet, on which the two models reply as given."""
    assert EXAMINATION.server is not None
    EXAMINATION.answer, EXAMINATION.judge = answer, judge
    EXAMINATION.server.requests.clear()
    return EXAMINATION.server


def ask(suite: Path, log_dir: Path, **options: Any) -> list[AnswerRow]:
    defaults: dict[str, Any] = {
        "views": "head",
        "form": "open",
        "judge": JUDGE,
        "max_retries": 0,
        "no_cache": True,
    }
    logs = evaluate(suite, [MODEL], log_dir=log_dir, display="none", **defaults | options)
    return read_answers(logs)


def judged(server: OpenAIServer) -> list[dict[str, Any]]:
    return [body for body in server.requests if body["model"] == "referee"]


def vague_replies(before: str = "") -> Callable[[], Reply]:
    """Replies none of which is the same: of two that are, a judge may be asked about one."""
    numbers = count(1)
    return lambda: Reply(f"{before}{VAGUE} {next(numbers)}")


def verdict(says: str) -> Reply:
    return Reply(json.dumps({"says": says}))


def test_a_judge_sees_question_and_answer_and_neither_truth_nor_who_answered(suite, tmp_path):
    thinking = "<think>As candidate-7b I wonder.</think>"
    server = examiner(vague_replies(thinking), lambda body: verdict("covered"))
    rows = ask(suite, tmp_path)
    questions = [q for q in Suite.open(suite).questions() if q.form == "open"]
    assert len(judged(server)) == len(questions) == len(rows)
    texts = [sent_text(body) for body in judged(server)]
    replies = {row.question_id: row.reply.removeprefix(thinking) for row in rows}
    for question in questions:
        answer = replies[question.id]
        material = {"question": question.text, "answer": answer}
        assert any(json.dumps(material, ensure_ascii=False, indent=1) in text for text in texts)
    for body in judged(server):
        assert [message["role"] for message in body["messages"]] == ["user"]
        assert sent_images(body) == []
        assert "candidate" not in json.dumps(body)
    assert {(row.tokens_in, row.tokens_out) for row in rows} == {(11, 7)}, "the judge's are not its"


def test_a_verdict_decides_what_was_said_and_the_truth_whether_it_is_right(suite, tmp_path):
    every = [*(constraint.value for constraint in SCENE_CONSTRAINTS), UNCLEAR]
    names = cycle(every)
    examiner(vague_replies(), lambda body: verdict(next(names)))
    rows = ask(suite, tmp_path)
    assert {row.judged for row in rows} == set(every)
    for row in rows:
        if row.judged == UNCLEAR:
            assert (row.state, row.predicted_feasible) == (AnswerState.UNPARSED, False)
        else:
            says = Constraint(row.judged)
            right = says is row.truth_constraint
            assert row.state is (AnswerState.CORRECT if right else AnswerState.INCORRECT)
            assert row.predicted_constraint is says
            assert row.predicted_feasible is (says is Constraint.NONE)


def test_a_judge_is_asked_only_where_something_is_said_and_not_understood(suite, tmp_path):
    not_its_business = cycle(
        [
            Reply("Yes."),
            Reply("No. It is too far away."),
            Reply(""),
            Reply("<think>I wonder"),
            Reply("No. The block", finish_reason="length"),
            Reply(None, refusal="I will not."),
            Reply("", finish_reason="content_filter"),
            Reply(status=400),
        ]
    )
    server = examiner(lambda: next(not_its_business), lambda body: verdict("covered"))
    rows = ask(suite, tmp_path / "open")
    examiner(lambda: Reply("Hm."), lambda body: verdict("covered"))
    for form in ("yes_no", "choice"):
        rows += ask(suite, tmp_path / form, limit=1, form=form)
    assert judged(server) == []
    assert {row.judged for row in rows} == {""}
    there = set(AnswerState) - {AnswerState.CORRECT, AnswerState.UNSURE}
    assert {row.state for row in rows} >= there


BROKEN = [
    Reply(status=500),
    Reply(raw=b"<html>gateway</html>"),
    Reply(""),
    Reply("I think that it says covered."),
    Reply('Sure: {"says": "covered"}'),
    Reply('{"says": "covered"} {"says": "none"}'),
    Reply('{"says": "correct"}'),
    Reply('{"says": null}'),
    Reply('{"says": "covered", "correct": true}'),
    Reply('["covered"]'),
    Reply('{"says": "cov', finish_reason="length"),
    Reply(None, refusal="No."),
]


def test_a_judge_that_fails_makes_no_answer_wrong(suite: Path, tmp_path: Path) -> None:
    faults = cycle(BROKEN)
    server = examiner(vague_replies(), lambda body: next(faults))
    rows = ask(suite, tmp_path)
    assert len(rows) > len(BROKEN)
    assert len(judged(server)) >= len(rows)
    for row in rows:
        assert row.state is AnswerState.ERROR
        assert "judge" in row.reason
        assert row.reply.startswith(VAGUE)
        assert (row.predicted_feasible, row.judged) == (None, "")


@given(st.text())
def test_an_answer_cannot_leave_its_quotation(reply: str) -> None:
    asked = judge_question("Can it be done?", f"x{reply}x")
    material = asked[asked.index("{\n") : asked.rindex("\n}") + 2]
    quoted = json.loads(material)
    assert list(quoted) == ["question", "answer"]


@pytest.mark.parametrize(
    "judge", [MODEL, "openrouter/someone/candidate-7b", "openai-api/other/Candidate-7B"]
)
def test_a_model_does_not_judge_itself(judge: str, suite: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="--judge-self"):
        refuse_self_judging(judge, ["pactwin/oracle", MODEL])
    server = examiner(lambda: Reply(VAGUE), lambda body: verdict("none"))
    with pytest.raises(InvalidInputError, match="its own answers"):
        ask(suite, tmp_path, judge=MODEL)
    assert server.requests == []


def test_inspects_own_command_line_is_held_to_it_too(suite: Path, tmp_path: Path) -> None:
    examiner(lambda: Reply(VAGUE), lambda body: verdict("none"))
    (log,) = inspect_eval(
        pac_constraints(str(suite), views="head", form="open", limit=1),
        model=MODEL,
        model_roles={"judge": MODEL},
        max_retries=0,
        log_dir=str(tmp_path),
        display="none",
    )
    rows = read_answers([log.location])
    assert {row.state for row in rows} == {AnswerState.ERROR}
    assert all("its own answers" in row.reason for row in rows)

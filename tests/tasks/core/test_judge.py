"""A judge model against a real server: what it sees, what its verdicts do, and how it fails."""

import json
from collections.abc import Callable
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval
from openai_server import Reply, openai_server, sent_images, sent_text

from pactwin.suite import SCENE_CONSTRAINTS, Constraint, InvalidInputError, Suite
from pactwin.tasks import AnswerRow, AnswerState, pac_constraints, read_answers
from pactwin.tasks.core.judge import (
    UNCLEAR,
    judge_question,
    refuse_self_judging,
)

MODEL, JUDGE = "openai-api/local/candidate-7b", "openai-api/local/referee"
VAGUE = "No, the picture speaks for itself."


def ask(
    suite: Path,
    log_dir: Path,
    answer: Callable[[], Reply],
    mark: Callable[[dict[str, Any]], Reply],
    **options: Any,
) -> tuple[list[AnswerRow], list[dict[str, Any]]]:
    """The rows, and what the judge was sent; the model is asked openly."""
    how: dict[str, Any] = {"views": "head", "form": "open", "judge": JUDGE, "max_retries": 0}
    how |= {"no_cache": True, "log_dir": log_dir, **options}
    with openai_server(lambda body: mark(body) if body["model"] == "referee" else answer()) as on:
        rows = read_answers(evaluate(suite, [MODEL], **how))
    return rows, [body for body in on.requests if body["model"] == "referee"]


def never(*_: object) -> Reply:
    raise AssertionError("nobody should be asked")


def vague_replies(before: str = "") -> Callable[[], Reply]:
    """Replies none of which is the same: of two that are, a judge may be asked about one."""
    numbers = count(1)
    return lambda: Reply(f"{before}{VAGUE} {next(numbers)}")


def verdict(says: str) -> Reply:
    return Reply(json.dumps({"says": says}))


def test_a_judge_sees_question_and_answer_and_not_who_answered(fake_suite_path, tmp_path):
    thinking = "<think>As candidate-7b I wonder.</think>"
    rows, judged = ask(
        fake_suite_path, tmp_path, vague_replies(thinking), lambda body: verdict("covered")
    )
    questions = [q for q in Suite.open(fake_suite_path).questions() if q.form == "open"]
    assert len(judged) == len(questions) == len(rows)
    texts = [sent_text(body) for body in judged]
    replies = {row.question_id: row.reply.removeprefix(thinking) for row in rows}
    for question in questions:
        answer = replies[question.id]
        material = {"question": question.text, "answer": answer}
        assert any(json.dumps(material, ensure_ascii=False, indent=1) in text for text in texts)
    for body in judged:
        assert [message["role"] for message in body["messages"]] == ["user"]
        assert sent_images(body) == []
        assert "candidate" not in json.dumps(body)
    assert {(row.tokens_in, row.tokens_out) for row in rows} == {(11, 7)}, "the judge's are not its"


def test_a_verdict_decides_what_was_said_and_not_whether_it_is_right(fake_suite_path, tmp_path):
    every = [*(constraint.value for constraint in SCENE_CONSTRAINTS), UNCLEAR]
    names = cycle(every)
    rows, _ = ask(fake_suite_path, tmp_path, vague_replies(), lambda body: verdict(next(names)))
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


def test_a_judge_is_asked_only_about_what_is_not_understood(fake_suite_path, tmp_path):
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
    rows, judged = ask(fake_suite_path, tmp_path / "open", lambda: next(not_its_business), never)
    for form in ("yes_no", "choice"):
        more, _ = ask(
            fake_suite_path, tmp_path / form, lambda: Reply("Hm."), never, form=form, limit=1
        )
        rows += more
    assert judged == []
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


def test_a_judge_that_fails_makes_no_answer_wrong(fake_suite_path: Path, tmp_path: Path) -> None:
    faults = cycle(BROKEN)
    rows, judged = ask(fake_suite_path, tmp_path, vague_replies(), lambda body: next(faults))
    assert len(rows) > len(BROKEN)
    assert len(judged) >= len(rows)
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
def test_a_model_does_not_judge_itself(judge, fake_suite_path, tmp_path):
    with pytest.raises(InvalidInputError, match="--judge-self"):
        refuse_self_judging(judge, ["pactwin/oracle", MODEL])
    with pytest.raises(InvalidInputError, match="its own answers"):
        ask(fake_suite_path, tmp_path, never, never, judge=MODEL)


def test_inspects_own_command_line_is_held_to_it_too(fake_suite_path: Path, tmp_path: Path) -> None:
    with openai_server(lambda body: Reply(VAGUE)):
        (log,) = inspect_eval(
            pac_constraints(str(fake_suite_path), views="head", form="open", limit=1),
            model=MODEL, model_roles={"judge": MODEL}, max_retries=0, log_dir=str(tmp_path),
            display="none",
        )  # fmt: skip
    rows = read_answers([log.location])
    assert {row.state for row in rows} == {AnswerState.ERROR}
    assert all("its own answers" in row.reason for row in rows)

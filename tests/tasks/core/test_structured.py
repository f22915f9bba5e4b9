"""Answers asked for as JSON: what is sent, what is read, and what is never called wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from inspect_ai.log import read_eval_log
from openai_server import Reply, openai_server, sent_text

from pactwin.solvers import Problem, parse_names, parse_reply
from pactwin.suite import Constraint, InvalidInputError
from pactwin.tasks import KINDS, AnswerState, EvalRequest, read_answers
from pactwin.tasks.core.structured import (
    THINKING,
    JsonAnswer,
    answer_schema,
    items_answer,
    letters_answer,
    read_json,
)
from pactwin.tasks.running.models import resolve_model

MODEL = "openai-api/local/vlm"


def ask(suite: Path, logs: Path, answer: Callable[[dict[str, Any]], Reply], **options: Any) -> Any:
    """What was sent, and the rows."""
    defaults: dict[str, Any] = {"views": "head", "limit": 2, "vision_check": False}
    with openai_server(answer) as server:
        found = evaluate(suite, [MODEL], log_dir=logs, **defaults | options)
    return server.requests, read_answers(found), found


def json_for(body: dict[str, Any]) -> Reply:
    """The first answer that the request's schema allows."""
    properties = body["response_format"]["json_schema"]["schema"]["properties"]
    said = {name: shape.get("enum", ["so it is"])[0] for name, shape in properties.items()}
    return Reply(json.dumps(said))


def test_a_schema_goes_with_the_request_and_a_reply_that_fits_it_is_read(fake_suite_path, tmp_path):
    requests, rows, (log,) = ask(fake_suite_path, tmp_path, json_for, structured=True)
    asked = {row.form for row in rows}
    assert asked == {"yes_no", "choice", "open"}
    for body in requests:
        told = body["response_format"]
        assert (told["type"], told["json_schema"]["strict"]) == ("json_schema", True)
        schema = told["json_schema"]["schema"]
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False
        assert "Reply with one JSON object and nothing else" in sent_text(body)
        assert "Begin your reply" not in sent_text(body)
    for row in rows:
        assert row.state in (AnswerState.CORRECT, AnswerState.INCORRECT)
        if row.form == "choice":
            assert (row.state is AnswerState.CORRECT) is (
                row.truth_constraint is first_of(log, row)
            )
        else:
            assert row.predicted_feasible is True
    assert {row.model for row in rows} == {f"{MODEL} · direct · json"}
    assert (read_eval_log(str(log), header_only=True).eval.metadata or {})["structured"] is True


def first_of(log: Path, row: Any) -> Constraint:
    """What the option A of a choice question says."""
    samples = read_eval_log(str(log)).samples or []
    (sample,) = [s for s in samples if s.id == row.sample_id]
    option = sample.metadata["question"]["options"][0]
    return next(constraint for constraint in Constraint if constraint.statement == option)


@pytest.mark.parametrize(
    ("reply", "state"),
    [
        ("No. The lid is closed.", None),
        ('```json\n{"answer": "no", "reason": "it looked open; actually yes, it is"}\n```', None),
        ('{"answer": "maybe", "reason": "no"}', AnswerState.UNPARSED),
        ('{"answer": "no"}', AnswerState.UNPARSED),
        ('{"verdict": "no, it cannot be done"}', AnswerState.UNPARSED),
        ('{"answer": "no", "reason": "it is', AnswerState.UNPARSED),
    ],
)
def test_text_is_still_read_and_json_that_does_not_fit_is_never_wrong(
    fake_suite_path: Path, tmp_path: Path, reply: str, state: AnswerState | None
) -> None:
    options: dict[str, Any] = {"form": "yes_no", "structured": True}
    _, rows, _ = ask(fake_suite_path, tmp_path, lambda body: Reply(reply), **options)
    for row in rows:
        if state is None:
            assert row.predicted_feasible is False
        else:
            assert (row.state, row.reason) == (state, Problem.MISFIT.value)


def test_text_is_asked_for_where_a_server_is_not_known_to_keep_to_schemas(
    fake_suite_path: Path, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"form": "yes_no"}
    requests, rows, _ = ask(fake_suite_path, tmp_path, lambda body: Reply("No."), **options)
    assert not any("response_format" in body for body in requests)
    assert {row.model for row in rows} == {MODEL}
    with pytest.raises(InvalidInputError, match="another structured"):
        ask(fake_suite_path, tmp_path, json_for, structured=True, resume=True, **options)
    requests, rows, _ = ask(fake_suite_path, tmp_path / "b", json_for, structured=True, **options)
    assert len(requests) == len(rows), "replies in words are not used again for JSON"


@pytest.mark.parametrize(
    ("model", "structured"),
    [("openai/gpt-5", True), ("vllm/some", True), (MODEL, False), ("pactwin/always-no", False)],
)
def test_the_provider_decides_by_default(fake_suite_path, monkeypatch, model, structured):
    monkeypatch.setenv("OPENAI_API_KEY", "planted-key")
    monkeypatch.setenv("LOCAL_API_KEY", "planted-key")
    monkeypatch.setenv("LOCAL_BASE_URL", "http://127.0.0.1:9/v1")
    base = "http://127.0.0.1:9/v1" if model.startswith("vllm") else None
    resolved = resolve_model(model, base)
    request = EvalRequest(suite=fake_suite_path, models=(model,), log_dir=Path("logs"))
    for name, kind in KINDS.items():
        assert request.asks_structured(kind, resolved) is (structured and name != "problem")
    direct = KINDS["constraint"]
    for strategy in ("views", "self-reflect"):
        looking = request.model_copy(update={"strategy": strategy})
        assert not looking.asks_structured(direct, resolved)
    for update in ({"structured": False}, {"structured": True}):
        told = request.model_copy(update=update).asks_structured(direct, resolved)
        assert told is (update["structured"] and not model.startswith("pactwin/"))


def test_only_the_turn_that_asks_for_the_answer_is_held_to_the_schema(fake_suite_path, tmp_path):
    def answer(body: dict[str, Any]) -> Reply:
        return json_for(body) if "response_format" in body else Reply("A box and a ball.")

    options: dict[str, Any] = {"form": "yes_no", "structured": True, "strategy": "describe"}
    requests, rows, _ = ask(fake_suite_path, tmp_path, answer, **options)
    held = [body for body in requests if "response_format" in body]
    assert len(held) == len(rows) == sum(row.predicted_feasible is True for row in rows)
    assert len(requests) > len(held)
    for body in held:
        schema = body["response_format"]["json_schema"]["schema"]
        assert next(iter(schema["properties"])) == THINKING


def test_items_are_taken_as_they_stand() -> None:
    answer = items_answer("names")
    read = read_json('Here: {"items": ["hand saw", "drill\\n(small)", "clamp"]}', answer)
    assert isinstance(read, JsonAnswer)
    assert parse_names(read.text()).items == ("hand saw", "drill", "clamp")
    assert read_json('{"items": "saw"}', answer) is Problem.MISFIT
    assert read_json("saw, clamp", answer) is None
    none = read_json('{"items": []}', answer)
    assert isinstance(none, JsonAnswer) and parse_names(none.text()).problem is not None


@pytest.mark.parametrize("said", [[], ["A"], ["B", "D"], ["A", "B", "C", "D"]])
def test_letters_are_those_of_the_options(said: list[str]) -> None:
    options = ("The lid.", "It is far.", "It fits.", "Nothing prevents it.")
    answer = letters_answer("ABCD", "letters")
    read = read_json(json.dumps({"answer": said}), answer)
    assert isinstance(read, JsonAnswer)
    chosen = parse_reply("checklist", read.text(), options)
    assert (chosen.problem, [options.index(o) for o in chosen.selected]) == (
        None,
        ["ABCD".index(letter) for letter in said],
    )
    assert read_json('{"answer": ["E"]}', answer) is Problem.MISFIT
    assert answer_schema(answer)["properties"]["answer"]["items"]["enum"] == list("ABCD")

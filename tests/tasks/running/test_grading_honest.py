"""What honest contestants send is graded, however asked; views have one spelling."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from evaluating import evaluate
from fakes import make_fake_suite
from openai_server import Reply, openai_server

from pactwin.suite import (
    InvalidInputError,
    load_suite,
    new_key,
    open_answers,
    seal_suite,
    sealed_suite_path,
)
from pactwin.tasks import KINDS, grade_logs
from pactwin.tasks.core.asking import asked_sample


@pytest.mark.parametrize(
    ("strategy", "views", "form"),
    [("direct", "head", "choice"), ("describe", "head", "yes_no"), ("verify", "all", "open")],
)
def test_honest_logs_are_graded_however_they_were_asked(
    strategy: str, views: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With pictures in the log, long replies, several turns and epochs, resumed after errors."""
    monkeypatch.setenv("LOCAL_API_KEY", "sk-0123456789")
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, secret=True)
    key = new_key(tmp_path / "key")
    seal_suite(suite, tmp_path / "sealed", key)
    asked = 0

    def answer(body: dict) -> Reply:
        nonlocal asked
        asked += 1
        if asked % 5 == 3:
            return Reply(status=400)
        said = "I looked at all of it, more than once, with some care. " * 4
        return Reply(f"{said}\n\nAnswer: {'A' if form == 'choice' else 'yes'}")

    options: dict[str, Any] = {"views": views, "form": form, "strategy": strategy, "epochs": 2}
    options |= {"log_dir": tmp_path / "logs", "display": "none", "max_retries": 0}
    with openai_server(answer):
        for resume in (False, True, True, True):
            (log,) = evaluate(
                sealed_suite_path(tmp_path / "sealed"), ["openai-api/local/vlm"],
                resume=resume, log_images=True, **options,
            )  # fmt: skip
    answers = open_answers(tmp_path / "sealed", key)
    graded = grade_logs(tmp_path / "sealed", [log], answers, tmp_path / "ledger")
    assert len(graded) == 4
    scenes = {scene.id: scene for scene in answers.scenes}
    known = {question.id: question for question in answers.questions}
    questions = load_suite(sealed_suite_path(tmp_path / "sealed")).questions
    for row in graded:
        true = known[row.question_id]
        listed = questions[row.question_id].options
        feasible = scenes[row.scene_id].decided.feasible
        right = true.truth == listed[0] if listed else feasible
        assert row.state == ("error" if row.reply == "" else "correct" if right else "incorrect")
    assert sum(row.state == "error" for row in graded) <= 1


def test_a_view_has_one_spelling(tmp_path: Path) -> None:
    """Else a model is graded in the same view as often as that can be written."""
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, secret=True)
    key = new_key(tmp_path / "key")
    seal_suite(suite, tmp_path / "sealed", key)
    sealed = load_suite(sealed_suite_path(tmp_path / "sealed"))
    options: dict[str, Any] = {"views": "head", "form": "yes_no", "display": "none"}
    (log,) = evaluate(
        sealed.suite.path, ["pactwin/always-no"], log_dir=tmp_path / "logs", **options
    )
    answers, ledger = open_answers(tmp_path / "sealed", key), tmp_path / "ledger"
    for view, says in (
        ("head", None),
        ("head+head", r"head\+head\.eval: edited: no view is called"),
    ):
        respelled = tmp_path / f"{view}.eval"
        with ZipFile(log) as old, ZipFile(respelled, "w") as new:
            for name in old.namelist():
                data = json.loads(old.read(name))
                if name.startswith("samples/"):
                    question = sealed.questions[data["metadata"]["question_id"]]
                    scene = sealed.scenes[question.scene_id]
                    kind = KINDS["constraint"]
                    so = asked_sample(sealed.suite, kind, scene, question, view)
                    assert not isinstance(so.input, str)
                    told = [message.model_dump(mode="json") for message in so.input]
                    data |= {"id": so.id, "input": told}
                    data["metadata"] |= so.metadata or {}
                new.writestr(name, json.dumps(data))
        if says is None:
            grade_logs(tmp_path / "sealed", [respelled], answers, ledger)
        else:
            with pytest.raises(InvalidInputError, match=says):
                grade_logs(tmp_path / "sealed", [respelled], answers, tmp_path / "other")


def test_a_reply_that_is_given_again_is_the_models(tmp_path, monkeypatch):
    """Where the judge failed, a resumed run asks it again about the reply before."""
    monkeypatch.setenv("LOCAL_API_KEY", "sk-0123456789")
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, secret=True)
    key = new_key(tmp_path / "key")
    seal_suite(suite, tmp_path / "sealed", key)
    said = "Well, that is a matter of how one looks at such things as these, is it not? " * 3
    paid, judge_works = 0, False

    def answer(body: dict) -> Reply:
        nonlocal paid
        if body["model"] == "judge":
            return Reply('{"says": "covered"}') if judge_works else Reply(status=400)
        paid += 1
        return Reply(said)

    options: dict[str, Any] = {"views": "head", "form": "open", "judge": "openai-api/local/judge"}
    options |= {"log_dir": tmp_path / "logs", "display": "none", "max_retries": 0}
    with openai_server(answer):
        for judge_works in (False, True):
            (log,) = evaluate(
                sealed_suite_path(tmp_path / "sealed"), ["openai-api/local/vlm"],
                resume=judge_works, **options,
            )  # fmt: skip
    assert paid == 2
    answers = open_answers(tmp_path / "sealed", key)
    graded = grade_logs(tmp_path / "sealed", [log], answers, tmp_path / "ledger")
    assert {(row.reply.strip(), row.state) for row in graded} == {(said.strip(), "unparsed")}
    assert {row.judged for row in graded} == {""}, "judges of contestants count for nothing"

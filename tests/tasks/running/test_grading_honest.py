"""What honest contestants send is graded, however their models were asked."""

from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from fakes import make_fake_suite
from openai_server import Reply, openai_server

from pactwin.suite import load_suite, new_key, open_answers, seal_suite, sealed_suite_path
from pactwin.tasks import grade_logs


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

"""Each check of grading stops what nothing else stops."""

import json
import os
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from fakes import make_fake_suite
from inspect_ai.log import read_eval_log, write_eval_log
from logs_edited import rewrite, say_yes
from openai_server import Reply, openai_server

from pactwin.suite import (
    InvalidInputError,
    SealedAnswers,
    held,
    load_suite,
    new_key,
    open_answers,
    seal_suite,
    sealed_suite_path,
)
from pactwin.tasks import KINDS, Row, grade_logs
from pactwin.tasks.core.asking import asked_sample

ASKED: dict[str, Any] = {"views": "head", "form": "yes_no", "display": "none"}


class Challenge:
    """A sealed suite, its answers, and logs about it."""

    def __init__(self, folder: Path) -> None:
        suite = make_fake_suite(folder / "suite", n_pairs=8, secret=True)
        self.key = folder / "key"
        key = new_key(self.key)
        self.folder, self.suite = folder / "sealed", sealed_suite_path(folder / "sealed")
        seal_suite(suite, self.folder, key)
        self.answers = open_answers(self.folder, key)
        (self.log,) = self.ask(folder / "once")
        (self.twice,) = self.ask(folder / "twice", epochs=2)

    def ask(self, log_dir: Path, *models: str, **options: Any) -> list[Path]:
        return evaluate(
            self.suite, models or ["pactwin/always-no"], log_dir=log_dir, **ASKED | options
        )

    def grade(self, *logs: Path, ledger: Path, answers: SealedAnswers | None = None) -> list[Row]:
        return grade_logs(self.folder, logs, answers or self.answers, ledger)


@pytest.fixture(scope="module")
def challenge(tmp_path_factory: pytest.TempPathFactory) -> Challenge:
    return Challenge(tmp_path_factory.mktemp("challenge"))


def said_otherwise(**facts: Any) -> Callable[[dict], dict]:
    """The reply is another one, which a call of the same model gave that does not count."""

    def change(sample: dict) -> dict:
        event = deepcopy(next(e for e in sample["events"] if e["event"] == "model")) | facts
        event["output"]["completion"] = "Answer: yes"
        return say_yes(sample) | {"events": [*sample["events"], event]}

    return change


def tell_more(sample: dict) -> dict:
    sample["input"].append({"role": "assistant", "content": "Yes."})
    return sample


def tell_as_system(sample: dict) -> dict:
    sample["input"][0]["role"] = "system"
    return sample


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (said_otherwise(role="judge"), "has a reply that pactwin/always-no did not give"),
        (said_otherwise(error="broken"), "has a reply that pactwin/always-no did not give"),
        (said_otherwise(model="lab/other"), "has a reply that pactwin/always-no did not give"),
        (tell_more, "was not asked as the sealed suite asks it"),
        (tell_as_system, "was not asked as the sealed suite asks it"),
        (lambda sample: sample | {"epoch": "first"}, "not a readable Inspect log"),
    ],
)
def test_an_edited_sample_is_refused(change, reason, challenge, tmp_path):
    edited = rewrite(challenge.log, tmp_path / "edited.eval", change)
    with pytest.raises(InvalidInputError, match=reason):
        challenge.grade(edited, ledger=tmp_path / "ledger")


def test_a_strategy_that_there_is_not_is_refused(challenge: Challenge, tmp_path: Path) -> None:
    def cheat(header: dict) -> dict:
        header["eval"]["metadata"]["strategy"] = "cheat"
        return header

    edited = rewrite(challenge.log, tmp_path / "edited.eval", cheat, "header.json")
    with pytest.raises(InvalidInputError, match="no strategy is called 'cheat'"):
        challenge.grade(edited, ledger=tmp_path / "ledger")


def test_what_a_header_says_of_its_suite_counts_for_nothing(challenge, tmp_path):
    def boast(header: dict) -> dict:
        header["eval"]["dataset"]["samples"] = 1
        header["eval"]["metadata"] |= {"suite_name": "harder", "effort": "7"}
        return header

    edited = rewrite(challenge.log, tmp_path / "edited.eval", boast, "header.json")
    graded = challenge.grade(edited, ledger=tmp_path / "ledger")
    assert {(row.suite_name, row.planned) for row in graded} == {("fake (sealed)", len(graded))}


def test_the_best_of_several_replies_cannot_be_kept(challenge: Challenge, tmp_path: Path) -> None:
    """A question is asked as often as any other."""
    assert challenge.grade(challenge.twice, ledger=tmp_path / "ledger")
    with zipfile.ZipFile(challenge.twice) as archive:
        worse = next(name for name in archive.namelist() if name.endswith("_epoch_2.json"))
    edited = rewrite(challenge.twice, tmp_path / "edited.eval", lambda sample: None, worse)
    with pytest.raises(InvalidInputError, match="has answers of epochs 1, not one of each from 1"):
        challenge.grade(edited, ledger=tmp_path / "other")


def test_a_question_is_asked_of_the_views_that_can_answer_it(challenge, tmp_path):
    loaded = load_suite(challenge.suite)
    question, view = next(
        (question, view)
        for question in loaded.questions.values()
        for view in ("front", "agent", "side", "head")
        if question.form == "yes_no" and view not in question.views
    )
    (log,) = challenge.ask(tmp_path / "logs", views=view)
    assert challenge.grade(log, ledger=tmp_path / "ledger")
    more = asked_sample(
        loaded.suite, KINDS["constraint"], loaded.scenes[question.scene_id], question, view
    )
    with zipfile.ZipFile(log, "a") as archive:
        name = next(name for name in archive.namelist() if name.startswith("samples/"))
        sample = json.loads(archive.read(name)) | {"id": more.id}
        assert not isinstance(more.input, str)
        sample["input"] = [message.model_dump(mode="json") for message in more.input]
        sample["metadata"] |= more.metadata or {}
        archive.writestr(f"samples/{more.id}_epoch_1.json", json.dumps(sample))
    with pytest.raises(InvalidInputError, match=f"{question.id} is not asked in view {view}"):
        challenge.grade(log, ledger=tmp_path / "other")


def test_only_archives_are_graded(challenge: Challenge, tmp_path: Path) -> None:
    """Inspect's other format has no parts that can be read one by one; a pipe never ends."""
    write_eval_log(read_eval_log(str(challenge.log)), str(tmp_path / "log.json"), "json")
    with pytest.raises(InvalidInputError, match=r"log\.json is no \.eval log"):
        challenge.grade(tmp_path / "log.json", ledger=tmp_path / "ledger")
    os.mkfifo(tmp_path / "pipe.eval")
    with pytest.raises(InvalidInputError, match=r"pipe\.eval is not an Inspect log"):
        challenge.grade(tmp_path / "pipe.eval", ledger=tmp_path / "ledger")


def test_answers_are_those_of_the_suite_beside_them(challenge: Challenge, tmp_path: Path) -> None:
    whole = challenge.answers
    for changed in ({"content_hash": "0" * 64}, {"questions": whole.questions[1:]}):
        other = whole.model_copy(update=changed)
        with pytest.raises(InvalidInputError, match="the suite there is not the one that was seal"):
            challenge.grade(challenge.log, ledger=tmp_path / "ledger", answers=other)


def test_one_process_at_a_time_writes_a_ledger(challenge: Challenge, tmp_path: Path) -> None:
    """Else the entries of one are lost, and its logs are graded again."""
    with (
        held(tmp_path, "grading"),
        pytest.raises(InvalidInputError, match="another process is grading there"),
    ):
        challenge.grade(challenge.log, ledger=tmp_path / "ledger")
    (tmp_path / "ledger").write_text('{"model": "x"}\n')
    with pytest.raises(InvalidInputError, match="not a ledger of graded logs"):
        challenge.grade(challenge.log, ledger=tmp_path / "ledger")


def test_no_output_of_grade_goes_where_something_else_is(challenge, tmp_path):
    """Neither to contestants, whom it would tell who was graded, nor over the scores."""
    how = ("challenge", "grade", challenge.folder, challenge.log, "--key", challenge.key)
    inside = invoke(*how, "--ledger", challenge.suite / "ledger.jsonl", code=2)
    assert "lies in the suite" in inside.stderr
    same = tmp_path / "scores.json"
    both = invoke(*how, "--ledger", same, "--json", same, code=2)
    assert "is an input or another output" in both.stderr
    assert not same.exists()
    sealed = challenge.folder / "answers.sealed"
    lost = invoke(*how, "--json", sealed, "--force", code=2)
    assert "is an input or another output" in lost.stderr


def test_models_that_say_the_same_are_both_graded_whatever_goes_wrong(
    challenge: Challenge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply that was cut, filtered or empty is the model's own, and no answer."""
    monkeypatch.setenv("LOCAL_API_KEY", "sk-0123456789")
    replies = [Reply("No. The", finish_reason="length"), Reply(""), Reply("No."), Reply("No.")]
    replies.append(Reply("", finish_reason="content_filter"))
    asked: dict[str, int] = {}

    def answer(body: dict) -> Reply:
        number = asked[body["model"]] = asked.get(body["model"], 0) + 1
        return replies[number % len(replies)]

    with openai_server(answer):
        logs = challenge.ask(
            tmp_path / "logs", "openai-api/local/a", "openai-api/local/b", max_connections=1
        )
    graded = challenge.grade(*logs, ledger=tmp_path / "ledger")
    assert {row.model for row in graded} == {"openai-api/local/a", "openai-api/local/b"}
    states = {str(row.state) for row in graded}
    assert states == {"correct", "incorrect", "truncated", "refused", "unparsed"}

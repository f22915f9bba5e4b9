"""A sealed suite tells no answer, and a log about it is graded once, whole and as it was made."""

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
from logs_edited import rename, rewrite, rewrite_all, say_yes

from pactwin.compare import read_comparison, read_leaderboard, score
from pactwin.suite import (
    Constraint,
    InvalidInputError,
    check_suite,
    held,
    load_suite,
    new_key,
    open_answers,
    read_key,
    seal_suite,
    sealed_suite_path,
)
from pactwin.tasks import KINDS, AnswerRow, Row, grade_logs, read_answers
from pactwin.tasks.core.asking import asked_sample

MODELS = ["pactwin/always-no", "pactwin/always-yes"]
ASKED: dict[str, Any] = {"views": "head", "form": "yes_no", "display": "none"}


class Challenge:
    """A suite, the same sealed, its answers, and logs about it."""

    def __init__(self, folder: Path) -> None:
        self.original = make_fake_suite(folder / "suite", n_pairs=8, secret=True)
        self.key, self.folder = folder / "key", folder / "sealed"
        key = new_key(self.key)
        seal_suite(self.original, self.folder, key)
        self.suite = sealed_suite_path(self.folder)
        self.answers = open_answers(self.folder, key)
        self.logs = self.ask(folder / "once", *MODELS)
        (self.log,) = (log for log in self.logs if read_answers([log])[0].model == MODELS[0])
        (self.twice,) = self.ask(folder / "twice", epochs=2)

    def ask(self, log_dir: Path, *models: str, **options: Any) -> list[Path]:
        return evaluate(self.suite, models or MODELS[:1], log_dir=log_dir, **ASKED | options)

    def grade(self, *logs: Path, ledger: Path) -> list[AnswerRow]:
        graded = grade_logs(self.folder, logs, self.answers, ledger)
        assert all(isinstance(row, AnswerRow) for row in graded)
        return [row for row in graded if isinstance(row, AnswerRow)]


@pytest.fixture(scope="module")
def challenge(tmp_path_factory: pytest.TempPathFactory) -> Challenge:
    return Challenge(tmp_path_factory.mktemp("challenge"))


def test_contestants_are_shown_no_scores(challenge: Challenge, tmp_path: Path) -> None:
    asked = ("--model", MODELS[0], "--limit", 1, "--views", "head", "--log-dir", tmp_path)
    said = invoke("eval", challenge.suite, *asked).stdout
    assert "is sealed: its organiser" in said
    assert "informedness" not in said
    refused = invoke("eval", challenge.suite, *asked, "--fail-under", "informedness=0.5", code=2)
    assert "is sealed and has no scores here" in refused.stderr
    # Whoever always says yes would come first, and right each time.
    for read in (read_leaderboard, read_comparison):
        with pytest.raises(InvalidInputError, match=r"is about the sealed suite .* \(sealed\)"):
            read(challenge.logs)


def test_the_contestants_part_holds_no_answer(challenge: Challenge) -> None:
    original = load_suite(challenge.original)
    secrets = {original.suite.info.content_hash}
    for scene in original.scenes.values():
        verdict = scene.decided
        secrets |= {scene.id, verdict.constraint.value, f'"seed":{scene.seed}', verdict.trial}
        secrets |= {str(m.value) for m in verdict.measurements.values()}
    secrets |= {q.id for q in original.questions.values()}
    secrets |= {q.rationale for q in original.questions.values() if q.rationale}
    secrets -= {"none"}
    unsealed = (challenge.original / "scenes.jsonl").read_bytes()
    assert sum(secret.encode() in unsealed for secret in secrets) > 2 * len(original.scenes)
    files = [p for p in challenge.suite.rglob("*") if p.is_file()]
    assert len(files) > len(original.scenes)
    for file in files:
        data = file.read_bytes()
        assert [s for s in secrets if s.encode() in data] == [], file
        assert not data.startswith(b"\x89PNG") or b"tEXt" not in data
    part = load_suite(challenge.suite)
    told = {(q.form, q.truth) for q in part.questions.values()}
    assert told == {("yes_no", "yes"), ("open", "yes"), ("choice", Constraint.NONE.statement)}
    assert {(s.domain, s.twin_id, s.verdict) for s in part.scenes.values()} == {
        ("sealed", None, None)
    }
    assert list(part.scenes) == sorted(part.scenes), "in the order of keyed hashes"
    assert list(check_suite(challenge.suite)) == []
    for data in (challenge.folder / "answers.sealed").read_bytes(), challenge.key.read_bytes():
        assert b"does_not_fit" not in data and b"feasible" not in data
    assert challenge.key.stat().st_mode & 0o077 == 0


def test_sealed_answers_notice_any_change(challenge: Challenge, tmp_path: Path) -> None:
    data = (challenge.folder / "answers.sealed").read_bytes()
    key = read_key(challenge.key)
    for broken in (data[:-1], bytes([data[0] ^ 1]) + data[1:], data + b"x", b""):
        (tmp_path / "answers.sealed").write_bytes(broken)
        with pytest.raises(InvalidInputError, match="changed or cut"):
            open_answers(tmp_path, key)
    (tmp_path / "answers.sealed").write_bytes(data)
    with pytest.raises(InvalidInputError, match="not sealed with this key"):
        open_answers(tmp_path, new_key(tmp_path / "other"))
    with pytest.raises(FileExistsError):
        new_key(tmp_path / "other")


def test_grades_are_those_of_the_suite_itself(challenge: Challenge, tmp_path: Path) -> None:
    found = score(challenge.grade(*challenge.logs, ledger=tmp_path / "ledger"))
    open_logs = evaluate(challenge.original, MODELS, log_dir=tmp_path / "logs", **ASKED)
    assert found == score(read_answers(open_logs))
    assert {s.value for s in found if s.metric == "informedness"} == {0.0}


def test_a_log_is_graded_once_whatever_it_is_called(challenge: Challenge, tmp_path: Path) -> None:
    log, ledger = challenge.log, tmp_path / "ledger"
    challenge.grade(log, ledger=ledger)
    heads = "header.json", "_journal/start.json"
    again = rewrite(log, tmp_path / "again.eval", rename(eval_id="another"), *heads)
    posed = rewrite(log, tmp_path / "posed.eval", rename(model="lab/best", eval_id="x"), *heads)
    posed = rewrite_all(posed, tmp_path / "posed2.eval", MODELS[0], "lab/best")
    assert {row.model for row in read_answers([posed])} == {"lab/best"}
    for repeated in (log, again, posed):
        with pytest.raises(InvalidInputError, match="graded before"):
            challenge.grade(repeated, ledger=ledger)
    assert len(ledger.read_text().splitlines()) == 1, "refused logs are not entered"


def test_scores_that_could_not_be_kept_can_be_made_again(challenge, tmp_path):
    def full(rows: list[Row]) -> None:
        assert rows
        raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        grade_logs(challenge.folder, challenge.logs, challenge.answers, tmp_path / "ledger", full)
    assert challenge.grade(*challenge.logs, ledger=tmp_path / "ledger")


def test_a_model_is_graded_once_in_a_form_and_view(challenge: Challenge, tmp_path: Path) -> None:
    """Else a lab sends logs until one scores well, and scoring refuses what a ledger holds."""
    again, ledger = challenge.ask(tmp_path / "again"), tmp_path / "ledger"
    says = "answers of pactwin/always-no to constraint yes_no head were graded before"
    with pytest.raises(InvalidInputError, match=says):
        challenge.grade(*challenge.logs, *again, ledger=ledger)
    assert not ledger.exists()
    challenge.grade(*challenge.logs, ledger=ledger)
    with pytest.raises(InvalidInputError, match=says):
        challenge.grade(*again, ledger=ledger)
    assert challenge.grade(*challenge.ask(tmp_path / "other", views="side"), ledger=ledger)


def flip_answer(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"]["predicted_feasible"] = not found["metadata"]["predicted_feasible"]
    found["metadata"] |= {"state": "correct", "judged": "none"}
    return sample


def unanswer(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"] |= {"state": "refused", "predicted_feasible": None}
    found["metadata"]["predicted_constraint"] = None
    return sample


def tell_twice(sample: dict) -> dict:
    """The reply stands in two places: viewers show one."""
    sample["output"]["completion"] = "Yes."
    return sample


def as_strategy(strategy: str) -> Callable[[dict], dict]:
    """A header without sample ids, and of another strategy."""

    def change(header: dict) -> dict:
        header["eval"]["dataset"] |= {"sample_ids": [], "samples": 1}
        header["eval"]["metadata"] |= {"strategy": strategy, "suite_name": "harder"}
        return header

    return change


@pytest.mark.parametrize("strategy", ["direct", "reason"])
def test_scores_in_a_log_count_for_nothing(strategy, challenge, tmp_path):
    log = rewrite(challenge.log, tmp_path / "a.eval", as_strategy(strategy), "header.json")
    before = challenge.grade(log, ledger=tmp_path / "ledger")
    assert {(row.suite_name, row.planned) for row in before} == {("fake (sealed)", len(before))}
    for change in (flip_answer, unanswer, tell_twice, lambda sample: sample | {"scores": {}}):
        changed = rewrite(log, tmp_path / "changed.eval", change)
        after = challenge.grade(changed, ledger=tmp_path / change.__name__)
        assert [(row.state, row.reply) for row in after] == [(r.state, r.reply) for r in before]
        assert {row.judged for row in after} == {""}
        assert score(after) == score(before)


def flip_question(sample: dict) -> dict:
    sample["metadata"]["truth_feasible"] = not sample["metadata"]["truth_feasible"]
    return sample


def reword(sample: dict) -> dict:
    sample["metadata"]["question"]["text"] = "Is this easy?"
    return sample


def reword_only_what_is_sent(sample: dict) -> dict:
    sample["input"][0]["content"][-1]["text"] = "Is this easy?"
    return sample


def repaint(sample: dict) -> dict:
    sample["metadata"]["pictures"][0]["sha256"] = "0" * 64
    return sample


def other_view(sample: dict) -> dict:
    sample["metadata"]["view"] = "side"
    return sample


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


NOT_SAID = "has a reply that pactwin/always-no did not give"
NOT_ASKED = "was not asked as the sealed suite asks it"
OTHER = "about other pictures or words"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (say_yes, f"edited: question .* {NOT_SAID}"),
        (said_otherwise(role="judge"), NOT_SAID),
        (said_otherwise(error="broken"), NOT_SAID),
        (said_otherwise(model="lab/other"), NOT_SAID),
        (lambda sample: sample | {"events": []}, NOT_SAID),
        (flip_question, "was changed"),
        (reword, OTHER),
        (repaint, OTHER),
        (other_view, OTHER),
        (reword_only_what_is_sent, NOT_ASKED),
        (tell_more, NOT_ASKED),
        (tell_as_system, NOT_ASKED),
        (lambda sample: sample | {"id": "0" * 16}, NOT_ASKED),
        (lambda sample: sample | {"epoch": 2}, "has answers of epochs"),
        (lambda sample: sample | {"epoch": "first"}, "not a readable Inspect log"),
        (lambda sample: sample | {"epoch": 10**30}, "not a readable Inspect log: Call: epoch"),
        (lambda sample: sample | {"error": True}, "not a readable Inspect log: LoggedSample"),
        (lambda sample: None, "truncated: 1 yes_no questions in view head are missing"),
    ],
)
def test_a_changed_log_is_refused_with_the_reason(change, reason, challenge, tmp_path):
    """Whatever its header names or says: neither sample ids, nor a strategy, nor its journal."""
    log = rewrite(challenge.log, tmp_path / "a.eval", as_strategy("reason"), "header.json")
    log = rewrite(log, tmp_path / "b.eval", lambda data: None, "_journal/start.json")
    challenge.grade(log, ledger=tmp_path / "elsewhere")
    changed = rewrite(log, tmp_path / "changed.eval", change)
    with pytest.raises(InvalidInputError, match=reason):
        challenge.grade(changed, ledger=tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_a_changed_header_is_refused(challenge: Challenge, tmp_path: Path) -> None:
    for change, says in (
        (rename(model="lab/best"), "has a reply that lab/best did not give"),
        (as_strategy("cheat"), "no strategy is called 'cheat'"),
    ):
        edited = rewrite(challenge.log, tmp_path / "edited.eval", change, "header.json")
        with pytest.raises(InvalidInputError, match=says):
            challenge.grade(edited, ledger=tmp_path / "ledger")


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


def test_other_suites_cut_files_and_other_formats_are_refused(challenge, tmp_path):
    """Inspect's other format has no parts that can be read one by one; a pipe never ends."""
    (other,) = evaluate(challenge.original, MODELS[:1], log_dir=tmp_path / "logs", **ASKED)
    cut, pipe, plain = (tmp_path / name for name in ("cut.eval", "pipe.eval", "log.json"))
    cut.write_bytes(challenge.log.read_bytes()[:-200])
    os.mkfifo(pipe)
    write_eval_log(read_eval_log(str(challenge.log)), str(plain), "json")
    for log, says in (
        (other, "is about suite"),
        (cut, "cut"),
        (plain, r"log\.json is no \.eval log"),
        (pipe, r"pipe\.eval is not an Inspect log"),
    ):
        with pytest.raises(InvalidInputError, match=says):
            challenge.grade(log, ledger=tmp_path / "ledger")


def test_answers_are_those_of_the_suite_beside_them(challenge: Challenge, tmp_path: Path) -> None:
    whole = challenge.answers
    for changed in ({"content_hash": "0" * 64}, {"questions": whole.questions[1:]}):
        other = whole.model_copy(update=changed)
        with pytest.raises(InvalidInputError, match="the suite there is not the one that was seal"):
            grade_logs(challenge.folder, [challenge.log], other, tmp_path / "ledger")


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
    same, sealed = tmp_path / "scores.json", challenge.folder / "answers.sealed"
    for outputs in (("--ledger", same, "--json", same), ("--json", sealed, "--force")):
        refused = invoke(*how, *outputs, code=2)
        assert "is an input or another output" in refused.stderr
    assert not same.exists()

"""A sealed suite tells no answer, and a log about it is graded once, whole and as it was made."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from fakes import make_fake_suite
from logs_edited import rename, rewrite, rewrite_all, say_yes

from pactwin.compare import read_comparison, read_leaderboard, score
from pactwin.suite import (
    Constraint,
    InvalidInputError,
    SealedAnswers,
    check_suite,
    load_suite,
    new_key,
    open_answers,
    read_key,
    seal_suite,
    sealed_suite_path,
)
from pactwin.tasks import AnswerRow, Row, grade_logs, read_answers

MODELS = ["pactwin/always-no", "pactwin/always-yes"]


@pytest.fixture(scope="module")
def fake_suite_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one of all tests, but that its seed is secret."""
    return make_fake_suite(tmp_path_factory.mktemp("fake") / "suite", n_pairs=8, secret=True)


@pytest.fixture(scope="module")
def sealed(fake_suite_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sealed")
    seal_suite(fake_suite_path, folder / "sealed", new_key(folder / "key"))
    return folder


@pytest.fixture(scope="module")
def answers(sealed: Path) -> SealedAnswers:
    return open_answers(sealed / "sealed", read_key(sealed / "key"))


@pytest.fixture(scope="module")
def logs(sealed: Path) -> list[Path]:
    suite = sealed_suite_path(sealed / "sealed")
    return evaluate(
        suite, MODELS, log_dir=sealed / "logs", views="head", form="yes_no", display="none"
    )


def grade(sealed: Path, logs: list[Path], answers: SealedAnswers, ledger: Path) -> list[AnswerRow]:
    graded = grade_logs(sealed / "sealed", logs, answers, ledger)
    assert all(isinstance(row, AnswerRow) for row in graded)
    return [row for row in graded if isinstance(row, AnswerRow)]


def test_contestants_are_shown_no_scores(sealed: Path, tmp_path: Path) -> None:
    suite = sealed_suite_path(sealed / "sealed")
    asked = ("--model", MODELS[0], "--limit", 1, "--views", "head", "--log-dir", tmp_path)
    said = invoke("eval", suite, *asked).stdout
    assert "is sealed: its organiser" in said
    assert "informedness" not in said
    refused = invoke("eval", suite, *asked, "--fail-under", "informedness=0.5", code=2)
    assert "is sealed and has no scores here" in refused.stderr


def test_logs_of_contestants_are_neither_ranked_nor_compared(logs: list[Path]) -> None:
    """Whoever always says yes would come first, and right each time."""
    for read in (read_leaderboard, read_comparison):
        with pytest.raises(InvalidInputError, match=r"is about the sealed suite .* \(sealed\)"):
            read(logs)


def test_the_contestants_part_holds_no_answer(fake_suite_path: Path, sealed: Path) -> None:
    original = load_suite(fake_suite_path)
    secrets = {original.suite.info.content_hash}
    for scene in original.scenes.values():
        verdict = scene.decided
        secrets |= {scene.id, verdict.constraint.value, f'"seed":{scene.seed}', verdict.trial}
        secrets |= {str(m.value) for m in verdict.measurements.values()}
    secrets |= {q.id for q in original.questions.values()}
    secrets |= {q.rationale for q in original.questions.values() if q.rationale}
    secrets -= {"none"}
    files = [p for p in sealed_suite_path(sealed / "sealed").rglob("*") if p.is_file()]
    assert len(files) > len(original.scenes)
    for file in files:
        data = file.read_bytes()
        assert [s for s in secrets if s.encode() in data] == [], file
        assert not data.startswith(b"\x89PNG") or b"tEXt" not in data
    part = load_suite(sealed_suite_path(sealed / "sealed"))
    told = {(q.form, q.truth) for q in part.questions.values()}
    assert told == {("yes_no", "yes"), ("open", "yes"), ("choice", Constraint.NONE.statement)}
    assert {(s.domain, s.twin_id, s.verdict) for s in part.scenes.values()} == {
        ("sealed", None, None)
    }
    assert list(part.scenes) == sorted(part.scenes), "in the order of keyed hashes"
    assert list(check_suite(sealed_suite_path(sealed / "sealed"))) == []
    for data in (sealed / "sealed" / "answers.sealed").read_bytes(), (sealed / "key").read_bytes():
        assert b"does_not_fit" not in data and b"feasible" not in data
    assert (sealed / "key").stat().st_mode & 0o077 == 0


def test_the_search_would_find_what_is_left(fake_suite_path: Path) -> None:
    """The same secrets are all over the suite that was sealed."""
    data = (fake_suite_path / "scenes.jsonl").read_bytes()
    for scene in load_suite(fake_suite_path).scenes.values():
        assert scene.id.encode() in data and scene.decided.trial.encode() in data


def test_grades_are_those_of_the_suite_itself(fake_suite_path, sealed, logs, answers, tmp_path):
    graded = grade(sealed, logs, answers, tmp_path / "ledger")
    open_logs = evaluate(
        fake_suite_path, MODELS, log_dir=tmp_path, views="head", form="yes_no", display="none"
    )
    found = score(graded)
    assert found == score(read_answers(open_logs))
    assert {s.value for s in found if s.metric == "informedness"} == {0.0}


def test_a_log_is_graded_once_whatever_it_is_called(sealed, logs, answers, tmp_path):
    log = no_log(logs)
    grade(sealed, [log], answers, tmp_path / "ledger")
    with pytest.raises(InvalidInputError, match="these answers were graded before"):
        grade(sealed, [log], answers, tmp_path / "ledger")
    heads = "header.json", "_journal/start.json"
    again = rewrite(log, tmp_path / "again.eval", rename(eval_id="another"), *heads)
    with pytest.raises(InvalidInputError, match=r"again\.eval: repeated: these answers"):
        grade(sealed, [again], answers, tmp_path / "ledger")
    posed = rewrite(log, tmp_path / "posed.eval", rename(model="lab/best", eval_id="x"), *heads)
    posed = rewrite_all(posed, tmp_path / "posed2.eval", "pactwin/always-no", "lab/best")
    assert {row.model for row in read_answers([posed])} == {"lab/best"}
    with pytest.raises(InvalidInputError, match=r"graded before, as run .* of pactwin/always-no"):
        grade(sealed, [posed], answers, tmp_path / "ledger")
    assert len((tmp_path / "ledger").read_text().splitlines()) == 1, "refused logs are not entered"


def test_scores_that_could_not_be_kept_can_be_made_again(sealed, logs, answers, tmp_path):
    def full(rows: list[Row]) -> None:
        assert rows
        raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        grade_logs(sealed / "sealed", logs, answers, tmp_path / "ledger", full)
    assert grade(sealed, logs, answers, tmp_path / "ledger")


def test_a_model_is_graded_once_in_a_form_and_view(sealed, logs, answers, tmp_path):
    """Else a lab sends logs until one scores well, and scoring refuses what a ledger holds."""
    suite = sealed_suite_path(sealed / "sealed")
    more: dict[str, Any] = {"log_dir": tmp_path, "form": "yes_no", "display": "none"}
    again = evaluate(suite, MODELS[:1], views="head", **more)
    says = "answers of pactwin/always-no to constraint yes_no head were graded before"
    with pytest.raises(InvalidInputError, match=says):
        grade(sealed, [*logs, *again], answers, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()
    grade(sealed, logs, answers, tmp_path / "ledger")
    with pytest.raises(InvalidInputError, match=says):
        grade(sealed, again, answers, tmp_path / "ledger")
    other = evaluate(suite, MODELS[:1], views="side", **more)
    assert grade(sealed, other, answers, tmp_path / "ledger")


def no_log(logs: list[Path]) -> Path:
    (log,) = (path for path in logs if read_answers([path])[0].model == MODELS[0])
    return log


def flip_answer(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"]["predicted_feasible"] = not found["metadata"]["predicted_feasible"]
    found["metadata"]["state"] = "correct"
    return sample


def unanswer(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"] |= {"state": "refused", "predicted_feasible": None}
    found["metadata"]["predicted_constraint"] = None
    return sample


def judge(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"]["judged"] = "none"
    return flip_answer(sample)


def score_twice(sample: dict) -> dict:
    return sample | {"scores": {}}


def tell_twice(sample: dict) -> dict:
    """The reply stands in two places: viewers show one."""
    sample["output"]["completion"] = "Yes."
    return sample


@pytest.mark.parametrize("change", [flip_answer, unanswer, judge, score_twice, tell_twice])
@pytest.mark.parametrize("strategy", ["direct", "reason"])
def test_scores_in_a_log_count_for_nothing(change, strategy, sealed, logs, answers, tmp_path):
    def as_strategy(header: dict) -> dict:
        header["eval"]["metadata"]["strategy"] = strategy
        return header

    log = rewrite(no_log(logs), tmp_path / "a.eval", as_strategy, "header.json")
    before = grade(sealed, [log], answers, tmp_path / "ledger")
    changed = rewrite(log, tmp_path / "changed.eval", change)
    after = grade(sealed, [changed], answers, tmp_path / "other")
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


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (say_yes, "edited: question .* has a reply that pactwin/always-no did not give"),
        (flip_question, "was changed"),
        (reword, "about other pictures or words"),
        (reword_only_what_is_sent, "was not asked as the sealed suite asks it"),
        (repaint, "about other pictures or words"),
        (other_view, "about other pictures or words"),
        (lambda sample: sample | {"id": "0" * 16}, "was not asked as the sealed suite asks it"),
        (lambda sample: sample | {"epoch": 2}, "has answers of epochs"),
        (lambda sample: sample | {"epoch": 10**30}, "not a readable Inspect log: Call: epoch"),
        (lambda sample: sample | {"error": True}, "not a readable Inspect log: LoggedSample"),
        (lambda sample: sample | {"events": []}, "has a reply that .* did not give"),
        (lambda sample: None, "truncated: 1 yes_no questions in view head are missing"),
    ],
)
@pytest.mark.parametrize("strategy", ["direct", "reason"])
def test_a_changed_log_is_refused_with_the_reason(
    change, reason, strategy, sealed, logs, answers, tmp_path
):
    """Whatever its header names or says: neither sample ids, nor a strategy, nor its journal."""

    def unnamed(header: dict) -> dict:
        header["eval"]["dataset"] |= {"sample_ids": [], "samples": 1}
        header["eval"]["metadata"]["strategy"] = strategy
        return header

    log = rewrite(no_log(logs), tmp_path / "a.eval", unnamed, "header.json")
    log = rewrite(log, tmp_path / "b.eval", lambda data: None, "_journal/start.json")
    grade(sealed, [log], answers, tmp_path / "elsewhere")
    changed = rewrite(log, tmp_path / "changed.eval", change)
    with pytest.raises(InvalidInputError, match=reason):
        grade(sealed, [changed], answers, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_a_sample_under_a_second_name_is_no_second_answer(sealed, logs, answers, tmp_path):
    log = tmp_path / "twice.eval"
    log.write_bytes(no_log(logs).read_bytes())
    with zipfile.ZipFile(log, "a") as archive:
        first = next(name for name in archive.namelist() if name.startswith("samples/"))
        text = json.dumps(say_yes(json.loads(archive.read(first))))
        archive.writestr(first.replace("_epoch_1", "_epoch_2"), text)
    with pytest.raises(InvalidInputError, match="has answers of epochs 1, 1, not one of each"):
        grade(sealed, [log], answers, tmp_path / "ledger")


@pytest.mark.parametrize("names", [("header.json",), ("header.json", "_journal/start.json")])
def test_a_log_in_another_models_name_is_refused(names, sealed, logs, answers, tmp_path):
    renamed = rewrite(logs[0], tmp_path / "renamed.eval", rename(model="lab/best"), *names)
    with pytest.raises(InvalidInputError, match="has a reply that lab/best did not give"):
        grade(sealed, [renamed], answers, tmp_path / "ledger")


def test_another_suite_and_a_cut_file_are_refused(fake_suite_path, sealed, logs, answers, tmp_path):
    other = evaluate(
        fake_suite_path, MODELS[:1], log_dir=tmp_path, views="head", form="yes_no", display="none"
    )
    with pytest.raises(InvalidInputError, match="is about suite"):
        grade(sealed, other, answers, tmp_path / "ledger")
    cut = tmp_path / "cut.eval"
    cut.write_bytes(logs[0].read_bytes()[:-200])
    with pytest.raises(InvalidInputError, match="cut"):
        grade(sealed, [cut], answers, tmp_path / "ledger")


def test_sealed_answers_notice_any_change(sealed: Path, tmp_path: Path) -> None:
    data = (sealed / "sealed" / "answers.sealed").read_bytes()
    key = read_key(sealed / "key")
    for broken in (data[:-1], bytes([data[0] ^ 1]) + data[1:], data + b"x", b""):
        (tmp_path / "answers.sealed").write_bytes(broken)
        with pytest.raises(InvalidInputError, match="changed or cut"):
            open_answers(tmp_path, key)
    (tmp_path / "answers.sealed").write_bytes(data)
    with pytest.raises(InvalidInputError, match="not sealed with this key"):
        open_answers(tmp_path, new_key(tmp_path / "other"))
    with pytest.raises(FileExistsError):
        new_key(tmp_path / "other")

"""A sealed suite tells no answer, and a log about it is graded once, whole and as it was made."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import invoke
from evaluating import evaluate

from pactwin.compare import score
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
from pactwin.tasks import AnswerRow, grade_logs, read_answers

MODELS = ["pactwin/always-no", "pactwin/always-yes"]


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
    return grade_logs(sealed / "sealed", logs, answers, ledger)


def test_contestants_are_told_that_scores_mean_nothing(sealed: Path, tmp_path: Path) -> None:
    suite = sealed_suite_path(sealed / "sealed")
    asked = ("--model", MODELS[0], "--limit", 1, "--views", "head", "--log-dir", tmp_path)
    assert "sealed, so these scores mean nothing" in invoke("eval", suite, *asked).stdout


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


def test_grades_are_those_of_the_suite_itself(
    fake_suite_path: Path, sealed: Path, logs: list[Path], answers: SealedAnswers, tmp_path: Path
) -> None:
    graded = grade(sealed, logs, answers, tmp_path / "ledger")
    open_logs = evaluate(
        fake_suite_path, MODELS, log_dir=tmp_path, views="head", form="yes_no", display="none"
    )
    found = score(graded)
    assert found == score(read_answers(open_logs))
    assert {s.value for s in found if s.metric == "informedness"} == {0.0}


def test_a_log_is_graded_once(
    sealed: Path, logs: list[Path], answers: SealedAnswers, tmp_path: Path
) -> None:
    grade(sealed, logs[:1], answers, tmp_path / "ledger")
    with pytest.raises(InvalidInputError, match="graded before"):
        grade(sealed, logs[:1], answers, tmp_path / "ledger")
    copy = tmp_path / "again.eval"
    copy.write_bytes(logs[1].read_bytes())
    with pytest.raises(
        InvalidInputError, match=r"again\.eval: repeated: run \S+ was graded before"
    ):
        grade(sealed, [logs[1], copy], answers, tmp_path / "ledger")
    assert len((tmp_path / "ledger").read_text().splitlines()) == 1, "refused logs are not entered"


def rewrite(log: Path, out: Path, change: Callable[[dict], dict | None], *names: str) -> Path:
    """The log with its entries ``names`` changed, or its first sample, which may be left out."""
    with zipfile.ZipFile(log) as old, zipfile.ZipFile(out, "w") as new:
        first = next(name for name in old.namelist() if name.startswith("samples/"))
        for name in old.namelist():
            data: dict | None = json.loads(old.read(name))
            if name in (names or (first,)):
                assert isinstance(data, dict)
                data = change(data)
            if data is not None:
                new.writestr(name, json.dumps(data))
    return out


def flip_answer(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"]["predicted_feasible"] = not found["metadata"]["predicted_feasible"]
    return sample


def flip_reply(sample: dict) -> dict:
    text = json.dumps(sample["output"])
    flipped = text.replace("no", "yes") if "no" in sample["output"]["completion"] else text
    return flip_answer({**sample, "output": json.loads(flipped) | {"completion": "Answer: yes"}})


def unanswer(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"] |= {"state": "refused", "predicted_feasible": None}
    found["metadata"]["predicted_constraint"] = None
    return sample


def judge(sample: dict) -> dict:
    (found,) = sample["scores"].values()
    found["metadata"]["judged"] = "none"
    return flip_answer(sample)


def flip_question(sample: dict) -> dict:
    sample["metadata"]["truth_feasible"] = not sample["metadata"]["truth_feasible"]
    return sample


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (flip_answer, "edited: question .* counts as yes.*, its reply reads no"),
        (flip_reply, "edited: question .* has a reply that pactwin/always-no did not give"),
        (unanswer, "edited: question .* counts as refused, its reply reads no"),
        (judge, "edited: question .* was judged, its reply reads no"),
        (flip_question, "was changed"),
        (lambda sample: None, "truncated: it holds 15 of 16 questions planned"),
    ],
)
def test_a_changed_log_is_refused_with_the_reason(
    change: Callable[[dict], dict | None],
    reason: str,
    sealed: Path,
    logs: list[Path],
    answers: SealedAnswers,
    tmp_path: Path,
) -> None:
    (log,) = (path for path in logs if read_answers([path])[0].model == MODELS[0])
    changed = rewrite(log, tmp_path / "changed.eval", change)
    with pytest.raises(InvalidInputError, match=reason):
        grade(sealed, [changed], answers, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


@pytest.mark.parametrize(
    ("names", "fact", "reason"),
    [
        (("header.json",), {"model": "lab/best"}, "edited: since its start model changed"),
        (("header.json",), {"eval_id": "another"}, "edited: since its start eval_id changed"),
        (
            ("header.json", "_journal/start.json"),
            {"model": "lab/best"},
            "edited: question .* has a reply that lab/best did not give",
        ),
    ],
)
def test_a_renamed_log_is_refused(
    names: tuple[str, ...],
    fact: dict[str, str],
    reason: str,
    sealed: Path,
    logs: list[Path],
    answers: SealedAnswers,
    tmp_path: Path,
) -> None:
    def rename(header: dict) -> dict:
        return header | {"eval": header["eval"] | fact}

    renamed = rewrite(logs[0], tmp_path / "renamed.eval", rename, *names)
    with pytest.raises(InvalidInputError, match=reason):
        grade(sealed, [renamed], answers, tmp_path / "ledger")


def test_a_model_answers_once_in_what_is_submitted(
    sealed: Path, logs: list[Path], answers: SealedAnswers, tmp_path: Path
) -> None:
    """Else scoring would refuse what the ledger already holds."""
    suite = sealed_suite_path(sealed / "sealed")
    again = evaluate(
        suite, MODELS[:1], log_dir=tmp_path, views="head", form="yes_no", display="none"
    )
    with pytest.raises(InvalidInputError, match="repeated: pactwin/always-no answered"):
        grade(sealed, [*logs, *again], answers, tmp_path / "ledger")
    assert not (tmp_path / "ledger").exists()


def test_another_suite_and_a_cut_file_are_refused(
    fake_suite_path: Path, sealed: Path, logs: list[Path], answers: SealedAnswers, tmp_path: Path
) -> None:
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

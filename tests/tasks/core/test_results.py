"""Reading logs back: every sample is there, in its state, and bad logs are refused."""

import json
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from commands import invoke
from evaluating import evaluate
from inspect_ai import eval as inspect_eval
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.compare import compare_logs
from pactwin.suite import EnvironmentFaultError, InvalidInputError
from pactwin.tasks import AnswerState, pac_constraints, read_answers, read_newest
from pactwin.tasks.core.log_files import read_summaries
from pactwin.tasks.running.resume import next_sequence


@pytest.fixture(scope="module")
def log(fake_suite_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path,) = evaluate(
        fake_suite_path,
        ["pactwin/oracle"],
        views="head",
        form="yes_no",
        log_dir=tmp_path_factory.mktemp("log"),
        display="none",
    )
    return path


@solver
def breaks() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        raise RuntimeError("the instrument broke\nin two lines")

    return solve


@pytest.mark.parametrize("score_on_error", [True, False])
def test_samples_that_break_are_errors_and_are_there(score_on_error, fake_suite_path, tmp_path):
    (log,) = inspect_eval(
        pac_constraints(str(fake_suite_path), views="head", form="open", limit=2),
        model="pactwin/oracle",
        solver=breaks(),
        score_on_error=score_on_error,
        log_dir=str(tmp_path),
        display="none",
    )
    rows = read_answers([log.location])
    assert [row.state for row in rows] == [AnswerState.ERROR] * 4
    assert all("the instrument broke" in row.reason for row in rows)
    assert not any("\n" in row.reason for row in rows)
    assert {row.predicted_feasible for row in rows} == {None}


@pytest.mark.parametrize("content", [b"", b"not a log", b"PK\x03\x04garbage"])
@pytest.mark.parametrize("suffix", [".eval", ".json", ".txt"])
def test_broken_logs_are_one_line(content: bytes, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"log{suffix}"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match="is not a") as error:
        read_answers([path])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("part", ["header.json", "summaries.json", "samples/"])
@pytest.mark.parametrize("at", [0, 8, 40])
def test_a_log_with_a_bad_block_is_one_line(part: str, at: int, log: Path, tmp_path: Path) -> None:
    """Its bytes do not unpack: in a header, in what a run goes on from, or in a sample."""
    data = bytearray(log.read_bytes())
    with ZipFile(log) as archive:
        entry = next(e for e in archive.infolist() if e.filename.startswith(part))
    packed = entry.header_offset + 30 + len(entry.filename)
    data[packed + at : packed + at + 8] = bytes(8)
    bad = tmp_path / "bad.eval"
    bad.write_bytes(data)
    refused = 0
    for read in (lambda: read_answers([bad]), lambda: read_summaries(bad)):
        try:
            read()
        except InvalidInputError as error:
            assert str(error).startswith(f"{bad} is not a readable Inspect log: ")
            assert "\n" not in str(error)
            refused += 1
    assert refused >= 1


def changed(
    log: Path,
    path: Path,
    sample: Callable[[dict[str, Any]], None] = lambda sample: None,
    header: Callable[[dict[str, Any]], None] = lambda header: None,
) -> Path:
    """A copy of ``log`` at ``path`` whose first sample, or header, somebody has changed."""
    read_answers([log])  # Inspect teaches zipfile the compression of its logs
    with ZipFile(log) as old, ZipFile(path, "w") as new:
        first = next(name for name in old.namelist() if name.startswith("samples/"))
        for name in old.namelist():
            data = json.loads(old.read(name))
            change = {first: sample, "header.json": header}.get(name, lambda data: None)
            change(data)
            new.writestr(name, json.dumps(data))
    return path


def test_logs_that_do_not_agree_on_the_truth_are_refused(log: Path, tmp_path: Path) -> None:
    def lie(sample: dict[str, Any]) -> None:
        sample["metadata"]["truth_feasible"] = not sample["metadata"]["truth_feasible"]

    def pose(header: dict[str, Any]) -> None:
        header["eval"]["model"] = "another/model"

    honest = changed(log, tmp_path / "honest.eval", header=pose)
    assert len(read_answers([log, honest])) == 2 * len(read_answers([log]))
    with pytest.raises(
        InvalidInputError, match=r"lies\.eval does not agree .* question [0-9a-f]{16}"
    ):
        read_answers([log, changed(log, tmp_path / "lies.eval", lie, pose)])


def overcharge(usage: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    def change(sample: dict[str, Any]) -> None:
        for event in sample["events"]:
            if event["event"] == "model":
                event["output"]["usage"] = usage

    return change


ODD = "not a readable Inspect log: "


@pytest.mark.parametrize(
    ("part", "change", "says"),
    [
        ("header", lambda h: h["eval"].update(task_registry_name="others/pac"), "is a log of"),
        ("header", lambda h: h["eval"]["metadata"].update(prompts="mine"), f"{ODD}.*prompts"),
        ("header", lambda h: h["eval"]["metadata"].update(strategy={"a": 1}), f"{ODD}.*strategy"),
        ("header", lambda h: h["eval"]["dataset"].update(samples=10**30), f"{ODD}.*planned"),
        ("sample", overcharge({"input_tokens": 10**400}), f"{ODD}Call: "),
        ("sample", overcharge({"total_cost": 1e300}), f"{ODD}Call: "),
        # No domain or form is called as all together are.
        ("sample", lambda sample: sample["metadata"].update(domain="all"), "domain"),
        ("sample", lambda sample: sample["metadata"].update(form="all"), "form"),
    ],
)
def test_what_no_log_of_ours_says_is_one_line(part, change, says, log, tmp_path):
    odd = changed(log, tmp_path / "odd.eval", **{part: change})
    with pytest.raises(InvalidInputError, match=says) as error:
        read_answers([odd])
    assert "\n" not in str(error.value)


def test_the_view_condition_all_of_older_logs_is_read_as_together(log, tmp_path):
    older = changed(
        log, tmp_path / "all.eval", lambda sample: sample["metadata"].update(view="all")
    )
    assert {row.view for row in read_answers([older])} == {"head", "joint"}


@pytest.mark.parametrize("named", ["/" + "y/" * 2500, "a\0b", "\ud800"])
def test_a_suite_of_an_impossible_name_is_only_not_there(named, log, tmp_path, capsys):
    changed(
        log,
        tmp_path / "log.eval",
        header=lambda header: header["eval"]["task_args"].update(suite=named),
    )
    compare_logs([tmp_path / "log.eval"], tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "this report has no gallery" in page
    told = page + "".join(capsys.readouterr())
    assert "y/" * 250 not in told


@pytest.mark.slow
def test_a_log_that_unpacks_to_gigabytes_is_refused(log: Path, tmp_path: Path) -> None:
    bomb = changed(log, tmp_path / "bomb.eval")
    with ZipFile(bomb, "a", ZIP_DEFLATED) as archive, archive.open("samples/z.json", "w") as file:
        for _ in range(600):
            file.write(bytes(2**20))
    with pytest.raises(InvalidInputError, match="would unpack to"):
        read_answers([bomb])


def test_a_missing_log_a_folder_and_a_log_given_twice(log: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "none.eval", tmp_path):
        with pytest.raises(InvalidInputError, match="no such file"):
            read_answers([path])
    with pytest.raises(InvalidInputError, match="more than one"):
        read_answers([log, log])


TOMORROW = str(datetime.now(UTC) + timedelta(days=1))


@pytest.mark.parametrize(
    ("older", "sequence"),
    [
        ({"created": "2020-01-01T00:00:00+00:00"}, None),
        ({"created": TOMORROW}, 1),
        ({"created": TOMORROW, "status": "error"}, 10**15),
        ({"created": TOMORROW, "status": "started"}, None),
    ],
    ids=["unnumbered and older", "the clock was set back", "its run failed", "its run goes on"],
)
def test_of_several_runs_the_newest_completed_one_counts(older, sequence, log, tmp_path):
    def age(header: dict[str, Any]) -> None:
        metadata = {**header["eval"]["metadata"], "sequence": sequence}
        header["status"] = older.get("status", "success")
        header["eval"] |= {"created": older["created"], "metadata": metadata, "eval_id": "other"}

    counts = Path(shutil.copy(log, tmp_path / "b.eval"))
    other = changed(log, tmp_path / "a.eval", header=age)
    for logs in ([counts, other], [other, counts]):
        rows, replaced = read_newest(logs)
        assert rows == read_answers([log]) and [*replaced] == [other]
        assert ("not completed" in replaced[other]) is ("status" in older)
    done = invoke("compare", tmp_path, "--baseline", tmp_path)
    assert done.stderr.count(str(other)) == 2 and str(counts) not in done.stderr


def test_a_log_comes_after_all_in_its_folder_even_if_the_clock_was_set_back(log, tmp_path):
    assert next_sequence(tmp_path) == pytest.approx(1000 * time.time(), abs=60_000)
    created = datetime.now(UTC) + timedelta(days=1)

    def ahead(header: dict[str, Any]) -> None:
        header["eval"] |= {"created": str(created), "metadata": {}}

    changed(log, tmp_path / "a.eval", header=ahead)
    assert next_sequence(tmp_path) > 1000 * int(created.timestamp())


@pytest.mark.parametrize(
    "models",
    [["gpt-4o"], ["nobody/model"], ["pactwin/orakel"], [], ["pactwin/oracle", "pactwin/oracle"]],
)
def test_bad_models_are_one_line(models: list[str], fake_suite_path: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError) as error:
        evaluate(fake_suite_path, models, log_dir=tmp_path / "logs", display="none")
    assert "pactwin/oracle" in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "logs").exists()


def test_a_provider_without_key_is_told_which(fake_suite_path, tmp_path, monkeypatch):
    monkeypatch.delenv("LOCAL_API_KEY", raising=False)
    with pytest.raises(EnvironmentFaultError, match="LOCAL_API_KEY") as error:
        evaluate(fake_suite_path, ["openai-api/local/none"], log_dir=tmp_path)
    assert "\n" not in str(error.value)

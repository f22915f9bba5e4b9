"""Reading logs back: every sample is there, in its state, and bad logs are refused."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from pactwin.suite import EnvironmentFaultError, InvalidInputError
from pactwin.tasks import AnswerState, pac_constraints, read_answers, run_eval


@pytest.fixture(scope="module")
def log(fake_suite_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (path,) = run_eval(
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
def test_samples_that_break_are_errors_and_are_there(
    score_on_error: bool, fake_suite_path: Path, tmp_path: Path
) -> None:
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


def test_a_log_given_twice_is_refused(log: Path) -> None:
    with pytest.raises(InvalidInputError, match="more than one"):
        read_answers([log, log])


def test_logs_of_other_tasks_are_refused(tmp_path: Path) -> None:
    task = Task(dataset=[Sample(input="hello")], solver=breaks(), name="greeting")
    (log,) = inspect_eval(task, model="none", log_dir=str(tmp_path), display="none")
    with pytest.raises(InvalidInputError, match="greeting"):
        read_answers([log.location])


@pytest.mark.parametrize("content", [b"", b"not a log", b"PK\x03\x04garbage"])
@pytest.mark.parametrize("suffix", [".eval", ".json", ".txt"])
def test_broken_logs_are_one_line(content: bytes, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"log{suffix}"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match="is not a") as error:
        read_answers([path])
    assert "\n" not in str(error.value)


def test_a_cut_log_is_one_line(log: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.eval"
    cut.write_bytes(log.read_bytes()[:2000])
    with pytest.raises(InvalidInputError, match="is not a"):
        read_answers([cut])


def test_a_missing_log_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.eval", tmp_path):
        with pytest.raises(InvalidInputError, match="no such file"):
            read_answers([path])


@pytest.mark.parametrize(
    "models",
    [["gpt-4o"], ["nobody/model"], ["pactwin/orakel"], [], ["pactwin/oracle", "pactwin/oracle"]],
)
def test_bad_models_are_one_line(models: list[str], fake_suite_path: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError) as error:
        run_eval(fake_suite_path, models, log_dir=tmp_path / "logs", display="none")
    assert "pactwin/oracle" in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "logs").exists()


def test_unknown_providers_are_told_which_exist(fake_suite_path: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"anthropic.*openai.*openrouter"):
        run_eval(fake_suite_path, ["nobody/model"], log_dir=tmp_path)


def test_a_provider_without_key_is_told_which(
    fake_suite_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LOCAL_API_KEY", raising=False)
    with pytest.raises(EnvironmentFaultError, match="LOCAL_API_KEY") as error:
        run_eval(fake_suite_path, ["openai-api/local/none"], log_dir=tmp_path)
    assert "\n" not in str(error.value)

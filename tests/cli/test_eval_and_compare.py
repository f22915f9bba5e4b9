"""``pactwin eval`` and ``pactwin compare``, from a suite to the gate's exit code."""

import json
from pathlib import Path

import pytest
from commands import invoke

ROW_KEYS = {"model", "kind", "domain", "view", "form", "metric", "value", "low", "high", "n"}
ROW_KEYS |= {"published", "caution"}


@pytest.fixture(scope="module")
def log_dir(fake_suite_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of two baselines, made by the command with a gate that one of them fails."""
    logs = tmp_path_factory.mktemp("logs")
    models = ["--model", "pactwin/oracle,pactwin/always-no"]
    asked = ["eval", str(fake_suite_path), *models, "--views", "head", "--form", "yes_no"]
    gate = ["--fail-under", "informedness=0.3"]
    result = invoke(*asked, "--log-dir", logs, *gate, code=1)
    assert "pactwin/always-no" in result.stderr
    assert "pactwin/oracle: informedness" not in result.stderr
    assert len(list(logs.glob("*.eval"))) == 2
    return logs


def test_scores_are_written_as_rows(log_dir: Path, tmp_path: Path) -> None:
    table = tmp_path / "scores.json"
    invoke("compare", log_dir, "--json", table)
    rows = json.loads(table.read_text())
    assert all(row.keys() == ROW_KEYS for row in rows)
    pooled = {
        row["model"]: row["value"]
        for row in rows
        if row["metric"] == "informedness"
        and (row["domain"], row["view"], row["form"]) == ("all", "all", "all")
    }
    assert pooled == {"pactwin/oracle": 1.0, "pactwin/always-no": 0.0}


def test_mistakes_are_found_before_anything_is_asked(fake_suite_path, log_dir, tmp_path):
    logs = tmp_path / "logs"
    oracle = ["--model", "pactwin/oracle", "--log-dir", str(logs)]
    for suite, options, code in (
        (fake_suite_path, [*oracle, "--fail-under", "informednes=0.3"], 2),
        (fake_suite_path, [*oracle, "--fail-under", "informedness=high"], 2),
        (fake_suite_path, [*oracle, "--views", "ceiling"], 2),
        (fake_suite_path, [*oracle, "--form", "haiku"], 2),
        (fake_suite_path, ["--model", "pactwin/guess", "--log-dir", str(logs)], 2),
        (tmp_path, oracle, 3),
    ):
        result = invoke("eval", suite, *options, code=code)
        assert result.stderr.count("\n") == 1
    assert not logs.exists()
    invoke("compare", tmp_path, code=2)

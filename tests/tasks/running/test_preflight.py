"""What this machine lacks is found before anything is paid for."""

import socket
from pathlib import Path

import pytest
from evaluating import evaluate
from fakes import edit_info, make_fake_suite, rewrite
from openai_server import Reply, openai_server

from pactwin.compare import compare_logs
from pactwin.suite import EnvironmentFaultError, Question, Scene, Suite, SuiteError
from pactwin.suite import reader as suite_reader
from pactwin.tasks import pac_constraints

MODEL = "openai-api/local/vlm"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_API_KEY", "planted-key-3f9c1d")


@pytest.mark.parametrize("vision_check", [True, False])
@pytest.mark.parametrize("blocked", ["cache", "logs"])
def test_nothing_is_asked_where_nothing_can_be_kept(
    blocked: str, vision_check: bool, fake_suite_path: Path, tmp_path: Path, monkeypatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    there = tmp_path / "file" / blocked
    logs = there if blocked == "logs" else tmp_path / "logs"
    if blocked == "cache":
        monkeypatch.setenv("INSPECT_CACHE_DIR", str(there))
    with (
        openai_server(lambda body: Reply("No.")) as server,
        pytest.raises(EnvironmentFaultError, match=str(there)) as error,
    ):
        evaluate(fake_suite_path, [MODEL], log_dir=logs, vision_check=vision_check)
    assert not server.requests
    assert not server.keys, "not even to see whether it sees"
    assert {"cache": "INSPECT_CACHE_DIR", "logs": "--log-dir"}[blocked] in str(error.value)


@pytest.mark.parametrize("role", ["model", "judge"])
def test_a_local_server_that_does_not_run_is_found_before_anything_is_asked(
    role: str, fake_suite_path: Path, tmp_path: Path, monkeypatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("GONE_BASE_URL", f"http://127.0.0.1:{port}/v1")
    monkeypatch.setenv("GONE_API_KEY", "none")
    gone = "openai-api/gone/other"
    model, judge = (gone, None) if role == "model" else (MODEL, gone)
    with (
        openai_server(lambda body: Reply("No.")) as server,
        pytest.raises(EnvironmentFaultError, match=f"{gone} runs at 127.0.0.1:{port}"),
    ):
        evaluate(fake_suite_path, [model], judge=judge, log_dir=tmp_path / "logs")
    assert not server.requests and not server.keys


def question_twice(suite: Path) -> None:
    lines = (suite / "questions.jsonl").read_bytes().splitlines(keepends=True)
    rewrite(suite, "questions.jsonl", b"".join([*lines, lines[0]]))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (question_twice, "is the id of more than one record"),
        (lambda suite: edit_info(suite, content_hash="0" * 64), "content_hash"),
    ],
)
def test_a_suite_that_is_not_what_it_says_is_not_asked(spoil, says, tmp_path):
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1, cameras=("head",))
    spoil(suite)
    with openai_server(lambda body: Reply("No.")) as server, pytest.raises(SuiteError, match=says):
        evaluate(suite, [MODEL], log_dir=tmp_path / "logs")
    assert not server.keys, "not even to see whether it sees"
    assert not (tmp_path / "logs").exists()


def test_one_evaluation_reads_a_suite_once(tmp_path: Path, monkeypatch) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=2, cameras=("head",))
    opened: list[Path] = []
    parsed: list[type] = []
    before_open, before_parse = Suite.open, suite_reader.parse_record

    def counted_open(path: Path) -> Suite:
        opened.append(path)
        return before_open(path)

    def counted_parse(model: type, data: bytes, where: str):
        parsed.append(model)
        return before_parse(model, data, where)

    monkeypatch.setattr(Suite, "open", staticmethod(counted_open))
    monkeypatch.setattr(suite_reader, "parse_record", counted_parse)
    logs = evaluate(suite, ["pactwin/oracle", "pactwin/blind"], log_dir=tmp_path / "logs")
    compare_logs(logs)
    pac_constraints(str(suite))
    assert len(opened) == 1
    counts = Suite(suite, suite_reader.read_info(suite)).info.counts
    assert parsed.count(Scene) == counts["scenes"]
    assert parsed.count(Question) == counts["questions"]


def test_a_suite_that_changes_is_read_again(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=2)
    few = len(pac_constraints(str(suite)).dataset)
    more = make_fake_suite(tmp_path / "more", n_pairs=3)
    for name in ("suite.json", "scenes.jsonl", "questions.jsonl", "views"):
        (suite / name).rename(suite / f"old-{name}")
        (more / name).rename(suite / name)
    assert len(pac_constraints(str(suite)).dataset) > few

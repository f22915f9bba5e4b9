"""Folders for other harnesses are complete, leak nothing, and their answers come back."""

import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import invoke
from evaluating import evaluate
from exported import COMPARED, rounded, scores_by_form
from fakes import make_fake_suite
from openai_server import openai_server
from openpyxl import Workbook, load_workbook
from reply_styles import answering, request_of, scripted_reply
from targets import run_inspect

from pactwin.suite import InvalidInputError, Suite
from pactwin.tasks import TARGETS, AnswerState, export_harness, read_answers
from pactwin.tasks.exporting.answers import read_answer
from pactwin.tasks.exporting.flat import flat_rows
from pactwin.tasks.exporting.harness import table_name
from pactwin.tasks.exporting.reader_file import READER_FILE

VIEW, BOTH = "front", "front+side"
FORMS = ("yes_no", "choice", "open")


@pytest.mark.parametrize("target", TARGETS)
def test_a_folder_holds_reader_readme_and_rows(suite: Suite, tmp_path: Path, target: str) -> None:
    out = tmp_path / "out"
    said = invoke("export", target, suite.path, out, "--views", VIEW, "--forms", "yes_no,choice")
    n_rows = sum(1 for row in flat_rows(suite, VIEW) if row["form"] == "choice")
    assert f"{n_rows} yes_no, {n_rows} choice" in said.stdout
    readme = (out / "README.md").read_text(encoding="utf-8")
    for told in (suite.info.content_hash, "`yes_no`", "constant answer earns 0", "What to mind"):
        assert told in readme
    assert "$" not in re.sub(r"\$(?:KEY|HOME)", "", readme)
    (reader,) = out.rglob(READER_FILE)
    for path in out.rglob("*.py"):
        compile(path.read_text(encoding="utf-8"), path.name, "exec")
    assert not list(out.rglob("*.in"))
    assert reader.parent == out / TARGETS[target]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--forms", "haiku"), "unknown form 'haiku'"),
        (("--views", "attic"), "unknown view 'attic'"),
    ],
)
def test_what_the_suite_does_not_have_is_named(suite, tmp_path, more, said):
    result = invoke("export", "inspect", suite.path, tmp_path / "out", *more, code=2)
    assert said in result.stderr
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_asked_there_is_refused(suite: Suite, tmp_path: Path) -> None:
    bare = make_fake_suite(tmp_path / "suite", n_pairs=1, questions=lambda scenes: ())
    with pytest.raises(InvalidInputError, match="no question about constraints"):
        export_harness(Suite.open(bare), tmp_path / "out", "inspect")
    with pytest.raises(InvalidInputError, match=r"'front\+side': VLMEvalKit is sent one picture"):
        export_harness(suite, tmp_path / "out", "vlmevalkit", BOTH, "choice")
    assert not (tmp_path / "out").exists()


WITHOUT_PACTWIN = """
import sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pactwin":
            raise ModuleNotFoundError("pactwin is not here", name=name)
sys.meta_path.insert(0, Refuse())
from inspect_ai._cli.main import main
main()
"""


@pytest.mark.slow
def test_inspect_runs_an_export_without_pactwin(suite: Suite, tmp_path: Path) -> None:
    rows = [row for row in flat_rows(suite, BOTH) if row["form"] == "choice"]
    export_harness(suite, tmp_path / "out", "inspect", BOTH)
    with openai_server(answering(rows)) as server:
        logs = tmp_path / "logs"
        evaluate(
            suite.path, ["openai-api/local/vlm"], log_dir=logs, views=BOTH, form="choice",
            no_cache=True,
        )  # fmt: skip
        ours = Counter(map(request_of, server.requests))
        server.requests.clear()
        inspect = (sys.executable, "-c", WITHOUT_PACTWIN)
        theirs = run_inspect(inspect, tmp_path / "out", ["choice"], server)["choice"]
        assert Counter(map(request_of, server.requests)) == ours
    want = scores_by_form(logs)["choice"]
    assert rounded(theirs) == rounded({name: want[name] for name in COMPARED})
    back = scores_by_form(tmp_path / "out" / "logs")["choice"]
    assert rounded(back) == rounded(want)


def lmms_log(rows: list[dict[str, Any]], folder: Path, replies: list[str]) -> Path:
    """A log as lmms-eval 0.7.3 writes it: the record of the first metric holds the row."""
    folder.mkdir(parents=True)
    task = f"pactwin_{rows[0]['form']}"
    samples = {task: {"original": 99, "effective": len(rows)}}
    told = {"model_name": "vlm", "n-samples": samples, "x": [1]}
    (folder / "20261124_1_results.json").write_text(json.dumps(told))
    lines = []
    for number, (row, reply) in enumerate(zip(rows, replies, strict=True)):
        facts = {name: value for name, value in row.items() if name not in ("images", "prompt")}
        record = {**read_answer(row, reply), "row": facts, "reply": reply}
        lines.append(json.dumps({"doc_id": number, "informedness_strict": record, "target": "x"}))
    path = folder / f"20261124_1_samples_{task}.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def vlmevalkit_log(rows: list[dict[str, Any]], folder: Path, replies: list[str]) -> Path:
    """A table of predictions as VLMEvalKit writes it."""
    folder.mkdir(parents=True)
    book = Workbook()
    book.active.append(["index", "question", "facts", "prediction"])
    for number, (row, reply) in enumerate(zip(rows, replies, strict=True)):
        facts = {name: value for name, value in row.items() if name not in ("images", "prompt")}
        book.active.append([number, row["prompt"], json.dumps(facts), reply or None])
    path = folder / f"vlm_{table_name(rows[0]['form'])}.xlsx"
    book.save(path)
    return path


@pytest.fixture(scope="module")
def own(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of our own evaluation of the scripted model."""
    logs = tmp_path_factory.mktemp("own")
    with openai_server(answering(flat_rows(suite, VIEW))):
        evaluate(suite.path, ["openai-api/local/ours"], log_dir=logs, views=VIEW, no_cache=True)
    return logs


@pytest.mark.slow
@pytest.mark.parametrize("write", [lmms_log, vlmevalkit_log])
def test_logs_of_others_are_compared_as_ours(suite, tmp_path, own, write):
    for form in FORMS:
        rows = [row for row in flat_rows(suite, VIEW) if row["form"] == form]
        write(rows, tmp_path / "theirs" / form, [scripted_reply(row) for row in rows])
    assert scores_by_form(tmp_path / "theirs") == scores_by_form(own)
    table = tmp_path / "scores.json"
    invoke("compare", tmp_path / "theirs", own, "--suite", suite.path, "--json", table)
    models = {score["model"] for score in json.loads(table.read_text())}
    assert models == {"vlm", "openai-api/local/ours"}


def test_a_failed_call_of_others_is_an_error_and_an_empty_reply_is_not(suite, tmp_path):
    rows = [row for row in flat_rows(suite, VIEW) if row["form"] == "yes_no"][:3]
    replies = ["[LMMS_EVAL_REQUEST_FAILED after 3 retries] down", "", "yes"]
    for write in (lmms_log, vlmevalkit_log):
        answers = read_answers([write(rows, tmp_path / write.__name__, replies)])
        found = Counter(answer.state for answer in answers)
        assert found[AnswerState.ERROR] == found[AnswerState.UNPARSED] == 1


def test_answers_that_a_log_lost_are_missing(suite: Suite, tmp_path: Path) -> None:
    """The third of four is not there: the run is incomplete, as an interrupted one of ours."""
    rows = [row for row in flat_rows(suite, VIEW) if row["form"] == "yes_no"][:4]
    cut = lmms_log(rows, tmp_path / "lmms", ["yes"] * 4)
    lines = cut.read_text().splitlines()
    cut.write_text("\n".join(lines[:2] + lines[3:]) + "\n")
    torn = vlmevalkit_log(rows, tmp_path / "vlm", ["yes"] * 4)
    book = load_workbook(torn)
    book.active.delete_rows(4)
    book.save(torn)
    for path in (cut, torn):
        answers = read_answers([path])
        assert [answer.planned for answer in answers] == [4] * 3
        assert "3 of 4 questions planned" in invoke("compare", path).stdout
    cut.write_text("\n".join([*lines, lines[0]]) + "\n")
    assert "more than once" in invoke("compare", cut, code=2).stderr


@pytest.mark.parametrize("write", [lmms_log, vlmevalkit_log])
def test_a_changed_truth_or_a_broken_log_is_named(suite: Suite, tmp_path: Path, write: Any) -> None:
    rows = [row for row in flat_rows(suite, VIEW) if row["form"] == "yes_no"][:2]
    lies = [row | {"feasible": not row["feasible"]} for row in rows]
    path = write(lies, tmp_path / "lies", ["yes", "no"])
    result = invoke("compare", path, "--suite", suite.path, code=2)
    assert "otherwise" in result.stderr
    path = write([row | {"pair_id": "../x"} for row in rows], tmp_path / "odd", ["yes", "no"])
    assert str(path) in invoke("compare", path, code=2).stderr.replace("\n", "")
    path.write_bytes(os.urandom(300))
    result = invoke("compare", path, code=2)
    assert path.name in result.stderr.replace("\n", "")
    assert "Traceback" not in result.stderr

"""What others called things neither steers a terminal, turns a line round, nor fills a page."""

import csv
import json
import unicodedata
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from commands import invoke
from evaluating import evaluate
from fakes import edit_info, make_fake_suite

from pactwin.tasks import read_answers

STEERING = "\x1b]0;owned\x07\u202egnp.exe\u2066"
LONG = "=cmd()|" + "m" * 4000


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A suite and a log with names that steer, calculate, or are long."""
    folder = tmp_path_factory.mktemp("hostile")
    suite = make_fake_suite(folder / "suite", n_pairs=2)
    edit_info(suite, name=f"s{STEERING}")
    options: dict[str, Any] = {"views": "head", "form": "yes_no", "display": "none"}
    (log,) = evaluate(suite, ["pactwin/always-no"], log_dir=folder, **options)
    read_answers([log])  # Inspect teaches zipfile the compression of its logs
    with ZipFile(log) as old, ZipFile(folder / "hostile.eval", "w") as new:
        for name in old.namelist():
            data = json.loads(old.read(name))
            if name in ("header.json", "_journal/start.json"):
                data["eval"]["model"] = LONG + STEERING
                data["eval"]["metadata"]["suite_name"] = f"s{STEERING}"
            if name.startswith("samples/"):
                (score,) = data["scores"].values()
                score["metadata"] |= {"state": "error", "reason": f"=1+1{STEERING}"}
            new.writestr(name, json.dumps(data))
    return suite, folder / "hostile.eval"


def assert_harmless(text: str) -> None:
    steering = {c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Cf")} - {"\n", "\t"}
    assert steering <= {"\u200b", "\xad"}  # places where a line may be broken
    assert "m" * 200 not in text


def test_names_are_clean_in_pages_terminals_and_tables(hostile, tmp_path):
    suite, log = hostile
    page, board, table = (tmp_path / name for name in ("a.html", "b.html", "c.csv"))
    shown = [
        invoke("compare", log, "--out", page, "--answers", table),
        invoke("leaderboard", log, "--out", board),
        invoke("ls", suite),
    ]
    for result in shown:
        assert_harmless(result.stdout)
    assert "4,0" in shown[0].stdout
    for path in (page, board, table):
        assert_harmless(path.read_text(encoding="utf-8"))
    assert "characters, " in page.read_text(encoding="utf-8")
    with table.open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert [cell for cell in cells if cell.startswith(("=", "+", "@"))] == []
    assert any(cell.startswith("'=cmd()") for cell in cells)
    assert any(cell.startswith("'=1+1") for cell in cells)

"""Scores by a benchmark's own rules in the report: every one, escaped; other files refused."""

import json
from pathlib import Path

import pytest
from commands import invoke
from evaluating import evaluate
from phystool_data import write

from pactwin.compare.published import read_published
from pactwin.suite import InvalidInputError
from pactwin.tasks import import_published


def test_what_is_not_such_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('[{"model": "m"}]')
    for name in ("none.json", "other.json"):
        with pytest.raises(InvalidInputError, match=name):
            read_published(tmp_path / name)


def test_files_of_earlier_versions_are_read(tmp_path: Path) -> None:
    scores = {"published": 0.25, "right": 1, "rows": 4, "corrected": None}
    cell = {"model": "m", "kind": "property", "source": "open_images", "metric": "accuracy"}
    old = [cell | scores | {"cell": name} for name in ("WEIGHT", "all rows")]
    (tmp_path / "old.json").write_text(json.dumps(old))
    (table,) = read_published(tmp_path / "old.json")
    assert table.title == "property: accuracy"
    assert [row["cell"] for row in table.rows] == ["WEIGHT", "all rows"]
    assert all(scores.items() <= row.items() for row in table.rows)


def test_the_report_shows_every_score_and_escapes_names(tmp_path: Path) -> None:
    import_published("phystool", write(tmp_path / "data"), tmp_path / "suite")
    suite, logs, cells = (str(tmp_path / name) for name in ("suite", "logs", "cells.json"))
    evaluate(suite, ["pactwin/oracle"], log_dir=logs)
    invoke("compare", logs, "--as-published", "--json", cells)
    (table,) = read_published(Path(cells))
    Path(cells).write_text(Path(cells).read_text().replace("exact match", "<script>exact"))
    out = tmp_path / "report.html"
    invoke("compare", logs, "--out", out, "--published", cells)
    page = out.read_text()
    section = page[page.index('<section id="published">') :]
    section = section[: section.index("</section>")]
    assert section.count("<tr>") == len(table.rows) + 1
    assert "&lt;script&gt;exact" in section and "<script>" not in page
    plain = tmp_path / "plain.html"
    invoke("compare", logs, "--out", plain)
    assert 'id="published"' not in plain.read_text()

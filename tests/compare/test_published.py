"""Scores by PAC Bench's rules in the report: beside ours, escaped, refused if they are not such."""

from pathlib import Path

import pytest
from commands import invoke
from evaluating import evaluate
from pacbench_data import whole_data

from pactwin.compare.published import published_tables, read_published
from pactwin.suite import InvalidInputError
from pactwin.tasks import PublishedCell, import_pacbench


def cell(**changes: object) -> PublishedCell:
    values = {
        "model": "provider/m",
        "kind": "property",
        "source": "open_images",
        "cell": "WEIGHT",
        "metric": "accuracy",
        "published": 0.25,
        "right": 1,
        "rows": 4,
        "corrected": 0.5,
        "answered": 2,
        "asked": 3,
    }
    return PublishedCell.model_validate(values | changes)


def test_every_cell_has_its_place() -> None:
    cells = [
        cell(model=model, cell=name, metric=metric, kind=kind)
        for model in ("a", "b")
        for kind, metric in (("property", "accuracy"), ("affordance", "all_correct"))
        for name in ("WEIGHT", "all rows", "mean of cells")
    ]
    tables = published_tables(cells)
    assert [table.title for table in tables] == ["property: accuracy", "affordance: all_correct"]
    found = [found for table in tables for found in table.by_model.values()]
    assert sorted(map(str, found)) == sorted(map(str, cells))
    for table in tables:
        assert table.cells == (("open_images", "WEIGHT"),)
        assert [name for _, name in table.summaries] == ["all rows", "mean of cells"]


def test_what_is_not_such_a_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_published(tmp_path / "none.json")
    (tmp_path / "other.json").write_text('[{"model": "m"}]')
    with pytest.raises(InvalidInputError, match="as-published"):
        read_published(tmp_path / "other.json")


@pytest.mark.slow
def test_the_report_shows_both_and_escapes_names(tmp_path: Path) -> None:
    import_pacbench(whole_data(tmp_path / "data"), tmp_path / "suite")
    suite, logs, cells = (str(tmp_path / name) for name in ("suite", "logs", "cells.json"))
    evaluate(suite, ["pactwin/oracle"], log_dir=logs, views="photo,agent,side")
    invoke("compare", logs, "--as-published", "--json", cells)
    text = Path(cells).read_text().replace("m0jbk", "<script>x")
    Path(cells).write_text(text.replace('"WEIGHT"', '"<script>WEIGHT"'))
    out = tmp_path / "report.html"
    invoke("compare", logs, "--out", out, "--published", cells)
    page = out.read_text()
    assert page.count(">as published</th>") == page.count(">corrected</th>") > 0
    assert "&lt;script&gt;WEIGHT" in page and "<script>" not in page
    assert "the same question, word for word" not in page  # which twins carry
    plain = tmp_path / "plain.html"
    invoke("compare", logs, "--out", plain)
    assert 'id="published"' not in plain.read_text()

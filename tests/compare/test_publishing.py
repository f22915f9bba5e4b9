"""What ``compare`` writes beside the page: changes since a baseline, tables, figures, answers."""

import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from made_up import always, make_rows, noisy, oracle

from pactwin.compare import (
    changes,
    check_table_name,
    score,
    write_answers,
    write_figures,
    write_latex,
    write_markdown,
)
from pactwin.compare.answer_table import answer_table
from pactwin.compare.dependence import Curve, Point
from pactwin.compare.paired import compare_models
from pactwin.suite import InvalidInputError
from pactwin.tasks import AnswerState, ToolRow, UseRow

HOSTILE = "lab/a|b`<script>alert(1)</script>\n# c_d & 50% $x$ \\input{e}"


def test_a_change_is_the_paired_test_of_now_and_then() -> None:
    then = make_rows(noisy(1, skill=0.9, silent=0), model="m")
    now = make_rows(noisy(2, skill=0.2, silent=0), model="m")
    (change,) = changes(now, then)
    named = [r.model_copy(update={"model": "now"}) for r in now]
    named += [r.model_copy(update={"model": "then"}) for r in then]
    (test,) = compare_models(named)
    assert change.test is not None
    assert (change.test.p, change.test.difference) == (test.p, test.difference)
    assert change.now is not None and change.then is not None
    assert change.now - change.then == pytest.approx(test.difference)
    assert change.is_loss
    (back,) = changes(then, now)
    assert not back.is_loss


def test_falling_silent_is_a_loss() -> None:
    (change,) = changes(make_rows(lambda *q: (None, None)), make_rows(oracle))
    assert change.is_loss and (change.then, change.now) == (1.0, 0.0)


def test_models_of_one_run_alone_are_told_and_other_suites_refused() -> None:
    then = make_rows(oracle, model="a") + make_rows(always(True), model="gone")
    now = make_rows(oracle, model="a") + make_rows(oracle, model="new")
    found = {change.model: change for change in changes(now, then)}
    assert set(found) == {"a", "gone", "new"}
    assert found["gone"].now is None and found["new"].then is None
    assert not any(change.is_loss for change in found.values())
    other = [row.model_copy(update={"suite_hash": "1" * 64}) for row in then]
    with pytest.raises(InvalidInputError, match=r"same suite \(now 0{12}, then 1{12}\)"):
        changes(now, other)


def test_tables_hold_hostile_names_as_text(tmp_path: Path) -> None:
    rows = make_rows(noisy(1), model=HOSTILE) + make_rows(oracle, model="good")
    scores = score(rows)
    write_markdown(scores, changes(rows, rows), tmp_path / "t.md")
    text = (tmp_path / "t.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len(table) == 2 + 2 + 2 + 2, "heads, rules and a row per model, twice"
    hostile = next(line for line in table if "script" in line)
    inside = hostile.split("`")
    assert len(inside) == 3 and "\\|" in inside[1], "one code span, its bar escaped"
    assert "1.00 [" in text
    write_latex(scores, tmp_path / "t.tex")
    tex = (tmp_path / "t.tex").read_text(encoding="utf-8")
    assert r"\# c\_d \& 50\% \$x\$ \textbackslash{}input\{e\}" in tex
    (line,) = (line for line in tex.splitlines() if "script" in line)
    assert line.replace(r"\&", "").count("&") == 8


def test_answers_are_one_row_each_and_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = make_rows(noisy(1), pairs=2)
    write_answers(rows, tmp_path / "a.csv")
    write_answers(rows, tmp_path / "a.parquet")
    csv = pd.read_csv(io.BytesIO((tmp_path / "a.csv").read_bytes()))
    parquet = pd.read_parquet(tmp_path / "a.parquet")
    assert len(csv) == len(parquet) == len(rows)
    assert list(csv.columns) == list(parquet.columns)
    assert (csv.kind == "constraint").all()
    right = sum(row.predicted_feasible == row.truth_feasible for row in rows)
    judged = parquet[parquet.says_feasible.notna()]
    assert (judged.says_feasible.astype(bool) == judged.feasible).sum() == right
    with pytest.raises(InvalidInputError, match=r"\.csv or \.parquet"):
        write_answers(rows, tmp_path / "a.xlsx")
    monkeypatch.setattr("pactwin.compare.answer_table.find_spec", lambda _: None)
    with pytest.raises(InvalidInputError, match="Parquet needs pyarrow"):
        check_table_name(tmp_path / "a.parquet")


def test_every_kind_of_answer_says_what_was_true_and_what_was_said() -> None:
    call: dict[str, Any] = {
        "question_id": "0" * 16, "scene_id": "0" * 16, "pair_id": "0" * 16, "sample_id": "0" * 16,
        "domain": "d", "view": "left", "model": "m", "suite_name": "s", "suite_hash": "0" * 64,
        "state": AnswerState.INCORRECT,
    }  # fmt: skip
    sets = make_rows(oracle, pairs=1)[0].model_copy(
        update={"form": "checklist", "accepted": ("a", "b"), "selected": ("a",)}
    )
    tools = ToolRow(
        **call, form="list", kind="plan", accepted=("saw", "file"), steps=(1, 2),
        items=("file",), found=(1,), rules=("same",),
    )  # fmt: skip
    use = UseRow(
        **call, form="open", gold_entity="fork", gold_part="handle", candidates=("fork", "mug"),
        entity="the mug", part="rim", found_entity="mug", found_part="rim", relation="unjudged",
    )  # fmt: skip
    table = answer_table([sets, tools, use])
    assert table[["kind", "truth", "said"]].to_numpy().tolist() == [
        ["constraint", "a; b", "a"],
        ["plan", "saw; file", "file"],
        ["creative_use", "fork: handle", "mug: rim"],
    ]


@pytest.mark.slow
def test_figures_are_svg_and_pdf_and_the_same_again(tmp_path: Path) -> None:
    scores = score(make_rows(noisy(1), model="a $x^{") + make_rows(oracle, model="b"))
    curve = Curve("a $x^{", "margin", (Point(0, 1, 0.4, 0.2, 0.6, 9), Point(1, 2, 0.9, 0.8, 1, 9)))
    files = write_figures(scores, [curve], tmp_path / "one")
    assert {path.name for path in files} == {
        f"{name}{suffix}"
        for name in ("domains", "views", "by_margin")
        for suffix in (".svg", ".pdf")
    }
    again = write_figures(scores, [curve], tmp_path / "two")
    for first, second in zip(files, again, strict=True):
        assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "one/domains.pdf").read_bytes().startswith(b"%PDF-")
    assert b"<svg " in (tmp_path / "one/by_margin.svg").read_bytes()[:1000]

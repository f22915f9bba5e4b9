"""What is ranked together was asked the same, and every row says how."""

from pathlib import Path

import pytest
from evaluating import evaluate
from made_up import always, make_rows, oracle
from made_up_objects import property_rows, truth_of
from pages import EVIL, Page, assert_inert

from pactwin.compare import read_leaderboard, write_leaderboard, write_leaderboard_json
from pactwin.compare.leaderboard import leaderboard_tables
from pactwin.suite import InvalidInputError
from pactwin.tasks import AnswerRow, Row


def of_suite(rows: list[AnswerRow], suite_hash: str, run: str = "r") -> list[AnswerRow]:
    return [r.model_copy(update={"suite_hash": suite_hash, "run_id": run}) for r in rows]


def test_other_hashes_views_and_kinds_are_never_ranked_together() -> None:
    rows = of_suite(make_rows(oracle, model="a", views=("head",)), "1" * 64)
    rows += of_suite(make_rows(always(True), model="b", views=("head",)), "1" * 64)
    rows += of_suite(make_rows(oracle, model="c", views=("head",)), "2" * 64)
    rows += of_suite(make_rows(oracle, model="d", views=("side",)), "1" * 64)
    everything: list[Row] = [
        *rows,
        *property_rows(lambda n, topic, view: truth_of(n, topic), model="a"),
    ]
    found = leaderboard_tables(everything, {"r": "2026-01-02"})
    ranked = {(b.suite_hash[0], b.kind, b.views): [s.model for s in b.rows] for b in found}
    assert ranked["1", "constraint", ("head",)] == ["a", "b"]
    assert ranked["2", "constraint", ("head",)] == ["c"]
    assert ranked["1", "constraint", ("side",)] == ["d"]
    assert sum(len(models) for models in ranked.values()) == 5
    assert all(s.days == ("2026-01-02",) for b in found for s in b.rows if b.kind[0] == "c")


def test_the_page_is_inert_and_a_run_given_twice_refused(tmp_path: Path) -> None:
    rows = of_suite(make_rows(oracle, model=EVIL, pairs=2), "1" * 64)
    found = leaderboard_tables(rows, {"r": EVIL})
    write_leaderboard(found, tmp_path / "page.html")
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert_inert(page)
    assert "{{ 7 * 7 }}" in "".join(page.text)
    with pytest.raises(InvalidInputError, match="more than once"):
        leaderboard_tables(rows + rows, {})


def test_logs_tell_when_they_were_made(fake_suite_path: Path, tmp_path: Path) -> None:
    models = ["pactwin/oracle", "pactwin/always-no"]
    evaluate(fake_suite_path, models, log_dir=tmp_path, views="head", form="yes_no", display="none")
    (board,) = read_leaderboard([tmp_path])
    assert [s.model for s in board.rows] == models
    assert all(len(s.days) == 1 and s.days[0].startswith("20") for s in board.rows)
    write_leaderboard_json([board], tmp_path / "boards.json")
    assert (tmp_path / "boards.json").read_text().startswith('[\n{"suite_name": ')

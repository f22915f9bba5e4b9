from io import StringIO

import pytest
from made_up import always, make_rows, noisy, oracle
from rich.console import Console

from pactwin.compare import gate, metric_names, rankings, score, terminal_table
from pactwin.suite import InvalidInputError


def test_the_gate_names_every_model_under_the_limit() -> None:
    rows = make_rows(oracle, model="good") + make_rows(always(False), model="bad")
    scores = score(rows)
    assert [v.model for v in gate(scores, "informedness=0.3")] == ["bad"]
    assert gate(scores, "informedness=0") == []
    assert [v.model for v in gate(scores, "pair_accuracy_strict=1.01")] == ["bad", "good"]
    assert "informedness is 0.000, under the limit 0.3" in str(gate(scores, "informedness=0.3")[0])


def test_the_gate_judges_the_pooled_value_alone() -> None:
    def blind_in_one_domain(domain, pair, feasible, view, form):
        if domain == "support":
            return False, None
        return oracle(domain, pair, feasible, view, form)

    scores = score(make_rows(blind_in_one_domain))
    assert gate(scores, "informedness=0.7") == []
    assert any(s.value == 0.0 for s in scores if s.metric == "informedness")


def test_what_was_not_measured_does_not_pass() -> None:
    mute = score(make_rows(lambda *q: (None, None)))
    assert [v.value for v in gate(mute, "informedness=-1")] == [None]
    yes_no_only = score(make_rows(oracle, forms=("yes_no",)))
    assert "was not measured" in str(gate(yes_no_only, "reason_accuracy=0.1")[0])


def test_an_unknown_metric_is_refused_with_those_like_it_and_a_limit_that_is_no_number() -> None:
    for condition in ("f1=0.3", "=0.3", "", "informednes=0.3"):
        with pytest.raises(InvalidInputError) as error:
            gate([], condition)
        assert str(len(metric_names())) in str(error.value)
        assert "informedness" in str(error.value) or not condition.startswith("informed")
    for number in ("", "much", "nan", "inf", "0,3"):
        with pytest.raises(InvalidInputError, match="METRIC=VALUE"):
            gate([], f"informedness={number}")


def test_the_terminal_table_fits_and_shows_every_model_best_first() -> None:
    rows = [
        row
        for model, answer in {
            "provider/[bold]x[/bold]": noisy(1),
            "best": oracle,
            "mute": lambda *q: (None, None),
        }.items()
        for row in make_rows(answer, model=model)
    ]
    out = StringIO()
    (table,) = map(terminal_table, rankings(score(rows), brief=True))
    Console(file=out, width=100).print(table)
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= 100
    assert "[bold]x[/bold]" in text
    assert text.index("best") < text.index("provider") < text.index("mute")
    assert "! fewer than 90% of the questions were answered" in text


def test_runs_cut_short_are_flagged_and_can_be_gated() -> None:
    rows = [
        row.model_copy(update={"run_id": "1", "planned": 1000})
        for row in make_rows(oracle, model="cut", pairs=1)
    ]
    scores = score([*rows, *make_rows(oracle, model="whole", pairs=1)])
    out = StringIO()
    (table,) = map(terminal_table, rankings(scores, brief=True))
    Console(file=out, width=100).print(table)
    assert "cut is unfinished: it was asked 96 of 1,000 questions planned" in out.getvalue()
    assert "whole is unfinished" not in out.getvalue()
    assert [v.model for v in gate(scores, "completeness=1")] == ["cut"]

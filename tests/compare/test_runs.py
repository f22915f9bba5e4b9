"""Tokens, cost and latency, by model, domain and view."""

from pathlib import Path

import pytest
from evaluating import evaluate
from fakes import make_fake_suite
from made_up import make_rows, noisy

from pactwin.compare import score, write_report
from pactwin.compare.runs import runs_of
from pactwin.suite import Suite
from pactwin.tasks import AnswerRow, read_answers


def priced(rows: list[AnswerRow]) -> list[AnswerRow]:
    """Every row costs more than the one before it."""
    return [
        row.model_copy(
            update={
                "calls": 2,
                "replayed": i % 2,
                "tokens_in": 100 + i,
                "tokens_out": i,
                "latency_s": 1.0 + i,
                "cost_usd": 0.01 * i,
            }
        )
        for i, row in enumerate(rows)
    ]


def test_cells_add_up_to_the_whole() -> None:
    rows = priced(make_rows(noisy(1), model="m", views=("head", "side", "joint")))
    (run,) = runs_of(rows, ["m"])
    domains = sorted({domain for domain, _ in run.usage} - {"all"})
    views = sorted({view for _, view in run.usage} - {"all"})
    assert views == ["head", "joint", "side"]
    assert run.whole.asked == len(rows) == sum(run.states.values())
    assert run.whole.cost_usd == pytest.approx(sum(r.cost_usd or 0 for r in rows))
    for cells in (
        [(domain, "all") for domain in domains],
        [("all", view) for view in views],
        [(domain, view) for domain in domains for view in views],
    ):
        usage = [run.usage[cell] for cell in cells]
        assert sum(e.asked for e in usage) == run.whole.asked
        assert sum(e.calls for e in usage) == run.whole.calls == 2 * len(rows)
        assert sum(e.replayed for e in usage) == run.whole.replayed
        assert sum(e.cost_usd or 0 for e in usage) == pytest.approx(run.whole.cost_usd)
        means = sum((e.tokens_in or 0) * e.asked for e in usage) / run.whole.asked
        assert means == pytest.approx(run.whole.tokens_in)


def test_a_picture_that_changed_is_marked(tmp_path: Path) -> None:
    suite_path = make_fake_suite(tmp_path / "suite", n_pairs=4)
    logs = evaluate(suite_path, ["pactwin/oracle"], log_dir=tmp_path / "logs", form="yes_no")
    rows = read_answers(logs)
    suite = Suite.open(suite_path)

    def page() -> str:
        write_report(rows, score(rows), [suite], tmp_path / "report.html")
        return (tmp_path / "report.html").read_text()

    assert "changed since" not in page()
    victim = sorted(rows[0].pictures)[0]
    suite.resolve(victim).write_bytes(suite.resolve(victim).read_bytes() + b"\0")
    text = page()
    assert text.count("changed since it was asked about") == 1
    assert "1 of these pictures changed since the models were shown them" in text
    assert victim.removeprefix("views/").removesuffix(".png") in text

"""99,840 answers: seconds of the table, the statistics and the report, and the peak memory by then.

Answers are made up; reading logs is what ``large_run`` measures.
"""

import resource
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from made_up import DOMAINS, VIEWS, make_rows, noisy

from pactwin.compare import Score, compare_models, compare_views, score, write_answers, write_report
from pactwin.tasks import AnswerRow

MODELS, PAIRS = 10, 104  # with four domains, two twins, four views, three forms


@cache
def answers() -> list[AnswerRow]:
    rows = [
        row
        for number in range(MODELS)
        for row in make_rows(noisy(number, number / MODELS), model=f"m{number}", pairs=PAIRS)
    ]
    assert len(rows) == MODELS * PAIRS * 2 * len(DOMAINS) * len(VIEWS) * 3
    return rows


@cache
def scores() -> list[Score]:
    return score(answers())


STEPS: dict[str, Callable[[Path], object]] = {
    "answers as CSV": lambda folder: write_answers(answers(), folder / "answers.csv"),
    "scores": lambda _: score(answers()),
    "paired tests": lambda _: (compare_models(answers()), compare_views(answers())),
    "report": lambda folder: write_report(answers(), scores(), [], folder / "report.html"),
}


@pytest.mark.parametrize("step", STEPS)
def test_comparing(benchmark: Any, step: str, tmp_path: Path) -> None:
    answers()
    if step == "report":
        scores()
    benchmark.pedantic(STEPS[step], (tmp_path,))
    peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    benchmark.extra_info["peak_gib"] = round(peak_gib, 2)

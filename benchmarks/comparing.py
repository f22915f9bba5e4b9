"""100,000 answers: seconds and memory of the table, the statistics and the report.

Answers are made up; reading logs is what ``large_run`` measures.
"""

import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from made_up import DOMAINS, VIEWS, make_rows, noisy
from rich.console import Console
from rich.table import Table

MODELS, PAIRS = 10, 104  # with four domains, two twins, four views, three forms: 99,840


@contextmanager
def _timed(table: Table, name: str) -> Iterator[None]:
    start, cpu = time.perf_counter(), time.process_time()
    yield
    gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    seconds = (time.perf_counter() - start, time.process_time() - cpu)
    table.add_row(name, *(f"{s:.1f}" for s in seconds), f"{gib:.2f}")


def run() -> None:
    """Print seconds of each step, also of the processor, and the peak memory up to its end."""
    from pactwin.compare import compare_models, compare_views, score, write_answers, write_report

    table = Table("step", "s", "CPU s", "peak GiB")
    with _timed(table, "making up answers"):
        rows = [
            row
            for number in range(MODELS)
            for row in make_rows(noisy(number, number / MODELS), model=f"m{number}", pairs=PAIRS)
        ]
    assert len(rows) == MODELS * PAIRS * 2 * len(DOMAINS) * len(VIEWS) * 3
    with tempfile.TemporaryDirectory() as folder:
        with _timed(table, "table of answers, CSV"):
            write_answers(rows, Path(folder) / "answers.csv")
        with _timed(table, "scores"):
            scores = score(rows)
        with _timed(table, "paired tests"):
            compare_models(rows)
            compare_views(rows)
        with _timed(table, "report"):
            write_report(rows, scores, [], Path(folder) / "report.html")
        size = (Path(folder) / "report.html").stat().st_size / 1e6
    Console().print(table, f"{len(rows):,} answers, page {size:.1f} MB")

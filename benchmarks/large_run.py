"""Ten thousand questions about four large pictures each: time, memory, the log and the report.

A model behind HTTP is sent every byte of every picture, which takes a quarter of an hour or more.
"""

import os
import resource
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.served import MODEL, large_suite, served

WIDTH_PX, HEIGHT_PX = 1280, 720


def ask(suite: Path, base_url: str, folder: Path) -> tuple[float, ...]:
    """Questions, seconds, peak GiB of the process, MB of the log."""
    from inspect_ai.log import read_eval_log_sample_summaries

    from pactwin.tasks import EvalRequest, run_eval

    request = EvalRequest(
        suite=suite,
        models=(MODEL,),
        views="all",
        log_dir=folder,
        base_url=base_url,
        vision_check=False,
    )
    start = time.perf_counter()
    (log,) = run_eval(request)
    seconds = time.perf_counter() - start
    peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    asked = len(read_eval_log_sample_summaries(str(log)))
    return asked, seconds, peak_gib, log.stat().st_size / 1e6


def report(suite: Path, folder: Path) -> tuple[float, float]:
    """Seconds and peak GiB of reading the log and writing the page with its gallery."""
    from pactwin.compare import compare_logs

    start = time.perf_counter()
    compare_logs([folder], folder / "report.html", folder / "rows.json", [suite])
    peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return time.perf_counter() - start, peak_gib


def run(questions: int = 10_000) -> None:
    """Print what it took. Each step is a process of its own."""
    os.environ["SERVED_API_KEY"] = "none"
    table = Table("questions", "s", "peak GiB", "log MB", "report s", "report peak GiB")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["INSPECT_CACHE_DIR"] = str(folder / "cache")
        pairs = -(-questions // 6)  # two twins, three forms
        # Every scene has four pictures that no other scene has together: no reply is used twice.
        suite = large_suite(folder / "suite", pairs, WIDTH_PX, HEIGHT_PX, different=211)
        logs = folder / "logs"
        with served(0.0) as base_url, ProcessPoolExecutor(1, get_context("spawn")) as pool:
            asked = pool.submit(ask, suite, base_url, logs).result()
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            shown = pool.submit(report, suite, logs).result()
        table.add_row(f"{asked[0]:,}", *(f"{value:.2f}" for value in (*asked[1:], *shown)))
    table.caption = f"load of the machine {os.getloadavg()[0]:.1f}"
    Console().print(table)

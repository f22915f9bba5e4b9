"""How long a twin pair takes, and how much memory a worker needs.

A pair is drawn, both its layouts are tried with all perturbations (draws in vain included), and
eight views are rendered with colour, depth and mask at 640x480.
"""

import multiprocessing
import os
import re
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pactwin.sim.domains import domain_names
from pactwin.sim.generation.engines.local import LocalEngine
from pactwin.sim.generation.pairs.generate import ConstraintSuiteConfig, draw_pairs

CAMERAS = ("front", "agent", "side", "head")


def measure(
    domains: tuple[str, ...], pairs: int, workers: int, cores: set[int]
) -> tuple[float, float, float]:
    """Seconds per pair once warm, peak GiB of the largest process, draws in vain per pair."""
    os.sched_setaffinity(0, cores)
    warm = len(domains) * workers
    request = ConstraintSuiteConfig(11, warm + pairs, domains, "g1", CAMERAS, 640, 480)
    rejected: Counter[str] = Counter()
    start = peak_gib = 0.0
    with LocalEngine(workers) as engine:
        for done, pair in enumerate(draw_pairs(request, 0, engine), start=1):
            rejected.update(pair.rejections)
            peak_gib = max(peak_gib, *map(_peak_gib, _drawing_processes()))
            if done == warm:
                start = time.perf_counter()
        seconds = time.perf_counter() - start
    return seconds / pairs, peak_gib, rejected.total() / (warm + pairs)


def _drawing_processes() -> list[int]:
    workers = [process.pid for process in multiprocessing.active_children()]
    return [pid for pid in workers if pid is not None] + [os.getpid()]


def _peak_gib(pid: int) -> float:
    """The most memory a process has held so far (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 2**20


def run(pairs: int = 24) -> None:
    """Print one row per setting."""
    cores = sorted(os.sched_getaffinity(0))
    everything = domain_names()
    settings = [
        ("all domains, 1 worker on 1 core", everything, 1, set(cores[:1])),
        ("all domains, 1 worker", everything, 1, set(cores)),
        ("all domains, 2 workers", everything, 2, set(cores)),
        *((f"{name}, 1 worker on 1 core", (name,), 1, set(cores[:1])) for name in everything),
    ]
    table = Table("setting", "s per pair", "peak GiB of a process", "draws in vain per pair")
    for label, domains, workers, allowed in settings:
        # A fresh process per setting: peak memory is a property of a process's whole life.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            found = pool.submit(measure, domains, pairs, workers, allowed).result()
        table.add_row(label, *(f"{value:.2f}" for value in found))
    Console().print(table)

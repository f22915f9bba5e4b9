"""How generation grows with scenes and with pairs; ``bench_workers.py`` times it by engines.

``python -m benchmarks generation`` runs all parts, ``python -m benchmarks.generation memory
--units 50`` one of them, larger or smaller. Each part prints what it measured:

- ``memory``: what one worker holds in the course of ``--units`` pairs (two scenes each);
- ``growth``: time and memory of whole suites, from a twentieth of ``--units`` pairs to all.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from pactwin.cli.make import write_suite
from pactwin.sim import (
    ConstraintSuiteConfig,
    LocalEngine,
    camera_names,
    domain_names,
    draw_pair,
    ensure_gl,
)
from pactwin.sim.generation.engines.base import in_order
from pactwin.tasks import make_twin_questions

UNITS = {"memory": 250, "growth": 1000}


def memory_after(request: ConstraintSuiteConfig, number: int) -> float:
    """MiB that this process holds after one more pair (Linux)."""
    draw_pair(request, number)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def make_suite(pairs: int) -> tuple[float, float]:
    """Seconds for a whole suite by two workers, and peak MiB of the process that writes it."""
    request = ConstraintSuiteConfig(
        seed=5,
        pairs=pairs,
        domains=domain_names(),
        robot="g1",
        cameras=("front",),
        width_px=640,
        height_px=480,
    )
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        write_suite(
            Path(folder) / "suite",
            "growth",
            request.record(),
            ("pairs", pairs),
            partial(draw_pair, request),
            make_twin_questions,
            LocalEngine(2),
        )
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    return time.perf_counter() - start, peak_mib


# Parts.


def memory(units: int) -> None:
    """What one worker holds, pair after pair."""
    request = ConstraintSuiteConfig(
        seed=7,
        pairs=units,
        domains=domain_names(),
        robot="g1",
        cameras=camera_names(),
        width_px=640,
        height_px=480,
    )
    with LocalEngine(1) as engine:
        held = list(in_order(engine, partial(memory_after, request), range(units)))
    table = Table("scenes drawn", "MiB held", title="memory of one worker")
    for done in sorted({max(units * k // 10, 1) for k in range(1, 11)}):
        table.add_row(str(2 * done), f"{held[done - 1]:.0f}")
    late = np.array(held[units // 2 :])
    per_pair = np.polyfit(np.arange(len(late)), late, 1)[0]
    table.caption = f"second half: {50 * per_pair:+.1f} MiB per 100 scenes"
    Console().print(table)


def growth(units: int) -> None:
    """Whole suites of more and more pairs, with a straight line through time and memory."""
    sizes = [max(units * part // 20, 2) for part in (1, 2, 4, 8, 20)]
    found = []
    for pairs in sizes:
        # A fresh process each: peak memory is a property of a process's whole life.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            found.append(pool.submit(make_suite, pairs).result())
    seconds, peak_mib = np.array(found).T
    table = Table("pairs", "seconds", "off the line", "peak MiB", "off the line", title="growth")
    lines = [_line(sizes, values) for values in (seconds, peak_mib)]
    for k, pairs in enumerate(sizes):
        cells = [f"{seconds[k]:.1f}", f"{lines[0].off[k]:+.1f}"]
        cells += [f"{peak_mib[k]:.0f}", f"{lines[1].off[k]:+.1f}"]
        table.add_row(str(pairs), *cells)
    table.caption = f"time: {lines[0].told('s')}; memory: {lines[1].told('MiB')}"
    Console().print(table)


@dataclass(frozen=True)
class Line:
    """A straight line through measured values: slope per pair, value at none, distances from it."""

    slope: float
    start: float
    r2: float
    off: np.ndarray

    def told(self, unit: str) -> str:
        return f"{self.start:.1f} + {self.slope:.4f} {unit} per pair, R² {self.r2:.4f}"


def _line(pairs: Sequence[int], values: np.ndarray) -> Line:
    slope, start = np.polyfit(pairs, values, 1)
    off = values - (start + slope * np.array(pairs))
    return Line(
        slope, start, 1.0 - float(np.sum(off**2) / np.sum((values - values.mean()) ** 2)), off
    )


PARTS = {"memory": memory, "growth": growth}


def run() -> None:
    """All parts."""
    ensure_gl()
    for name, part in PARTS.items():
        part(UNITS[name])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generation")
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--units", type=int, help="how many; default: as in the whole run")
    options = parser.parse_args()
    ensure_gl()
    # By its importable name: workers cannot import what is called __main__.
    module = import_module("benchmarks.generation")
    module.PARTS[options.part](options.units or UNITS[options.part])

"""How long a twin pair takes, and how much memory a worker needs.

A pair is drawn, both its layouts are tried with all perturbations (draws in vain included), and
eight views are rendered with colour, depth and mask at 640x480.

``python -m benchmarks.pairs beside OTHER [PAIRS [SEED]]`` draws the same pairs by this version and
by the one in the folder OTHER, pair by pair in turns on one core, and prints the seconds of the
processor by stage, old beside new, and how many scenes and files came out the same.
"""

import json
import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from pactwin.sim.domains import domain_names
from pactwin.sim.generation.engines.base import in_order
from pactwin.sim.generation.engines.local import LocalEngine
from pactwin.sim.generation.suites import ConstraintSuiteConfig, draw_pair

CAMERAS = ("front", "agent", "side", "head")

# What is timed, by the module or class it is called from; what a stage calls is told by itself.
_SCENES = "pactwin.sim.generation.pairs.scenes"
_PHOTOGRAPHS = "pactwin.sim.generation.photographs"
STAGES = {
    "proposals": "propose",
    "nominal trials": "try_layouts",
    "repetitions": "repeated",
    "counterfactuals": "with_counterfactuals",
    "cameras placed": "frame_cameras",
    "models for pictures": "scene_renderer",
    "depth and masks": "surfaces",
    "colours": "color",
    "visibility": "view_record",
    "regions": "with_regions",
    "PNG": "encode_views",
}


def measure(
    domains: tuple[str, ...], pairs: int, workers: int, cores: set[int]
) -> tuple[float, float, float]:
    """Seconds per pair once warm, peak GiB of the largest process, draws in vain per pair."""
    os.sched_setaffinity(0, cores)
    warm = len(domains) * workers
    request = ConstraintSuiteConfig(
        seed=11,
        pairs=warm + pairs,
        domains=domains,
        robot="g1",
        cameras=CAMERAS,
        width_px=640,
        height_px=480,
    )
    rejected: Counter[str] = Counter()
    start = peak_gib = 0.0
    with LocalEngine(workers) as engine:
        drawn = in_order(engine, partial(draw_pair, request), range(request.pairs))
        for done, pair in enumerate(drawn, start=1):
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


def beside(other: str, pairs: int = 20, seed: int = 500) -> None:
    """Print this version beside the one in the folder ``other``."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    ours, theirs = Path(__file__).parents[1], Path(other).resolve()
    runs = [
        subprocess.Popen(
            [sys.executable, __file__, "timed", str(seed)],
            env=os.environ | {"PYTHONPATH": str(tree)},
            cwd=tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for tree in (theirs, ours)
    ]
    sums = [Counter[str](), Counter[str]()]
    same: Counter[str] = Counter()
    for number in range(pairs):
        found = [_asked(run, number) for run in (runs if number % 2 else runs[::-1])]
        old, new = found if number % 2 else found[::-1]
        for total, one in zip(sums, (old, new), strict=True):
            total.update(one["seconds"])
        for path, digest in old["hashes"].items():
            kind = "scenes" if path.endswith("scene") else "files"
            same.update([kind, f"same {kind}"] if new["hashes"].get(path) == digest else [kind])
        print(number, sum(old["seconds"].values()), sum(new["seconds"].values()), flush=True)
    for run in runs:
        run.communicate()
    table = Table("stage", "CPU s a pair, old", "new", title=f"{pairs} pairs, seed {seed}")
    for stage in (*STAGES, "else"):
        table.add_row(stage, *(f"{total[stage] / pairs:.3f}" for total in sums))
    table.add_row("all", *(f"{total.total() / pairs:.3f}" for total in sums))
    table.caption = ", ".join(f"{same[f'same {k}']} of {same[k]} {k}" for k in ("scenes", "files"))
    Console().print(table)


def _asked(run: subprocess.Popen[str], number: int) -> dict:
    """What a run of :func:`timed` says of one pair."""
    assert run.stdin is not None
    assert run.stdout is not None
    run.stdin.write(f"{number}\n")
    run.stdin.flush()
    return json.loads(run.stdout.readline())


def timed(seed: int) -> None:
    """For each number read, draw that pair; write seconds by stage and hashes as a line of JSON."""
    from importlib import import_module

    from pactwin.sim.domains import load_domain
    from pactwin.sim.generation.suites import draw_pair
    from pactwin.sim.rendering.render import Renderer

    spent: defaultdict[str, float] = defaultdict(float)
    running: list[float] = []

    def watched(function: Callable, stage: str, *args: object, **named: object) -> Any:
        start = time.process_time()
        running.append(0.0)
        try:
            return function(*args, **named)
        finally:
            took = time.process_time() - start
            spent[stage] += took - running.pop()
            if running:
                running[-1] += took

    def watch(owner: object, stage: str) -> None:
        function = getattr(owner, STAGES[stage])
        if isinstance(owner, type):
            setattr(owner, STAGES[stage], lambda *a, **n: watched(function, stage, *a, **n))
        else:
            setattr(owner, STAGES[stage], partial(watched, function, stage))

    for kind in {type(load_domain(name)) for name in domain_names()}:
        watch(kind, "proposals")
    modules = import_module(_SCENES), import_module(_PHOTOGRAPHS)
    for stage, name in STAGES.items():
        if name in ("surfaces", "color"):
            watch(Renderer, stage)
        elif name != "propose":
            watch(next(module for module in modules if hasattr(module, name)), stage)
    request = ConstraintSuiteConfig(
        seed=seed,
        pairs=10**6,
        domains=domain_names(),
        robot="g1",
        cameras=CAMERAS,
        width_px=640,
        height_px=480,
    )
    draw_pair(request, 10**6 - 1)  # what is made once
    for line in sys.stdin:
        spent.clear()
        pair = watched(draw_pair, "else", request, int(line))
        hashes = {f"{s.id}.scene": s.model_dump_json().encode() for s in pair.scenes}
        hashes |= pair.files
        digests = {path: sha256(content).hexdigest() for path, content in hashes.items()}
        print(json.dumps({"seconds": spent, "hashes": digests}), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["beside"] and len(sys.argv) > 2:
        beside(sys.argv[2], *map(int, sys.argv[3:5]))
    elif sys.argv[1:2] == ["timed"]:
        timed(int(sys.argv[2]))
    else:
        sys.exit(__doc__)

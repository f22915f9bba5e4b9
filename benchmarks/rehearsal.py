"""How well a rehearsed bench is measured, and whether planted mistakes are noticed.

``PYTHONPATH=.:tests python -m benchmarks.rehearsal [SCENES] [WxH]``. Layouts of every domain are
drawn, without trials, and set up in the disturbed world with mistakes on up to three of their
things: moved 30 mm, turned 30 degrees, swapped, missing, upside down, or as in the twin scene (with
a lid on, a box open). What was put in its place must pass, and be measured.
"""

import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from drawn_scenes import drawn, scenes_of
from rich.console import Console
from rich.table import Table

from pactwin.hardware import Bench, read_rig, write_calibration, write_rig
from pactwin.real import calibrate, check_placement, pose_difference
from pactwin.real.rehearsal.bench import rehearsal_rig
from pactwin.real.rehearsal.disturbance import MISTAKES
from pactwin.real.rehearsal.mistakes import PossibleMistake, possible_mistakes
from pactwin.real.rehearsal.operator import Operator, new_address
from pactwin.real.rehearsal.rehearse import RULER_MM, SHOTS
from pactwin.sim import domain_names, rebuild_layout
from pactwin.suite import Suite, SuiteWriter

MOST_MISTAKES = 3
"""In one scene, of different things."""


@dataclass
class Found:
    """What came out: mistakes by kind, measured things' errors, and what was called wrong."""

    cameras: dict[str, tuple[float, float]] = field(default_factory=dict)
    off_mm: list[float] = field(default_factory=list)
    untouched: int = 0
    alarms: list[str] = field(default_factory=list)
    planted: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)


def drawn_suite(path: Path, scenes: int) -> Suite:
    """As many pairs, domains taking turns, as they are drawn: without trials and pictures."""
    names = domain_names()
    with SuiteWriter.open(
        path, name="drawn", request={}, made_by="", packages={}, gl_renderer=""
    ) as writer:
        for number in range(scenes):
            turn, k = divmod(number, len(names))
            seed, twins = drawn(names[k], turn + 1)[-1]
            ids = [f"{2 * number + side:016x}" for side in (1, 2)]
            pair = [
                scene.model_copy(update={"id": own, "twin_id": other})
                for scene, own, other in zip(
                    scenes_of(names[k], seed, twins), ids, ids[::-1], strict=True
                )
            ]
            writer.add(pair, {}, {})
        writer.finish(lambda scenes: ())
    return Suite.open(path)


def chosen(
    possible: Sequence[PossibleMistake], planted: Counter[str], rng: np.random.Generator
) -> list[PossibleMistake]:
    """Up to three mistakes with different things, the kinds first that were planted least."""
    order = sorted(rng.permutation(len(possible)), key=lambda k: planted[possible[k].mistake])
    found: list[PossibleMistake] = []
    for k in order:
        taken = {name for one in found for name in (one.name, one.other)}
        if len(found) < MOST_MISTAKES and not taken & {possible[k].name, possible[k].other}:
            found.append(possible[k])
            planted[possible[k].mistake] += 1
    return found


def measure(suite: Suite, folder: Path, size_px: tuple[int, int], seed: int) -> Found:
    """Set all pairs up, one scene of each, with mistakes."""
    found, rng = Found(), np.random.default_rng(seed)
    address, rig_path = new_address(), folder / "rig.yaml"
    write_rig(rig_path, rehearsal_rig(address, 1 + os.getpid() % 200, size_px))
    with (
        Operator(suite.path, rig_path, address, seed) as operator,
        Bench(read_rig(rig_path)) as bench,
    ):
        operator.do("mat")
        write_calibration(rig_path, calibrate(bench, RULER_MM, SHOTS).calibration)
        bench.rig = read_rig(rig_path)
        there = operator.do("truth")["cameras"]
        for spec in bench.rig.cameras:
            known = np.array(bench.rig.calibrated(spec.name).table_from_camera)
            found.cameras[spec.name] = pose_difference(known, np.array(there[spec.name]))
        for number, pair in enumerate(suite.pairs()):
            scene, twin = pair[:: 1 if number % 2 else -1]
            layout, other = rebuild_layout(scene), rebuild_layout(twin)
            mistakes = chosen(list(possible_mistakes(layout, other)), found.planted, rng)
            made = [vars(mistake) for mistake in mistakes]
            operator.do("place", scene=scene.id, mistakes=made, sheet=False)
            truth = operator.do("truth")["objects"]
            placements = check_placement(layout, other, bench.rig, bench.shoot().frames)
            wrong = {p.name: f"{p.state} {p.detail}".strip() for p in placements if not p.ok}
            for one in mistakes:
                found.noticed[one.mistake] += one.name in wrong or one.other in wrong
                if one.name not in wrong and one.other not in wrong:
                    found.missed.append(f"{scene.domain}: {one.name} {one.mistake} {one.other}")
            touched = {name for one in mistakes for name in (one.name, one.other)}
            for placement in placements:
                if placement.name in touched:
                    continue
                found.untouched += 1
                if placement.name in wrong:
                    said = f"{scene.domain}: {placement.name}: {wrong[placement.name]}"
                    found.alarms.append(said)
                if placement.table_from_object is not None:
                    place = np.array(truth[placement.name])[:2, 3]
                    off = placement.table_from_object[:2, 3] - place
                    found.off_mm.append(1e3 * float(np.linalg.norm(off)))
            print(f"{number}: {scene.domain}: {wrong}; missed {found.missed}", file=sys.stderr)
    return found


def run(scenes: int = 20, size_px: tuple[int, int] = (1280, 720), seed: int = 1) -> None:
    """Print the figures."""
    with TemporaryDirectory() as folder:
        suite = drawn_suite(Path(folder) / "drawn", scenes)
        found = measure(suite, Path(folder), size_px, seed)
    console = Console()
    table = Table("mistake", "planted", "noticed")
    for mistake in MISTAKES:
        table.add_row(mistake, str(found.planted[mistake]), str(found.noticed[mistake]))
    table.add_row("all", str(found.planted.total()), str(found.noticed.total()))
    console.print(table)
    for name, (mm, degrees) in found.cameras.items():
        console.print(f"camera {name}: {mm:.2f} mm, {degrees:.3f} degrees off")
    off = np.array(found.off_mm)
    console.print(
        f"{len(off)} untouched things measured: {np.mean(off <= 5):.1%} within 5 mm, median "
        f"{np.median(off):.1f} mm, 95 % within {np.quantile(off, 0.95):.1f} mm"
    )
    console.print(f"false alarms: {len(found.alarms)} of {found.untouched}")
    for line in (*found.alarms, *(f"missed {what}" for what in found.missed)):
        console.print(f"  {line}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    width, _, height = (sys.argv[2] if len(sys.argv) > 2 else "1280x720").partition("x")
    run(count, (int(width), int(height)))

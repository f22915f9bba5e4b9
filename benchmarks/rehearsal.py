"""How well a rehearsed bench is measured, and whether planted mistakes are noticed.

``PYTHONPATH=. python -m benchmarks.rehearsal SUITE RESULTS.jsonl [SCENES] [WxH]``. One scene of
each pair is set up in the disturbed world with one mistake: something is moved 30 mm, turned 30
degrees, swapped, missing, upside down, or as in the twin scene (with its lid on, a box open). What
was put in its place must pass, and be measured. A line for each scene goes to RESULTS; what is
there is not done again, so that a long run can be made in parts.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pactwin.hardware import Bench, read_rig
from pactwin.real import check_table, pose_difference
from pactwin.real.rehearsal.disturbance import MISTAKES
from pactwin.real.rehearsal.mistakes import PossibleMistake, possible_mistakes
from pactwin.real.rehearsal.operator import MockRig
from pactwin.sim import rebuild_layout
from pactwin.suite import Scene, Suite


def domains_in_turn(suite: Suite) -> Iterator[tuple[Scene, Scene]]:
    """All pairs, so that the first few are of as many domains as there are."""
    pairs = defaultdict(list)
    for pair in suite.pairs():
        pairs[pair[0].domain].append(pair)
    for turn in range(max(map(len, pairs.values()))):
        yield from (mine[turn] for mine in pairs.values() if turn < len(mine))


def chosen(
    possible: Sequence[PossibleMistake], planted: Counter[str], rng: np.random.Generator
) -> PossibleMistake:
    """One mistake, of the kind that was planted least of those that can be made."""
    kinds = sorted({one.mistake for one in possible})
    kind = min(kinds, key=lambda kind: (planted[kind], rng.random()))
    same = [one for one in possible if one.mistake == kind]
    return same[rng.integers(len(same))]


def measure(suite: Suite, results: Path, scenes: int, size_px: tuple[int, int], seed: int) -> None:
    """Set scenes up, one by one, and append what the check says of each to ``results``."""
    done = read(results)
    planted = Counter(line["mistake"]["mistake"] for line in done)
    with TemporaryDirectory() as folder:
        rig_path = Path(folder) / "rig.yaml"
        with (
            MockRig(suite.path, rig_path, seed, size_px) as mock,
            Bench(read_rig(rig_path)) as bench,
        ):
            for number, pair in enumerate(domains_in_turn(suite)):
                if len(done) <= number < scenes:
                    rng = np.random.default_rng([seed, number])
                    scene, twin = pair[:: 1 if number % 2 else -1]
                    line = set_up(mock, bench, scene, twin, planted, rng)
                    planted[line["mistake"]["mistake"]] += 1
                    with results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(line) + "\n")


def set_up(
    mock: MockRig,
    bench: Bench,
    scene: Scene,
    twin: Scene,
    planted: Counter[str],
    rng: np.random.Generator,
) -> dict[str, Any]:
    """What came out for one scene, whose things are where they should be but for one mistake."""
    layout, other = rebuild_layout(scene), rebuild_layout(twin)
    wrong = chosen(list(possible_mistakes(layout, other)), planted, rng)
    mock.do("place", scene=scene.id, mistakes=[vars(wrong)], sheet=False)
    truth = mock.do("truth")
    cameras = {
        name: pose_difference(
            np.array(bench.rig.calibrated(name).table_from_camera), np.array(pose)
        )
        for name, pose in truth["cameras"].items()
    }
    things: dict[str, dict[str, Any]] = {}
    found = check_table(layout, other, bench.rig, bench.grab(thorough=True).frames)
    for placement in found.placements:
        off_mm = None
        if placement.table_from_object is not None and placement.name in truth["objects"]:
            there = np.array(truth["objects"][placement.name])[:2, 3]
            off_mm = 1e3 * float(np.linalg.norm(placement.table_from_object[:2, 3] - there))
        said = f"{placement.state} {placement.detail}".strip()
        things[placement.name] = {"ok": placement.ok, "said": said, "off_mm": off_mm}
    return {
        "domain": scene.domain,
        "scene": scene.id,
        "mistake": vars(wrong),
        "cameras": cameras,
        "things": things,
    }


def read(results: Path) -> list[dict[str, Any]]:
    """The lines that are there."""
    if not results.is_file():
        return []
    return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]


def report(lines: Sequence[dict[str, Any]]) -> None:
    """Print the figures."""
    console, table = Console(), Table("mistake", "planted", "noticed")
    planted, noticed, off_mm = Counter[str](), Counter[str](), list[float]()
    cameras, said, untouched = defaultdict(list), list[str](), 0
    for line in lines:
        wrong, things = line["mistake"], line["things"]
        touched = {wrong["name"], wrong["other"]} & things.keys()
        planted[wrong["mistake"]] += 1
        if any(not things[name]["ok"] for name in touched):
            noticed[wrong["mistake"]] += 1
        else:
            said.append(f"missed, {line['domain']}: {wrong}")
        for name in things.keys() - touched:
            untouched += 1
            if not things[name]["ok"]:
                said.append(f"alarm, {line['domain']}: {name}: {things[name]['said']}")
            if things[name]["off_mm"] is not None:
                off_mm.append(things[name]["off_mm"])
        for name, off in line["cameras"].items():
            cameras[name].append(off)
    for mistake in MISTAKES:
        table.add_row(mistake, str(planted[mistake]), str(noticed[mistake]))
    table.add_row("all", str(planted.total()), str(noticed.total()))
    console.print(table)
    for name, all_off in cameras.items():
        mm, degrees = np.max(all_off, axis=0)
        console.print(f"camera {name}: {mm:.2f} mm, {degrees:.3f} degrees off")
    off = np.array(off_mm)
    console.print(
        f"{len(off)} untouched things measured: {np.mean(off <= 5):.1%} within 5 mm, median "
        f"{np.median(off):.1f} mm, 95 % within {np.quantile(off, 0.95):.1f} mm"
    )
    alarms = sum(what.startswith("alarm") for what in said)
    console.print(f"false alarms: {alarms} of {untouched}")
    for what in said:
        console.print(f"  {what}")


def main() -> None:
    """Measure what is missing in RESULTS, and print all of it."""
    suite, results = Suite.open(Path(sys.argv[1])), Path(sys.argv[2])
    scenes = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    width, _, height = (sys.argv[4] if len(sys.argv) > 4 else "960x540").partition("x")
    measure(suite, results, scenes, (int(width), int(height)), seed=1)
    report(read(results))


if __name__ == "__main__":
    main()

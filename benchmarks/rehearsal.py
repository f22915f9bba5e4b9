"""How well a rehearsed bench is measured, and whether planted mistakes are noticed.

``PYTHONPATH=.:stand_ins python -m benchmarks.rehearsal SUITE RESULTS.jsonl [SCENES] [WxH]``. One
scene of each pair is set up at the mock rig with one fault. Half are mistakes with a thing: it is
moved 30 mm, turned 30 degrees, swapped, missing, upside down, or as in the twin. Others: a foreign
block on the table or on the target, an arm over the target, a picture that is dark, over-exposed,
blurred or frozen on the twin, and a template that was left in; a camera that is nudged has to be
found again. What was put in its place must pass, and be measured. A line for each scene goes to
RESULTS; what is there is not done again, so that a long run can be made in parts.
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
from table_mistakes import PossibleMistake, possible_mistakes

from pactwin.hardware import Bench, read_rig
from pactwin.real import check_table, footprints, pose_difference
from pactwin.real.footprints import overlap_m2
from pactwin.real.rehearsal.operator import MockRig
from pactwin.sim import Layout, rebuild_layout
from pactwin.suite import Scene, Suite


def domains_in_turn(suite: Suite) -> Iterator[tuple[Scene, Scene]]:
    """All pairs, so that the first few are of as many domains as there are."""
    pairs = defaultdict(list)
    for pair in suite.pairs():
        pairs[pair[0].domain].append(pair)
    for turn in range(max(map(len, pairs.values()))):
        yield from (mine[turn] for mine in pairs.values() if turn < len(mine))


FAULTS = (
    *("mistake", "stranger") * 6,
    *("mistake", "on target", "mistake", "arm", "mistake", "mistake") * 5,
    *("frozen", "mistake") * 4,
    *("dark", "bright", "blurred", "template", "nudged") * 2,
)
LIGHTS = {"dark": {"exposure": 0.02}, "bright": {"exposure": 6.0}, "blurred": {"blur_px": 4.0}}


def chosen(
    possible: Sequence[PossibleMistake], planted: Counter[str], rng: np.random.Generator
) -> PossibleMistake:
    """One mistake, of the kind that was planted least of those that can be made."""
    kinds = sorted({one.mistake for one in possible})
    kind = min(kinds, key=lambda kind: (planted[kind], rng.random()))
    same = [one for one in possible if one.mistake == kind]
    return same[rng.integers(len(same))]


def order_of(fault: str, layout: Layout, rng: np.random.Generator) -> dict[str, Any]:
    """What the world is asked for, so that a scene is set up with a fault."""
    camera = str(rng.choice(["head", "side"]))
    target = layout.item(layout.critical_objects[0])
    x, y, _ = target.world_from_object.pos
    top = max(p.top_m for p in footprints(layout.items) if p.item.name == target.name)
    match fault:
        case "stranger":
            return {"strangers": [((0.03, 0.03, 0.03), free_place(layout, rng))]}
        case "on target":
            return {"strangers": [((0.03, 0.03, 0.03), (x, y, top))]}
        case "arm":
            return {"strangers": [((0.40, 0.07, 0.06), (x - 0.15, y, max(top + 0.05, 0.2)))]}
        case "frozen":
            return {"frozen": camera}
        case "nudged":
            return {"nudged": {camera: [0.006, 0.006, -0.005, 0.01, 0.01, 0.008]}}
        case "template":
            return {"sheet": True}
        case light:
            return {"light": {camera: LIGHTS[light]}}


def free_place(layout: Layout, rng: np.random.Generator) -> tuple[float, float, float]:
    """Somewhere on the table where a small block touches nothing."""
    prints, half = footprints(layout.items), 0.035
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    while True:
        x, y = rng.uniform((0.12, -0.3), (0.5, 0.3))
        if not any(overlap_m2(np.add(square, (x, y)), p.outline) for p in prints):
            return float(x), float(y), 0.0


def measure(suite: Suite, results: Path, scenes: int, size_px: tuple[int, int], seed: int) -> None:
    """Set scenes up, one by one, and append what the check says of each to ``results``."""
    done = read(results)
    planted = Counter(line["fault"] for line in done)
    with TemporaryDirectory() as folder:
        rig_path = Path(folder) / "rig.yaml"
        with (
            MockRig(suite.path, rig_path, seed, size_px) as mock,
            Bench(read_rig(rig_path)) as bench,
        ):
            for number, pair in enumerate(domains_in_turn(suite)):
                if len(done) <= number < scenes:
                    rng = np.random.default_rng([seed, number])
                    twins = pair[:: 1 if number % 2 else -1]
                    line = set_up(mock, bench, twins, FAULTS[number % len(FAULTS)], planted, rng)
                    planted[line["fault"]] += 1
                    with results.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(line) + "\n")


def set_up(
    mock: MockRig,
    bench: Bench,
    twins: Sequence[Scene],
    fault: str,
    planted: Counter[str],
    rng: np.random.Generator,
) -> dict[str, Any]:
    """What came out for the first of two twins, set up with one fault."""
    scene, twin = twins
    layout, other = rebuild_layout(scene), rebuild_layout(twin)
    touched: list[str] = []
    order: dict[str, Any] = {"sheet": False}
    if fault == "mistake":
        wrong = chosen(list(possible_mistakes(layout, other)), planted, rng)
        fault, touched = wrong.mistake, [wrong.name, wrong.other]
        order["mistakes"] = [vars(wrong)]
    else:
        order |= order_of(fault, layout, rng)
    if fault == "frozen":
        mock.do("place", scene=twin.id, sheet=False)
    mock.do("place", scene=scene.id, **order)
    truth = mock.do("truth")
    found = check_table(layout, other, bench.rig, bench.grab(thorough=True).frames)
    cameras = {
        name: pose_difference(np.array(camera.table_from_camera), np.array(truth["cameras"][name]))
        for name, camera in found.cameras.items()
        if name in found.solved and name != order.get("frozen")
    }
    things: dict[str, dict[str, Any]] = {}
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
        "fault": fault,
        "touched": touched,
        "order": order,
        "ok": found.ok,
        "faults": [f"{wrong.kind}: {wrong}" for wrong in found.faults],
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
    console, table = Console(), Table("fault", "planted", "noticed")
    planted, noticed, off_mm = Counter[str](), Counter[str](), list[float]()
    cameras, said, untouched = defaultdict(list), list[str](), 0
    for line in lines:
        fault, things = line["fault"], line["things"]
        planted[fault] += 1
        # A camera that was nudged is found again, and all is well.
        if line["ok"] == (fault == "nudged"):
            noticed[fault] += 1
        else:
            said.append(f"missed, {line['domain']}: {fault} {line['touched']} {line['faults']}")
        if fault == "frozen" or fault in LIGHTS:
            continue
        for name in things.keys() - set(line["touched"]):
            untouched += 1
            if not things[name]["ok"]:
                said.append(f"alarm, {line['domain']}, {fault}: {name}: {things[name]['said']}")
            if things[name]["off_mm"] is not None:
                off_mm.append(things[name]["off_mm"])
        for name, off in line["cameras"].items():
            cameras[name].append(off)
    for fault in planted:
        table.add_row(fault, str(planted[fault]), str(noticed[fault]))
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
    width, _, height = (sys.argv[4] if len(sys.argv) > 4 else "1280x720").partition("x")
    measure(suite, results, scenes, (int(width), int(height)), seed=1)
    report(read(results))


if __name__ == "__main__":
    main()

"""How well a rehearsed bench is measured, and whether planted faults are noticed.

``PYTHONPATH=.:stand_ins python -m benchmarks.rehearsal SUITE RESULTS.jsonl [FAULTS] [WxH]``. Scenes
of all domains are set up in turn at the mock rig, each with one of 60 faults: things that an
operator gets wrong, strangers, pictures that cannot be used, cameras that are moved, swapped or
ill, a robot that is ill, prints of another size, a board and a strip that were moved. A fault is
noticed if it is refused; a camera that was nudged and a strip that was moved have to be found
again. What was put in its place must pass, and be measured; what something hides is not blamed. A
line for each fault goes to RESULTS; what is there is not done again, so that a long run can be made
in parts.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
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
from pactwin.real.rehearsal.mock_rig import RULERS_MM, MockRig
from pactwin.real.rehearsal.rehearse import blamed
from pactwin.sim import Layout, rebuild_layout
from pactwin.suite import EnvironmentFaultError, PactwinError, Scene, Suite


def domains_in_turn(suite: Suite) -> Iterator[tuple[Scene, Scene]]:
    """All pairs, so that the first few are of as many domains as there are."""
    pairs = defaultdict(list)
    for pair in suite.pairs():
        pairs[pair[0].domain].append(pair)
    for turn in range(max(map(len, pairs.values()))):
        yield from (mine[turn] for mine in pairs.values() if turn < len(mine))


LIGHTS = {"dark": {"exposure": 0.02}, "bright": {"exposure": 6.0}, "blurred": {"blur_px": 4.0}}
NUDGES = {
    "nudged 10 mm": [0.006, 0.006, -0.005, 0.01, 0.01, 0.008],
    "nudged 5 mm": [0.003, -0.003, 0.0026, 0.004, 0.004, -0.004],
}
DEVICES = {
    "own clock": {"head": "clock"},
    "one picture": {"side": "one picture"},
    "one number": {"head": "one number"},
    "exposure changed": {"side": "exposure"},
    "unplugged": {"side": "unplugged"},
    "USB 2.1": {"head": "usb"},
    "robot silent": {"robot": "silent"},
    "robot frozen": {"robot": "frozen"},
    "robot turning": {"robot": "turning"},
    "unknown robot": {"robot": "unknown"},
}
PRINTS: dict[str, tuple[dict[str, Any], tuple[float, float]]] = {
    "97 % said to be 100": ({"printed": (0.97, 0.97)}, (100.0, 100.0)),
    "stretched": ({"printed": (0.99, 1.0)}, (99.0, 100.0)),
    "stretched, misread": ({"printed": (0.985, 0.995)}, (99.0, 99.0)),
    "board moved": ({"moved_m": (0.025, 0.01)}, RULERS_MM),
}
"""How the board is printed and laid, and what is read off its rulers."""
FOUND_AGAIN = (*NUDGES, "strip moved")
_TURN = (
    *("mistake", "stranger", "mistake", "in the target", "mistake", "arm", "small stranger"),
    *("mistake", "twin frozen", "mistake", "hand"),
)
FAULTS = (
    *_TURN * 3,
    *("dark", "bright", "blurred", "template", "no depth", "swapped cameras", "strip moved"),
    *NUDGES,
    *NUDGES,
    *("in the target", "twin frozen"),
    *DEVICES,
    *PRINTS,
)
"""60; those of prints last, after which the rig is calibrated anew."""


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
        case "small stranger":
            return {"strangers": [((0.022, 0.022, 0.022), free_place(layout, rng))]}
        case "in the target":
            return {"strangers": [((0.03, 0.03, 0.03), (x, y, top))]}
        case "arm":
            return {"strangers": [((0.40, 0.07, 0.06), (x - 0.15, y, max(top + 0.05, 0.2)))]}
        case "hand":
            free_x, free_y, _ = free_place(layout, rng)
            return {"strangers": [((0.09, 0.08, 0.03), (free_x, free_y, 0.12))]}
        case "twin frozen":
            return {"frozen": camera}
        case "no depth":
            return {"blind": camera}
        case "swapped cameras":
            return {"swapped_cameras": True}
        case "strip moved":
            return {"strip": [1, 0.012, -0.006]}
        case "template":
            return {"template": True}
        case nudge if nudge in NUDGES:
            return {"nudged": {camera: NUDGES[nudge]}}
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


def measure(suite: Suite, results: Path, faults: int, size_px: tuple[int, int], seed: int) -> None:
    """Plant faults, one by one, and append what came of each to ``results``."""
    done, pairs = read(results), list(domains_in_turn(suite))
    planted = Counter(line["fault"] for line in done)
    if len(done) >= min(faults, len(FAULTS)):
        return
    with TemporaryDirectory() as folder:
        rig_path = Path(folder) / "rig.yaml"
        with MockRig(suite.path, rig_path, seed, size_px) as mock, ExitStack() as stack:
            bench = stack.enter_context(Bench(read_rig(rig_path)))
            for number in range(len(done), min(faults, len(FAULTS))):
                rng, fault = np.random.default_rng([seed, number]), FAULTS[number]
                if fault in DEVICES:
                    stack.close()  # one at a time may use the robot's network
                    line = ill_device(mock, rig_path, fault)
                    bench = stack.enter_context(Bench(read_rig(rig_path)))
                else:
                    twins = pairs[number % len(pairs)][:: 1 if number % 2 else -1]
                    line = refused_calibration(mock, bench, fault) if fault in PRINTS else {}
                    if not line:
                        line = set_up(mock, bench, twins, fault, planted, rng)
                        if fault in PRINTS:
                            mock.do("board")
                            bench.set_calibration(mock.calibrate(bench))
                if fault in FOUND_AGAIN:
                    mock.do("undo")
                planted[line["fault"]] += 1
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")


def ill_device(mock: MockRig, rig_path: Path, fault: str) -> dict[str, Any]:
    """Whether a bench with an ill device is refused."""
    line = {"domain": "devices", "fault": fault, "touched": [], "cameras": {}, "things": {}}
    if fault == "USB 2.1":
        mock.do("devices", **DEVICES[fault])
    try:
        with Bench(read_rig(rig_path)) as bench:
            mock.do("devices", **DEVICES[fault])
            for _ in range(10):
                shot = bench.grab(thorough=True)
                shot.check_robot(bench.rig)
        return {**line, "ok": True, "faults": []}
    except EnvironmentFaultError as error:
        return {**line, "ok": False, "faults": [str(error)]}
    finally:
        mock.do("devices")


def refused_calibration(mock: MockRig, bench: Bench, fault: str) -> dict[str, Any]:
    """What refuses a calibration by another print; nothing if it is not refused, and counts."""
    (how, rulers_mm), before = PRINTS[fault], bench.rig
    mock.do("board", **how)
    try:
        bench.set_calibration(mock.calibrate(bench, rulers_mm))
    except PactwinError as error:
        bench.set_calibration(before)
        line = {"domain": "prints", "fault": fault, "touched": [], "cameras": {}, "things": {}}
        return {**line, "ok": False, "faults": [str(error)]}
    return {}


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
    order: dict[str, Any] = {"template": False}
    if fault == "mistake":
        wrong = chosen(list(possible_mistakes(layout, other)), planted, rng)
        fault, touched = wrong.mistake, [wrong.name, wrong.other]
        order["mistakes"] = [vars(wrong)]
    elif fault not in PRINTS:
        order |= order_of(fault, layout, rng)
    if fault == "twin frozen":
        mock.do("place", scene=twin.id, template=False)
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
        things[placement.name] = {"ok": placement.ok, "said": placement.message, "off_mm": off_mm}
    return {
        "domain": scene.domain,
        "scene": scene.id,
        "fault": fault,
        "touched": touched,
        "order": order,
        "ok": found.ok,
        "faults": [f"{wrong.kind}: {wrong}" for wrong in found.faults],
        "remarks": list(found.remarks),
        "cameras": cameras,
        "things": things,
        "blamed": [
            p.message
            for p in blamed(mock, layout, bench.rig, found)
            if p.name not in touched and p.state != "not seen"
        ],
    }


def read(results: Path) -> list[dict[str, Any]]:
    """The lines that are there."""
    if not results.is_file():
        return []
    return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]


def report(lines: Sequence[dict[str, Any]]) -> None:
    """Print the figures."""
    console, table = Console(), Table("fault", "planted", "noticed")
    if not lines:
        console.print("no faults were planted")
        return
    planted, noticed, off_mm = Counter[str](), Counter[str](), list[float]()
    cameras, said, untouched = defaultdict(list), list[str](), 0
    for line in lines:
        fault, things = line["fault"], line["things"]
        planted[fault] += 1
        if line["ok"] == (fault in FOUND_AGAIN):
            noticed[fault] += 1
        else:
            said.append(f"missed, {line['domain']}: {fault} {line['touched']} {line['faults']}")
        if fault in ("twin frozen", "no depth", "swapped cameras", *LIGHTS, *PRINTS):
            continue
        said += [f"alarm, {line['domain']}, {fault}: {what}" for what in line.get("blamed", ())]
        for name in things.keys() - set(line["touched"]):
            untouched += 1
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
    off = np.array(off_mm or [np.nan])
    console.print(
        f"{len(off_mm)} untouched things measured: {np.mean(off <= 5):.1%} within 5 mm, median "
        f"{np.median(off):.1f} mm, 95 % within {np.quantile(off, 0.95):.1f} mm"
    )
    alarms = sum(what.startswith("alarm") for what in said)
    console.print(f"false alarms: {alarms} of {untouched}")
    for what in said:
        console.print(f"  {what}")


def main() -> None:
    """Measure what is missing in RESULTS, and print all of it."""
    suite, results = Suite.open(Path(sys.argv[1])), Path(sys.argv[2])
    faults = int(sys.argv[3]) if len(sys.argv) > 3 else len(FAULTS)
    width, _, height = (sys.argv[4] if len(sys.argv) > 4 else "1280x720").partition("x")
    measure(suite, results, faults, (int(width), int(height)), seed=1)
    report(read(results))


if __name__ == "__main__":
    main()

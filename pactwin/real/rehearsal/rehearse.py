"""A whole session without hardware, from the empty table to a suite of captures.

Check and capture are the code of a real bench and see only frames and joint states.
Their results are compared with the simulated truth only after everything is on disk.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pactwin.hardware import Bench, FrameSet, Rig, read_rig
from pactwin.real.calibration import pose_difference
from pactwin.real.captures import captured_scenes, read_capture, write_capture, write_outcome
from pactwin.real.placement import Placement
from pactwin.real.rehearsal.mock_rig import MockRig
from pactwin.real.selection import select_pairs
from pactwin.real.table_check import TableCheck, check_table
from pactwin.real.verification import verify_captures
from pactwin.sim import Layout, rebuild_layout
from pactwin.suite import (
    Constraint,
    InvalidInputError,
    Outcome,
    ProgressCallback,
    Scene,
    Suite,
    SuiteInfo,
    parse_json,
    silent,
    write_file,
)

TAKES = 4
"""Number of checks per scene; between them objects are pushed as suggested, or placed again."""

_STARTED, _TRUTH, REPORT = "rehearsal.json", "truth.json", "report.json"


@dataclass(frozen=True)
class Accuracy:
    """Measurement errors of a rehearsal: measured against simulated poses.

    ``cameras`` are mm and degrees by name, the worst of all captures; ``objects_mm`` are by scene
    and object. ``alarms`` names correctly placed objects that were reported as wrong, among
    ``checked`` objects; ``unverified`` says why captures do not count, by scene.
    """

    cameras: dict[str, tuple[float, float]]
    objects_mm: dict[str, dict[str, float]]
    checked: int
    alarms: list[str]
    unverified: dict[str, str]

    def within(self, limit_mm: float) -> float:
        """Share of objects measured within ``limit_mm``."""
        every = [off for found in self.objects_mm.values() for off in found.values()]
        return sum(off <= limit_mm for off in every) / max(len(every), 1)

    def quantile_mm(self, share: float) -> float:
        """Error (mm) that ``share`` of the objects do not exceed."""
        every = [off for found in self.objects_mm.values() for off in found.values()]
        return float(np.quantile(every, share)) if every else 0.0


def rehearse(
    suite: Suite,
    out: Path,
    seed: int,
    size_px: tuple[int, int] = (1280, 720),
    progress: ProgressCallback = silent,
) -> tuple[SuiteInfo, Accuracy]:
    """Rehearse all scenes of ``suite`` into ``out``; resumes after an interruption.

    Pairs that no camera could decide are left out, as in a session. ``out/captured`` becomes a
    suite of source ``rehearsal``; ``out/report.json`` has the measurement errors. The same seed
    gives the same pictures. Raises InvalidInputError if ``out`` belongs to another rehearsal;
    EnvironmentFaultError if the bench fails.
    """
    started = {"rehearsal": suite.info.content_hash, "seed": seed, "size": list(size_px)}
    _begin(out, started)
    rig_path, captured = out / "rig.yaml", out / "captured"
    truth = parse_json((out / _TRUTH).read_bytes()) if (out / _TRUTH).is_file() else {}
    todo = [pair for pair in suite.pairs() if not _done(pair, captured, truth)]
    if todo:
        with (
            MockRig(suite.path, rig_path, seed, size_px) as mock,
            Bench(read_rig(rig_path)) as bench,
        ):
            total = 2 * sum(1 for _ in suite.pairs())
            left_out = select_pairs(suite, rebuild_layout, bench.rig).left_out
            for done, (scene, twin) in enumerate(_each(todo), start=total - 2 * len(todo) + 1):
                if scene.id in left_out:
                    truth[scene.id] = {"left_out": left_out[scene.id]}
                elif scene.id not in truth:
                    truth[scene.id] = _capture(mock, bench, suite, scene, twin, captured)
                write_file(out / _TRUTH, json.dumps(truth) + "\n")
                progress("bench", done, total)
    undecided = {told["left_out"] for told in truth.values() if "left_out" in told}
    if undecided and not captured_scenes(captured):
        raise InvalidInputError(f"{suite.path}: {'; '.join(sorted(undecided))}")
    info, unverified = verify_captures(suite, captured, progress)
    found = _judged(out, truth, unverified)
    write_file(out / REPORT, json.dumps(_report(started, info, found), indent=1) + "\n")
    return info, found


def _begin(out: Path, started: dict) -> None:
    note = out / _STARTED
    if note.is_file():
        if parse_json(note.read_bytes()) != started:
            raise InvalidInputError(f"{out} is of another rehearsal: name another folder")
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InvalidInputError(f"{out} is not empty: give a new folder")
    write_file(note, json.dumps(started) + "\n")


def _done(pair: Sequence[Scene], captured: Path, truth: dict) -> bool:
    there = captured_scenes(captured)
    known = [truth.get(scene.id) for scene in pair]
    return all(k and ("left_out" in k or s.id in there) for s, k in zip(pair, known, strict=True))


def _each(pairs: Iterable[tuple[Scene, Scene]]) -> Iterator[tuple[Scene, Scene]]:
    for one, other in pairs:
        yield one, other
        yield other, one


def _capture(
    mock: MockRig, bench: Bench, suite: Suite, scene: Scene, twin: Scene, captured: Path
) -> dict:
    """Set a scene up, check it, capture it, carry its action out; what the world says of it."""
    layout, other = rebuild_layout(scene), rebuild_layout(twin)
    checked, alarms = 0, list[str]()

    def look() -> tuple[FrameSet, TableCheck]:
        frame_set = bench.grab(thorough=True)
        return frame_set, check_table(layout, other, bench.rig, frame_set.frames)

    mock.do("place", scene=scene.id)
    for take in range(TAKES):
        frame_set, found = look()
        if found.template_only:
            mock.do("slide", take=take)
            frame_set, found = look()
        checked += len(found.placements)
        wrong = [p.message for p in blamed(mock, layout, bench.rig, found)]
        wrong += [str(fault) for fault in found.faults if fault.kind != "template"]
        alarms += [f"{scene.domain}: {what}" for what in wrong]
        if found.ok or take == TAKES - 1:
            break
        if found.template_off_m is not None:
            mock.do("push", take=take, template=found.template_off_m.tolist())
        elif pushes := _pushes(layout, found):
            mock.do("push", take=take, by=pushes)
        else:
            mock.do("place", scene=scene.id, take=take + 1)
    truth = mock.do("truth")
    if scene.id not in captured_scenes(captured):
        notes = "rehearsal: nothing here is real"
        write_capture(
            captured, scene.id, suite.info.content_hash, bench.rig, frame_set, found, notes
        )
    happened = mock.do("act")
    if happened["worked"] is not None:
        cause = None if happened["worked"] else Constraint(happened["constraint"])
        outcome = Outcome(worked=happened["worked"], constraint=cause, how="played, in a rehearsal")
        write_outcome(captured, scene.id, outcome)
    return {**truth, "checked": checked, "alarms": alarms}


def _pushes(layout: Layout, found: TableCheck) -> dict[str, list[float]]:
    """Where things have to go that are not in their places: x, y (m) and turn (rad), by name."""
    return {
        p.name: [*(planned[:2, 3] - p.table_from_object[:2, 3]), -np.deg2rad(p.yaw_deg or 0.0)]
        for p in found.placements
        if p.state in ("displaced", "turned") and p.table_from_object is not None
        for planned in [layout.item(p.name).world_from_object.matrix()]
    }


def blamed(mock: MockRig, layout: Layout, rig: Rig, found: TableCheck) -> list[Placement]:
    """False alarms: items reported as misplaced that are within the rig's limits."""
    there, limits = mock.poses(), rig.limits

    def in_place(name: str) -> bool:
        pose, planned = there[name], layout.item(name).world_from_object.matrix()
        turned = (pose @ np.linalg.inv(planned))[:2, 0]
        far_mm = 1e3 * np.hypot(*(pose - planned)[:2, 3])
        return bool(far_mm <= limits.position_mm) and bool(
            abs(np.rad2deg(np.arctan2(turned[1], turned[0]))) <= limits.yaw_deg
        )

    return [p for p in found.placements if not p.ok and p.name in there and in_place(p.name)]


def _judged(out: Path, truth: dict, unverified: dict[str, str]) -> Accuracy:
    cameras: dict[str, list[tuple[float, float]]] = {}
    objects: dict[str, dict[str, float]] = {}
    for scene, path in captured_scenes(out / "captured").items():
        there, capture = truth[scene], read_capture(path)
        for view in capture.views:
            name, pose = view.camera.name, np.array(view.camera.world_from_camera)
            off = pose_difference(pose, np.array(there["cameras"][name]))
            cameras.setdefault(name, []).append(off)
        objects[scene] = {
            thing.name: 1e3 * float(np.hypot(*(found - real)))
            for thing in capture.objects
            if thing.world_from_object is not None
            for found in [np.array(thing.world_from_object)[:2, 3]]
            for real in [np.array(there["objects"][thing.name])[:2, 3]]
        }
    worst = {
        name: (max(mm for mm, _ in off), max(degrees for _, degrees in off))
        for name, off in cameras.items()
    }
    return Accuracy(
        worst,
        objects,
        sum(told.get("checked", 0) for told in truth.values()),
        [alarm for told in truth.values() for alarm in told.get("alarms", ())],
        unverified | {scene: k["left_out"] for scene, k in truth.items() if "left_out" in k},
    )


def _report(started: dict, info: SuiteInfo, found: Accuracy) -> dict:
    return {
        **started,
        "content_hash": info.content_hash,
        "counts": info.counts,
        "cameras": {n: {"mm": mm, "degrees": deg} for n, (mm, deg) in found.cameras.items()},
        "within_5_mm": found.within(5.0),
        "p95_mm": found.quantile_mm(0.95),
        "checked": found.checked,
        "alarms": found.alarms,
        "unverified": found.unverified,
        "objects_mm": found.objects_mm,
    }

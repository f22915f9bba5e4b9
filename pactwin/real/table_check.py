"""The check before a capture: do the cameras see exactly the planned scene?

First pictures are judged, then marker strips give each camera's current pose: objects are measured
from there, so that a moved camera does not cause false alarms. Then every object is checked
(:mod:`pactwin.real.placement`), and anything else on the table, or in front of deciding objects, is
reported as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pactwin.hardware import CameraCalibration, RgbdFrame, Rig, shows_template
from pactwin.real.calibration import pose_difference
from pactwin.real.certificates import camera_record, shown_things
from pactwin.real.picture_faults import picture_fault
from pactwin.real.placement import Placement, check_placement, way_to
from pactwin.real.scene_depth import SceneDepth, scene_depths
from pactwin.real.strips import SolvedPose, solved_pose
from pactwin.real.unplanned import absent_things, hidden_things, strangers
from pactwin.sim import Item, Layout, as_pose
from pactwin.suite import Visibility

FaultKind = Literal[
    "picture", "no depth", "moved camera", "another scene", "unplanned", "hidden", "template"
]

_MOVED_MM, _MOVED_DEG = 8.0, 0.6
_ELSEWHERE_MM, _ELSEWHERE_DEG = 150.0, 20.0
"""A camera farther than this from its calibrated pose shows another view."""
_MIN_DEPTH_SHARE = 0.3
"""Of the cells that show the table."""
_TEMPLATE_OFF_M = 0.004
"""Things are off by half of that by their own, and by as much again from what is measured."""


@dataclass(frozen=True)
class TableFault:
    """A fault that prevents a capture; ``camera`` is "" if it concerns no single camera."""

    kind: FaultKind
    camera: str
    message: str

    def __str__(self) -> str:
        """One line."""
        return f"{self.camera}: {self.message}" if self.camera else self.message


@dataclass(frozen=True)
class TableCheck:
    """Result of the check: every object, other faults, and visible shares by camera.

    ``cameras`` are as they stand now; ``solved`` holds the uncertainty of those located by strips.
    ``remarks`` are notes that do not prevent a capture. ``template_off_m`` is the correction (x, y)
    of a misplaced template, None if it lies correctly.
    """

    placements: tuple[Placement, ...] = ()
    faults: tuple[TableFault, ...] = ()
    seen: Mapping[str, Mapping[str, Visibility]] = field(default_factory=dict)
    cameras: Mapping[str, CameraCalibration] = field(default_factory=dict)
    solved: Mapping[str, SolvedPose] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    template_off_m: np.ndarray | None = None

    @property
    def template_only(self) -> bool:
        """Return whether the placement template on the table is the only fault."""
        kinds = {fault.kind for fault in self.faults}
        fine = self.template_off_m is None and all(placement.ok for placement in self.placements)
        return fine and kinds == {"template"}

    @property
    def ok(self) -> bool:
        """Return whether the scene may be captured like this."""
        return not self.faults and all(placement.ok for placement in self.placements)

    @property
    def wrong(self) -> list[str]:
        """One line for each fault."""
        return [*(p.message for p in self.placements if not p.ok), *map(str, self.faults)]


def check_table(
    layout: Layout, twin: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]
) -> TableCheck:
    """Compare everything that calibrated cameras show of the table with ``layout``.

    ``twin`` is the other scene of the pair. Raises InvalidInputError if a camera is not calibrated.
    """
    from threadpoolctl import threadpool_limits

    # Thousands of small products: threads would cost more than they bring.
    with threadpool_limits(1):
        return _check(layout, twin, rig, frames)


def _check(layout: Layout, twin: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]) -> TableCheck:
    faults = [
        TableFault("picture", name, said)
        for name, frame in frames.items()
        if (said := picture_fault(frame.color))
    ]
    now, solved, moved = _where_cameras_are(rig, frames)
    faults += moved
    placements = check_placement(layout, twin, now, frames)
    template = next((name for name, frame in frames.items() if shows_template(frame.color)), None)
    off_m = None if template is None else _common_shift(layout, placements)
    if template is not None:
        faults.append(TableFault("template", template, _about_template(off_m)))
    there = {p.name: p.table_from_object for p in placements if p.state != "missing"}
    items = [_found(item, there[item.name]) for item in layout.items if item.name in there]
    views = scene_depths(items, now, frames)
    blind = {name for name, view in views.items() if _blind(view)}
    faults += [
        TableFault(
            "no depth", name, "depth is missing on most of the table: is its emitter covered?"
        )
        for name in sorted(blind)
    ]
    if template is None:  # whose squares make depth of things that are not there
        faults += _left_over(views, items, placements, now)
    seen = {
        name: shown_things(view, items, camera_record(name, view.camera, size_px), there)
        for name, view in views.items()
        for size_px in [frames[name].depth_mm.shape[::-1]]
    }
    cameras = {name: now.calibrated(name) for name in frames}
    remarks = tuple(_remarks(rig, solved))
    return TableCheck(tuple(placements), tuple(faults), seen, cameras, solved, remarks, off_m)


def _remarks(rig: Rig, solved: Mapping[str, SolvedPose]) -> Iterator[str]:
    for name, pose in solved.items():
        calibrated = np.array(rig.calibrated(name).table_from_camera)
        mm, degrees = pose_difference(pose.table_from_camera, calibrated)
        if mm > _MOVED_MM or degrees > _MOVED_DEG:
            yield f"{name}: {mm:.0f} mm and {degrees:.1f} degrees from where it was calibrated"
        if pose.moved_strip is not None:
            yield f"{name}: strip {pose.moved_strip + 1} lies elsewhere than at calibration"


def _common_shift(layout: Layout, placements: list[Placement]) -> np.ndarray | None:
    """Common offset (x, y) of all objects; None if it is small, or they differ.

    White paper with markers below them is a template, which they were put down by.
    """
    off_m = [
        np.subtract(layout.item(p.name).world_from_object.pos[:2], p.table_from_object[:2, 3])
        for p in placements
        if p.table_from_object is not None and p.state in ("ok", "displaced", "turned")
    ]
    shift = np.median(off_m, axis=0) if len(off_m) > 2 else np.zeros(2)
    return shift if np.linalg.norm(shift) > _TEMPLATE_OFF_M else None


def _about_template(off_m: np.ndarray | None) -> str:
    if off_m is None:
        return "the placement template is still there: slide it out, without touching things"
    return (
        "the placement template is not in its place, nor what stands on it: push all of it "
        f"{way_to(off_m)}"
    )


def _found(item: Item, pose: np.ndarray | None) -> Item:
    return item if pose is None else item.at(as_pose(pose))


def _where_cameras_are(
    rig: Rig, frames: Mapping[str, RgbdFrame]
) -> tuple[Rig, dict[str, SolvedPose], list[TableFault]]:
    """The rig with cameras where strips say that they are; faults of those that show too few."""
    known: dict[str, CameraCalibration] = {}
    solved: dict[str, SolvedPose] = {}
    faults: list[TableFault] = []
    calibration = rig.calibration
    fixed = {spec.name for spec in rig.cameras if spec.mount == "fixed"}
    for name, frame in frames.items():
        camera, stands = rig.calibrated(name), name in fixed
        if calibration and (pose := solved_pose(camera, calibration, frame.color, fixed=stands)):
            solved[name], known[name] = pose, _at(camera, pose.table_from_camera)
            calibrated = np.array(camera.table_from_camera)
            mm, degrees = pose_difference(pose.table_from_camera, calibrated)
            if mm > _ELSEWHERE_MM or degrees > _ELSEWHERE_DEG:
                elsewhere = f"{mm:.0f} mm and {degrees:.0f} degrees from where it was calibrated"
                ask = "are two cameras swapped? If it was mounted anew, run pactwin rig calibrate"
                faults.append(TableFault("moved camera", name, f"it looks from {elsewhere}: {ask}"))
            continue
        if calibration and calibration.strips and not picture_fault(frame.color):
            ask = "uncover them, or tape strips down where it sees them and calibrate again"
            said = f"it shows too few marker strips to tell where it is: {ask}"
            faults.append(TableFault("moved camera", name, said))
        known[name] = camera
    if calibration is not None:
        calibration = calibration.model_copy(update={"cameras": calibration.cameras | known})
    return rig.model_copy(update={"calibration": calibration}), solved, faults


def _at(camera: CameraCalibration, pose: np.ndarray) -> CameraCalibration:
    return camera.model_copy(update={"table_from_camera": tuple(map(tuple, pose.tolist()))})


def _blind(view: SceneDepth) -> bool:
    table = np.isfinite(view.expected)
    return bool(np.isfinite(view.measured[table]).mean() < _MIN_DEPTH_SHARE)


def _left_over(
    views: Mapping[str, SceneDepth], items: list[Item], placements: list[Placement], rig: Rig
) -> list[TableFault]:
    """Unplanned things, what they hide, and cameras that disagree with the others."""
    faults = []
    fine = {placement.name for placement in placements if placement.ok}
    elsewhere: set[str] = set()
    for name, view in views.items():
        gone = absent_things(view, items).keys() & fine
        if gone and len(views) > 1:
            elsewhere.add(name)
            faults.append(
                TableFault(
                    "another scene",
                    name,
                    f"it looks through {', '.join(sorted(gone))}, which other cameras show: is "
                    "its picture frozen, or was it moved?",
                )
            )
    for stranger in strangers(views, rig):
        if stranger.unseen_by:
            faults.append(
                TableFault(
                    "another scene",
                    "",
                    f"{' and '.join(stranger.seen_by)} and {' and '.join(stranger.unseen_by)} do "
                    f"not show the same: something {stranger.where}; is a picture frozen?",
                )
            )
        else:
            faults.append(
                TableFault(
                    "unplanned",
                    stranger.seen_by[0],
                    f"something is there that is not planned, {stranger.where}",
                )
            )
    for name, view in views.items():
        faults += [
            TableFault("hidden", name, f"something hides {share:.0%} of {thing}")
            for thing, share in hidden_things(view, items).items()
            if thing in fine
        ]
    return faults

"""Pairs that are worth setting up, the surest first: known before anybody sets one up.

What cameras would show follows from plan and calibration. Labels are tried with things a few
millimetres off their places, as people put them down.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pactwin.hardware import Rig
from pactwin.real.as_measured import as_measured
from pactwin.real.certificates import DOUBT, behind_bars, views_planned
from pactwin.real.footprints import footprints
from pactwin.sim import Layout, RejectedLayout, looking_at
from pactwin.suite import ProgressCallback, Scene, Suite, silent

PLACED_WITHIN_M = 0.005
"""Distance from their places that people put things down at."""
_PLACEMENTS = 4
_GOLDEN_RAD = np.pi * (3 - np.sqrt(5))
_EYES_M = [(0.32, y, z) for y in (-0.8, 0.8) for z in (0.45, 0.65)]
_TARGET_M = (0.32, 0.0, 0.03)
"""Places that are proposed for a camera beside the table, and what it looks at there."""

Twins = tuple[Scene, Scene]
LayoutOf = Callable[[Scene], Layout]


@dataclass(frozen=True)
class Selection:
    """Pairs to set up, in this order, and the others.

    ``fragile`` says of pairs that come last how a label would be lost, ``left_out`` why others are
    not set up, both by scene. ``proposal`` is a place of a camera that would show more pairs, "" if
    none is known.
    """

    pairs: tuple[Twins, ...]
    fragile: dict[str, str]
    left_out: dict[str, str]
    proposal: str = ""

    @property
    def scenes(self) -> tuple[str, ...]:
        """Ids of the scenes to set up, in order."""
        return tuple(scene.id for pair in self.pairs for scene in pair)


def select_pairs(
    suite: Suite,
    layout_of: LayoutOf,
    rig: Rig | None = None,
    progress: ProgressCallback = silent,
    tried: Callable[[Scene, Layout], object] | None = None,
    enough: int | None = None,
) -> Selection:
    """Select pairs by plan, and by what cameras would show if there is a calibrated ``rig``.

    ``tried`` raises RejectedLayout if a scene's label does not hold in a layout
    (:func:`pactwin.sim.verdict_on`); None tries none. Once ``enough`` pairs are sure, no other is
    looked at.
    """
    left_out, fragile = dict[str, str](), dict[str, str]()
    sure, unsure, hidden = list[Twins](), list[Twins](), list[Twins]()
    pairs = list(suite.pairs())
    for done, twins in enumerate(pairs, start=1):
        layouts = [layout_of(scene) for scene in twins]
        if any(p.mesh_file for layout in layouts for item in layout.items for p in item.parts):
            left_out |= {scene.id: "nobody can print its scanned things" for scene in twins}
        elif rig is not None and not views_planned(twins, layouts, rig, DOUBT):
            hidden.append(twins)
            why = f"no camera of the rig would show {_needed(twins)} well enough in both twins"
            left_out |= {scene.id: why for scene in twins}
        elif rig is not None and (barred := {n for one in layouts for n in behind_bars(one, rig)}):
            why = f"cameras would see {' and '.join(sorted(barred))} only between bars of others"
            left_out |= {scene.id: why for scene in twins}
        elif rig is not None and not views_planned(twins, layouts, rig):
            hidden.append(twins)
            unsure.append(twins)
            why = f"cameras of the rig would hardly show {_needed(twins)} in both twins"
            fragile |= {scene.id: why for scene in twins}
        elif tried and (lost := next(_lost(twins, layouts, tried), "")):
            unsure.append(twins)
            fragile |= {scene.id: lost for scene in twins}
        else:
            sure.append(twins)
        ends = len(sure) == enough
        progress("pairs", done, done if ends else len(pairs))
        if ends:
            break
    shown = [twins for twins in (*sure, *unsure) if twins not in hidden]
    proposal = "" if rig is None else _proposed(rig, layout_of, shown, hidden)
    return Selection((*sure, *unsure), fragile, left_out, proposal)


def _needed(twins: Twins) -> str:
    return " and ".join(sorted({name for scene in twins for name in scene.decided.objects}))


def _lost(
    twins: Twins, layouts: Sequence[Layout], tried: Callable[[Scene, Layout], object]
) -> Iterator[str]:
    """Reasons for which the labels would be rejected if things stood a little off their places."""
    for scene, layout in zip(twins, layouts, strict=True):
        for k in range(_PLACEMENTS):
            try:
                tried(scene, placed_off(layout, k * 2 * np.pi / _PLACEMENTS))
            except RejectedLayout as rejected:
                yield f"with things {1e3 * PLACED_WITHIN_M:.0f} mm off, {rejected}"


def placed_off(layout: Layout, way_rad: float) -> Layout:
    """``layout`` with everything on the table PLACED_WITHIN_M off its place.

    Each thing is off in its own direction; all directions turn with ``way_rad``. What stands on a
    thing, or is fixed to it, moves along.
    """
    found = {}
    for k, there in enumerate(footprints(layout.items)):
        pose = there.item.world_from_object.matrix()
        if not there.on and not there.item.attached_to:
            way = way_rad + k * _GOLDEN_RAD
            pose[:2, 3] += PLACED_WITHIN_M * np.array([np.cos(way), np.sin(way)])
        found[there.item.name] = pose
    return as_measured(layout, found)


def _proposed(
    rig: Rig, layout_of: LayoutOf, shown: Sequence[Twins], hidden: Sequence[Twins]
) -> str:
    """A place beside the table where a camera would show more pairs than now, in words."""
    best, proposal = len(shown), ""
    fixed = [camera.name for camera in rig.cameras if camera.mount == "fixed"]
    layouts = [(twins, [layout_of(scene) for scene in twins]) for twins in (*shown, *hidden)]
    for name, eye_m in ((name, eye_m) for name in fixed if hidden for eye_m in _EYES_M):
        there = _with_camera_at(rig, name, eye_m)
        count = sum(bool(views_planned(twins, both, there)) for twins, both in layouts)
        if count > best:
            x, y, z = (1e3 * side for side in eye_m)
            best, proposal = (
                count,
                f"with the camera {name!r} {z:.0f} mm above the table, {x:.0f} mm from its near "
                f"edge and {abs(y):.0f} mm to the {'left' if y > 0 else 'right'} of its middle, "
                f"cameras would show {count} of {len(layouts)} pairs well, now {len(shown)}",
            )
    return proposal


def _with_camera_at(rig: Rig, name: str, eye_m: tuple[float, float, float]) -> Rig:
    """A calibrated rig with one camera elsewhere."""
    pose = looking_at(np.array(eye_m), np.array(_TARGET_M))
    moved = {"table_from_camera": tuple(map(tuple, pose.tolist()))}
    camera = rig.calibrated(name).model_copy(update=moved)
    if rig.calibration is None:
        return rig
    cameras = {**rig.calibration.cameras, name: camera}
    calibration = rig.calibration.model_copy(update={"cameras": cameras})
    return rig.model_copy(update={"calibration": calibration})

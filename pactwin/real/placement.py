"""The placement check: is every object at the pose of the simulated scene?

Depth of all calibrated cameras, scaled to the table, is compared with raycasts of the scene's
objects. States that an object could have by mistake (upside down, as in the twin, absent) are also
tried, and the best explanation is reported. Occluding and neighbouring objects have their measured
poses: objects are measured again when these change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pactwin.hardware import RgbdFrame, Rig
from pactwin.real.certificates import camera_record, shown_things
from pactwin.real.colours import Palette
from pactwin.real.footprints import Footprint, footprints, half_height_m
from pactwin.real.registration import (
    MIN_RAYS,
    DepthObservation,
    Fit,
    discriminative_rays,
    fit_at,
    global_search,
    inlier_ratio,
    moved_pose,
    occluded,
    refine,
    registered,
    residual_without_m,
    seen_around,
    stands_out,
)
from pactwin.real.scene_depth import scene_depth
from pactwin.sim import Item, Layout, as_pose

State = Literal[
    "ok", "hidden", "displaced", "turned", "wrong state", "wrong thing", "missing", "not seen"
]

_ROUNDS = 3
_CHANGED_M, _CHANGED_SHARE = 0.004, 0.02
"""An object is measured again if depth around it has changed in this share of rays."""
_TELLS_M, _TELLING_SHARE = 0.008, 0.04
"""Depths that differ by more, in at least this share, distinguish two shapes."""
_FORM_GAIN, _ALONE_GAIN = 0.6, 0.7
"""Factor by which another shape must fit depth better than the expected one; the second applies to
a single camera."""
MIN_INLIER_RATIO = 0.53
"""Minimum share of rays that must stop at an object instead of passing through its place."""
_DOUBTED_RATIO = 0.2
"""With fewer it is not there; between the two all rays together decide."""
_PLAINLY = 1.04
"""A thing is out of place if the nearest place that is accepted leaves residuals larger by this
factor; else depth does not tell the two apart. Of flat and hidden things it is up to 1.02, of
things that were moved or turned 1.2 and more."""
_WITHIN = 0.8
"""Of the limits: where the nearest accepted place is taken to be."""
_UPRIGHT = 0.95
"""Of what stands on a face, an axis points up by more."""
_HIDDEN_SHARE = 0.1
"""Of what is in a closed box, or under a cage, no camera shows more: there is nothing to check."""

_COVERED = "no camera shows its place: is something over it?"
_BEFORE = "something stands before it, an arm or a hand: take it away, and check again"


@dataclass(frozen=True)
class Placement:
    """Result for one object. ``table_from_object`` is its measured pose, None if it is missing.

    ``hidden`` objects, as planned, are assumed to stand correctly relative to those that hide them.
    ``position_mm`` and ``yaw_deg`` are deviations from the plan; ``residual_mm`` is the mean depth
    error of the object at its pose; ``rays`` is the number of pixels compared.
    """

    name: str
    state: State
    position_mm: float | None
    yaw_deg: float | None
    residual_mm: float
    rays: int
    table_from_object: np.ndarray | None
    detail: str = ""

    @property
    def ok(self) -> bool:
        """Return whether the object may be captured like this."""
        return self.state in ("ok", "hidden")

    @property
    def message(self) -> str:
        """The result on one line."""
        said = f" ({self.detail})" if self.detail else ""
        return f"{self.name}: {self.state}{said}"


def check_placement(
    layout: Layout, twin: Layout, rig: Rig, frames: Mapping[str, RgbdFrame]
) -> list[Placement]:
    """Check every item of ``layout``, from the bottom up.

    ``twin`` is the other scene of the pair, whose things are the same in other states. Raises
    InvalidInputError if a camera is not calibrated.
    """
    prints = footprints(layout.items)
    loaded = {name for p in prints for name in (*p.on, p.item.attached_to)}
    hidden = _hidden(layout.items, rig, frames)
    there: dict[str, Item] = {item.name: item for item in layout.items}
    found: dict[str, Placement] = {}
    known: dict[str, list[DepthObservation]] = {}
    for _ in range(_ROUNDS):
        changed = False
        for footprint in prints:
            item = footprint.item
            if item.name in hidden:
                continue
            others = [other for name, other in there.items() if name != item.name]
            seen = seen_around(item, others, rig, frames, fine=False)
            if item.name in known and not _differ(known[item.name], seen):
                continue
            known[item.name], changed = seen, True
            forms = alternative_states(item, twin)
            thing = _Thing(footprint, item.name in loaded, forms, others, rig, frames)
            found[item.name], fit = thing.check(seen)
            there.pop(item.name, None)
            if fit is not None:
                there[item.name] = fit.item.at(as_pose(fit.pose))
        if not changed:
            break
    found |= {
        name: Placement(name, "hidden", None, None, 0.0, 0, None, "no camera can see it there")
        for name in hidden
    }
    return Palette(layout, rig, frames).swaps([found[p.item.name] for p in prints])


def _hidden(items: Sequence[Item], rig: Rig, frames: Mapping[str, RgbdFrame]) -> set[str]:
    """Items that no camera shows if all is as planned."""
    seen: set[str] = set()
    for name, frame in frames.items():
        camera = rig.calibrated(name)
        size_px = frame.depth_mm.shape[1], frame.depth_mm.shape[0]
        view = scene_depth(items, camera, np.zeros_like(frame.depth_mm))
        names = {item.name for item in items} - seen
        shown = shown_things(view, items, camera_record(name, camera, size_px), names)
        seen |= {thing for thing, it in shown.items() if it.fraction > _HIDDEN_SHARE}
    return {item.name for item in items} - seen


def _differ(before: list[DepthObservation], now: list[DepthObservation]) -> bool:
    """Whether an object's surroundings have changed, as the cameras see them."""
    off = [
        np.abs(a.background_depth_m - b.background_depth_m)
        for a, b in zip(before, now, strict=True)
    ]
    every = np.concatenate(off)
    return len(every) > 0 and bool(np.mean(every > _CHANGED_M) > _CHANGED_SHARE)


def alternative_states(item: Item, twin: Layout) -> dict[str, Item]:
    """States in which the object could be by mistake at its place, by name."""
    forms = {}
    pose = item.world_from_object.matrix()
    if not item.attached_to and np.abs(pose[2, :3]).max() > _UPRIGHT:
        upside = pose.copy()
        upside[:3, :3] = np.diag([1.0, -1.0, -1.0]) @ pose[:3, :3]
        forms["upside down"] = item.at(as_pose(upside))
    there = {other.name: other for other in twin.items}
    other = there.get(item.name)
    if other is not None and (other.state, other.parts) != (item.state, item.parts):
        turned = other.world_from_object.matrix()
        turned[:3, 3] = pose[:3, 3]
        turned[2, 3] += half_height_m(other) - half_height_m(item)
        forms[other.state] = other.at(as_pose(turned))
    return forms


@dataclass(frozen=True)
class _Thing:
    """One thing to check, the other forms it could have, and what else is on the table.

    ``loaded`` is whether something should be on or in it.
    """

    footprint: Footprint
    loaded: bool
    forms: Mapping[str, Item]
    others: list[Item]
    rig: Rig
    frames: Mapping[str, RgbdFrame]

    def check(self, seen: list[DepthObservation]) -> tuple[Placement, Fit | None]:
        """The placement, and the fit that checks of other items assume; None if it is absent."""
        item = self.footprint.item
        planned = fit_at(item, item.world_from_object.matrix(), seen)
        fit, near = self._near(registered(item, seen, turns=self.turns))
        if max(fit.rays, planned.rays) < MIN_RAYS:  # under others, or where no camera looks
            return self._without("not seen", 0.0, planned.rays, _COVERED), planned
        for what, form in self.forms.items():
            other = self._as(form, fit, planned, seen)
            if other is not None:
                return self._found(fit, "wrong state", what), other
            for k, camera in enumerate(self.frames):  # one may show another scene
                if self._as(form, fit, planned, seen, slice(k, k + 1)) is not None:
                    detail = f"{what} in the picture of {camera}: is that frozen?"
                    return self._found(fit, "wrong state", detail), fit
        there = self._shows(fit, seen, near)
        if not there:
            fit, near = self._near(global_search(item, seen, turns=self.turns))
            there = self._shows(fit, seen, near)
        gone = residual_without_m(near)
        if not there or gone < fit.residual_m or fit.rays < MIN_RAYS:
            if occluded(planned, seen):
                return self._without("not seen", gone, fit.rays, _BEFORE), planned
            return self._without("missing", gone, fit.rays), None
        fit = self._or_in_place(fit, near)
        return self._found(fit, "ok", ""), fit

    @property
    def turns(self) -> bool:
        """Whether its yaw can be seen."""
        return self.footprint.heading_rad is not None

    def _shows(self, fit: Fit, *patches: list[DepthObservation]) -> bool:
        """Whether enough rays confirm the fit, or too few rays could tell otherwise."""
        shares = [inlier_ratio(fit, seen, loaded=self.loaded) for seen in patches]
        if all(share is None or share >= MIN_INLIER_RATIO for share in shares):
            return True
        few = all(share is None or share >= _DOUBTED_RATIO for share in shares)
        return few and stands_out(fit, patches[-1])

    def _or_in_place(self, fit: Fit, near: list[DepthObservation]) -> Fit:
        """The fit, or the nearest pose within the limits if depth agrees with it about as well."""
        limits, planned = self.rig.limits, self.footprint.item.world_from_object.matrix()
        position_mm, yaw_deg = _off(fit.pose, planned)
        if position_mm <= limits.position_mm and not self._turned(yaw_deg):
            return fit
        part = min(1.0, _WITHIN * limits.position_mm / max(position_mm, 1e-9))
        dx, dy = (part * (fit.pose[:2, 3] - planned[:2, 3])).tolist()
        most_deg = _WITHIN * limits.yaw_deg
        turn = np.deg2rad(np.clip(yaw_deg, -most_deg, most_deg) if self.turns else yaw_deg)
        other = fit_at(fit.item, moved_pose(planned, dx, dy, float(turn)), near)
        share = inlier_ratio(other, near, loaded=self.loaded)
        shown = share is None or share >= MIN_INLIER_RATIO
        return other if shown and other.residual_m < _PLAINLY * fit.residual_m else fit

    def _turned(self, yaw_deg: float) -> bool:
        return self.turns and abs(yaw_deg) > self.rig.limits.yaw_deg

    def _near(self, rough: Fit, only: slice = slice(None)) -> tuple[Fit, list[DepthObservation]]:
        """The refined fit, and the observations of the cameras ``only``."""
        there = rough.item.at(as_pose(rough.pose))
        near = seen_around(there, self.others, self.rig, self.frames, fine=True)[only]
        return refine(rough, near, turns=self.turns), near

    def _as(
        self,
        form: Item,
        fit: Fit,
        planned: Fit,
        seen: list[DepthObservation],
        only: slice = slice(None),
    ) -> Fit | None:
        """The fit of another form, if the rays at which both forms differ speak for that one.

        Only the rays of the cameras ``only`` are asked.
        """
        alone, seen = len(seen[only]) < len(self.frames), seen[only]
        there = form.world_from_object.matrix()
        differ, ours, theirs = discriminative_rays(
            planned, fit_at(form, there, seen), seen, _TELLS_M
        )
        if differ < max(MIN_RAYS, _TELLING_SHARE * planned.rays) or (alone and theirs > ours):
            return None
        there[:2, 3] = fit.pose[:2, 3]
        form = form.at(as_pose(there))
        other, near = self._near(registered(form, seen, turns=self.turns), only)
        if not self._shows(other, seen, near) or residual_without_m(near) < other.residual_m:
            return None
        # Both forms stand where this camera fits them best.
        own = refine(fit, near, turns=self.turns) if alone else fit
        count, ours, theirs = discriminative_rays(own, other, near, _TELLS_M)
        gain = _ALONE_GAIN if alone else _FORM_GAIN
        return other if count >= MIN_RAYS and theirs < gain * ours else None

    def _without(self, state: State, residual_m: float, rays: int, detail: str = "") -> Placement:
        name, residual_mm = self.footprint.item.name, 1e3 * residual_m
        return Placement(name, state, None, None, residual_mm, rays, None, detail)

    def _found(self, fit: Fit, state: State, detail: str) -> Placement:
        limits, planned = self.rig.limits, self.footprint.item.world_from_object.matrix()
        position_mm, yaw_deg = _off(fit.pose, planned)
        if state == "ok" and position_mm > limits.position_mm:
            state = "displaced"
            detail = f"push it {way_to(planned[:2, 3] - fit.pose[:2, 3])}"
        elif state == "ok" and self._turned(yaw_deg):
            state = "turned"
            detail = (
                f"turn it {abs(yaw_deg):.0f} degrees {'' if yaw_deg > 0 else 'counter'}clockwise"
            )
        return Placement(
            fit.item.name,
            state,
            position_mm,
            yaw_deg if self.turns else None,
            1e3 * fit.residual_m,
            fit.rays,
            fit.pose,
            detail,
        )


def _off(pose: np.ndarray, planned: np.ndarray) -> tuple[float, float]:
    """How far a pose is from its plan: mm on the table, and degrees about its normal."""
    turned = pose @ np.linalg.inv(planned)
    position_mm = 1e3 * float(np.linalg.norm(pose[:2, 3] - planned[:2, 3]))
    return position_mm, float(np.rad2deg(np.arctan2(turned[1, 0], turned[0, 0])))


def way_to(off_m: np.ndarray) -> str:
    """Correction in words for an offset (x, y), seen from the near edge."""
    (away, left), said = np.rint(1e3 * off_m), []
    if left:
        said.append(f"{abs(left):.0f} mm to the {'left' if left > 0 else 'right'}")
    if away:
        said.append(f"{abs(away):.0f} mm {'away from' if away > 0 else 'toward'} the near edge")
    return " and ".join(said)

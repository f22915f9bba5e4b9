"""Visibility of each object to the rig's cameras, as planned and as captured.

Both are computed by casting rays, without a simulator.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from pactwin.hardware import CameraCalibration, Rig, RigCamera
from pactwin.real.scene_depth import SceneDepth, scene_depth
from pactwin.sim import Item, Layout, may_show, silhouette_px
from pactwin.suite import (
    Camera,
    RegionVisibility,
    Scene,
    View,
    Visibility,
    answerable_views,
    view_paths,
)

DOUBT = 1.25
"""What is planned, drawn and seen of a thing may differ by this factor."""

_CLEAR_SHARE, _NEARER_M = 0.1, 0.03
"""Share of a thing that is shown away from edges of others that are so much nearer. In cages it is
0.02, elsewhere 0.15 and more."""


def camera_record(name: str, known: CameraCalibration, size_px: tuple[int, int]) -> Camera:
    """A calibrated camera with pictures of (width, height), as a suite's record."""
    return Camera(
        name=name,
        width_px=size_px[0],
        height_px=size_px[1],
        K=known.K,
        distortion=known.distortion,
        world_from_camera=known.table_from_camera,
    )


def shown_things(
    view: SceneDepth, items: Sequence[Item], camera: Camera, names: Collection[str]
) -> dict[str, Visibility]:
    """Visible share of the objects ``names`` for one camera, occlusions subtracted."""
    free = ~view.nearer
    found = {}
    for number, item in enumerate(items):
        if item.name in names:
            pixels = int((free & (view.thing == number)).sum()) * view.pixels**2
            whole = silhouette_px(item, camera)
            fraction = round(min(1.0, pixels / whole), 4) if whole else 0.0
            found[item.name] = Visibility(pixels=pixels, fraction=fraction)
    return found


def behind_bars(layout: Layout, rig: Rig) -> list[str]:
    """Things that cameras of a calibrated rig show only between others that are nearer.

    Stereo fattens what is nearer, so that depth cannot tell whether they are there.
    """
    shown, clear = (dict.fromkeys((item.name for item in layout.items), 0.0) for _ in range(2))
    for spec in rig.cameras:
        known, size_px = rig.calibrated(spec.name), _size_px(spec)
        view = scene_depth(layout.items, known, np.zeros(size_px[::-1], np.uint16))
        beside = view.low < view.expected - _NEARER_M
        camera = camera_record(spec.name, known, size_px)
        for number, item in enumerate(layout.items):
            own, whole = view.thing == number, silhouette_px(item, camera) / view.pixels**2
            if whole:
                shown[item.name] = max(shown[item.name], own.sum() / whole)
                clear[item.name] = max(clear[item.name], (own & ~beside).sum() / whole)
    return [name for name in shown if clear[name] < _CLEAR_SHARE < shown[name]]


def views_planned(
    twins: tuple[Scene, Scene], layouts: Sequence[Layout], rig: Rig, doubt: float = 1.0
) -> tuple[str, ...]:
    """Cameras of a calibrated rig that could answer about both twins as planned.

    Things count as if they showed more of themselves by the factor ``doubt``.
    """
    one, other = (
        scene.model_copy(update={"views": tuple(_planned(scene, layout, rig, doubt))})
        for scene, layout in zip(twins, layouts, strict=True)
    )
    return answerable_views(one, other)


def _planned(scene: Scene, layout: Layout, rig: Rig, doubt: float) -> Iterator[View]:
    for spec in rig.cameras:
        if layout.by_reach and spec.mount == "head":
            continue  # it does not see the arms, which decide
        known = rig.calibrated(spec.name)
        camera = camera_record(spec.name, known, _size_px(spec))
        nothing = np.zeros((camera.height_px, camera.width_px), np.uint16)
        view = scene_depth(layout.items, known, nothing)
        shown = shown_things(view, layout.items, camera, scene.decided.objects)
        regions = {
            region.name: RegionVisibility(pixels=0, contrast=0.0)
            for region in layout.must_show
            if not may_show(layout.item(region.item), camera)
        }
        image, _, _ = view_paths(scene.id, spec.name)
        yield View(camera=camera, image=image, visibility=_more(shown, doubt), regions=regions)


def _size_px(spec: RigCamera) -> tuple[int, int]:
    return spec.color.width_px, spec.color.height_px


def _more(shown: Mapping[str, Visibility], by: float) -> dict[str, Visibility]:
    return {
        name: Visibility(pixels=round(by * seen.pixels), fraction=min(1.0, by * seen.fraction))
        for name, seen in shown.items()
    }


def less_of_both(a: Visibility, b: Visibility | None) -> Visibility:
    """The lower of two visible shares; the first if the second is None or hardly lower."""
    if b is None or (DOUBT * b.pixels >= a.pixels and DOUBT * b.fraction >= a.fraction):
        return a
    return a.model_copy(
        update={"pixels": min(a.pixels, b.pixels), "fraction": min(a.fraction, b.fraction)}
    )

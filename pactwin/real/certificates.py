"""Visibility of each object to the rig's cameras, as planned and as captured.

Both are computed by casting rays, without a simulator.
"""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from pactwin.hardware import CameraCalibration, Rig, RigCamera
from pactwin.real.raycast import cast_all, rays_of
from pactwin.real.scene_depth import SceneDepth, scene_depth
from pactwin.sim import Frame, Item, Layout, region_visibility, silhouette_px
from pactwin.suite import (
    MIN_CONTRAST,
    Camera,
    RegionVisibility,
    Scene,
    View,
    Visibility,
    answerable_views,
    view_paths,
)

_FINER = 2
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
    numbers = {item.name: number for number, item in enumerate(layout.items, start=1)}
    for spec in rig.cameras:
        if layout.by_reach and spec.mount == "head":
            continue  # it does not see the arms, which decide
        camera, frame = _cast(layout.items, rig.calibrated(spec.name), spec)
        visibility, regions = {}, {}
        for name in scene.decided.objects:
            whole, own = silhouette_px(layout.item(name), camera), frame.mask == numbers[name]
            share = doubt * own.sum() / whole if whole else 0.0
            pixels = round(doubt * _FINER**2 * own.sum())
            visibility[name] = Visibility(pixels=pixels, fraction=min(1.0, share))
        for region in layout.must_show:
            seen = region_visibility(layout, region, camera, frame, numbers[region.item])
            # Rays tell no colours: every line that is not hidden has contrast.
            plain = 2 * MIN_CONTRAST if seen.pixels else 0.0
            pixels = round(doubt * _FINER * seen.pixels)
            regions[region.name] = RegionVisibility(pixels=pixels, contrast=plain)
        image, _, _ = view_paths(scene.id, spec.name)
        yield View(camera=camera, image=image, visibility=visibility, regions=regions)


def _cast(items: Sequence[Item], known: CameraCalibration, spec: RigCamera) -> tuple[Camera, Frame]:
    """A camera with pictures smaller by _FINER, and its picture of ``items``, without colours."""
    (fx, _, cx), (_, fy, cy), _ = known.K
    off = (1 - 1 / _FINER) / 2
    K = ((fx / _FINER, 0.0, cx / _FINER - off), (0.0, fy / _FINER, cy / _FINER - off), (0, 0, 1))
    width, height = (side // _FINER for side in _size_px(spec))
    smaller = known.model_copy(update={"K": K})
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    there = [(item, item.world_from_object.matrix()) for item in items]
    depth_m, thing = cast_all(there, rays_of(smaller, grid))
    depth_mm = np.where(np.isfinite(depth_m), np.rint(1e3 * depth_m), 0).clip(0, 65535)
    shape = height, width
    frame = Frame(
        np.zeros((*shape, 3), np.uint8),
        depth_mm.astype(np.uint16).reshape(shape),
        (thing + 1).astype(np.uint16).reshape(shape),
    )
    return camera_record(spec.name, smaller, (width, height)), frame


def _size_px(spec: RigCamera) -> tuple[int, int]:
    return spec.color.width_px, spec.color.height_px


def less_of_both(a: Visibility, b: Visibility | None) -> Visibility:
    """The lower of two visible shares; the first if the second is None or hardly lower."""
    if b is None or (DOUBT * b.pixels >= a.pixels and DOUBT * b.fraction >= a.fraction):
        return a
    return a.model_copy(
        update={"pixels": min(a.pixels, b.pixels), "fraction": min(a.fraction, b.fraction)}
    )

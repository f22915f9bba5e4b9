"""Cameras around the table that show the deciding objects of both twins.

``head`` is the robot's own camera at its mount; ``front`` looks at the robot from beyond the table,
``agent`` over the robot's shoulder, ``side`` from the left or right. The last three have seeded
random positions, look at the deciding objects, and approach until these are large enough.

All are RealSense D435i colour cameras: 910 px focal length at 1280x720. Other sizes scale with the
picture's height, as the real camera does: 640x480 keeps the vertical field of view (43 degrees) and
crops the sides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from pactwin.sim.rendering.silhouette import NEAR_M, is_edge_on, outlines, silhouette_px
from pactwin.sim.robots.kinematic_model import resting_arms_m
from pactwin.sim.robots.registry import robot_named
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Camera, unknown_name

FOCAL_AT_720 = 910.0
DESIGN_PX = 1000.0
"""Minimum silhouette size of a deciding object, where possible."""

BORDER = 0.06
"""Minimum distance of deciding objects from the picture's border, as a share of its size."""

NEAREST_M = 0.55
"""Distance to which cameras approach small deciding objects."""

_CANDIDATES = 6


@dataclass(frozen=True)
class _Stand:
    """Range of positions of a movable camera, relative to its target.

    Azimuths turn from x to y; with ``either_side`` the mirror image is as good. ``raised_m`` is how
    far above what decides the camera aims, to show more of the robot.
    """

    azimuth_rad: tuple[float, float]
    elevation_rad: tuple[float, float]
    distance_m: tuple[float, float]
    either_side: bool = False
    raised_m: float = 0.0

    def drawn(self, rng: np.random.Generator) -> tuple[np.ndarray, float, np.ndarray]:
        """Draw a position: direction (3,) and distance (m) from the target, lateral offset (3,)."""
        azimuth = rng.uniform(*self.azimuth_rad)
        if self.either_side and rng.random() < 0.5:
            azimuth = -azimuth
        elevation = rng.uniform(*self.elevation_rad)
        distance = rng.uniform(*self.distance_m)
        return towards(azimuth, elevation), distance, rng.uniform(-0.02, 0.02, 3)


_STANDS = {
    "front": _Stand((-0.25, 0.25), (0.42, 0.58), (1.15, 1.35), raised_m=0.10),
    "agent": _Stand((2.0, 2.35), (0.80, 0.95), (0.95, 1.15), either_side=True),
    "side": _Stand((1.35, 1.75), (0.36, 0.55), (1.05, 1.25), either_side=True, raised_m=0.04),
}
CAMERAS = (*_STANDS, "head")


def focal_px(size_px: tuple[int, int]) -> float:
    """Focal length (px) of all cameras for pictures of (width, height)."""
    return FOCAL_AT_720 * size_px[1] / 720


def camera_at(
    name: str, world_from_camera: np.ndarray, size_px: tuple[int, int], f: float | None = None
) -> Camera:
    """A camera at a 4x4 pose with its axis through the middle of the picture.

    ``f`` is its focal length (px), by default that of a D435i.
    """
    width, height = size_px
    f = focal_px(size_px) if f is None else f
    return Camera.model_validate(
        {
            "name": name,
            "width_px": width,
            "height_px": height,
            "K": ((f, 0.0, (width - 1) / 2), (0.0, f, (height - 1) / 2), (0.0, 0.0, 1.0)),
            "world_from_camera": np.round(world_from_camera, 7).tolist(),
        }
    )


def towards(azimuth_rad: float, elevation_rad: float) -> np.ndarray:
    """Unit vector of a direction: azimuth from x to y, elevation upwards from the table."""
    level = np.cos(elevation_rad)
    return np.array(
        [np.cos(azimuth_rad) * level, np.sin(azimuth_rad) * level, np.sin(elevation_rad)]
    )


def looking_at(eye_m: np.ndarray, target_m: np.ndarray) -> np.ndarray:
    """The 4x4 pose (OpenCV axes) of a camera at ``eye_m`` looking at ``target_m``, upright."""
    forward = (target_m - eye_m) / np.linalg.norm(target_m - eye_m)
    right = _cross(forward, np.array([0.0, 0.0, 1.0]))
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, :3] = np.stack([right, _cross(forward, right), forward], axis=1)
    pose[:3, 3] = eye_m
    return pose


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """As np.cross, of two vectors only and a tenth of its time."""
    (x, y, z), (u, v, w) = a, b
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def head_camera(robot: str, size_px: tuple[int, int]) -> Camera:
    """The camera in the robot's head."""
    return camera_at("head", robot_named(robot).world_from_head_camera, size_px)


def frame_cameras(
    layouts: Sequence[Layout],
    names: Sequence[str],
    size_px: tuple[int, int],
    rng: np.random.Generator,
    robot: str,
) -> list[Camera]:
    """Cameras called ``names`` for pictures of (width, height), shared by all ``layouts``.

    For each movable camera a few positions are drawn; the one is used from which the deciding items
    of all layouts (the twins) occlude each other least. If the hands' reach decides, the robot's
    arms are in the picture. Raises InvalidInputError for an unknown name.
    """
    arms = resting_arms_m(robot) if any(layout.by_reach for layout in layouts) else ()
    cameras = []
    for name in names:
        if name == "head":
            cameras.append(head_camera(robot, size_px))
        elif name in _STANDS:
            drawn = [_STANDS[name].drawn(rng) for _ in range(_CANDIDATES)]
            placed = (_place(name, layouts, arms, size_px, *one) for one in drawn)
            cameras.append(_clearest(layouts, placed))
        else:
            raise unknown_name("camera", name, CAMERAS)
    return cameras


def _place(
    name: str,
    layouts: Sequence[Layout],
    arms_m: Sequence[np.ndarray],
    size_px: tuple[int, int],
    way: np.ndarray,
    distance: float,
    beside_m: np.ndarray,
) -> Camera:
    """Aim the camera at the deciding objects, at the drawn distance or nearer, all in the picture.

    With ``arms_m`` (j, 3) it is aimed at both, what decides and those.
    """
    stand = _STANDS[name]
    deciding = [layout.item(who) for layout in layouts for who in layout.critical_objects]
    points = np.concatenate([*(item_points(item)[0] for item in deciding), *arms_m])
    target = (points.min(axis=0) + points.max(axis=0)) / 2 + beside_m
    target[2] += 0.0 if arms_m else stand.raised_m

    def standing_off(metres: float) -> Camera:
        return camera_at(name, looking_at(target + metres * way, target), size_px)

    # A silhouette grows about as the inverse square of the distance.
    smallest = _smallest_px(deciding, standing_off(distance))
    if smallest < DESIGN_PX:
        distance = max(NEAREST_M, distance * np.sqrt(max(smallest, 1.0) / DESIGN_PX))
    turn, size = looking_at(target + way, target)[:3, :3], np.array(size_px)
    room_px = (size - 1) / 2 - BORDER * size
    needed = fitting_distance_m((points - target) @ turn, room_px, focal_px(size_px))
    while distance < needed and distance < 2 * stand.distance_m[1]:
        distance *= 1.05
    return standing_off(distance)


def _smallest_px(items: Sequence[Item], camera: Camera) -> float:
    """Area of the smallest item's silhouette, or a value over DESIGN_PX if all are larger."""
    smallest = np.inf
    for item in items:
        found = outlines(item, camera)
        largest = max(map(cv2.contourArea, found.split(found.corners_px)))
        # Its largest part alone may be larger than another item, or large enough.
        if largest <= 1.1 * min(DESIGN_PX, smallest) or found.nearest_m < NEAR_M:
            smallest = min(smallest, silhouette_px(item, camera))
    return smallest


def fitting_distance_m(seen_m: np.ndarray, room_px: np.ndarray, f: float) -> float:
    """Least distance of a camera, focal length f, that shows all points ``room_px`` about its axis.

    ``seen_m`` (n, 3) are relative to the point that it looks at, along the camera's axes.
    """
    return float((f * np.abs(seen_m[:, :2]) / room_px - seen_m[:, 2:]).max())


def _clearest(layouts: Sequence[Layout], cameras: Iterator[Camera]) -> Camera:
    """The first of the cameras in which the deciding items hide each other least."""
    best = next(cameras)
    most = _worst_view(layouts, best, -1.0)
    while most < 1.0 and (camera := next(cameras, None)):
        least = _worst_view(layouts, camera, most)
        if least > most:
            best, most = camera, least
    return best


def _worst_view(layouts: Sequence[Layout], camera: Camera, enough: float) -> float:
    """Smallest visible share of any deciding item's silhouette among the other items.

    Stops early, with any share up to ``enough``, once the result cannot exceed that.
    """
    least = 1.0
    for layout in layouts:
        for share in _visible_shares(layout.items, layout.critical_objects, camera):
            least = min(least, share)
        if least <= enough:
            break
    return least


def shown_px(layouts: Sequence[Layout], camera: Camera) -> float:
    """About how many pixels show of the deciding item of which fewest do."""
    shown = np.inf
    for layout in layouts:
        deciding = [item for item in layout.items if item.name in layout.critical_objects]
        shares = _visible_shares(layout.items, layout.critical_objects, camera)
        for item, share in zip(deciding, shares, strict=True):
            shown = min(shown, share * silhouette_px(item, camera))
    return shown


def _visible_shares(items: Sequence[Item], which: Sequence[str], camera: Camera) -> Iterator[float]:
    """Approximate visible share of items: parts painted from far to near, coarsely.

    None of what is flat and seen edge-on counts: nobody recognises that.
    """
    finer = 160.0 / camera.width_px
    size = (int(camera.height_px * finer), 160)
    parts: list[tuple[float, int, np.ndarray]] = []
    for k, item in enumerate(items):
        found = outlines(item, camera)
        parts += ((d, k, part) for d, part in zip(found.mean_m, found.polygons(finer), strict=True))
    canvas = np.zeros(size, np.uint8)
    for _, k, outline in sorted(parts, key=lambda part: -part[0]):
        cv2.fillConvexPoly(canvas, outline, k + 1)
    for k, item in enumerate(items):
        if item.name in which:
            alone = np.zeros(size, np.uint8)
            for _, owner, outline in parts:
                if owner == k:
                    cv2.fillConvexPoly(alone, outline, 1)
            whole = np.count_nonzero(alone)
            seen = np.count_nonzero(canvas == k + 1)
            yield seen / whole if whole and not is_edge_on(item, camera) else 0.0


def camera_names() -> tuple[str, ...]:
    """Names of the cameras that a suite can have."""
    return CAMERAS


def fitted_camera(
    name: str,
    points_m: np.ndarray,
    direction_rad: tuple[float, float],
    size_px: tuple[int, int],
    *,
    f: float,
    margin: float,
    nearest_m: float = 0.0,
) -> Camera:
    """The camera that shows all points (n, 3) from as near as possible, with its focal length f.

    It looks at their middle from ``direction_rad`` (azimuth, elevation). ``margin`` is the share of
    the picture that stays free on every side.
    """
    middle = (points_m.min(axis=0) + points_m.max(axis=0)) / 2
    pose = looking_at(middle + towards(*direction_rad), middle)
    room_px = (1 - 2 * margin) / 2 * np.array(size_px)
    distance = fitting_distance_m((points_m - middle) @ pose[:3, :3], room_px, f)
    pose[:3, 3] = middle - max(nearest_m, distance) * pose[:3, 2]
    return camera_at(name, pose, size_px, f)

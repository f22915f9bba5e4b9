"""The check as a picture: planned and measured outlines drawn over the camera's view."""

from collections.abc import Mapping

import cv2
import numpy as np

from pactwin.hardware import CameraCalibration, RgbdFrame, Rig
from pactwin.real.strips import projected
from pactwin.real.table_check import TableCheck
from pactwin.sim import Item, Layout, as_pose, item_points

_PLAN_RGB, _GOOD_RGB, _BAD_RGB = (255, 255, 255), (40, 220, 60), (255, 70, 60)


def overlay(
    layout: Layout, found: TableCheck | None, rig: Rig, frames: Mapping[str, RgbdFrame]
) -> np.ndarray:
    """Pictures of all cameras stacked vertically (h, w, 3) uint8, as :func:`outlined`."""
    pictures = [
        outlined(layout, found, rig.calibrated(name), frame.color) for name, frame in frames.items()
    ]
    return np.concatenate(pictures)


def outlined(
    layout: Layout, found: TableCheck | None, camera: CameraCalibration, color: np.ndarray
) -> np.ndarray:
    """One camera's picture (h, w, 3) with outlines; white is the plan.

    Green items stand in their places; red ones stand elsewhere or were not found.
    """
    picture = color.copy()
    for item in layout.items:
        _draw(picture, _outline(item, camera), _PLAN_RGB)
    for placement in found.placements if found else ():
        item = layout.item(placement.name)
        rgb, at = _GOOD_RGB if placement.ok else _BAD_RGB, _outline(item, camera)
        if placement.table_from_object is not None:
            at = _outline(item.at(as_pose(placement.table_from_object)), camera)
        _draw(picture, at, rgb)
        if not placement.ok and len(at):
            x, y = at.min(axis=0)
            text = f"{placement.name}: {placement.state}"
            place = (int(x), max(int(y) - 6, 12))
            (wide, high), low = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
            corners = (place[0] - 2, place[1] - high - 2), (place[0] + wide + 2, place[1] + low)
            cv2.rectangle(picture, *corners, (0, 0, 0), -1)
            cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, rgb, 1, cv2.LINE_AA)
    return picture


def _draw(picture: np.ndarray, corners: np.ndarray, color: tuple[int, int, int]) -> None:
    if not len(corners):
        return
    # A dark rim is seen on white paper, the bright line in it on all else.
    for rgb, wide in (((0, 0, 0), 4), (color, 2)):
        cv2.polylines(
            picture, [corners], isClosed=True, color=rgb, thickness=wide, lineType=cv2.LINE_AA
        )


def _outline(item: Item, camera: CameraCalibration) -> np.ndarray:
    """The item's convex outline in the picture, whole pixels (n, 2); none if it is behind."""
    points, _ = item_points(item)
    camera_from_table = np.linalg.inv(np.array(camera.table_from_camera))
    if (points @ camera_from_table[2, :3] + camera_from_table[2, 3] < 0.05).any():
        return np.zeros((0, 2), np.int32)
    pixels = projected(camera, np.array(camera.table_from_camera), points)
    return cv2.convexHull(np.round(pixels).astype(np.int32))[:, 0]

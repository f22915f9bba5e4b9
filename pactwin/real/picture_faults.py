"""Reject pictures that are too dark, over-exposed or blurred."""

import cv2
import numpy as np

_BLACK, _DARK_P90 = 40, 70
"""A picture is too dark if its brightest tenth is darker than this, or most of it is black."""
_WHITE, _WHITE_SHARE = 250, 0.6
"""Limits of over-exposure; white paper under a lamp may harmlessly fill half a picture."""
_EDGE = 30.0
"""Grey levels that an edge rises by, to be looked at."""
_WIDE_PX, _WIDE_OF_1280_PX = 5.0, 8.0
"""A picture is blurred if even its sharpest edges are wider than both."""
_LEAST_EDGES = 150
_REACH_PX = 12


def picture_fault(color: np.ndarray) -> str:
    """The fault of a picture (h, w, 3) uint8 RGB and its remedy; "" if there is none."""
    grey = np.asarray(cv2.cvtColor(color, cv2.COLOR_RGB2GRAY), np.uint8)
    bright, dark = float(np.quantile(grey, 0.9)), float((grey < _BLACK).mean())
    if bright < _DARK_P90 or dark > 0.8:
        return "the picture is too dark: put more light on the table, and start the session again"
    white = float((grey >= _WHITE).mean())
    if white > _WHITE_SHARE:
        return (
            f"{white:.0%} of the picture is over-exposed: take light away, and start the session "
            "again so that exposure is chosen anew"
        )
    wide = edge_width_px(grey)
    if wide is not None and wide > max(_WIDE_PX, _WIDE_OF_1280_PX * grey.shape[1] / 1280):
        return (
            f"the picture is blurred (its sharpest edges are {wide:.0f} pixels wide): wipe the "
            "lens, and let the camera stand still"
        )
    return ""


def edge_width_px(grey: np.ndarray) -> float | None:
    """Width of the sharpest fifth of a picture's clear edges; None for too few edges.

    An edge's width is its rise divided by its steepest slope. Horizontal and vertical edges are
    measured separately, because motion blurs only one kind; the larger width counts.
    """
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.8)
    widths = []
    for picture in (smooth, smooth.T):
        slope, across = (
            np.asarray(np.abs(cv2.Sobel(picture, cv2.CV_32F, x, y, ksize=3)) / 8, np.float32)
            for x, y in ((1, 0), (0, 1))
        )
        kernel = np.ones((1, 2 * _REACH_PX + 1), np.uint8)
        rise = np.asarray(cv2.dilate(picture, kernel) - cv2.erode(picture, kernel), np.float32)
        peak = (slope >= cv2.dilate(slope, np.ones((1, 5), np.uint8))) & (slope > 2 * across)
        edges = peak & (rise > _EDGE) & (slope > 1.0)
        if edges.sum() >= _LEAST_EDGES:
            widths.append(float(np.quantile(rise[edges] / slope[edges], 0.2)))
    return max(widths) if widths else None

"""ChArUco targets: the board that defines the table frame, and the layout of its squares."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from pactwin.hardware.rig_file import RULER_MM, CalibrationBoard, Dictionary

_DICTIONARIES = {
    "apriltag_36h11": cv2.aruco.DICT_APRILTAG_36h11,
    "5x5_100": cv2.aruco.DICT_5X5_100,
    "4x4_50": cv2.aruco.DICT_4X4_50,  # of strips: far markers are small in pictures
}
MIN_CORNERS = 12
"""Minimum number of board corners that a camera must see."""
TEMPLATE_ID = 100
"""First marker number of placement templates; the board's markers start at 0."""
_LARGER = 2
_MARKER_SHARE = 0.75
"""Side of a marker, of its square's."""


@dataclass(frozen=True)
class Target:
    """A ChArUco board in the table frame.

    Its picture's right is the robot's right (-y) and its top is away from the robot (x), so that
    ``table_from_board`` turns OpenCV's board axes (x right, y down, z into the table). Lengths
    are in m. Markers are numbered from ``first_id``.
    """

    dictionary: Dictionary | Literal["4x4_50"]
    columns: int
    rows: int
    square_m: float
    table_from_board: np.ndarray
    first_id: int = 0

    @property
    def marker_m(self) -> float:
        """Side of a marker."""
        return _MARKER_SHARE * self.square_m

    def board(self) -> cv2.aruco.CharucoBoard:
        """The board as OpenCV's object, in m."""
        size = (self.columns, self.rows)
        ids = self.first_id + np.arange(self.columns * self.rows // 2)
        return cv2.aruco.CharucoBoard(size, self.square_m, self.marker_m, self._known(), ids)

    def corners_m(self, ids: np.ndarray) -> np.ndarray:
        """The chessboard corners (n, 3) called ``ids``, in the table frame."""
        corners = np.asarray(self.board().getChessboardCorners())[ids]
        return corners @ self.table_from_board[:3, :3].T + self.table_from_board[:3, 3]

    def modules(self, marker: int) -> np.ndarray:
        """Modules (k, k) of a marker with its border, True where white."""
        known = self._known()
        side = known.markerSize + 2
        return np.asarray(cv2.aruco.generateImageMarker(known, marker, side)) > 0

    def squares(self) -> list[tuple[int, int, int | None]]:
        """Column, row and marker of every square, row by row; None for black squares."""
        places = [(c, r) for r in range(self.rows) for c in range(self.columns)]
        white = iter(range(self.first_id, self.first_id + len(places)))
        return [(c, r, None if (c + r) % 2 == 0 else next(white)) for c, r in places]

    def _known(self) -> cv2.aruco.Dictionary:
        return cv2.aruco.getPredefinedDictionary(_DICTIONARIES[self.dictionary])


def board_target(board: CalibrationBoard, ruler_mm: float = RULER_MM) -> Target:
    """The board on the table if its printed ruler measures ``ruler_mm``."""
    square = board.square_mm / 1e3 * ruler_mm / RULER_MM
    far = board.near_mm / 1e3 + board.rows * square
    return Target(
        board.dictionary,
        board.columns,
        board.rows,
        square,
        table_from_board(far, board.columns * square / 2),
    )


def table_from_board(top_x_m: float, left_y_m: float) -> np.ndarray:
    """The 4x4 pose of a board with its upper left corner at (x, y) on the table."""
    pose = np.eye(4)
    pose[:3, :3] = [[0, -1, 0], [-1, 0, 0], [0, 0, -1]]
    pose[:2, 3] = top_x_m, left_y_m
    return pose


@dataclass(frozen=True)
class Detected:
    """Chessboard corners in a picture: ``ids`` (n,) and ``pixels`` (n, 2)."""

    ids: np.ndarray
    pixels: np.ndarray


def detect(target: Target, color: np.ndarray) -> Detected:
    """Detect ``target`` in a picture (h, w, 3), RGB; may find no corners."""
    return detect_all([target], color)[0]


def detect_all(targets: Sequence[Target], color: np.ndarray) -> list[Detected]:
    """Detect several targets of one dictionary with different markers in one pass.

    Pictures are enlarged, because markers with two pixels per module are not decoded and those with
    four are.
    """
    grey = cv2.cvtColor(color, cv2.COLOR_RGB2GRAY)
    large = cv2.resize(grey, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    (known,) = {target.dictionary for target in targets}
    dictionary = cv2.aruco.getPredefinedDictionary(_DICTIONARIES[known])
    found, seen, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(large)
    names, every = np.array([] if seen is None else seen, np.int32).ravel(), []
    for target in targets:
        board = target.board()
        own = np.isin(names, board.getIds())
        corners, ids = None, None
        if own.any():
            markers = [marker for marker, mine in zip(found, own, strict=True) if mine]
            detector = cv2.aruco.CharucoDetector(board)
            corners, ids, _, _ = detector.detectBoard(large, None, None, markers, names[own])
        if ids is None or not len(ids):
            every.append(Detected(np.zeros(0, int), np.zeros((0, 2))))
        else:
            pixels = (np.asarray(corners, float).reshape(-1, 2) + 0.5) / _LARGER - 0.5
            every.append(Detected(ids.ravel().astype(int), pixels))
    return every


def shows_template(color: np.ndarray) -> bool:
    """Return whether a picture (h, w, 3), RGB, shows markers of a placement template."""
    known = cv2.aruco.getPredefinedDictionary(_DICTIONARIES["apriltag_36h11"])
    detector = cv2.aruco.ArucoDetector(known, cv2.aruco.DetectorParameters())
    _, ids, _ = detector.detectMarkers(cv2.cvtColor(color, cv2.COLOR_RGB2GRAY))
    return ids is not None and int((np.asarray(ids) >= TEMPLATE_ID).sum()) > 1

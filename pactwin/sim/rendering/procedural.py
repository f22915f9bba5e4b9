"""Procedural textures: wood, plaster, concrete, tiles, bricks, carpet.

A picture is RGB, (PICTURE_PX, PICTURE_PX, 3) uint8, repeats without a seam and depends only on its
name. Its noise is white noise shaped in the frequency domain, which makes it periodic.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import cv2
import numpy as np
from scipy import fft

from pactwin.catalogue import RGB
from pactwin.suite import unknown_name

PICTURE_PX = 512

Paint = Callable[[np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class _Boards:
    """Which board each pixel belongs to, and the joints between boards (0 to 1, 1 in a joint)."""

    index: np.ndarray
    joint: np.ndarray


@lru_cache(maxsize=16)
def surface_picture(name: str) -> np.ndarray:
    """Picture of the surface ``name``; InvalidInputError for an unknown name."""
    if name not in SURFACES:
        raise unknown_name("surface", name, tuple(SURFACES))
    picture = SURFACES[name](np.random.default_rng(crc32(name.encode())))
    picture = np.clip(np.rint(picture), 0, 255).astype(np.uint8)
    picture.setflags(write=False)
    return picture


def _noise(
    rng: np.random.Generator, across: float, along: float | None = None, slope: float = 2.0
) -> np.ndarray:
    """Periodic noise of mean 0 and deviation 1.

    ``across`` and ``along`` (x and y) are the frequencies, in periods per picture, from which on
    its amplitude falls with the power ``slope``.
    """
    along = across if along is None else along
    fy = fft.fftfreq(PICTURE_PX, 1 / PICTURE_PX)[:, None] / along
    fx = fft.rfftfreq(PICTURE_PX, 1 / PICTURE_PX)[None, :] / across
    shape = ((1 + fx**2 + fy**2) ** (-slope / 2)).astype(np.float32)
    shape[0, 0] = 0.0
    white = rng.standard_normal((PICTURE_PX, PICTURE_PX), dtype=np.float32)
    noise = fft.irfft2(fft.rfft2(white) * shape, s=white.shape)
    return noise / noise.std()


def _tinted(color: RGB, value: np.ndarray, tint: RGB) -> np.ndarray:
    """``color`` everywhere, plus ``value`` (h, w) times ``tint``, both of 255."""
    return np.array(color, np.float32) + value[..., None].astype(np.float32) * np.array(
        tint, np.float32
    )


def _wood(rng: np.random.Generator, rings: float) -> np.ndarray:
    """Grain along x, about of deviation 1: year rings drawn out, fibres, pores."""
    y = np.linspace(0, 1, PICTURE_PX, endpoint=False)[:, None]
    bent = 0.9 * _noise(rng, 1.0, 2.5, 3.0)
    ring = np.sin(2 * np.pi * (rings * y + bent)) + 0.5 * np.sin(4 * np.pi * (rings * y + bent))
    fibres = _noise(rng, 3.0, 120.0, 2.0)
    pores = np.minimum(_noise(rng, 16.0, 160.0, 2.0) + 1.2, 0.0)
    return 0.5 * ring + 0.6 * fibres + 0.8 * pores


def _rows(rng: np.random.Generator | None, rows: int, per_row: int, joint_px: float) -> _Boards:
    """Rows of boards or bricks along x; each is shifted, and its joints are ``joint_px`` wide.

    Without ``rng`` none is shifted.
    """
    y, x = np.mgrid[0:PICTURE_PX, 0:PICTURE_PX]
    row, high = y * rows // PICTURE_PX, PICTURE_PX / rows
    long = PICTURE_PX / per_row
    # By turns about half a board, so that joints of neighbouring rows stay apart.
    push: np.ndarray = np.zeros(rows)
    if rng is not None:
        push = long * ((np.arange(rows) % 2) * 0.5 + rng.uniform(0.0, 0.3, rows))
    moved = (x + push[row]) % PICTURE_PX
    from_joint = np.minimum(_to_edge(y, high), _to_edge(moved, long))
    index = row * per_row + (moved // long).astype(int)
    return _Boards(index, np.clip(joint_px + 0.5 - from_joint, 0.0, 1.0))


def _to_edge(value: np.ndarray, period: float) -> np.ndarray:
    """Distance (px) of pixel centres to the next multiple of ``period``."""
    rest = (value + 0.5) % period
    return np.minimum(rest, period - rest)


def _each(boards: _Boards, rng: np.random.Generator, deviation: float) -> np.ndarray:
    """One random number per board, laid out over its pixels."""
    value = rng.normal(0.0, deviation, int(boards.index.max()) + 1)
    return (value - value.mean())[boards.index]


def _cut(grain: np.ndarray, boards: _Boards, rng: np.random.Generator) -> np.ndarray:
    """Shift ``grain`` so that each board seems cut from another part of the log."""
    shifts = rng.integers(0, PICTURE_PX, (int(boards.index.max()) + 1, 2))
    y, x = np.mgrid[0:PICTURE_PX, 0:PICTURE_PX]
    dy, dx = shifts[boards.index, 0], shifts[boards.index, 1]
    return grain[(y + dy) % PICTURE_PX, (x + dx) % PICTURE_PX]


def _joined(picture: np.ndarray, joint: np.ndarray, color: RGB) -> np.ndarray:
    joint = joint[..., None]
    return picture * (1 - joint) + np.array(color, np.float32) * joint


def _relief(height: np.ndarray, depth: float) -> np.ndarray:
    """Brightness of a surface lit from the upper left; deviation ``depth`` of 1."""
    slope = (np.roll(height, 1, 0) - height) + (np.roll(height, 1, 1) - height)
    return -depth * slope / slope.std()


def _board_surface(
    rows: int, per_row: int, joint_px: float, colors: tuple[RGB, RGB, RGB], spread: float
) -> Paint:
    """Boards side by side; ``colors`` of the wood, of its grain and of the joints."""

    def paint(rng: np.random.Generator) -> np.ndarray:
        boards = _rows(rng, rows, per_row, joint_px)
        value = _cut(_wood(rng, 9.0), boards, rng) + _each(boards, rng, spread)
        return _joined(_tinted(colors[0], value, colors[1]), boards.joint, colors[2])

    return paint


def _parquet(rng: np.random.Generator) -> np.ndarray:
    squares = _rows(None, 4, 4, 1.0)
    # Six strips to a square, by turns along and across.
    turned = (squares.index // 4 + squares.index % 4) % 2 == 1
    grain = _cut(_wood(rng, 9.0), squares, rng)
    across = _cut(_wood(rng, 9.0), squares, rng).T
    strip = rng.normal(0.0, 0.7, (24, 4))
    y, x = np.mgrid[0:PICTURE_PX, 0:PICTURE_PX] * 24 // PICTURE_PX
    value = np.where(turned, across + strip[x, y // 6], grain + strip[y, x // 6])
    thin = np.where(turned, _joint_of(x), _joint_of(x).T) * 0.35
    wood = _tinted((196, 146, 92), value, (13, 15, 15))
    wood = _joined(wood, thin, (110, 72, 36))
    return _joined(wood, squares.joint, (58, 36, 18))


def _joint_of(strip: np.ndarray) -> np.ndarray:
    """1 where the next pixel along x belongs to another strip."""
    return (strip != np.roll(strip, -1, axis=1)).astype(float)


def _laminate(rng: np.random.Generator) -> np.ndarray:
    value = 0.7 * _noise(rng, 6.0) + 0.7 * _noise(rng, 80.0, 40.0, 2.0)
    return _tinted((223, 219, 212), value, (2.4, 2.5, 2.2))


def _concrete(rng: np.random.Generator) -> np.ndarray:
    value = 0.75 * _noise(rng, 4.0, slope=1.6) + 0.5 * _noise(rng, 120.0)
    return _tinted((175, 177, 169), value, (12, 11, 11))


def _plaster(color: RGB) -> Paint:
    """Trowelled plaster: clouds, and fine dark lines where two strokes met."""

    def paint(rng: np.random.Generator) -> np.ndarray:
        clouds = _noise(rng, 5.0, slope=1.8)
        bend = _noise(rng, 4.0, 5.0, 1.7)
        lines = np.exp(-((bend / 0.05) ** 2)) * np.clip(_noise(rng, 4.0) + 0.3, 0.0, 1.5)
        value = 0.5 * clouds - 1.6 * lines + 0.25 * _noise(rng, 150.0)
        return _tinted(color, value, (8, 8, 8.5))

    return paint


def _rough_cast(rng: np.random.Generator) -> np.ndarray:
    height = _noise(rng, 18.0, 12.0, 2.2)
    bumps = np.clip(height - 0.4, 0.0, 1.0)
    return _tinted((243, 243, 243), _relief(bumps, 1.0), (9, 9, 9))


def _bricks(rng: np.random.Generator) -> np.ndarray:
    """White painted bricks, their edges worn."""
    worn = _noise(rng, 14.0)
    bricks = _rows(rng, 8, 3, 3.0)
    soft = cv2.GaussianBlur(np.tile(bricks.joint, (3, 3)), (0, 0), 2.2)
    soft = soft[PICTURE_PX:-PICTURE_PX, PICTURE_PX:-PICTURE_PX]
    height = 1.0 / (1.0 + np.exp(12 * (soft - 0.45 + 0.08 * worn)))
    light = _relief(height + 0.03 * _noise(rng, 40.0), 15.0)
    value = light + 12 * (height - 1) + _each(bricks, rng, 3.0) * height
    return _tinted((229, 228, 228), value + 2 * worn, (1, 0.98, 0.98))


def _carpet(rng: np.random.Generator) -> np.ndarray:
    value = 0.85 * _noise(rng, 110.0, slope=3.0) + 0.3 * _noise(rng, 12.0)
    return _tinted((118, 118, 118), value, (30, 30, 30))


def _wood_grain(rng: np.random.Generator) -> np.ndarray:
    return _tinted((128, 128, 128), _wood(rng, 9.0), (17, 17, 17))


SURFACES: dict[str, Paint] = {
    "staves": _board_surface(12, 1, 0.0, ((208, 171, 133), (6, 6, 5), (208, 171, 133)), spread=1.2),
    "wood-look tiles": _board_surface(
        4, 1, 1.5, ((195, 186, 177), (9, 9, 9), (226, 222, 216)), spread=0.5
    ),
    "planks": _board_surface(10, 1, 0.9, ((132, 82, 30), (13, 12, 8), (40, 22, 8)), spread=1.1),
    "parquet": _parquet,
    "laminate": _laminate,
    "concrete": _concrete,
    "cream plaster": _plaster((234, 229, 214)),
    "sand plaster": _plaster((186, 172, 145)),
    "rough cast": _rough_cast,
    "bricks": _bricks,
    "carpet": _carpet,
    "wood grain": _wood_grain,
}

"""Ray-traced pictures, independent of the simulator: Embree, own light and shadows, stereo depth.

Depth comes from matching two infrared pictures with a projected pattern, as in a D435i. So it has
fattened edges, shadows without depth and noise that follows from matching, not from a formula.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from scipy.spatial import ConvexHull

from pactwin.hardware import RULER_MM
from pactwin.sim import Item, Part, item_points
from pactwin.suite import Camera, needs

BASELINE_M = 0.05
SUN = np.array([0.35, -0.45, 0.82])
_PAPER_M, _FLAT, _STRIPES = 1e-4, 0.5, 24
"""Paper's thickness, its flat share if its ends curl, and its number of drawn pieces."""
_SAME, _ROWS = 0.02, 30000
TABLE_RGB, ROOM_RGB = (0.62, 0.50, 0.38), (0.72, 0.73, 0.70)


@dataclass(frozen=True)
class Light:
    """Exposure relative to the correct one, and blur of an unfocused lens (``blur_px``)."""

    exposure: float = 1.0
    blur_px: float = 0.0


@dataclass(frozen=True)
class Paper:
    """A picture (h, w, 3) on the table, and its place: pixels (2, 3) of x and y there.

    ``curl_m`` is how far its short ends bend up.
    """

    picture: np.ndarray
    pixel_from_table: np.ndarray
    curl_m: float = 0.0


def printed(
    page: bytes,
    dpi: int,
    table_from_page: np.ndarray,
    rulers_mm: tuple[float, float] = (RULER_MM, RULER_MM),
    window_mm: tuple[float, float, float, float] | None = None,
    curl_m: float = 0.0,
) -> Paper:
    """First page of a PDF as printed, so that its rulers measure ``rulers_mm``.

    The first ruler is along the page's lower edge. ``table_from_page`` (3, 3) maps metres right and
    up on the paper. ``window_mm`` is the part that is cut out: left, bottom, right and top of the
    page as drawn.
    """
    import pypdfium2

    drawn = pypdfium2.PdfDocument(page)[0]
    picture = np.asarray(drawn.render(scale=dpi / 72).to_pil().convert("RGB"))
    high, wide = picture.shape[:2]
    page_mm = np.array(drawn.get_size()) * 25.4 / 72
    x, y = np.array([wide, high]) / page_mm * 1e3 * RULER_MM / np.array(rulers_mm)
    pixel_from_page = np.array([[x, 0, -0.5], [0, -y, high - 0.5], [0, 0, 1]])
    if window_mm is not None:
        per_mm = np.tile(np.array([wide, high]) / page_mm, 2)
        left, bottom, right, top = np.array(window_mm) * per_mm
        rows, columns = slice(int(high - top), int(high - bottom)), slice(int(left), int(right))
        picture = picture[rows, columns]
        pixel_from_page[:2, 2] -= columns.start, rows.start
    onto = pixel_from_page @ np.linalg.inv(table_from_page)
    return Paper(np.ascontiguousarray(picture), onto[:2], curl_m)


class Raytraced:
    """Coloured triangles of table, room and items."""

    def __init__(self, items: Sequence[Item], papers: Sequence[Paper]) -> None:
        with needs("a rehearsal draws with Open3D", "geometry"):
            import open3d as o3d

        self._tensor = o3d.core.Tensor.from_numpy
        self._scene = o3d.t.geometry.RaycastingScene(nthreads=2)
        self._rgb: list[tuple[float, ...]] = []
        self._papers: list[tuple[Paper, int]] = []
        near, wide = 0.75, 0.65
        self._add(_quad((0, -wide, 0), (near, -wide, 0), (near, wide, 0), (0, wide, 0)), TABLE_RGB)
        self._add(_quad((-4, -4, -0.7), (4, -4, -0.7), (4, 4, -0.7), (-4, 4, -0.7)), ROOM_RGB)
        self._add(_quad((1.6, -4, -1), (1.6, 4, -1), (1.6, 4, 3), (1.6, -4, 3)), ROOM_RGB)
        self._add(_quad((-4, 1.5, -1), (4, 1.5, -1), (4, 1.5, 3), (-4, 1.5, 3)), ROOM_RGB)
        for paper in papers:
            self._papers.append((paper, len(self._rgb)))
            self._add(_sheet(paper), (1.0, 1.0, 1.0))
        for item in items:
            for part in item.parts:
                if part.drawn:
                    rgb = part.rgba or tuple(part.shade * c for c in item.rgba[:3])
                    self._add(_mesh(item, part), rgb[:3])

    def _add(self, mesh: tuple[np.ndarray, np.ndarray], rgb: tuple[float, ...]) -> None:
        corners, faces = mesh
        self._scene.add_triangles(
            self._tensor(np.asarray(corners, np.float32)),
            self._tensor(np.asarray(faces, np.uint32)),
        )
        self._rgb.append(rgb)

    def _cast(
        self, eye: np.ndarray, ways: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """What rays (..., 3) hit: depth, points, normals towards them, and colours, in float32."""
        rays = np.empty((*ways.shape[:-1], 6), np.float32)
        rays[..., :3], rays[..., 3:] = eye, ways
        hit = self._scene.cast_rays(self._tensor(rays))
        depth = np.minimum(hit["t_hit"].numpy(), np.float32(9.0))
        points = rays[..., :3] + depth[..., None] * ways
        normals = hit["primitive_normals"].numpy()
        away = np.einsum("...c,...c->...", normals, ways) > 0
        normals[away] *= -1
        number = np.minimum(hit["geometry_ids"].numpy(), len(self._rgb))
        colours = np.array([*self._rgb, (0.5, 0.5, 0.5)], np.float32)[number]
        on = points[number == 0]
        colours[number == 0] *= 1 + 0.06 * np.sin(90 * on[:, :1] + 6 * np.sin(23 * on[:, 1:2]))
        for paper, own in self._papers:
            mine = number == own
            if mine.any():
                onto = paper.pixel_from_table.astype(np.float32)
                x, y = (points[mine][:, :2] @ onto[:, :2].T + onto[:, 2]).T[..., None].copy()
                shown = _sampled(paper.picture, x, y)
                colours[mine] = (0.92 / 255) * shown
        return depth, points, normals, colours

    def color(self, camera: Camera, light: Light) -> np.ndarray:
        """A photograph (h, w, 3) uint8 without noise: sun through a window, sky, shadows.

        Where neighbours differ each pixel is the mean of four rays.
        """
        pose, ways = _rays(camera)
        picture = self._lit(pose[:3, 3], ways)
        around = np.ones((3, 3), np.uint8)
        edge = (cv2.dilate(picture, around) - cv2.erode(picture, around)).max(-1) > _SAME
        fine = ways[edge][:, None] + _quarters(camera, pose)
        picture[edge] = self._lit(pose[:3, 3], fine).mean(axis=1)
        picture = np.asarray(cv2.GaussianBlur(light.exposure * picture, (0, 0), 0.5), np.float32)
        if light.blur_px:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), light.blur_px), np.float32)
        picture = 255 * np.clip(picture, 0, 1) ** (1 / 2.2)
        return np.rint(picture).astype(np.uint8)

    def _lit(self, eye: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """Brightness (..., 3) at the rays' hit points, from sun and sky."""
        _, points, normals, colours = self._cast(eye, ways)
        sun = SUN / np.linalg.norm(SUN)
        rays = np.empty((*points.shape[:-1], 6), np.float32)
        rays[..., :3], rays[..., 3:] = points + np.float32(1e-3) * normals, sun
        lit = ~self._scene.test_occlusions(self._tensor(rays)).numpy()
        direct = 0.55 * lit * np.maximum(normals @ sun.astype(np.float32), 0)
        sky = 0.35 + 0.12 * normals[..., 2]
        return np.asarray(colours * (direct + sky).astype(np.float32)[..., None])

    def stereo(self, camera: Camera, pairs: int, rng: np.random.Generator) -> list[np.ndarray]:
        """Depth (h, w) in mm by block matching of ``pairs`` infrared stereo pairs."""
        pose = np.array(camera.world_from_camera)
        right_pose, projector = pose.copy(), pose.copy()
        right_pose[:3, 3] += pose[:3, :3] @ (BASELINE_M, 0, 0)
        projector[:3, 3] += pose[:3, :3] @ (BASELINE_M / 3, 0.004, 0)
        dots = _pattern()
        pair = []
        for at in (pose, right_pose):
            eye = camera.model_copy(update={"world_from_camera": tuple(map(tuple, at.tolist()))})
            depth, points, normals, colours = self._cast(at[:3, 3], _rays(eye)[1])
            seen = (points - projector[:3, 3]) @ projector[:3, :3]
            ahead = np.maximum(seen[..., 2:], 0.05)
            where = (seen[..., :2] / ahead * camera.K[0][0] * 1.3 + 1024).astype(np.float32)
            on = cv2.remap(dots, where[..., 0], where[..., 1], cv2.INTER_LINEAR)
            facing = np.abs(np.sum(normals * (projector[:3, 3] - points), -1)) / ahead[..., 0]
            pair.append((0.2 + 0.8 * colours.mean(-1)) * facing * (0.15 + on) / (0.3 + depth**2))
        matcher = cv2.StereoSGBM.create(
            0, 96, 7, P1=3 * 49, P2=16 * 49, disp12MaxDiff=2, uniquenessRatio=8,
            speckleWindowSize=60, speckleRange=2, mode=cv2.STEREO_SGBM_MODE_SGBM_3WAY,
        )  # fmt: skip
        scale = 200 / np.quantile(pair[0], 0.98)
        stack = []
        for _ in range(pairs):
            left, right = (
                np.clip(scale * p + rng.normal(0, 0.8, p.shape), 0, 255).astype(np.uint8)
                for p in pair
            )
            disparity = _finer_disparity(left, right, matcher.compute(left, right) / 16.0)
            with np.errstate(divide="ignore"):
                far = 1e3 * camera.K[0][0] * BASELINE_M / np.where(disparity > 3, disparity, np.inf)
            stack.append(np.where((far > 0) & (far < 9000), far, 0.0))
        return stack


def _finer_disparity(left: np.ndarray, right: np.ndarray, disparity: np.ndarray) -> np.ndarray:
    """The disparity to a tenth of a pixel: Lucas and Kanade's steps over windows of 9 x 9."""
    high, wide = left.shape
    columns, rows = np.meshgrid(
        np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32)
    )
    a, b = (cv2.GaussianBlur(p.astype(np.float32), (0, 0), 0.8) for p in (left, right))
    found = disparity.astype(np.float32)
    for _ in range(3):
        shifted = cv2.remap(b, columns - found, rows, cv2.INTER_LINEAR)
        slope = np.asarray(cv2.Sobel(shifted, cv2.CV_32F, 1, 0, ksize=3) / 8, np.float32)
        up = cv2.boxFilter(np.asarray(slope * (a - shifted), np.float32), -1, (9, 9))
        step = -up / (cv2.boxFilter(slope * slope, -1, (9, 9)) + 0.5)
        found += np.clip(step, -0.5, 0.5)
    return np.where(disparity > 3, found, 0)


def _pattern() -> np.ndarray:
    rng = np.random.default_rng(7)
    dots = (rng.random((2048, 2048)) < 0.06).astype(np.float32)
    spots = np.asarray(cv2.GaussianBlur(dots, (0, 0), 1.3), np.float32)
    return spots / spots.max()


def _mesh(item: Item, part: Part) -> tuple[np.ndarray, np.ndarray]:
    if part.shape != "surface":
        points, _ = item_points(replace(item, parts=(part,)))
        return points, ConvexHull(points).simplices
    pose = item.world_from_object.matrix() @ part.pose.matrix()
    return np.array(part.corners_m) @ pose[:3, :3].T + pose[:3, 3], np.array(part.faces)


def _rays(camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """The camera's pose (4, 4), and its pixels' directions (h, w, 3) whose z in it is 1."""
    pose = np.array(camera.world_from_camera)
    turned = (pose[:3, :3] @ np.linalg.inv(np.array(camera.K))).astype(np.float32)
    columns, rows = (
        np.arange(n, dtype=np.float32)[:, None] for n in (camera.width_px, camera.height_px)
    )
    return pose, columns * turned[:, 0] + (rows * turned[:, 1])[:, None] + turned[:, 2]


def _quarters(camera: Camera, pose: np.ndarray) -> np.ndarray:
    """Offsets (4, 3) from a pixel's direction to the centres of its quarters."""
    turned = pose[:3, :3] @ np.linalg.inv(np.array(camera.K))
    off = np.array([(-0.25, -0.25, 0), (0.25, -0.25, 0), (-0.25, 0.25, 0), (0.25, 0.25, 0)])
    return np.asarray(off @ turned.T, np.float32)


def _sampled(picture: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Colours (n, 3) of a picture at (n, 1) places; OpenCV takes no more rows at once."""
    parts = [
        cv2.remap(
            picture, x[k : k + _ROWS], y[k : k + _ROWS], cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for k in range(0, len(x), _ROWS)
    ]  # fmt: skip
    return np.concatenate(parts)[:, 0]


def _sheet(paper: Paper) -> tuple[np.ndarray, np.ndarray]:
    """Triangles of a paper that lies on the table; its short ends bend up."""
    high, wide = paper.picture.shape[:2]
    across = np.linspace(0, 1, _STRIPES + 1)
    ends = np.stack(np.meshgrid(across * (wide - 1), [0, high - 1]), -1).reshape(-1, 2)
    onto = np.linalg.inv(np.vstack([paper.pixel_from_table, (0, 0, 1)]))
    corners = np.column_stack([ends, np.ones(len(ends))]) @ onto.T
    up = np.maximum(np.abs(2 * across - 1) - _FLAT, 0) / (1 - _FLAT)
    corners[:, 2] = _PAPER_M + paper.curl_m * np.tile(up**2, 2)
    k, n = np.arange(_STRIPES)[:, None], _STRIPES + 1
    return corners, np.concatenate([k + np.array(c) for c in ((0, 1, n), (1, n + 1, n))])


def _quad(*corners: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(corners, float), np.array([(0, 1, 2), (0, 2, 3)])

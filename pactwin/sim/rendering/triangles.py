"""Triangles of the visible geoms of a compiled model, for OpenGL.

MuJoCo's own renderer sends every corner of every triangle through two passes, and its texture
mapping differs between versions. Here shared vertices are sent once, and surfaces look as in MuJoCo
3.3.1 whatever version is installed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import mujoco

_SHOWN_GROUPS = 3
# What MuJoCo takes for "no colour given" beside a material, and its matter without a material.
_NO_COLOR = (0.5, 0.5, 0.5, 1.0)
_NO_MATERIAL = (0.5, 0.5, 0.0)

# A triangle meets its neighbours in an edge where its normal is so far from theirs (a cosine).
_SHARP = 0.8

# What is round is drawn with fewer corners where these suffice to come so near to its surface.
_ROUND_M = 1e-4

FLAT, SKYBOX = 0, 2
"""Kinds of textures, mujoco.mjtTexture."""

FIELDS = {"place": 3, "normal": 3, "around": 3, "rgba": 4, "gloss": 3, "number": 1}
"""Numbers per vertex: position and normal in the world, texture coordinates, colour, gloss
(specular, shininess, emission), geom id plus 1."""


Primitive = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Batch:
    """Triangles drawn at once: corners (n,) as numbers of vertices; texture -1 means none."""

    texture: int
    corners: np.ndarray
    geom: int = -1
    """The geom if it is transparent."""


class Triangles:
    """Vertices of all visible geoms of ``model``, and batches of triangles among them."""

    def __init__(self, model: "mujoco.MjModel") -> None:
        geoms = [
            geom
            for geom in range(model.ngeom)
            if model.geom_group[geom] < _SHOWN_GROUPS and _color(model, geom)[3] > 0.0
        ]
        shapes = [_shape(model, geom) for geom in geoms]
        counts = [len(places) for places, *_ in shapes]
        starts = np.cumsum([0, *counts])
        self._geom = np.repeat(geoms, counts)
        self._places, self._normals = (
            np.concatenate([shape[k] for shape in shapes] or [np.empty((0, 3))]) for k in (0, 1)
        )
        self.vertices = np.zeros((starts[-1], sum(FIELDS.values())), np.float32)
        self._poses = np.full((model.ngeom, 12), np.nan)
        batches: dict[tuple[int, int], list[np.ndarray]] = {}
        for geom, (_, _, around, corners), start in zip(geoms, shapes, starts[:-1], strict=True):
            rows = self.vertices[start : start + len(around)]
            color = _color(model, geom)
            rows[:, 6:9], rows[:, 9:13], rows[:, 13:16] = around, color, _gloss(model, geom)
            rows[:, 16] = geom + 1
            clear = geom if color[3] < 0.995 else -1
            batches.setdefault((texture_of(model, geom), clear), []).append(corners + start)
        self.batches = [
            Batch(texture, np.concatenate(corners).ravel().astype(np.uint32), clear)
            for (texture, clear), corners in batches.items()
        ]

    def move(self, data: "mujoco.MjData") -> slice:
        """Move vertices to the poses of their geoms; returns which rows may have changed."""
        poses = np.column_stack([data.geom_xpos, data.geom_xmat])
        moved = np.flatnonzero((poses != self._poses).any(axis=1)[self._geom])
        self._poses = poses
        if not len(moved):
            return slice(0, 0)
        rows = slice(int(moved[0]), int(moved[-1]) + 1)
        turns = data.geom_xmat.reshape(-1, 3, 3)[self._geom[rows]]
        self.vertices[rows, 0:3] = np.einsum("nij,nj->ni", turns, self._places[rows])
        self.vertices[rows, 0:3] += data.geom_xpos[self._geom[rows]]
        self.vertices[rows, 3:6] = np.einsum("nij,nj->ni", turns, self._normals[rows])
        return rows


def picture_of(model: "mujoco.MjModel", texture: int) -> np.ndarray:
    """Pixels (h, w, channels) of a texture."""
    height, width = model.tex_height[texture], model.tex_width[texture]
    start, channels = model.tex_adr[texture], model.tex_nchannel[texture]
    pixels = model.tex_data[start : start + height * width * channels]
    return np.asarray(pixels).reshape(height, width, channels)


def texture_of(model: "mujoco.MjModel", geom: int) -> int:
    """Texture of a geom, or -1."""
    import mujoco

    material = model.geom_matid[geom]
    if material < 0:
        return -1
    return int(model.mat_texid[material][mujoco.mjtTextureRole.mjTEXROLE_RGB])


def _color(model: "mujoco.MjModel", geom: int) -> np.ndarray:
    material, own = model.geom_matid[geom], model.geom_rgba[geom]
    if material >= 0 and np.array_equal(own, np.array(_NO_COLOR, np.float32)):
        return np.asarray(model.mat_rgba[material])
    return np.asarray(own)


def _gloss(model: "mujoco.MjModel", geom: int) -> tuple[float, ...]:
    if (material := model.geom_matid[geom]) < 0:
        return _NO_MATERIAL
    kinds = model.mat_specular, model.mat_shininess, model.mat_emission
    return tuple(float(kind[material]) for kind in kinds)


def _shape(
    model: "mujoco.MjModel", geom: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Places, normals, places on the texture (n, 3 each) and triangles (m, 3) of a geom."""
    import mujoco

    size, kind = model.geom_size[geom], model.geom_type[geom]
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        places, normals, around, corners = _mesh(model, model.geom_dataid[geom])
    else:
        quality = model.vis.quality
        slices = min(quality.numslices, _slices(float(size[0])))
        stacks = min(quality.numstacks, max(4, slices // 4 * 2))
        places, normals, corners = _PRIMITIVES[kind](size, slices, stacks)
        around = None
    if around is None:
        around = _around(model, geom, places)
    return places, normals, around, corners


def _slices(radius_m: float) -> int:
    """How many slices keep something round within _ROUND_M of its surface, at least eight."""
    return max(8, ceil(np.pi / np.arccos(1.0 - min(_ROUND_M / radius_m, 0.5))))


def _around(model: "mujoco.MjModel", geom: int, places: np.ndarray) -> np.ndarray:
    """Texture coordinates (n, 3) for ``places`` (n, 3) on a geom without own ones, as in MuJoCo."""
    import mujoco

    if (texture := texture_of(model, geom)) < 0:
        return np.zeros_like(places)
    material, size = model.geom_matid[geom], model.geom_size[geom]
    uniform = model.mat_texuniform[material]
    extent = np.where(size > 0, size, 1.0)
    if model.tex_type[texture] != mujoco.mjtTexture.mjTEXTURE_2D:
        is_mesh = model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH
        return places if uniform or is_mesh else places / extent
    scale = 0.5 * model.mat_texrepeat[material] / (1.0 if uniform else extent[:2])
    return np.column_stack([places[:, :2] * scale * (1, -1) - 0.5, np.zeros(len(places))])


def _mesh(
    model: "mujoco.MjModel", mesh: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]:
    def some(of: str, kind: str) -> np.ndarray:
        first, count = (int(getattr(model, f"mesh_{of}{k}")[mesh]) for k in ("adr", "num"))
        return np.asarray(getattr(model, f"mesh_{kind}")[first : first + count])

    places, normals = some("vert", "vert"), some("normal", "normal")
    corners, of_normals = some("face", "face"), some("face", "facenormal")
    if model.mesh_texcoordnum[mesh] > 0:
        around = np.zeros((corners.size, 3))
        around[:, :2] = some("texcoord", "texcoord")[some("face", "facetexcoord").ravel()]
        apart = np.arange(corners.size).reshape(-1, 3)
        return places[corners.ravel()], normals[of_normals.ravel()], around, apart
    arrays = (places, normals, corners, of_normals)
    places, normals, corners = _with_edges(*(array.tobytes() for array in arrays))
    return places, normals, None, corners


# A robot's meshes are the same in every scene. A scene has about ten meshes; one of 200,000
# triangles takes 37 MB here.
@lru_cache(maxsize=32)
def _with_edges(*mesh: bytes) -> Primitive:
    """A mesh whose sharp edges have a normal for each side.

    From the bytes of its places, normals, corners and the corners' normals, as MuJoCo holds them.
    """
    arrays: list[np.ndarray] = [
        np.frombuffer(part, kind).reshape(-1, 3)
        for part, kind in zip(mesh, (np.float32, np.float32, np.int32, np.int32), strict=True)
    ]
    places, normals, corners, of_normals = arrays
    if len(places) != len(normals) or not np.array_equal(corners, of_normals):
        places, normals = places[corners.ravel()], normals[of_normals.ravel()]
        corners = np.arange(corners.size).reshape(-1, 3)
    a, b, c = np.moveaxis(places[corners].astype(float), 1, 0)
    flat = np.cross(b - a, c - a)
    flat /= np.maximum(np.linalg.norm(flat, axis=1), 1e-30)[:, None]
    face, corner = np.nonzero(np.einsum("fci,fi->fc", normals[corners], flat) < _SHARP)
    sharp = corners[face, corner]
    corners = corners.copy()
    corners[face, corner] = len(places) + np.arange(len(sharp))
    return np.concatenate([places, places[sharp]]), np.concatenate([normals, flat[face]]), corners


def _plane(size: np.ndarray, *_: int) -> Primitive:
    half = np.where(size[:2] > 0, size[:2], 100.0)
    places = np.array([(x, y, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    places[:, :2] *= half
    return places, np.tile((0.0, 0.0, 1.0), (4, 1)), np.array([(0, 1, 2), (0, 2, 3)])


def _box(size: np.ndarray, *_: int) -> Primitive:
    places, normals, corners = _cube()
    return places * size, normals, corners


@lru_cache(maxsize=1)
def _cube() -> Primitive:
    faces, normals = [], []
    for axis, sign in product(range(3), (-1.0, 1.0)):
        out, right, up = np.roll(np.eye(3), -axis, axis=0) * np.array([[sign], [1.0], [sign]])
        faces += [out + a * right + b * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        normals += [out] * 4
    corners = [(4 * k, 4 * k + a, 4 * k + a + 1) for k in range(6) for a in (1, 2)]
    return np.array(faces), np.array(normals), np.array(corners)


def _turned(
    radii: np.ndarray, heights: np.ndarray, out: np.ndarray, up: np.ndarray, slices: int
) -> Primitive:
    """The surface of a profile from bottom to top turned about z, with its normals."""
    angles = np.linspace(0.0, 2 * np.pi, slices + 1)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    count = len(radii)
    places, normals = np.empty((2, slices + 1, count, 3))
    places[..., :2], places[..., 2] = circle[:, None] * radii[:, None], heights
    normals[..., :2], normals[..., 2] = circle[:, None] * out[:, None], up
    at = np.arange(slices)[:, None] * count + np.arange(count - 1)
    quads = np.stack([at, at + count, at + count + 1, at + 1], axis=-1).reshape(-1, 4)
    corners = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return places.reshape(-1, 3), normals.reshape(-1, 3), corners


def _cylinder(size: np.ndarray, slices: int, _: int) -> Primitive:
    radius, half = size[:2]
    radii, heights = np.array([0, 1, 1, 1, 1, 0]), np.array([-1, -1, -1, 1, 1, 1])
    out, up = np.array([0, 0, 1, 1, 0, 0]), np.array([-1, -1, 0, 0, 1, 1])
    return _turned(radius * radii, half * heights, out, up, slices)


def _capsule(size: np.ndarray, slices: int, stacks: int) -> Primitive:
    radius, half = size[:2]
    below = np.linspace(-np.pi / 2, 0.0, stacks // 2 + 1)
    turn = np.concatenate([below, -below[::-1]])
    ends = np.repeat((-half, half), len(below))
    return _turned(
        radius * np.cos(turn), radius * np.sin(turn) + ends, np.cos(turn), np.sin(turn), slices
    )


def _ellipsoid(size: np.ndarray, slices: int, stacks: int) -> Primitive:
    turn = np.linspace(-np.pi / 2, np.pi / 2, stacks + 1)
    places, _, corners = _turned(np.cos(turn), np.sin(turn), np.cos(turn), np.sin(turn), slices)
    normals = places / size
    return places * size, normals / np.linalg.norm(normals, axis=1, keepdims=True), corners


# By mujoco.mjtGeom, which is not imported with this module.
_PRIMITIVES: dict[int, Callable[[np.ndarray, int, int], Primitive]] = {
    0: _plane,
    2: lambda size, *around: _ellipsoid(np.repeat(size[:1], 3), *around),
    3: _capsule,
    4: _ellipsoid,
    5: _cylinder,
    6: _box,
}

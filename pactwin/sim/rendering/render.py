"""Render pictures: colour in one pass, depth and instance mask in another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.rendering.draw import FAR_M, ITEM, NEAR_M, instance_ids, scene_model
from pactwin.sim.rendering.gl import use_gl
from pactwin.sim.rendering.room import TABLE, Appearance
from pactwin.sim.rendering.silhouette import project
from pactwin.sim.scene.geometry import points_of_parts
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera

if TYPE_CHECKING:
    import mujoco

# Around what differs between two pictures: soft edges of shadows, a lying thing's rounding.
_BORDER_PX, _ROUNDING_M = 4, 1e-3


@dataclass(frozen=True)
class Frame:
    """One picture.

    ``color`` (h, w, 3) is uint8 RGB. ``depth_mm`` (h, w) uint16 is along the optical axis, 0 if
    nothing is within 12 m. ``mask`` (h, w) uint16 holds instance ids, 0 for room and robot.
    """

    color: np.ndarray
    depth_mm: np.ndarray
    mask: np.ndarray


class Renderer:
    """Renders one compiled model. A context manager, because it holds memory of the GL driver.

    ``ids`` holds the instance id of each of the model's geoms, 0 for anything that is not an item.
    Mask and depth are sampled at pixel centres in one pass; colours are means over each pixel's
    area. So all three show the same surface, except for colours at edges.
    """

    def __init__(self, model: "mujoco.MjModel", ids: np.ndarray) -> None:
        import mujoco

        use_gl()
        # PyOpenGL asks when it is imported which kind of context there is.
        from pactwin.sim.rendering.shading import Canvas

        self._model, self.data = model, mujoco.MjData(model)
        self._ids = np.concatenate([[0], ids]).astype(np.uint16)
        self._canvas = Canvas(model)
        named = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, TABLE)
        self._table = model.geom(named) if named >= 0 else None
        self.moved()

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, *_: object) -> None:
        self._canvas.free()

    def render(self, camera: Camera) -> Frame:
        """Render the view of ``camera``."""
        depth_mm, mask = self.surfaces(camera)
        return Frame(self.color(camera), depth_mm, mask)

    def color(self, camera: Camera) -> np.ndarray:
        """Render colours only (see :class:`Frame`)."""
        return self._colors(camera, self._canvas.sky)

    def color_like(
        self, camera: Camera, color: np.ndarray, differing: Sequence[Item]
    ) -> np.ndarray:
        """The same as :meth:`color`, at less cost, from a picture of almost the same scene.

        ``color`` (h, w, 3) was drawn by ``camera`` with things elsewhere or other things: with all
        of ``differing`` out of both scenes, these would be the same.
        """
        window = self._window(camera, differing)
        found = color.copy()
        if window is None:
            return self.color(camera)
        if all(part.start < part.stop for part in window):
            found[window] = self._colors(camera, self._canvas.sky, window)
        return found

    def on_black(self, camera: Camera) -> np.ndarray:
        """Colours (h, w, 3) in the view of ``camera`` with any sky replaced by black."""
        return self._colors(camera, np.zeros(3))

    def surfaces(self, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
        """Render depth and mask only (see :class:`Frame`)."""
        size = camera.width_px, camera.height_px
        depth_mm, geoms = self._canvas.surfaces(clip_from_world(camera), size)
        return depth_mm, self._ids[geoms]

    def moved(self) -> None:
        """Use the state ``data``, which the caller has changed, in later pictures."""
        import mujoco

        mujoco.mj_kinematics(self._model, self.data)
        self._canvas.move(self.data)

    def place(self, items: Sequence[Item]) -> None:
        """Move ``items[k]`` to their poses in later pictures; appearances must not change."""
        for k, item in enumerate(items):
            body = self._model.body(f"{ITEM}{k}").id
            self._model.body_pos[body] = item.world_from_object.pos
            self._model.body_quat[body] = item.world_from_object.quat
        self.moved()

    def _colors(
        self, camera: Camera, sky: np.ndarray, window: tuple[slice, slice] | None = None
    ) -> np.ndarray:
        size = camera.width_px, camera.height_px
        eye = np.array(camera.world_from_camera)[:3, 3]
        return self._canvas.color(clip_from_world(camera), eye, size, sky, window)

    def _window(self, camera: Camera, items: Sequence[Item]) -> tuple[slice, slice] | None:
        """Rows and columns of the picture outside which ``items`` and their shadows are not seen.

        None where shadows would fall beside a table, or something is behind the camera.
        """
        along, table = self._canvas.from_light, self._table
        points = np.concatenate(
            [p for i in items for p in points_of_parts(i.parts, i.world_from_object)]
        )
        if along is None or along[2] >= 0.0 or table is None or points[:, 2].min() < -_ROUNDING_M:
            return None
        # What stands between a thing and its shadow is in the hull of both.
        shadows = points - points[:, 2:] / along[2] * along
        if (np.abs(shadows - table.pos)[:, :2] > table.size[:2]).any():
            return None
        pixels, depth = project(camera, np.concatenate([points, shadows]))
        if depth.min() < NEAR_M:
            return None
        size = camera.width_px, camera.height_px
        first = np.clip(np.floor(pixels.min(axis=0)) - _BORDER_PX, 0, size).astype(int)
        end = np.clip(np.ceil(pixels.max(axis=0)) + _BORDER_PX + 1, 0, size).astype(int)
        return slice(int(first[1]), int(end[1])), slice(int(first[0]), int(end[0]))


def clip_from_world(camera: Camera) -> np.ndarray:
    """Matrix (4, 4) from the world to OpenGL's clip space that satisfies the intrinsics K exactly.

    OpenCV counts pixels from the centre of the first, so the picture extends from -0.5 to width -
    0.5; OpenGL counts rows from below.
    """
    (fx, _, cx), (_, fy, cy), _ = camera.K
    width, height = camera.width_px, camera.height_px
    far, near = FAR_M / (FAR_M - NEAR_M), NEAR_M * FAR_M / (FAR_M - NEAR_M)
    clip_from_camera = np.array(
        [
            [2 * fx / width, 0.0, (2 * cx + 1) / width - 1, 0.0],
            [0.0, -2 * fy / height, 1 - (2 * cy + 1) / height, 0.0],
            [0.0, 0.0, 2 * far - 1, -2 * near],
            [0.0, 0.0, 1.0, 0.0],
        ]
    )
    return np.asarray(clip_from_camera @ np.linalg.inv(np.array(camera.world_from_camera)))


def scene_renderer(
    items: Sequence[Item], look: Appearance, robot: str, cameras: Sequence[Camera]
) -> Renderer:
    """Renderer of one scene for any of ``cameras``. ``items[k]`` is instance k + 1 in masks."""
    largest = max(c.width_px for c in cameras), max(c.height_px for c in cameras)
    model = scene_model(items, look, robot, largest)
    return Renderer(model, instance_ids(model))


def look_alike(items: Sequence[Item], others: Sequence[Item]) -> bool:
    """Return whether both can be rendered by one model because only poses differ."""
    looks = [[(i.parts, i.rgba, i.material) for i in some] for some in (items, others)]
    return looks[0] == looks[1]


def render_views(
    items: Sequence[Item], look: Appearance, robot: str, cameras: Sequence[Camera]
) -> Iterator[Frame]:
    """Render one scene from all ``cameras``, in order (see :func:`scene_renderer`)."""
    with scene_renderer(items, look, robot, cameras) as renderer:
        for camera in cameras:
            yield renderer.render(camera)

"""Drawing pictures: colour and depth in one pass, the mask of instances in a second."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.rendering.draw import instance_ids, scene_model
from pactwin.sim.rendering.gl import use_gl
from pactwin.sim.rendering.room import BACKGROUND_GROUP, Appearance
from pactwin.sim.scene.layout import Item
from pactwin.suite import Camera

if TYPE_CHECKING:
    import mujoco

NEAR_M = 0.05
FAR_M = 12.0


@dataclass(frozen=True)
class Frame:
    """One picture.

    ``color`` (h, w, 3) is uint8 RGB; ``depth_mm`` (h, w) uint16 along the optical axis, 0 where
    nothing is within 12 m; ``mask`` (h, w) uint16 of instance ids, 0 for room and robot.
    """

    color: np.ndarray
    depth_mm: np.ndarray
    mask: np.ndarray


class Renderer:
    """Draws one compiled model. Use as a context manager: it holds memory of the GL driver.

    ``ids`` holds the instance id of each of the model's geoms, 0 for what is not an item.
    """

    def __init__(self, model: "mujoco.MjModel", ids: np.ndarray) -> None:
        import mujoco

        use_gl()
        self._mujoco = mujoco
        self._ids = np.append(ids, 0).astype(np.uint16)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        self._picture = _scene(model, data, hidden=())
        self._mask = _scene(model, data, hidden=(BACKGROUND_GROUP,))
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            self._mask.flags[flag] = True
        # Colours of the mask pass are numbers of the scene's geoms plus one: to model geoms.
        self._geoms = np.full(self._mask.ngeom + 1, model.ngeom)
        for geom in self._mask.geoms[: self._mask.ngeom]:
            self._geoms[geom.segid + 1] = geom.objid
        self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, *_: object) -> None:
        use_gl()
        self._context.free()

    def render(self, camera: Camera) -> Frame:
        """Draw what ``camera`` sees."""
        use_gl()
        shape = (camera.height_px, camera.width_px)
        color, depth = np.empty((*shape, 3), np.uint8), np.empty(shape, np.float32)
        self._draw(self._picture, camera, color, depth)
        return Frame(color[::-1], _depth_mm(depth[::-1]), self.mask(camera))

    def mask(self, camera: Camera) -> np.ndarray:
        """Only the mask of what ``camera`` sees, as in :class:`Frame`."""
        use_gl()
        coded = np.empty((camera.height_px, camera.width_px, 3), np.uint8)
        self._draw(self._mask, camera, coded, None)
        codes = coded[..., 0] | coded[..., 1].astype(np.uint16) << 8
        return self._ids[self._geoms[codes]][::-1]

    def on_black(self, camera: Camera) -> np.ndarray:
        """The colours (h, w, 3) that ``camera`` sees if the sky, where there is one, is black."""
        use_gl()
        color = np.empty((camera.height_px, camera.width_px, 3), np.uint8)
        sky = self._mujoco.mjtRndFlag.mjRND_SKYBOX
        self._picture.flags[sky] = False
        self._draw(self._picture, camera, color, None)
        self._picture.flags[sky] = True
        return color[::-1]

    def _draw(
        self,
        scene: "mujoco.MjvScene",
        camera: Camera,
        color: np.ndarray,
        depth: np.ndarray | None,
    ) -> None:
        viewport = self._mujoco.MjrRect(0, 0, camera.width_px, camera.height_px)
        aim(scene, camera)
        self._mujoco.mjr_render(viewport, scene, self._context)
        self._mujoco.mjr_readPixels(color, depth, viewport, self._context)


def _scene(
    model: "mujoco.MjModel", data: "mujoco.MjData", hidden: Sequence[int]
) -> "mujoco.MjvScene":
    """What there is to draw, without the geom groups ``hidden``."""
    import mujoco

    scene = mujoco.MjvScene(model, maxgeom=model.ngeom + 16)
    option = mujoco.MjvOption()
    for group in hidden:
        option.geomgroup[group] = False
    everything = mujoco.mjtCatBit.mjCAT_ALL
    mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), everything, scene)
    scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
    return scene


def aim(scene: "mujoco.MjvScene", camera: Camera) -> None:
    """Set the frustum so that the intrinsic matrix K holds exactly.

    OpenCV counts pixels from the centre of the first, so the picture reaches from -0.5 to
    width - 0.5.
    """
    pose = np.array(camera.world_from_camera)
    (fx, _, cx), (_, fy, cy), _ = camera.K
    for eye in scene.camera:
        eye.pos = pose[:3, 3]
        eye.forward = pose[:3, 2]
        eye.up = -pose[:3, 1]
        eye.frustum_near, eye.frustum_far = NEAR_M, FAR_M
        eye.frustum_bottom = NEAR_M * (cy - camera.height_px + 0.5) / fy
        eye.frustum_top = NEAR_M * (cy + 0.5) / fy
        eye.frustum_center = NEAR_M * ((camera.width_px - 1) / 2 - cx) / fx
        eye.frustum_width = NEAR_M * camera.width_px / 2 / fx


def render_views(
    items: Sequence[Item], look: Appearance, robot: str, cameras: Sequence[Camera]
) -> Iterator[Frame]:
    """Draw one scene from all ``cameras``, in order. ``items[k]`` is instance k + 1 in masks."""
    largest = max(c.width_px for c in cameras), max(c.height_px for c in cameras)
    model = scene_model(items, look, robot, largest)
    with Renderer(model, instance_ids(model)) as renderer:
        for camera in cameras:
            yield renderer.render(camera)


def _depth_mm(buffer: np.ndarray) -> np.ndarray:
    """The depth buffer (0 near, 1 far) in mm along the optical axis, 0 where nothing was hit."""
    metres = NEAR_M / (1.0 - buffer.astype(np.float64) * (1.0 - NEAR_M / FAR_M))
    return np.where(buffer < 1.0, np.round(metres * 1000.0), 0).astype(np.uint16)

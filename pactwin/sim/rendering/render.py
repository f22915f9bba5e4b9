"""Render pictures: colour in one pass, depth and the instance mask in another."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.rendering.draw import ITEM, instance_ids, scene_model
from pactwin.sim.rendering.gl import use_gl
from pactwin.sim.rendering.room import Appearance
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

    ``ids`` holds the instance id of each of the model's geoms, 0 for what is not an item. Mask and
    depth are taken at the middles of pixels, in one pass; colours are means over each pixel's area.
    So all three show one surface, but for colours of pixels that an edge goes through.
    """

    def __init__(self, model: "mujoco.MjModel", ids: np.ndarray) -> None:
        import mujoco

        use_gl()
        self._mujoco = mujoco
        self._model, self.data = model, mujoco.MjData(model)
        data = self.data
        mujoco.mj_forward(model, data)
        self._picture = _scene(model, data)
        self._surfaces = _scene(model, data)
        for flag in (mujoco.mjtRndFlag.mjRND_SEGMENT, mujoco.mjtRndFlag.mjRND_IDCOLOR):
            self._surfaces.flags[flag] = True
        # Colours of this pass are numbers of the scene's geoms plus one.
        self._ids = np.zeros(self._surfaces.ngeom + 1, np.uint16)
        for geom in self._surfaces.geoms[: self._surfaces.ngeom]:
            self._ids[geom.segid + 1] = ids[geom.objid]
        self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
        self._shadows = self._context.shadowFBO

    def __enter__(self) -> "Renderer":
        return self

    def __exit__(self, *_: object) -> None:
        use_gl()
        self._context.shadowFBO = self._shadows
        self._context.free()

    def render(self, camera: Camera) -> Frame:
        """Render the view of ``camera``."""
        depth_mm, mask = self.surfaces(camera)
        return Frame(self.color(camera), depth_mm, mask)

    def color(self, camera: Camera) -> np.ndarray:
        """Only the colours, as in :class:`Frame`."""
        with _each_sample_shaded():
            color = self._draw(self._picture, camera, None)
        self._keep_shadows()
        return color

    def surfaces(self, camera: Camera) -> tuple[np.ndarray, np.ndarray]:
        """Only depth and mask, as in :class:`Frame`."""
        depth = np.empty((camera.height_px, camera.width_px), np.float32)
        context = self._context
        several = context.offFBO, context.offSamples
        if context.offFBO_r:
            # Where pixels are read from there is one sample of each: half the work, the same bits.
            context.offFBO, context.offSamples = context.offFBO_r, 0
        try:
            coded = self._draw(self._surfaces, camera, depth)
        finally:
            context.offFBO, context.offSamples = several
        codes = coded[..., 0] | coded[..., 1].astype(np.uint16) << 8
        return _depth_mm(depth[::-1]), self._ids[codes]

    def moved(self) -> None:
        """Render from now on with the state ``data``, which the caller has changed."""
        self._mujoco.mj_kinematics(self._model, self.data)
        _update(self._picture, self._model, self.data)
        self._context.shadowFBO = self._shadows

    def place(self, items: Sequence[Item]) -> None:
        """Render from now on with ``items[k]`` at their poses; their appearance must be the same.

        They are those of :func:`scene_renderer`, elsewhere (see :func:`look_alike`).
        """
        for k, item in enumerate(items):
            body = self._model.body(f"{ITEM}{k}").id
            self._model.body_pos[body] = item.world_from_object.pos
            self._model.body_quat[body] = item.world_from_object.quat
        self.moved()
        _update(self._surfaces, self._model, self.data)

    def on_black(self, camera: Camera) -> np.ndarray:
        """Colours (h, w, 3) in the view of ``camera`` with a black sky, if there is one."""
        sky = self._mujoco.mjtRndFlag.mjRND_SKYBOX
        self._picture.flags[sky] = False
        color = self.color(camera)
        self._picture.flags[sky] = True
        return color

    def _keep_shadows(self) -> None:
        """Keep the shadow map, which is the same for every camera.

        MuJoCo would draw it for each. It is led to a buffer that is free until pictures are read,
        if the driver has one, and to draw nothing there: what is called decor casts no shadow.
        """
        elsewhere = self._context.offFBO_r
        if elsewhere and self._context.shadowFBO not in (0, elsewhere):
            self._context.shadowFBO = elsewhere
            for geom in self._picture.geoms[: self._picture.ngeom]:
                geom.category = self._mujoco.mjtCatBit.mjCAT_DECOR

    def _draw(
        self, scene: "mujoco.MjvScene", camera: Camera, depth: np.ndarray | None
    ) -> np.ndarray:
        """The colours (h, w, 3); fills ``depth``, whose rows OpenGL counts from below."""
        use_gl()
        viewport = self._mujoco.MjrRect(0, 0, camera.width_px, camera.height_px)
        color = np.empty((camera.height_px, camera.width_px, 3), np.uint8)
        aim(scene, camera)
        self._mujoco.mjr_setBuffer(self._mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._mujoco.mjr_render(viewport, scene, self._context)
        self._mujoco.mjr_readPixels(color, depth, viewport, self._context)
        return color[::-1]


@contextmanager
def _each_sample_shaded() -> Iterator[None]:
    """Shade each of a pixel's samples where it is, if the driver can (OpenGL 4.0).

    Otherwise a pixel is shaded once, at its middle, even where that is beside the face that covers
    the rest of it. The shadow is then looked up off the surface, often behind the next piece: dark
    dots along seams and outlines. Edges of shadows were stairs for the same reason.
    """
    use_gl()
    gl = import_module("OpenGL.GL")
    if able := bool(gl.glMinSampleShading):
        gl.glEnable(gl.GL_SAMPLE_SHADING)
        gl.glMinSampleShading(1.0)
    try:
        yield
    finally:
        if able:
            gl.glDisable(gl.GL_SAMPLE_SHADING)


def _scene(model: "mujoco.MjModel", data: "mujoco.MjData") -> "mujoco.MjvScene":
    """The scene to render."""
    import mujoco

    scene = mujoco.MjvScene(model, maxgeom=model.ngeom + 16)
    _update(scene, model, data)
    scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
    return scene


def _update(scene: "mujoco.MjvScene", model: "mujoco.MjModel", data: "mujoco.MjData") -> None:
    import mujoco

    everything = mujoco.mjtCatBit.mjCAT_ALL
    mujoco.mjv_updateScene(
        model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), everything, scene
    )


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


def scene_renderer(
    items: Sequence[Item], look: Appearance, robot: str, cameras: Sequence[Camera]
) -> Renderer:
    """Renderer of one scene for any of ``cameras``. ``items[k]`` is instance k + 1 in masks."""
    largest = max(c.width_px for c in cameras), max(c.height_px for c in cameras)
    model = scene_model(items, look, robot, largest)
    return Renderer(model, instance_ids(model))


def look_alike(items: Sequence[Item], others: Sequence[Item]) -> bool:
    """Whether both can be rendered by one model, in which only poses differ."""
    looks = [[(i.parts, i.rgba, i.material) for i in some] for some in (items, others)]
    return looks[0] == looks[1]


def render_views(
    items: Sequence[Item], look: Appearance, robot: str, cameras: Sequence[Camera]
) -> Iterator[Frame]:
    """Draw one scene from all ``cameras``, in order, as :func:`scene_renderer` does."""
    with scene_renderer(items, look, robot, cameras) as renderer:
        for camera in cameras:
            yield renderer.render(camera)


def _depth_mm(buffer: np.ndarray) -> np.ndarray:
    """The depth buffer (0 near, 1 far) in mm along the optical axis, 0 where nothing was hit."""
    depth_mm = np.float32(1000.0 * NEAR_M) / (1.0 - buffer * np.float32(1.0 - NEAR_M / FAR_M))
    return np.where(buffer < 1.0, np.rint(depth_mm), 0).astype(np.uint16)

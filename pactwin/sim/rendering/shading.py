"""Draw triangles with OpenGL 3.3: lights, one soft shadow, textures; depth and geom ids.

Vertices are lit as in MuJoCo, so that plain MuJoCo shows an exported scene alike. The main light's
contribution is kept separate and weighted by the shadow, so that one pass suffices instead of
MuJoCo's two. Each pixel is shaded once, with four samples at edges. Shadows interpolate between
four cells of the shadow map for soft edges.

All lights count as directional; the first one with shadows is the only one that casts them. A
picture depends only on the model, its state and the camera: nothing is kept between pictures.
"""

from ctypes import c_void_p
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from OpenGL import GL as gl  # noqa: N811

from pactwin.sim.rendering.buffers import Buffers
from pactwin.sim.rendering.draw import FAR_M, NEAR_M, SAMPLES
from pactwin.sim.rendering.gl import use_gl
from pactwin.sim.rendering.shaders import (
    CAST,
    NONE,
    PICTURE,
    PLACED,
    SIDES,
    Program,
    lit,
    program,
)
from pactwin.sim.rendering.triangles import FIELDS, FLAT, SKYBOX, Triangles, picture_of

if TYPE_CHECKING:
    import mujoco

# Shadow maps are drawn off by so much of a triangle's slope and so many of the smallest steps, or
# surfaces would shade themselves.
_OFFSET = (2.0, 8.0)
# MuJoCo's light at the head comes from here; that it turns with a camera would change the scene.
_HEAD_WAY = (0.0, -(0.5**0.5), 0.5**0.5)


@dataclass(frozen=True)
class Light:
    """A light with parallel rays: ``way`` points to it; its shadows start at ``place``."""

    way: np.ndarray
    place: np.ndarray
    ambient: np.ndarray
    diffuse: np.ndarray
    specular: np.ndarray
    casts: bool


def lights_of(model: "mujoco.MjModel") -> list[Light]:
    """The headlight, followed by the lights of the model."""
    head = model.vis.headlight
    kinds = head.ambient, head.diffuse, head.specular
    found = [Light(np.array(_HEAD_WAY), np.zeros(3), *kinds, False)]
    for k in range(model.nlight):
        kinds = model.light_ambient[k], model.light_diffuse[k], model.light_specular[k]
        way = -model.light_dir[k] / np.linalg.norm(model.light_dir[k])
        found.append(Light(way, model.light_pos[k], *kinds, bool(model.light_castshadow[k])))
    return found


class Canvas:
    """OpenGL objects that draw one model in the state ``data``. Free them after use."""

    def __init__(self, model: "mujoco.MjModel") -> None:
        use_gl()
        self._model, self._triangles = model, Triangles(model)
        self._lights = lights_of(model)
        self._main = next((k for k, light in enumerate(self._lights) if light.casts), -1)
        # Some drivers have fewer samples: edges are coarser there, nothing else changes.
        self._samples = min(SAMPLES, int(gl.glGetIntegerv(gl.GL_MAX_SAMPLES)))
        self._buffers = Buffers()
        self._vertices = self._buffers.make("Buffers")
        self._layout = self._buffers.make("VertexArrays")
        gl.glBindVertexArray(self._layout)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, self._triangles.vertices, gl.GL_STATIC_DRAW)
        offset, stride = 0, 4 * sum(FIELDS.values())
        for k, count in enumerate(FIELDS.values()):
            gl.glEnableVertexAttribArray(k)
            gl.glVertexAttribPointer(k, count, gl.GL_FLOAT, False, stride, c_void_p(offset))
            offset += 4 * count
        corners = [batch.corners for batch in self._triangles.batches]
        self._starts = np.cumsum([0, *map(len, corners)]).tolist()
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, self._buffers.make("Buffers"))
        everything = np.concatenate([*corners, np.empty(0, np.uint32)])
        gl.glBufferData(gl.GL_ELEMENT_ARRAY_BUFFER, everything, gl.GL_STATIC_DRAW)
        gl.glBindVertexArray(0)
        used = {batch.texture for batch in self._triangles.batches} - {-1}
        self._textures = {
            texture: self._buffers.texture(picture_of(model, texture), flat=self._is_flat(texture))
            for texture in used
        }
        self._size = model.vis.quality.shadowsize
        self._map, self._map_target = self._buffers.depth_map(self._size)
        self._map_is_drawn = False
        self._half_m = model.vis.map.shadowclip * model.stat.extent
        sky = np.flatnonzero(model.tex_type == SKYBOX)
        self.sky = picture_of(model, sky[0]).mean(axis=(0, 1)) / 255 if len(sky) else np.zeros(3)
        self._map_from_world = np.eye(4)

    @property
    def from_light(self) -> np.ndarray | None:
        """Direction (3,) of the rays that cast shadows; None without shadows."""
        return -self._lights[self._main].way if self._main >= 0 else None

    def free(self) -> None:
        """Delete the OpenGL objects."""
        self._buffers.free()

    def move(self, data: "mujoco.MjData") -> None:
        """Draw the state ``data`` from now on."""
        use_gl()
        rows, vertices = self._triangles.move(data), self._triangles.vertices
        if rows.start < rows.stop:
            gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
            gl.glBufferSubData(gl.GL_ARRAY_BUFFER, rows.start * vertices.strides[0], vertices[rows])
            self._map_is_drawn = False
        self._places = data.geom_xpos

    def color(
        self,
        clip_from_world: np.ndarray,
        eye: np.ndarray,
        size: tuple[int, int],
        sky: np.ndarray,
        window: tuple[slice, slice] | None = None,
    ) -> np.ndarray:
        """Colours (h, w, 3), uint8 RGB, of the view that ``clip_from_world`` selects.

        With ``window``, rows and columns of the picture, only of that part, which costs less.
        """
        rows, columns = window or (slice(0, size[1]), slice(0, size[0]))
        wide, high = columns.stop - columns.start, rows.stop - rows.start
        corner = columns.start, size[1] - rows.stop  # OpenGL counts rows from below
        self._begin()
        if not self._map_is_drawn:
            self._draw_shadows()
        target, resolved = self._buffers.target(size, self._samples), self._buffers.target(size, 0)
        gl.glScissor(*corner, wide, high)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        self._clear(target, size, (*sky, 1.0))
        gl.glActiveTexture(gl.GL_TEXTURE1)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._map)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        programs = [lit(kind, len(self._lights), self._main) for kind in (NONE, PICTURE, SIDES)]
        for code in programs:
            gl.glUseProgram(code.id)
            self._light(code, clip_from_world, eye)
        for k in self._in_order(eye):
            batch = self._triangles.batches[k]
            if batch.texture < 0:
                gl.glUseProgram(programs[NONE].id)
            elif self._is_flat(batch.texture):
                gl.glUseProgram(programs[PICTURE].id)
                gl.glBindTexture(gl.GL_TEXTURE_2D, self._textures[batch.texture])
            else:
                gl.glUseProgram(programs[SIDES].id)
                gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, self._textures[batch.texture])
            if batch.geom >= 0:
                gl.glEnable(gl.GL_BLEND)
                gl.glDepthMask(False)
            self._draw(k)
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_BLEND)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, target)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, resolved)
        area = *corner, corner[0] + wide, corner[1] + high
        gl.glBlitFramebuffer(*area, *area, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, resolved)
        color = np.empty((high, wide, 3), np.uint8)
        gl.glReadPixels(*corner, wide, high, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, color)
        self._end()
        return color[::-1]

    def surfaces(
        self, clip_from_world: np.ndarray, size: tuple[int, int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Depth (h, w) in mm along the axis, and geom ids plus 1; 0 is background."""
        self._begin()
        self._clear(self._buffers.target(size, 0, coded=True), size, None)
        code = program(*PLACED)
        gl.glUseProgram(code.id)
        code.set("clip_from_world", clip_from_world)
        for k in range(len(self._triangles.batches)):
            self._draw(k)
        found = np.empty((size[1], size[0], 2), np.uint16)
        gl.glReadPixels(0, 0, *size, gl.GL_RG_INTEGER, gl.GL_UNSIGNED_SHORT, found)
        self._end()
        return found[::-1, :, 0], found[::-1, :, 1]

    def _begin(self) -> None:
        use_gl()
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        if gl.glClipControl:  # where there is none, depths go from -1 to 1 anyway
            gl.glClipControl(gl.GL_LOWER_LEFT, gl.GL_NEGATIVE_ONE_TO_ONE)
        gl.glDepthRange(0.0, 1.0)
        gl.glDepthFunc(gl.GL_LESS)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        for state in (gl.GL_DEPTH_TEST, gl.GL_CULL_FACE, gl.GL_MULTISAMPLE):
            gl.glEnable(state)
        gl.glCullFace(gl.GL_BACK)
        gl.glFrontFace(gl.GL_CCW)
        gl.glBindVertexArray(self._layout)

    def _end(self) -> None:
        """Leave nothing behind that MuJoCo's own renderer in this process would stumble over."""
        gl.glUseProgram(0)
        gl.glBindVertexArray(0)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, 0)
        for unit in (gl.GL_TEXTURE1, gl.GL_TEXTURE0):
            gl.glActiveTexture(unit)
            gl.glBindTexture(gl.GL_TEXTURE_2D, 0)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)

    def _draw(self, k: int) -> None:
        first, end = self._starts[k : k + 2]
        gl.glDrawElements(gl.GL_TRIANGLES, end - first, gl.GL_UNSIGNED_INT, c_void_p(4 * first))

    def _clear(self, target: int, size: tuple[int, int], color: tuple[float, ...] | None) -> None:
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target)
        gl.glViewport(0, 0, *size)
        gl.glClearDepth(1.0)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        if color is None:
            gl.glClearBufferuiv(gl.GL_COLOR, 0, np.zeros(4, np.uint32))
        else:
            gl.glClearBufferfv(gl.GL_COLOR, 0, np.array(color, np.float32))

    def _in_order(self, eye: np.ndarray) -> list[int]:
        """Batches: what hides, then what can be seen through, the farthest first."""
        batches = self._triangles.batches

        def rank(k: int) -> tuple[bool, float, int]:
            geom = batches[k].geom
            if geom < 0:
                return False, 0.0, k
            away = float(np.linalg.norm(self._places[geom] - eye))
            return True, self._model.geom_rbound[geom] - away, k

        return sorted(range(len(batches)), key=rank)

    def _is_flat(self, texture: int) -> bool:
        """Whether a texture is a picture, not six sides."""
        return bool(self._model.tex_type[texture] == FLAT)

    def _light(self, code: Program, clip_from_world: np.ndarray, eye: np.ndarray) -> None:
        code.set("clip_from_world", clip_from_world)
        code.set("map_from_world", self._map_from_world)
        code.set("eye", eye)
        code.set("surface", 0)
        code.set("shadows", 1)
        for kind in ("way", "ambient", "diffuse", "specular"):
            code.set(kind, np.array([getattr(light, kind) for light in self._lights]))

    def _draw_shadows(self) -> None:
        """Draw how far the main light reaches, from where it stands."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._map_target)
        gl.glViewport(0, 0, self._size, self._size)
        gl.glClearDepth(1.0)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        self._map_is_drawn = True
        if self._main < 0:
            return
        light = self._lights[self._main]
        self._map_from_world = _from_the_side(light.place, light.way, self._half_m)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_POLYGON_OFFSET_FILL)
        gl.glPolygonOffset(*_OFFSET)
        code = program(*CAST)
        gl.glUseProgram(code.id)
        code.set("clip_from_world", self._map_from_world)
        for k in range(len(self._triangles.batches)):
            self._draw(k)
        gl.glDisable(gl.GL_POLYGON_OFFSET_FILL)
        gl.glEnable(gl.GL_CULL_FACE)


def _from_the_side(place: np.ndarray, way: np.ndarray, half_m: float) -> np.ndarray:
    """Clip space from the world for parallel rays from ``place`` that come along ``-way``."""
    beside = np.cross(way, np.eye(3)[np.argmin(np.abs(way))])
    beside /= np.linalg.norm(beside)
    rows = np.stack([beside, np.cross(way, beside), way])
    turned = np.eye(4)
    turned[:3, :3], turned[:3, 3] = rows, -rows @ place
    # Depth -1 is NEAR_M before the light, 1 is FAR_M.
    scale = np.diag([1 / half_m, 1 / half_m, -2 / (FAR_M - NEAR_M), 1.0])
    scale[2, 3] = -(FAR_M + NEAR_M) / (FAR_M - NEAR_M)
    return np.asarray(scale @ turned)

"""Draw triangles with OpenGL 3.3: lights, one soft shadow, textures; depth and numbers of geoms.

A vertex is lit as MuJoCo lights it, so that plain MuJoCo shows an exported scene alike. What the
main light adds is kept apart and weighed by the shadow, so that one pass does where MuJoCo takes
two. A pixel is shaded once, and its four samples are told apart where an edge goes through. Shadows
are compared with four cells of their map, so that their edges are graded.

All lights are taken for far away; the first that casts shadows is the one that does. A picture
depends on the model, its state and the camera alone: nothing is kept from one to the next.
"""

from ctypes import c_void_p
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from OpenGL import GL as gl  # noqa: N811

from pactwin.sim.rendering.draw import FAR_M, NEAR_M, SAMPLES
from pactwin.sim.rendering.gl import use_gl
from pactwin.sim.rendering.triangles import FIELDS, Triangles

if TYPE_CHECKING:
    import mujoco

_FLAT, _SKYBOX = 0, 2  # mujoco.mjtTexture
# Shadow maps are drawn off by so much of a triangle's slope and so many of the smallest steps, or
# surfaces would shade themselves.
_OFFSET = (2.0, 8.0)
# MuJoCo's light at the head comes from here; that it turns with a camera would change the scene.
_HEAD_WAY = (0.0, -(0.5**0.5), 0.5**0.5)

_LIT = (
    """layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 around;
layout(location = 3) in vec4 rgba;
layout(location = 4) in vec3 gloss;
uniform mat4 clip_from_world, map_from_world;
uniform vec3 eye, way[LIGHTS], ambient[LIGHTS], diffuse[LIGHTS], specular[LIGHTS];
out vec4 always;
out vec3 shadowed, at, on_map;
void main() {
    vec3 n = normalize(normal), back = normalize(eye - place);
    vec3 here = gloss.z * rgba.rgb;
    shadowed = vec3(0.0);
    for (int k = 0; k < LIGHTS; k++) {
        float facing = max(dot(n, way[k]), 0.0);
        vec3 light = rgba.rgb * (ambient[k] + facing * diffuse[k]);
        if (k > 0) {
            float shine = max(dot(n, normalize(way[k] + back)), 0.0);
            light += step(0.00001, facing) * gloss.x * specular[k] * pow(shine, 128.0 * gloss.y);
        }
        if (k == MAIN) shadowed = clamp(light, 0.0, 1.0); else here += light;
    }
    always = vec4(clamp(here, 0.0, 1.0), rgba.a);
    at = around;
    on_map = (map_from_world * vec4(place, 1.0)).xyz * 0.5 + 0.5;
    gl_Position = clip_from_world * vec4(place, 1.0);
}
""",
    """in vec4 always;
in vec3 shadowed, at, on_map;
uniform sampler2DShadow shadows;
DECLARED
out vec4 color;
void main() {
    color = vec4(always.rgb + texture(shadows, on_map) * shadowed, always.a);
    APPLIED
}
""",
)
# What a texture does to the colour: none, a picture, six sides.
_SURFACES = (
    ("", ""),
    ("uniform sampler2D surface;", "color.rgb *= texture(surface, at.xy).rgb;"),
    ("uniform samplerCube surface;", "color.rgb *= texture(surface, at).rgb;"),
)
_CAST = (
    """#version 330
layout(location = 0) in vec3 place;
uniform mat4 clip_from_world;
void main() { gl_Position = clip_from_world * vec4(place, 1.0); }
""",
    """#version 330
void main() {}
""",
)
_PLACED = (
    """#version 330
layout(location = 0) in vec3 place;
layout(location = 5) in float number;
uniform mat4 clip_from_world;
flat out uint told;
void main() {
    told = uint(number);
    gl_Position = clip_from_world * vec4(place, 1.0);
}
""",
    """#version 330
flat in uint told;
out uvec2 found;
void main() { found = uvec2(uint(1000.0 / gl_FragCoord.w + 0.5), told); }
""",
)


@dataclass(frozen=True)
class Light:
    """A light whose rays are parallel: ``way`` leads to it; its shadows start at ``place``."""

    way: np.ndarray
    place: np.ndarray
    ambient: np.ndarray
    diffuse: np.ndarray
    specular: np.ndarray
    casts: bool


def lights_of(model: "mujoco.MjModel") -> list[Light]:
    """The light at the head, then those of the model."""
    head = model.vis.headlight
    kinds = head.ambient, head.diffuse, head.specular
    found = [Light(np.array(_HEAD_WAY), np.zeros(3), *kinds, False)]
    for k in range(model.nlight):
        kinds = model.light_ambient[k], model.light_diffuse[k], model.light_specular[k]
        way = -model.light_dir[k] / np.linalg.norm(model.light_dir[k])
        found.append(Light(way, model.light_pos[k], *kinds, bool(model.light_castshadow[k])))
    return found


class Canvas:
    """What OpenGL holds of one model, to be drawn as it stands in ``data``. Free it when done."""

    def __init__(self, model: "mujoco.MjModel") -> None:
        use_gl()
        self._model, self._triangles = model, Triangles(model)
        self._lights = lights_of(model)
        self._main = next((k for k, light in enumerate(self._lights) if light.casts), -1)
        self._frees: list[Any] = []
        self._targets: dict[tuple[int, int, int, bool], int] = {}
        self._vertices = self._made("Buffers")
        self._layout = self._made("VertexArrays")
        gl.glBindVertexArray(self._layout)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        offset, stride = 0, 4 * sum(FIELDS.values())
        for k, count in enumerate(FIELDS.values()):
            gl.glEnableVertexAttribArray(k)
            gl.glVertexAttribPointer(k, count, gl.GL_FLOAT, False, stride, c_void_p(offset))
            offset += 4 * count
        corners = [batch.corners for batch in self._triangles.batches]
        self._starts = np.cumsum([0, *map(len, corners)]).tolist()
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, self._made("Buffers"))
        everything = np.concatenate([*corners, np.empty(0, np.uint32)])
        gl.glBufferData(gl.GL_ELEMENT_ARRAY_BUFFER, everything, gl.GL_STATIC_DRAW)
        gl.glBindVertexArray(0)
        used = {batch.texture for batch in self._triangles.batches} - {-1}
        self._textures = {texture: self._upload(texture) for texture in used}
        self._size = model.vis.quality.shadowsize
        self._map, self._map_target = self._shadow_map()
        self._map_is_drawn = False
        self._half_m = model.vis.map.shadowclip * model.stat.extent
        sky = np.flatnonzero(model.tex_type == _SKYBOX)
        self.sky = self._picture(sky[0]).mean(axis=(0, 1)) / 255 if len(sky) else np.zeros(3)
        self._map_from_world = np.eye(4)

    def free(self) -> None:
        """Give the memory back."""
        use_gl()
        for kind, name in self._frees:
            getattr(gl, f"glDelete{kind}")(1, [name])

    def move(self, data: "mujoco.MjData") -> None:
        """Draw from now on what ``data`` says."""
        use_gl()
        self._triangles.move(data)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, self._triangles.vertices, gl.GL_STATIC_DRAW)
        self._places = data.geom_xpos
        self._map_is_drawn = False

    def color(
        self, clip_from_world: np.ndarray, eye: np.ndarray, size: tuple[int, int], sky: np.ndarray
    ) -> np.ndarray:
        """Colours (h, w, 3), uint8 RGB, of what OpenGL's clip space shows."""
        self._begin()
        if not self._map_is_drawn:
            self._draw_shadows()
        target, resolved = self._target(size, SAMPLES), self._target(size, 0)
        self._clear(target, size, (*sky, 1.0))
        gl.glActiveTexture(gl.GL_TEXTURE1)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._map)
        gl.glActiveTexture(gl.GL_TEXTURE0)
        programs = [self._lit(kind) for kind in range(len(_SURFACES))]
        for program in programs:
            gl.glUseProgram(program.id)
            self._light(program, clip_from_world, eye)
        shown = None
        for k in self._in_order(eye):
            batch = self._triangles.batches[k]
            kind = self._kind(batch.texture)
            if kind != shown:
                gl.glUseProgram(programs[kind].id)
                shown = kind
            if kind:
                target_kind = gl.GL_TEXTURE_2D if kind == 1 else gl.GL_TEXTURE_CUBE_MAP
                gl.glBindTexture(target_kind, self._textures[batch.texture])
            if batch.geom >= 0:
                gl.glEnable(gl.GL_BLEND)
                gl.glDepthMask(False)
            self._draw(k)
        gl.glDepthMask(True)
        gl.glDisable(gl.GL_BLEND)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, target)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, resolved)
        area = 0, 0, *size
        gl.glBlitFramebuffer(*area, *area, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, resolved)
        color = np.empty((size[1], size[0], 3), np.uint8)
        gl.glReadPixels(*area, gl.GL_RGB, gl.GL_UNSIGNED_BYTE, color)
        self._end()
        return color[::-1]

    def surfaces(
        self, clip_from_world: np.ndarray, size: tuple[int, int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Depth (h, w) in mm along the axis and numbers of geoms plus 1; 0 is nothing."""
        self._begin()
        self._clear(self._target(size, 0, coded=True), size, None)
        program = _program(*_PLACED)
        gl.glUseProgram(program.id)
        program.set("clip_from_world", clip_from_world)
        for k in range(len(self._triangles.batches)):
            self._draw(k)
        found = np.empty((size[1], size[0], 2), np.uint16)
        gl.glReadPixels(0, 0, *size, gl.GL_RG_INTEGER, gl.GL_UNSIGNED_SHORT, found)
        self._end()
        return found[::-1, :, 0], found[::-1, :, 1]

    def _begin(self) -> None:
        use_gl()
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
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

    def _kind(self, texture: int) -> int:
        """Which of _SURFACES a texture needs."""
        if texture < 0:
            return 0
        return 1 if self._model.tex_type[texture] == _FLAT else 2

    def _lit(self, kind: int) -> "_Program":
        """The program for one of _SURFACES and these lights."""
        declared, applied = _SURFACES[kind]
        words = {
            "LIGHTS": str(len(self._lights)),
            "MAIN": str(self._main),
            "DECLARED": declared,
            "APPLIED": applied,
        }
        vertex, fragment = _LIT
        for word, meaning in words.items():
            vertex, fragment = vertex.replace(word, meaning), fragment.replace(word, meaning)
        return _program("#version 330\n" + vertex, "#version 330\n" + fragment)

    def _light(self, program: "_Program", clip_from_world: np.ndarray, eye: np.ndarray) -> None:
        program.set("clip_from_world", clip_from_world)
        program.set("map_from_world", self._map_from_world)
        program.set("eye", eye)
        program.set("surface", 0)
        program.set("shadows", 1)
        for kind in ("way", "ambient", "diffuse", "specular"):
            program.set(kind, np.array([getattr(light, kind) for light in self._lights]))

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
        program = _program(*_CAST)
        gl.glUseProgram(program.id)
        program.set("clip_from_world", self._map_from_world)
        for k in range(len(self._triangles.batches)):
            self._draw(k)
        gl.glDisable(gl.GL_POLYGON_OFFSET_FILL)
        gl.glEnable(gl.GL_CULL_FACE)

    def _made(self, kind: str) -> int:
        """The name of something new of OpenGL's, freed with all else."""
        name = int(getattr(gl, f"glGen{kind}")(1))
        self._frees.append((kind, name))
        return name

    def _target(self, size: tuple[int, int], samples: int, *, coded: bool = False) -> int:
        """A framebuffer of colours, or of depths and numbers, of its own or used before."""
        key = (*size, samples, coded)
        if key not in self._targets:
            target = self._made("Framebuffers")
            gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target)
            color = gl.GL_RG16UI if coded else gl.GL_RGBA8
            for place, kind in (
                (gl.GL_COLOR_ATTACHMENT0, color),
                (gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT32F),
            ):
                buffer = self._made("Renderbuffers")
                gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
                gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, kind, *size)
                gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)
            self._targets[key] = target
        return self._targets[key]

    def _shadow_map(self) -> tuple[int, int]:
        """A texture of depths that compares and smooths, and the framebuffer that fills it."""
        texture, target = self._made("Textures"), self._made("Framebuffers")
        kind = gl.GL_TEXTURE_2D
        gl.glBindTexture(kind, texture)
        depth = gl.GL_DEPTH_COMPONENT
        gl.glTexImage2D(
            kind, 0, gl.GL_DEPTH_COMPONENT24, self._size, self._size, 0, depth, gl.GL_FLOAT, None
        )
        for name, value in (
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_BORDER),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_BORDER),
            (gl.GL_TEXTURE_COMPARE_MODE, gl.GL_COMPARE_REF_TO_TEXTURE),
            (gl.GL_TEXTURE_COMPARE_FUNC, gl.GL_LEQUAL),
        ):
            gl.glTexParameteri(kind, name, value)
        gl.glTexParameterfv(kind, gl.GL_TEXTURE_BORDER_COLOR, np.ones(4, np.float32))
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target)
        gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, kind, texture, 0)
        gl.glDrawBuffer(gl.GL_NONE)
        gl.glReadBuffer(gl.GL_NONE)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        return texture, target

    def _picture(self, texture: int) -> np.ndarray:
        """A texture's pixels (h, w, channels)."""
        model = self._model
        height, width = model.tex_height[texture], model.tex_width[texture]
        start, channels = model.tex_adr[texture], model.tex_nchannel[texture]
        pixels = model.tex_data[start : start + height * width * channels]
        return np.asarray(pixels).reshape(height, width, channels)

    def _upload(self, texture: int) -> int:
        """Hand a texture to OpenGL: a picture that repeats, or six sides."""
        picture, name = self._picture(texture), self._made("Textures")
        flat = self._kind(texture) == 1
        kind = gl.GL_TEXTURE_2D if flat else gl.GL_TEXTURE_CUBE_MAP
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        gl.glBindTexture(kind, name)
        width, channels = picture.shape[1:]
        format_of = {3: gl.GL_RGB, 4: gl.GL_RGBA}[channels]
        sides = [picture] if flat else np.resize(picture, (6, width, width, channels))
        for k, side in enumerate(sides):
            place = kind if flat else gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + k
            pixels = np.ascontiguousarray(side)
            gl.glTexImage2D(
                place, 0, gl.GL_RGB8, width, len(side), 0, format_of, gl.GL_UNSIGNED_BYTE, pixels
            )
        wrap = gl.GL_REPEAT if flat else gl.GL_CLAMP_TO_EDGE
        for setting, value in (
            (gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR),
            (gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR),
            (gl.GL_TEXTURE_WRAP_S, wrap),
            (gl.GL_TEXTURE_WRAP_T, wrap),
        ):
            gl.glTexParameteri(kind, setting, value)
        gl.glGenerateMipmap(kind)
        gl.glBindTexture(kind, 0)
        return name


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


class _Program:
    """A compiled pair of shaders."""

    def __init__(self, vertex: str, fragment: str) -> None:
        self.id = gl.glCreateProgram()
        for kind, text in ((gl.GL_VERTEX_SHADER, vertex), (gl.GL_FRAGMENT_SHADER, fragment)):
            shader = gl.glCreateShader(kind)
            gl.glShaderSource(shader, text)
            gl.glCompileShader(shader)
            gl.glAttachShader(self.id, shader)
        gl.glLinkProgram(self.id)
        if not gl.glGetProgramiv(self.id, gl.GL_LINK_STATUS):
            raise RuntimeError(gl.glGetProgramInfoLog(self.id))
        self._places: dict[str, int] = {}

    def set(self, name: str, value: Any) -> None:
        """Set a number, a vector (3,), vectors (n, 3) or a matrix (4, 4); the program is in use."""
        if name not in self._places:
            self._places[name] = gl.glGetUniformLocation(self.id, name)
        place = self._places[name]
        if isinstance(value, int):
            gl.glUniform1i(place, value)
        elif value.shape == (4, 4):
            gl.glUniformMatrix4fv(place, 1, True, np.asarray(value, np.float32))
        else:
            gl.glUniform3fv(place, value.size // 3, np.asarray(value, np.float32))


@lru_cache(maxsize=16)
def _program(vertex: str, fragment: str) -> _Program:
    return _Program(vertex, fragment)

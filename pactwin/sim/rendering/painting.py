"""Colours in one pass over a scene, where MuJoCo's own renderer makes two.

MuJoCo draws everything once in the light that casts no shadow, and a second time in the light that
does, added to it. Programs of ours do both at once, with the same formulas, shapes, textures and
map of shadows, for half of a software OpenGL's time; but for roundings the pictures are the same.
Sources: OpenGL 2.1, sections 2.11.4 and 2.14.1; MuJoCo's render_gl3.c.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

import mujoco
import numpy as np
from OpenGL import GL
from OpenGL.GL.shaders import compileProgram, compileShader

# MuJoCo lets light through geoms that are less opaque than this.
_OPAQUE = 0.995
# How MuJoCo moves faces away from the light, by whether depths are clipped at 0 (or at -1), so that
# they do not shade themselves.
_OFFSETS = {True: (-1.5, -4.0), False: (-16.0, -512.0)}
# What MuJoCo's lists of shapes hold, by their numbers.
_BUILTIN = {"mjGEOM_SPHERE": 0, "mjGEOM_ELLIPSOID": 0, "mjGEOM_CYLINDER": 3, "mjGEOM_BOX": 6}
_TOP_HALF, _BOTTOM_HALF, _OPEN_CYLINDER = 1, 2, 4

_VERTEX = """
varying vec4 steady;
varying vec3 added, at;
void main() {
    vec3 eye = vec3(gl_ModelViewMatrix * gl_Vertex);
    vec3 normal = normalize(gl_NormalMatrix * gl_Normal);
    vec3 without = gl_FrontMaterial.emission.rgb, main = vec3(0.0);
    for (int k = 0; k < LIGHTS; k++) {
        vec3 way = normalize(gl_LightSource[k].position.xyz);
        vec3 light = gl_LightSource[k].ambient.rgb * gl_Color.rgb;
        float facing = dot(normal, way);
        if (facing > 0.0) {
            float shine = max(0.0, dot(normal, normalize(way - normalize(eye))));
            light += facing * gl_LightSource[k].diffuse.rgb * gl_Color.rgb;
            light += pow(shine, gl_FrontMaterial.shininess)
                * gl_LightSource[k].specular.rgb * gl_FrontMaterial.specular.rgb;
        }
        if (k == MAIN && gl_Color.a >= OPAQUE) main += light; else without += light;
    }
    steady = vec4(clamp(without, 0.0, 1.0), gl_Color.a);
    added = clamp(main, 0.0, 1.0);
    at = AT;
    gl_TexCoord[1] = gl_TextureMatrix[1] * vec4(eye, 1.0);
    gl_Position = ftransform();
}
"""
_FRAGMENT = """
varying vec4 steady;
varying vec3 added, at;
uniform SAMPLER surface;
uniform sampler2DShadow shadows;
void main() {
    vec4 own = OWN;
    float lit = shadow2D(shadows, gl_TexCoord[1].xyz).r;
    // Each is rounded, as where one is added to the other in the picture.
    vec3 sum = floor(255.0 * steady.rgb * own.rgb + 0.5);
    sum += lit * floor(255.0 * added * own.rgb + 0.5);
    gl_FragColor = vec4(sum / 255.0, steady.a * own.a);
}
"""
_PLANES = "vec3(dot(gl_Vertex, gl_ObjectPlaneS[0]), dot(gl_Vertex, gl_ObjectPlaneT[0]), {})"
# Per kind of surface: where a vertex is in its texture, the texture's kind, the colour from it.
_SURFACES = {
    "plain": {"AT": "vec3(0.0)", "SAMPLER": "sampler2D", "OWN": "vec4(1.0)"},
    "mapped": {
        "AT": "gl_MultiTexCoord0.xyz",
        "SAMPLER": "sampler2D",
        "OWN": "texture2D(surface, at.xy)",
    },
    "planar": {
        "AT": _PLANES.format("0.0"),
        "SAMPLER": "sampler2D",
        "OWN": "texture2D(surface, at.xy)",
    },
    "cube": {
        "AT": _PLANES.format("dot(gl_Vertex, gl_ObjectPlaneR[0])"),
        "SAMPLER": "samplerCube",
        "OWN": "textureCube(surface, at)",
    },
}


@lru_cache(maxsize=16)
def _program(surface: str, lights: int, main: int) -> int:
    """The program for a kind of surface in so many lights, of which ``main`` casts the shadows."""
    words = _SURFACES[surface] | {"LIGHTS": lights, "MAIN": main, "OPAQUE": _OPAQUE}
    head = "#version 120\n" + "".join(f"#define {name} {word}\n" for name, word in words.items())
    program = compileProgram(
        compileShader(head + _VERTEX, GL.GL_VERTEX_SHADER),
        compileShader(head + _FRAGMENT, GL.GL_FRAGMENT_SHADER),
        validate=False,  # before its samplers have their units
    )
    GL.glUseProgram(program)
    GL.glUniform1i(GL.glGetUniformLocation(program, "surface"), 0)
    GL.glUniform1i(GL.glGetUniformLocation(program, "shadows"), 1)
    GL.glUseProgram(0)
    return int(program)


class Painting:
    """A scene's colours: one list of OpenGL's commands for each of its geoms.

    OpenGL is current whenever this is used. Of planes, which are walls, only the front is painted.
    """

    def __init__(
        self, model: "mujoco.MjModel", scene: "mujoco.MjvScene", context: "mujoco.MjrContext"
    ) -> None:
        self._model, self._scene, self._context = model, scene, context
        self._first = int(GL.glGenLists(scene.ngeom))
        self._surfaces = [self._surface(geom) for geom in self._geoms()]
        # Programs change as rarely as can be.
        self._order = sorted(range(scene.ngeom), key=lambda k: self._surfaces[k])
        shadowed = [light.castshadow for light in scene.lights[: scene.nlight]]
        self._lights = len(shadowed), shadowed.index(1)
        self._poses: list[bytes] = [b""] * scene.ngeom

    def free(self) -> None:
        """Give the lists back."""
        GL.glDeleteLists(self._first, self._scene.ngeom)

    def update(self) -> None:
        """Note where everything is, and draw the map of shadows."""
        for k, geom in enumerate(self._geoms()):
            pose = geom.pos.tobytes() + geom.mat.tobytes()
            if pose != self._poses[k]:
                GL.glNewList(self._first + k, GL.GL_COMPILE)
                self._add(geom, self._surfaces[k])
                GL.glEndList()
                self._poses[k] = pose
        self._draw_shadows()

    def paint(self, viewport: "mujoco.MjrRect") -> None:
        """Paint the scene as its camera sees it into the context's current buffer."""
        self._draw_empty(viewport, shadows=False)
        GL.glActiveTexture(GL.GL_TEXTURE1)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._context.shadowTex)
        _set_texture_matrix(self._map_from_world @ np.linalg.inv(_camera_from_world()))
        clear = [k for k, geom in enumerate(self._geoms()) if geom.rgba[3] < _OPAQUE]
        self._paint([k for k in self._order if k not in clear])
        if clear:
            eye = np.array(self._scene.camera[0].pos)
            away = {k: np.linalg.norm(self._scene.geoms[k].pos - eye) for k in clear}
            near_first = sorted(clear, key=lambda k: away[k])
            GL.glDepthMask(False)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFunc(GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA)
            self._paint(near_first + near_first[::-1])
            GL.glDepthMask(True)
            GL.glDisable(GL.GL_BLEND)
        GL.glUseProgram(0)
        _set_texture_matrix(np.eye(4))

    def _draw_shadows(self) -> None:
        """Draw the map of shadows, in which all faces cast one."""
        context = self._context
        # Of an empty scene, MuJoCo clears it and says how it lies.
        self._draw_empty(mujoco.MjrRect(0, 0, 1, 1), shadows=True)
        GL.glActiveTexture(GL.GL_TEXTURE1)
        rows = [GL.glGetTexGenfv(axis, GL.GL_EYE_PLANE) for axis in (GL.GL_S, GL.GL_T, GL.GL_R)]
        self._map_from_world = np.array([*rows, (0.0, 0.0, 0.0, 1.0)]) @ _camera_from_world()
        GL.glActiveTexture(GL.GL_TEXTURE0)
        # From the map's coordinates, 0 to 1, to those in which OpenGL clips.
        from_zero = _depth_from_zero()
        half = np.array([0.5, 0.5, 1.0 if from_zero else 0.5])
        clip_from_map = np.diag([*(1.0 / half), 1.0])
        clip_from_map[:3, 3] = 1.0 - 1.0 / half
        GL.glMatrixMode(GL.GL_PROJECTION)
        GL.glLoadMatrixd((clip_from_map @ self._map_from_world).T.copy())
        GL.glMatrixMode(GL.GL_MODELVIEW)
        GL.glLoadIdentity()
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, context.shadowFBO)
        # Its border stays clear, so that nothing beyond it is in shadow.
        GL.glViewport(1, 1, context.shadowSize - 2, context.shadowSize - 2)
        GL.glDisable(GL.GL_LIGHTING)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(*_OFFSETS[from_zero])
        for k in range(self._scene.ngeom):
            GL.glCallList(self._first + k)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_LIGHTING)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)

    def _draw_empty(self, viewport: "mujoco.MjrRect", *, shadows: bool) -> None:
        """Let MuJoCo clear the buffer, draw the sky, and set camera and lights."""
        scene, flag = self._scene, mujoco.mjtRndFlag.mjRND_SHADOW
        ngeom, scene.ngeom, scene.flags[flag] = scene.ngeom, 0, shadows
        mujoco.mjr_render(viewport, scene, self._context)
        scene.ngeom = ngeom

    def _geoms(self) -> "list[mujoco.MjvGeom]":
        return list(self._scene.geoms[: self._scene.ngeom])

    def _paint(self, which: Sequence[int]) -> None:
        """Paint some geoms in order."""
        for surface, group in groupby(which, lambda k: self._surfaces[k]):
            GL.glUseProgram(_program(surface, *self._lights))
            for k in group:
                GL.glCallList(self._first + k)

    def _texture(self, geom: "mujoco.MjvGeom") -> int:
        """The number of the texture on a geom, or -1."""
        rgb = mujoco.mjtTextureRole.mjTEXROLE_RGB
        return int(self._model.mat_texid[geom.matid, rgb]) if geom.matid >= 0 else -1

    def _surface(self, geom: "mujoco.MjvGeom") -> str:
        texture = self._texture(geom)
        if texture < 0:
            return "plain"
        if geom.texcoord:
            return "mapped"
        flat = self._model.tex_type[texture] == mujoco.mjtTexture.mjTEXTURE_2D
        return "planar" if flat else "cube"

    def _add(self, geom: "mujoco.MjvGeom", surface: str) -> None:
        """Add the commands that paint a geom, as MuJoCo has them."""
        both, rgba, shiny = GL.GL_FRONT_AND_BACK, geom.rgba, geom.specular
        GL.glColor4f(*rgba)
        GL.glMaterialfv(both, GL.GL_EMISSION, (*(geom.emission * rgba[:3]), 1.0))
        GL.glMaterialfv(both, GL.GL_SPECULAR, (shiny, shiny, shiny, 1.0))
        GL.glMaterialf(both, GL.GL_SHININESS, 128.0 * geom.shininess)
        if surface != "plain":
            self._add_texture(geom, surface)
        GL.glPushMatrix()
        pose = np.eye(4, dtype=np.float32)
        pose[:3, :3], pose[3, :3] = geom.mat.T, geom.pos
        GL.glMultMatrixf(pose)
        self._add_shape(geom)
        GL.glPopMatrix()

    def _add_texture(self, geom: "mujoco.MjvGeom", surface: str) -> None:
        name = self._context.texture[self._texture(geom)]
        GL.glBindTexture(
            GL.GL_TEXTURE_CUBE_MAP if surface == "cube" else GL.GL_TEXTURE_2D, int(name)
        )
        uniform = self._model.mat_texuniform[geom.matid]
        if surface == "cube":
            for axis, size in enumerate(geom.size):
                plane = np.zeros(4, np.float32)
                plane[axis] = size if uniform else 1.0
                GL.glTexGenfv((GL.GL_S, GL.GL_T, GL.GL_R)[axis], GL.GL_OBJECT_PLANE, plane)
        if surface == "planar":
            for axis, size in enumerate(geom.size[:2]):
                times = self._model.mat_texrepeat[geom.matid, axis]
                if size > 0 and geom.dataid >= 0:  # its shape has its size
                    times /= size
                if size > 0 and uniform:
                    times *= size
                plane = np.zeros(4, np.float32)
                plane[axis], plane[3] = (0.5, -0.5)[axis] * times, -0.5
                GL.glTexGenfv((GL.GL_S, GL.GL_T)[axis], GL.GL_OBJECT_PLANE, plane)

    def _add_shape(self, geom: "mujoco.MjvGeom") -> None:
        kinds, context = mujoco.mjtGeom, self._context
        x, y, z = (float(length) for length in geom.size)
        match mujoco.mjtGeom(geom.type):
            case kinds.mjGEOM_PLANE if geom.dataid >= 0:
                GL.glCallList(context.basePlane + geom.dataid + 1)
            case kinds.mjGEOM_PLANE:
                GL.glScalef(x, y, 1.0)
                GL.glCallList(context.basePlane)
            case kinds.mjGEOM_MESH | kinds.mjGEOM_SDF:
                GL.glCallList(context.baseMesh + geom.dataid)
            case kinds.mjGEOM_CAPSULE:
                radius = (x + y) / 2
                GL.glScalef(x, y, z)
                GL.glCallList(context.baseBuiltin + _OPEN_CYLINDER)
                GL.glScalef(1.0, 1.0, radius / z)
                GL.glTranslatef(0.0, 0.0, (z - radius) / radius)
                GL.glCallList(context.baseBuiltin + _TOP_HALF)
                GL.glTranslatef(0.0, 0.0, 2 * (radius - z) / radius)
                GL.glCallList(context.baseBuiltin + _BOTTOM_HALF)
            case kind:
                GL.glScalef(x, y, z)
                GL.glCallList(context.baseBuiltin + _BUILTIN[kind.name])


def _camera_from_world() -> np.ndarray:
    return np.array(GL.glGetDoublev(GL.GL_MODELVIEW_MATRIX)).reshape(4, 4).T


def _depth_from_zero() -> bool:
    """Whether depths are clipped at 0, which MuJoCo asks for where it can be had."""
    if not GL.glClipControl:
        return False
    return bool(np.ravel(GL.glGetIntegerv(GL.GL_CLIP_DEPTH_MODE))[0] == GL.GL_ZERO_TO_ONE)


def _set_texture_matrix(matrix: np.ndarray) -> None:
    """Of the unit of the shadows, which MuJoCo expects to be the identity."""
    GL.glActiveTexture(GL.GL_TEXTURE1)
    GL.glMatrixMode(GL.GL_TEXTURE)
    GL.glLoadMatrixd(matrix.T.copy())
    GL.glMatrixMode(GL.GL_MODELVIEW)
    GL.glActiveTexture(GL.GL_TEXTURE0)

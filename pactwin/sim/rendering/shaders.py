"""Shader programs for vertices and pixels."""

from functools import lru_cache
from typing import Any

import numpy as np
from OpenGL import GL as gl  # noqa: N811

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
NONE, PICTURE, SIDES = range(3)
# What each of these textures does to the colour.
_SURFACES = (
    ("", ""),
    ("uniform sampler2D surface;", "color.rgb *= texture(surface, at.xy).rgb;"),
    ("uniform samplerCube surface;", "color.rgb *= texture(surface, at).rgb;"),
)
CAST = (
    """#version 330
layout(location = 0) in vec3 place;
uniform mat4 clip_from_world;
void main() { gl_Position = clip_from_world * vec4(place, 1.0); }
""",
    """#version 330
void main() {}
""",
)
PLACED = (
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


def lit(surface: int, lights: int, main: int) -> "Program":
    """Program for colours under ``lights`` lights, of which number ``main`` casts shadows.

    ``surface`` is the kind of texture: NONE, PICTURE or SIDES.
    """
    declared, applied = _SURFACES[surface]
    words = {"LIGHTS": lights, "MAIN": main, "DECLARED": declared, "APPLIED": applied}
    vertex, fragment = _LIT
    for word, meaning in words.items():
        vertex, fragment = (text.replace(word, str(meaning)) for text in (vertex, fragment))
    return program("#version 330\n" + vertex, "#version 330\n" + fragment)


class Program:
    """A compiled vertex and fragment shader."""

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
        """Set a number, vector (3,), vectors (n, 3) or matrix (4, 4) of the program in use."""
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
def program(vertex: str, fragment: str) -> Program:
    """A program, compiled on first use."""
    return Program(vertex, fragment)

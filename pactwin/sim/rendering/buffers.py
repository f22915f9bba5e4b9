"""OpenGL objects of one model: buffers, textures and framebuffers."""

import numpy as np
from OpenGL import GL as gl  # noqa: N811

from pactwin.sim.rendering.gl import use_gl


class Buffers:
    """Creates OpenGL objects, and deletes all of them together."""

    def __init__(self) -> None:
        self._all: list[tuple[str, int]] = []
        self._targets: dict[tuple[int, int, int, bool], int] = {}

    def free(self) -> None:
        """Delete all objects."""
        use_gl()
        for kind, name in self._all:
            getattr(gl, f"glDelete{kind}")(1, [name])

    def make(self, kind: str) -> int:
        """Create an OpenGL object that :meth:`free` deletes; returns its name."""
        name = int(getattr(gl, f"glGen{kind}")(1))
        self._all.append((kind, name))
        return name

    def target(self, size: tuple[int, int], samples: int, *, coded: bool = False) -> int:
        """A framebuffer for colours, or for depths and ids; new, or one used before."""
        key = (*size, samples, coded)
        if key not in self._targets:
            target = self.make("Framebuffers")
            gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target)
            color = gl.GL_RG16UI if coded else gl.GL_RGBA8
            for place, kind in (
                (gl.GL_COLOR_ATTACHMENT0, color),
                (gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT32F),
            ):
                buffer = self.make("Renderbuffers")
                gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
                gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, kind, *size)
                gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)
            self._targets[key] = target
        return self._targets[key]

    def depth_map(self, size_px: int) -> tuple[int, int]:
        """A depth texture with smoothed comparison, and the framebuffer that fills it."""
        texture, target = self.make("Textures"), self.make("Framebuffers")
        kind = gl.GL_TEXTURE_2D
        gl.glBindTexture(kind, texture)
        depth = gl.GL_DEPTH_COMPONENT
        gl.glTexImage2D(
            kind, 0, gl.GL_DEPTH_COMPONENT24, size_px, size_px, 0, depth, gl.GL_FLOAT, None
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

    def texture(self, picture: np.ndarray, *, flat: bool) -> int:
        """Upload a texture: a repeating picture, or six sides."""
        name = self.make("Textures")
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

"""Read a view's pictures, checked against its camera's size."""

import base64
import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image, PngImagePlugin

from pactwin.suite.errors import SuiteError
from pactwin.suite.files import write_file
from pactwin.suite.reader import Suite
from pactwin.suite.records import Camera, View

BROKEN_PICTURE = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    OverflowError,
    MemoryError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
)
"""Exceptions that Pillow raises for broken pictures of any format."""

MAX_PIXELS = 64_000_000
"""Pictures with more pixels are not read: a small file may decompress to very many."""

# Photos from elsewhere are kept as they are, so they may also be grey, transparent or for print.
_OF_PHOTOS = ("RGB", "RGBA", "L", "LA", "P", "PA", "1", "CMYK", "YCbCr", "I;16", "I")


def write_picture(path: Path, picture: Image.Image | np.ndarray) -> None:
    """Write a PNG for people, with metadata that name pactwin as its origin."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    info = PngImagePlugin.PngInfo()
    info.add_text("Software", "pactwin")
    buffer = io.BytesIO()
    image.save(buffer, "PNG", pnginfo=info)
    write_file(path, buffer.getvalue())


def data_uri(data: bytes) -> str:
    """A PNG, JPEG or WebP file as a data URI; its first bytes determine the type."""
    kind = "png" if data.startswith(b"\x89PNG") else "webp" if data[8:12] == b"WEBP" else "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


@contextmanager
def open_picture(file: Path | BinaryIO, name: Path | str) -> Iterator[Image.Image]:
    """Context of the PNG or JPEG in ``file``; its pixels are read on request.

    SuiteError that calls it ``name`` if it is broken, including its pixels, or too large.
    """
    try:
        with Image.open(file, formats=["PNG", "JPEG"]) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise SuiteError(
                    f"{name} is {picture.width}x{picture.height} px: at most {MAX_PIXELS:,} are "
                    "read of any picture"
                )
            yield picture
    except BROKEN_PICTURE as error:
        raise SuiteError(f"{name} is not a readable picture: {error}") from error


def load_image(suite: Suite, view: View) -> np.ndarray:
    """Colour, (height, width, 3) uint8; transparent pixels become white.

    SuiteError if it is missing, broken or of another size.
    """
    modes = ("RGB", "RGBA") if isinstance(view.camera, Camera) else _OF_PHOTOS
    return _load(suite.resolve(view.image), view, modes, np.uint8)


def load_depth(suite: Suite, view: View) -> np.ndarray:
    """Depth in mm, 0 = none, (height, width) uint16; SuiteError as :func:`load_image`."""
    return _load(_there(suite, view, view.depth, "depth"), view, ("I;16", "I"), np.uint16)


def load_mask(suite: Suite, view: View) -> np.ndarray:
    """Instance ids, 0 = no object, (height, width) uint16; SuiteError as :func:`load_image`."""
    return _load(_there(suite, view, view.mask, "mask"), view, ("I;16", "I"), np.uint16)


def _there(suite: Suite, view: View, path: str | None, what: str) -> Path:
    if path is None:
        raise SuiteError(f"{suite.path}: {view.image} has no {what}")
    return suite.resolve(path)


def _load(path: Path, view: View, modes: tuple[str, ...], dtype: type) -> np.ndarray:
    expected = (view.camera.width_px, view.camera.height_px)
    with open_picture(path, path) as picture:
        if picture.size != expected:
            width, height = picture.size
            raise SuiteError(
                f"{path} is {width}x{height} px, its camera {expected[0]}x{expected[1]} px"
            )
        if picture.mode not in modes:
            raise SuiteError(f"{path} is a picture of mode {picture.mode}, not {modes[0]}")
        if dtype is np.uint8:
            return np.asarray(_on_white(picture))
        return np.asarray(picture).astype(dtype, copy=False)


def _on_white(picture: Image.Image) -> Image.Image:
    if picture.mode not in ("RGBA", "LA", "PA"):
        return picture.convert("RGB")
    white = Image.new("RGBA", picture.size, "white")
    return Image.alpha_composite(white, picture.convert("RGBA")).convert("RGB")

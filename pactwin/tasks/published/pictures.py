"""Pictures of published data: complete and bounded, with unchanged bytes."""

import warnings
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from pactwin.suite import (
    BROKEN_PICTURE,
    MAX_PICTURE_BYTES,
    MAX_PIXELS,
    UnknownCamera,
    View,
    view_paths,
)
from pactwin.tasks.published.issues import IssueKind


@dataclass(frozen=True)
class SourcePicture:
    """A complete picture: path and bytes as published, a matching suffix, its size."""

    path: str
    data: bytes
    suffix: str
    width_px: int
    height_px: int

    def view(self, scene_id: str, camera: str) -> View:
        """A view of it by ``camera`` with an unknown pose."""
        image, _, _ = view_paths(scene_id, camera)
        return View(
            camera=UnknownCamera(name=camera, width_px=self.width_px, height_px=self.height_px),
            image=f"{image.removesuffix('png')}{self.suffix}",
            visibility={},
            origin=self.path,
        )


@dataclass(frozen=True)
class PictureFault:
    """Reason why a file is not a complete picture."""

    kind: IssueKind
    what: str


def read_published_picture(path: str, place: Path) -> SourcePicture | PictureFault:
    """Read the PNG or JPEG at ``place``, called ``path`` in the data; or the fault."""
    size = place.stat().st_size
    if size > MAX_PICTURE_BYTES:
        return PictureFault(IssueKind.HUGE_PICTURE, f"{size:,} bytes")
    data = place.read_bytes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limit is lower than Pillow's
            with Image.open(BytesIO(data), formats=["PNG", "JPEG"]) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    return PictureFault(IssueKind.HUGE_PICTURE, f"{width} x {height} px")
                image.convert("RGB")
                suffix = "png" if image.format == "PNG" else "jpg"
    except Image.DecompressionBombError as error:
        return PictureFault(IssueKind.HUGE_PICTURE, str(error).partition(" exceeds")[0])
    except BROKEN_PICTURE as error:
        return PictureFault(IssueKind.BROKEN_PICTURE, " ".join(str(error).split()))
    return SourcePicture(path, data, suffix, width, height)

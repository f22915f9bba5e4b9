"""PNG files hold the pixels they were made of, for every reader."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from pactwin.sim.rendering.png import png


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", [(7, 5), (5, 7, 3), (4, 9, 4), (1, 1), (480, 640, 3)])
def test_pixels_come_back_as_they_were(shape: tuple[int, ...], dtype: type) -> None:
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)
    read = cv2.imdecode(np.frombuffer(png(pixels[::-1]), np.uint8), cv2.IMREAD_UNCHANGED)
    assert read is not None
    if pixels.ndim == 3:
        read = read[..., [2, 1, 0, 3][: shape[2]]]
    assert read.dtype == dtype
    np.testing.assert_array_equal(read, pixels[::-1])


def test_pillow_reads_and_verifies_it() -> None:
    depth_mm = np.arange(12, dtype=np.uint16).reshape(3, 4) * 5000
    with Image.open(io.BytesIO(png(depth_mm))) as picture:
        picture.verify()
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(png(depth_mm)))), depth_mm)

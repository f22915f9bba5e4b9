"""A suite and a model to ask about it, for the benchmarks of asking. No network, no simulator.

The suite is a made-up one with pictures as large as real ones; the model is a
server in a process of its own.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from fakes import CAMERAS, make_fake_suite
from openai_server import Reply, openai_server
from PIL import Image

MODEL = "openai-api/served/vlm"
_GRAIN = 0.45


def large_suite(
    path: Path,
    pairs: int,
    width_px: int,
    height_px: int,
    *,
    different: int,
    cameras: Sequence[str] = CAMERAS,
) -> Path:
    """A suite of ``pairs`` pairs whose pictures compress like photographs.

    To spare disk, only so many ``different`` pictures stand under all paths, in turns.
    """
    make_fake_suite(path, n_pairs=pairs, cameras=cameras)
    info = json.loads((path / "suite.json").read_text())
    pool = []
    for number in range(different):
        data = _photograph(number, width_px, height_px)
        file = path.parent / f"{path.name}-{number}.png"
        file.write_bytes(data)
        pool.append((file, hashlib.sha256(data).hexdigest()))
    images = [name for name in info["files"] if name.count(".") == 1 and name.endswith(".png")]
    for place, name in enumerate(sorted(images)):
        file, info["files"][name] = pool[place % len(pool)]
        (path / name).unlink()
        os.link(file, path / name)
    (path / "suite.json").write_text(json.dumps(info))
    return path


def _photograph(seed: int, width_px: int, height_px: int) -> bytes:
    """Smooth shading with some noise: as PNG a little over one byte per pixel, as our scenes."""
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (9, 16, 3), dtype=np.uint8))
    smooth = np.asarray(coarse.resize((width_px, height_px), Image.Resampling.BICUBIC))
    grain = rng.random((height_px, width_px, 1)) < _GRAIN
    buffer = io.BytesIO()
    Image.fromarray(smooth ^ grain.astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


@contextmanager
def served(wait_s: float) -> Iterator[str]:
    """The address of a model that answers "No." after ``wait_s``, and takes pictures."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, wait_s), daemon=True)
    process.start()
    try:
        yield ours.recv()
        ours.send("enough")
        process.join(timeout=10)
    finally:
        process.terminate()


def _serve(pipe: Connection, wait_s: float) -> None:
    with openai_server(lambda body: Reply("No.", wait_s=wait_s), keep=False) as server:
        pipe.send(server.base_url)
        pipe.recv()

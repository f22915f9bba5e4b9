"""RoboCasa's kitchens as the room around a scene, with a counter as the table.

RoboCasa's code builds a kitchen in a separate program
(:mod:`pactwin.sim.rendering.kitchen_export`). Its result is kept in the user's cache folder, so
that each kitchen is built once.
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pactwin.sim.packages import package_folder, required_folder
from pactwin.sim.rendering.boxes import BACKGROUND_GROUP, add_box
from pactwin.sim.robots.cache import cache_folder, write_cached
from pactwin.sim.robots.models import TABLE_HEIGHT_M
from pactwin.suite import EnvironmentFaultError

if TYPE_CHECKING:
    import mujoco

LAYOUTS = (4, 12, 21, 23, 25, 32, 35, 38, 41, 44, 45, 46, 48, 49, 50, 51, 53)
"""Layouts of RoboCasa 1.0.1 (1 to 60) with a free-standing counter."""

STYLES = 60
"""Number of styles, from 1 on: materials, doors, handles and appliances."""

NO_FREE_COUNTER = 3
"""Exit code of the kitchen builder for layouts without a free-standing counter."""

_DOWNLOAD = "run RoboCasa's download_kitchen_assets (docs/robocasa.md)"


def draw_kitchen(rng: np.random.Generator) -> tuple[int, int]:
    """Draw a layout and a style."""
    return int(rng.choice(LAYOUTS)), int(rng.integers(1, STYLES + 1))


def check_kitchens() -> None:
    """Raise EnvironmentFaultError, with instructions, if RoboCasa or robosuite is missing."""
    if package_folder("robocasa") is None:
        raise EnvironmentFaultError(
            "RoboCasa is not installed: install it from its repository and download its assets "
            "(docs/robocasa.md)"
        )
    required_folder("robosuite")


def add_kitchen(spec: "mujoco.MjSpec", layout: int, style: int) -> None:
    """Add a kitchen to ``spec`` for display, with its counter top at the table top.

    The counter is higher than the table, so the robot stands on a step. Raises
    EnvironmentFaultError if RoboCasa or its assets are missing.
    """
    import mujoco

    text = kitchen_model(layout, style)
    kitchen = mujoco.MjSpec.from_string(text)
    of_counter = {geom.name for geom in kitchen.body("counter").find_all("geom")}
    for geom in kitchen.geoms:
        geom.group = 0 if geom.name in of_counter else BACKGROUND_GROUP
        geom.contype = geom.conaffinity = 0
    spec.attach(kitchen, prefix="kitchen/", frame=spec.worldbody.add_frame())
    step = counter_size_m(text)[2] - TABLE_HEIGHT_M
    if step > 0:
        size_m, pos = (0.56, 0.80, step), (-0.32, 0.0, -TABLE_HEIGHT_M - step / 2)
        rgba = (0.35, 0.36, 0.38, 1.0)
        add_box(spec, size_m, pos, name="step", rgba=rgba, group=BACKGROUND_GROUP)


def counter_size_m(text: str) -> tuple[float, float, float]:
    """Depth, width and height (m) of the counter in a kitchen's model."""
    # Written by RoboCasa's own code on this machine, as in kitchen_model.
    root = ET.fromstring(text)  # noqa: S314
    sizes = [numeric.get("data", "") for numeric in root.iterfind("./custom/numeric")]
    depth, width, height = (float(value) for value in sizes[0].split())
    return depth, width, height


@lru_cache(maxsize=2)
def kitchen_model(layout: int, style: int) -> str:
    """The kitchen as MJCF in the table's frame, from the cache or built by RoboCasa.

    Raises EnvironmentFaultError if RoboCasa or a file of its assets is missing.
    """
    check_kitchens()
    cached = cache_folder() / f"kitchen-{_robocasa_version()}-{layout}-{style}.xml"
    if not cached.is_file():
        write_cached(cached, _built(layout, style))
    text = cached.read_text(encoding="utf-8")
    for asset in ET.fromstring(text).iterfind("./asset/*[@file]"):  # noqa: S314
        if not Path(asset.get("file", "")).is_file():
            cached.unlink()
            raise EnvironmentFaultError(f"{asset.get('file')} is missing: {_DOWNLOAD}")
    return text


def _built(layout: int, style: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "kitchen.xml"
        program = [sys.executable, "-m", "pactwin.sim.rendering.kitchen_export"]
        done = subprocess.run(
            [*program, str(layout), str(style), str(out)], capture_output=True, text=True
        )
        if done.returncode == 0:
            return out.read_bytes()
    said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    if done.returncode == NO_FREE_COUNTER:
        said = "no counter stands free"
    if "FileNotFoundError" in said or "opening file" in said:
        raise EnvironmentFaultError(f"RoboCasa's kitchens lack files ({said}): {_DOWNLOAD}")
    raise EnvironmentFaultError(f"RoboCasa cannot build kitchen {layout}, style {style}: {said}")


def _robocasa_version() -> str:
    try:
        return version("robocasa")
    except PackageNotFoundError:  # on the path, but not installed by pip
        return "unknown"

"""Draws the pictures of docs/images anew: ``python tools/docs_images.py [robot objects twins]``.

Takes minutes on a processor. Look at what it drew before it is committed.
"""

import sys
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from pactwin.cli.make import write_suite
from pactwin.sim import (
    ConstraintSuiteConfig,
    LocalEngine,
    ObjectSuiteConfig,
    camera_names,
    draw_pair,
    ensure_gl,
    kind_names_of,
    render_object_scene,
    render_robot_preview,
)
from pactwin.suite import Suite, contact_sheet
from pactwin.tasks import make_twin_questions

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SEED = 12
COLUMNS, TILE_PX, CAMERA = 11, 130, "elev45_azim315"
ON_TABLE = {"basket": "agent", "can": "front", "hammer": "agent", "teapot": "side"}
TWINS = "closure"


def robot() -> Image.Image:
    """The robot with its hands and what it reaches."""
    return Image.fromarray(render_robot_preview("g1").picture)


def objects() -> Image.Image:
    """Each kind from one side, and below four scenes on the table."""
    from pactwin.sim.generation.objects.settling import settled
    from pactwin.sim.objects.kinds.building import build_kind
    from pactwin.sim.rendering.draw import instance_ids
    from pactwin.sim.rendering.render import Renderer
    from pactwin.sim.rendering.studio import Studio, studio_model, turntable_cameras

    size_px, wide = (2 * TILE_PX, 2 * TILE_PX), COLUMNS * TILE_PX
    kinds = kind_names_of("builtin")
    rows, below = -(-len(kinds) // COLUMNS), -(-wide // len(ON_TABLE))
    sheet = Image.new("RGB", (wide, rows * TILE_PX + below))
    for k, kind in enumerate(kinds):
        rng = np.random.default_rng([SEED, k])
        item = settled(build_kind(kind, rng))
        (camera,) = (c for c in turntable_cameras(item, size_px) if c.name == CAMERA)
        model = studio_model(item, Studio.drawn(rng), size_px)
        with Renderer(model, instance_ids(model)) as renderer:
            tile = Image.fromarray(renderer.render(camera).color).resize((TILE_PX, TILE_PX))
        sheet.paste(tile, (k % COLUMNS * TILE_PX, k // COLUMNS * TILE_PX))
    request = ObjectSuiteConfig(SEED, tuple(ON_TABLE), "builtin", "plain", below, below)
    for k, camera_name in enumerate(ON_TABLE.values()):
        batch = render_object_scene(request, len(ON_TABLE) + k)
        (picture,) = (
            data for name, data in batch.files.items() if name.endswith(f"/{camera_name}.png")
        )
        sheet.paste(Image.open(BytesIO(picture)).convert("RGB"), (k * below, rows * TILE_PX))
    return sheet


def twins() -> Image.Image:
    """The contact sheet of one pair, without its questions."""
    config = ConstraintSuiteConfig(SEED, 1, (TWINS,), "g1", camera_names(), 640, 480, None)
    with TemporaryDirectory() as folder:
        out = Path(folder) / "suite"
        write_suite(
            out,
            "constraints",
            config.record(),
            ("pairs", 1),
            partial(draw_pair, config),
            make_twin_questions,
            LocalEngine(1),
        )
        suite = Suite.open(out)
        scene = next(scene for scene in suite.scenes() if not scene.decided.feasible)
        sheet = Image.open(contact_sheet(suite, scene.id, Path(folder) / "sheet.png"))
        return sheet.convert("RGB").crop((0, 0, sheet.width, round(0.6 * sheet.width)))


if __name__ == "__main__":
    ensure_gl()
    for name in sys.argv[1:] or ("robot", "objects", "twins"):
        picture = {"robot": robot, "objects": objects, "twins": twins}[name]()
        if picture.width > 1430:
            picture = picture.resize((1430, round(1430 * picture.height / picture.width)))
        picture.save(IMAGES / f"{name}.jpg", quality=85, optimize=True)

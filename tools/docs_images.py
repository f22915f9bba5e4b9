"""Draws the pictures of docs/images anew, and the page that shows them, docs/gallery.md.

``python tools/docs_images.py [NAME...]`` draws all, or some of the names in ``DRAWN``,
``gallery`` and ``domains``.

Takes minutes on a processor. Look at what it drew before it is committed.
"""

import subprocess
import sys
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from PIL import Image, ImageDraw

from pactwin.cli.make import write_suite
from pactwin.perception import DEPTH_SENSORS, measured_depth
from pactwin.sim import (
    ConstraintSuiteConfig,
    LadderSuiteConfig,
    LocalEngine,
    ObjectSuiteConfig,
    camera_names,
    domain_names,
    draw_ladder_batch,
    draw_pair,
    ensure_gl,
    kind_names_of,
    render_object_scene,
    render_robot_preview,
)
from pactwin.sim import domains as sim_domains
from pactwin.suite import Scene, Suite, answerable_views, contact_sheet
from pactwin.tasks import make_ladder_questions, make_twin_questions

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SEED = 12
COLUMNS, TILE_PX, CAMERA = 11, 130, "elev45_azim315"
ON_TABLE = {"basket": "agent", "can": "front", "hammer": "agent", "teapot": "side"}
TWINS = "closure"
EPISODE = ("closure", "balance")
LADDERS = ("clearance", "grip_width", "slope")


def robot() -> Image.Image:
    """The robot with its hands and what it reaches."""
    return Image.fromarray(render_robot_preview("g1").picture)


def objects() -> Image.Image:
    """Each kind from one side, and below four scenes on the table."""
    from pactwin.sim.generation.objects.settling import settled
    from pactwin.sim.objects.building import build_thing
    from pactwin.sim.rendering.draw import instance_ids
    from pactwin.sim.rendering.render import Renderer
    from pactwin.sim.rendering.studio import Studio, studio_model, turntable_cameras

    size_px, wide = (2 * TILE_PX, 2 * TILE_PX), COLUMNS * TILE_PX
    kinds = kind_names_of("builtin")
    rows, below = -(-len(kinds) // COLUMNS), -(-wide // len(ON_TABLE))
    sheet = Image.new("RGB", (wide, rows * TILE_PX + below))
    for k, kind in enumerate(kinds):
        rng = np.random.default_rng([SEED, k])
        item = settled(build_thing(kind, rng))
        (camera,) = (c for c in turntable_cameras(item, size_px) if c.name == CAMERA)
        model = studio_model((item,), Studio.drawn(rng), size_px)
        with Renderer(model, instance_ids(model)) as renderer:
            tile = Image.fromarray(renderer.render(camera).color).resize((TILE_PX, TILE_PX))
        sheet.paste(tile, (k % COLUMNS * TILE_PX, k // COLUMNS * TILE_PX))
    request = ObjectSuiteConfig(
        seed=SEED,
        kinds=tuple(ON_TABLE),
        assets="builtin",
        background="plain",
        width_px=below,
        height_px=below,
    )
    for k, camera_name in enumerate(ON_TABLE.values()):
        batch = render_object_scene(request, len(ON_TABLE) + k)
        (picture,) = (
            data for name, data in batch.files.items() if name.endswith(f"/{camera_name}.png")
        )
        sheet.paste(Image.open(BytesIO(picture)).convert("RGB"), (k * below, rows * TILE_PX))
    return sheet


def _constraints(
    seed: int, domains: tuple[str, ...], cameras: tuple[str, ...]
) -> ConstraintSuiteConfig:
    """A pair of each domain, at 640x480 px."""
    return ConstraintSuiteConfig(
        seed=seed,
        pairs=len(domains),
        domains=domains,
        robot="g1",
        cameras=cameras,
        width_px=640,
        height_px=480,
    )


def _pairs(folder: str, seed: int, *domains: str) -> Suite:
    """A suite with a pair of each domain."""
    config = _constraints(seed, domains, camera_names())
    out, draw = Path(folder) / "suite", partial(draw_pair, config)
    total = ("pairs", len(domains))
    write_suite(
        out, "constraints", config.record(), total, draw, make_twin_questions, LocalEngine(1)
    )
    return Suite.open(out)


def twins() -> Image.Image:
    """The contact sheet of one pair, without its questions."""
    with TemporaryDirectory() as folder:
        suite = _pairs(folder, SEED, TWINS)
        scene = next(scene for scene in suite.scenes() if not scene.decided.feasible)
        sheet = Image.open(contact_sheet(suite, scene.id, Path(folder) / "sheet.png"))
        return sheet.convert("RGB").crop((0, 0, sheet.width, round(0.576 * sheet.width)))


def episode() -> Image.Image:
    """A feasible action, carried out by the robot: five frames from left to right."""
    with TemporaryDirectory() as folder:
        *_, scene = (s for s in _pairs(folder, 9090, *EPISODE).scenes() if s.decided.feasible)
        asked = ["run", f"{folder}/suite", scene.id, "--model", "pactwin/oracle"]
        filmed = ["--out", f"{folder}/episode", "--film", "front", "--height", "360"]
        subprocess.run([Path(sys.executable).with_name("pactwin"), *asked, *filmed], check=True)
        video = cv2.VideoCapture(f"{folder}/episode/episode.mp4")
        frames = []
        while (read := video.read())[0]:
            frames.append(cv2.cvtColor(read[1], cv2.COLOR_BGR2RGB))
    chosen = np.linspace(0, len(frames) - 1, 5).astype(int)
    return Image.fromarray(np.hstack([cv2.resize(frames[k], (286, 214)) for k in chosen]))


def gallery() -> None:
    """A pair of each domain, side by side, and the page that shows them."""
    (IMAGES / "domains").mkdir(exist_ok=True)
    lines = ["# Gallery\n", "A pair of each domain. Left the action works, right it does not.\n"]
    names = domain_names()
    config = _constraints(SEED, names, camera_names())
    for number in range(len(names)):
        batch = draw_pair(config, number)
        infeasible, feasible = sorted(batch.scenes, key=lambda scene: scene.decided.feasible)
        seen = answerable_views(feasible, infeasible)[-1]
        views = [
            next(view for view in scene.views if view.camera.name == seen)
            for scene in (feasible, infeasible)
        ]
        pictures = [Image.open(BytesIO(batch.files[view.image])).convert("RGB") for view in views]
        sheet = Image.new("RGB", (1290, 480), "white")
        for k, picture in enumerate(pictures):
            sheet.paste(picture, (650 * k, 0))
        domain = feasible.domain
        sheet.save(IMAGES / "domains" / f"{domain}.jpg", quality=80, optimize=True)
        cause = infeasible.decided.constraint.value.replace("_", " ")
        lines += [
            f"## {domain.replace('_', ' ').capitalize()}\n",
            f"*{feasible.decided.action[0].upper()}{feasible.decided.action[1:]}.* "
            f"It fails on the right: {cause}.\n",
            f"![Twins of the domain {domain}, seen by the {seen} camera]"
            f"(images/domains/{domain}.jpg)\n",
        ]
    lines += [
        "## Uses, tools and objects\n",
        "[Creative uses](uses.md) are played, too: here a cup is hooked and pulled.\n",
        "![Above what serves, below its twin](images/uses/hook_and_pull.webp)\n",
        "[Tools for a task](phystoolbench.md#rendered-scenes) lie among look-alikes.\n",
        "![Four pairs: all tools of a task, or a look-alike among them](images/tools.jpg)\n",
        "[Objects](making-objects.md) are photographed alone and among others.\n",
        "![One picture of each kind, and four scenes on the table](images/objects.jpg)\n",
    ]
    (IMAGES.parent / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


def ladders() -> Image.Image:
    """A ladder a row, from below its limit to above it, at what the question names."""
    request = LadderSuiteConfig(
        seed=SEED,
        ladders=len(LADDERS),
        quantities=LADDERS,
        steps=7,
        robot="g1",
        cameras=("side", "front"),
        width_px=960,
        height_px=720,
    )
    rows: list[np.ndarray] = []
    with TemporaryDirectory() as folder:
        out, total = f"{folder}/suite", ("ladders", len(LADDERS))
        draw = partial(draw_ladder_batch, request)
        write_suite(
            out, "docs", request.record(), total, draw, make_ladder_questions, LocalEngine(1)
        )
        suite = Suite.open(out)
        objects = {q.scene_id: q.objects for q in suite.questions()}
        scenes = [s for s in suite.scenes() if s.step is not None]
        for quantity in LADDERS:
            found = [(s.step.x, s) for s in scenes if s.step and s.step.quantity == quantity]
            steps = sorted(found, key=lambda one: one[0])
            views = [s.views[0] for _, s in steps]
            boxes = np.array(
                [v.visibility[n].box for (_, s), v in zip(steps, views, strict=True)
                 for n in objects[s.id] if v.visibility[n].box]
            )  # fmt: skip
            middle = (boxes[:, :2].min(axis=0) + boxes[:, 2:].max(axis=0)) / 2
            half = max(1.15 * np.ptp(boxes.reshape(-1, 2), axis=0).max() / 2, 60.0)
            area = tuple(
                np.concatenate([middle - half, middle + half]).round().astype(int).tolist()
            )
            tiles = [
                Image.open(suite.resolve(v.image)).crop(area).resize((200, 200)) for v in views
            ]
            rows.append(np.hstack([np.asarray(tile.convert("RGB")) for tile in tiles]))
    return Image.fromarray(np.vstack(rows))


def domains() -> Image.Image:
    """The gallery's pairs in miniature, two columns of five."""
    width, height, gap = 700, 266, 30
    sheet = Image.new("RGB", (2 * width + gap, 5 * height), "white")
    for k, domain in enumerate(domain_names()):
        pair = Image.open(IMAGES / "domains" / f"{domain}.jpg").resize((width, 260))
        ImageDraw.Draw(pair).text((8, 4), domain, fill="black", font_size=26, stroke_width=1)
        sheet.paste(pair, (k % 2 * (width + gap), k // 2 * height))
    return sheet


def _made(folder: str, *options: str) -> Suite:
    """The suite that ``pactwin make`` makes with these options."""
    pactwin = Path(sys.executable).with_name("pactwin")
    out = f"{folder}/{options[0]}"
    subprocess.run([pactwin, "make", *options, "--out", out, "--seed", "31"], check=True)
    return Suite.open(out)


def _picture(suite: Suite, scene: Scene, camera: str) -> Image.Image:
    view = next(view for view in scene.views if view.camera.name == camera)
    return Image.open(suite.resolve(view.image)).convert("RGB")


def twins_of_a_kind() -> Image.Image:
    """Full and empty, closed and open: two of a kind in the same place, above and below."""
    with TemporaryDirectory() as folder:
        suite = _made(folder, "objects", "--kinds", "bottle,jar,pot,cup")
        scenes = [scene for scene in suite.scenes() if scene.domain == "object_twins"]
        pictures = [np.asarray(_picture(suite, scene, "front")) for scene in scenes[: 2 * 4]]
    return Image.fromarray(np.vstack([np.hstack(pictures[k::2]) for k in (0, 1)]))


def tools() -> Image.Image:
    """Four pairs in two places: all tools of a task, and a look-alike in place of one of them."""
    with TemporaryDirectory() as folder:
        suite = _made(folder, "tools", "--pairs", "12")
        pairs = sorted(suite.pairs(), key=lambda pair: pair[0].domain)
        tiles = [
            np.asarray(_picture(suite, scene, scene.views[0].camera.name).resize((360, 270)))
            for pair in (*pairs[:2], *pairs[-2:])
            for scene in sorted(pair, key=lambda scene: not scene.decided.feasible)
        ]
    return Image.fromarray(np.vstack([np.hstack(tiles[:4]), np.hstack(tiles[4:])]))


def creative() -> Image.Image:
    """A task's things together, and beside them each thing and its parts alone."""
    with TemporaryDirectory() as folder:
        suite = _made(folder, "creative", "--tasks", "1")
        scene, *_ = suite.scenes()
        names = [view.camera.name for view in scene.views]
        whole = _picture(suite, scene, names[0])
        size = whole.height // 3
        closer = [_picture(suite, scene, name).resize((size, size)) for name in names[1:13]]
    columns = -(-len(closer) // 3)
    sheet = Image.new("RGB", (whole.width + columns * size, whole.height), "white")
    sheet.paste(whole, (0, 0))
    for k, picture in enumerate(closer):
        sheet.paste(picture, (whole.width + k // 3 * size, k % 3 * size))
    return sheet


def depth() -> Image.Image:
    """Colour, exact depth, and depth as a D435i measures it (black: none)."""
    with TemporaryDirectory() as folder:
        suite = _pairs(folder, SEED, TWINS)
        scene, *_ = suite.scenes()
        view = next(view for view in scene.views if view.camera.name == "front")
        color = np.asarray(_picture(suite, scene, "front"))
        exact = np.asarray(Image.open(suite.resolve(view.depth or "")))
        sensor, rng = DEPTH_SENSORS["d435i"], np.random.default_rng(SEED)
        sensed = measured_depth(color, exact, np.asarray(view.camera.K), sensor, rng)
    near, far = np.percentile(exact[exact > 0], (1, 90))
    tiles = [color]
    for depth_mm in (exact, sensed):
        gray = np.clip(255 * (far - depth_mm.astype(float)) / (far - near), 0, 255)
        tile = cv2.applyColorMap(gray.astype(np.uint8), cv2.COLORMAP_VIRIDIS)[..., ::-1].copy()
        tile[depth_mm == 0] = 0
        tiles.append(tile)
    return Image.fromarray(np.hstack(tiles))


def perch() -> Image.Image:
    """Twins of the domain that docs/adding-a-domain.md adds."""
    page = (IMAGES.parent / "adding-a-domain.md").read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        code = page.split("```python\n")[1].split("```")[0]
        Path(folder, "perch.py").write_text(code, encoding="utf-8")
        sim_domains.__path__.append(folder)
        batch = draw_pair(_constraints(SEED, ("perch",), ("agent",)), 0)
    scenes = sorted(batch.scenes, key=lambda scene: not scene.decided.feasible)
    pictures = [Image.open(BytesIO(batch.files[scene.views[0].image])) for scene in scenes]
    return Image.fromarray(np.hstack([np.asarray(picture.convert("RGB")) for picture in pictures]))


DRAWN = {
    f.__name__: f
    for f in (
        robot,
        objects,
        twins,
        ladders,
        episode,
        twins_of_a_kind,
        tools,
        creative,
        depth,
        perch,
    )
}
"""By name; ``gallery`` and ``domains``, which is made of its pictures, come last."""

if __name__ == "__main__":
    ensure_gl()
    for name in sys.argv[1:] or (*DRAWN, "gallery", "domains"):
        if name == "gallery":
            gallery()
            continue
        picture = domains() if name == "domains" else DRAWN[name]()
        if picture.width > 1430:
            picture = picture.resize((1430, round(1430 * picture.height / picture.width)))
        picture.save(IMAGES / f"{name}.jpg", quality=85, optimize=True)

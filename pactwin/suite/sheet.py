"""Contact sheets of twins: pictures, questions, and measurements behind the gold answer."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from pactwin.suite.drawing import (
    FADED,
    GREEN,
    INK,
    OTHER,
    PAPER,
    RED,
    TARGET,
    Color,
    Span,
    beside,
    height_for,
    stacked,
    text_block,
)
from pactwin.suite.pictures import load_image, write_picture
from pactwin.suite.questions import Question
from pactwin.suite.reader import Suite
from pactwin.suite.records import Scene, View
from pactwin.suite.single_sheet import single_sheet, singles_sheet
from pactwin.suite.text import counted
from pactwin.suite.verdicts import Verdict
from pactwin.suite.visibility import answerable_views

MAX_PAIRS = 24
_WIDTH_PX = 1800
_PAD_PX = 28
_GAP_PX = 12
_HALF_PX = _WIDTH_PX // 2 - _GAP_PX


def contact_sheet(suite: Suite, scene_id: str | None, out_png: Path | str) -> Path:
    """Draw one scene beside its twin or, without ``scene_id``, a row for each pair, as a PNG.

    Scenes without a twin are drawn alone; a suite with only such scenes has a row for each. A suite
    with more than 24 pairs is represented by 24 evenly spaced ones, and the sheet says so. Raises
    InvalidInputError for an unknown scene, SuiteError for a broken suite, OSError if ``out_png``
    cannot be written.
    """
    if scene_id is not None:
        scene = suite.scene(scene_id)
        alone = scene.twin_id is None
        sheet = single_sheet(suite, scene) if alone else _pair_sheet(suite, scene_id)
    else:
        pairs = suite.info.counts.get("pairs", 0)
        sheet = _suite_sheet(suite) if pairs else singles_sheet(suite)
    write_picture(Path(out_png), sheet)
    return Path(out_png)


def _pair_sheet(suite: Suite, scene_id: str) -> Image.Image:
    scene, twin = suite.pair_of(scene_id)
    asked: dict[str, list[Question]] = defaultdict(list)
    for question in suite.questions():
        asked[question.scene_id].append(question)
    views = answerable_views(scene, twin)
    about = f"\n{suite.info.name} · {scene.domain} · {scene.source} · robot {scene.robot}"
    parts = [
        text_block(
            [
                (scene.decided.action, 34, True, INK),
                (f"\n{about} · seed {scene.seed}", 18, False, FADED),
            ],
            _WIDTH_PX,
        ),
        *_twin_rows(suite, (scene, twin), views),
        text_block([_legend_span()], _WIDTH_PX),
        beside([_measurements(s, _HALF_PX) for s in (scene, twin)], gap_px=2 * _GAP_PX),
        *(
            _question_row(question, same)
            for question, same in zip(asked[scene.id], asked[twin.id], strict=False)
        ),
    ]
    return stacked(parts, gap_px=18, pad_px=_PAD_PX)


def _suite_sheet(suite: Suite) -> Image.Image:
    n_pairs = suite.info.counts.get("pairs", 0)
    shown = np.unique(np.linspace(0, n_pairs - 1, min(n_pairs, MAX_PAIRS)).round().astype(int))
    told = f"{len(shown)} of {n_pairs} pairs" if len(shown) < n_pairs else counted(n_pairs, "pairs")
    title: list[Span] = [
        (suite.info.name, 34, True, INK),
        (f"  {told}; infeasible left, feasible right", 20, False, FADED),
    ]
    parts = [text_block(title, _WIDTH_PX)]
    for number, pair in enumerate(suite.pairs()):
        if number in shown:
            infeasible, feasible = sorted(pair, key=lambda scene: scene.decided.feasible)
            parts.append(_pair_row(suite, infeasible, feasible))
    parts.append(text_block([_legend_span()], _WIDTH_PX))
    return stacked(parts, gap_px=16, pad_px=_PAD_PX)


def _pair_row(suite: Suite, infeasible: Scene, feasible: Scene) -> Image.Image:
    views = answerable_views(infeasible, feasible)
    sides = []
    for scene in (infeasible, feasible):
        spans: list[Span] = [
            _verdict_span(scene.decided, 16),
            (f"{scene.id} · margin {scene.decided.margin:+.2f}", 14, False, FADED),
        ]
        tiles = _tiles(suite, scene, views, _HALF_PX, gap_px=4, captions=False)
        sides.append(stacked([text_block(spans, _HALF_PX), tiles], gap_px=2))
    action: list[Span] = [
        (infeasible.decided.action, 18, True, INK),
        (f"  {infeasible.domain}", 16, False, FADED),
    ]
    return stacked([text_block(action, _WIDTH_PX), beside(sides, gap_px=2 * _GAP_PX)])


def _twin_rows(suite: Suite, twins: Sequence[Scene], views: Sequence[str]) -> list[Image.Image]:
    """A row for each twin; one row for both where each has a single picture."""
    if max(len(scene.views) for scene in twins) > 1:
        return [_scene_row(suite, scene, views, _WIDTH_PX) for scene in twins]
    return [beside([_scene_row(suite, s, views, _HALF_PX) for s in twins], gap_px=2 * _GAP_PX)]


def _scene_row(suite: Suite, scene: Scene, views: Sequence[str], width_px: int) -> Image.Image:
    agreed = scene.decided.perturbations
    spans: list[Span] = [
        _verdict_span(scene.decided, 24),
        (
            f"{scene.id} · margin {scene.decided.margin:+.2f} · "
            f"{agreed.agreed} of {agreed.run} perturbed trials agree",
            18,
            False,
            FADED,
        ),
    ]
    tiles = _tiles(suite, scene, views, width_px, gap_px=_GAP_PX, captions=True)
    return stacked([text_block(spans, width_px), tiles], gap_px=4)


def _tiles(
    suite: Suite,
    scene: Scene,
    views: Sequence[str],
    width_px: int,
    gap_px: int,
    captions: bool,
) -> Image.Image:
    """All views of a scene in one row of ``width_px``; those not in ``views`` are faded."""
    n = max(len(scene.views), 1)
    tile_px = min((width_px - gap_px * (n - 1)) // n, 600)
    tiles = []
    for view in scene.views:
        usable = view.camera.name in views
        picture = _picture(suite, scene, view, usable, tile_px)
        if captions:
            picture = stacked([picture, _caption(scene, view, usable, tile_px)])
        tiles.append(picture)
    return beside(tiles, gap_px=gap_px) if tiles else Image.new("RGB", (width_px, 1), PAPER)


def _picture(suite: Suite, scene: Scene, view: View, usable: bool, width_px: int) -> Image.Image:
    """The view with the deciding objects outlined, framed in the colour of the verdict."""
    border = 4 if width_px < 300 else 6
    inner = width_px - 2 * border
    scale = inner / view.camera.width_px
    image = Image.fromarray(load_image(suite, view))
    height = height_for(image, inner)
    image = image.resize((inner, height), Image.Resampling.LANCZOS)
    if not usable:
        image = Image.blend(image, Image.new("RGB", image.size, PAPER), 0.55)
    draw = ImageDraw.Draw(image)
    for name in reversed(scene.decided.objects):
        box = view.visibility[name].box
        if box is not None:
            color = TARGET if name == scene.decided.objects[0] else OTHER
            x0, y0, x1, y1 = (round(edge * scale) for edge in box)
            draw.rectangle(
                (x0 - 2, y0 - 2, max(x1, x0) + 1, max(y1, y0) + 1), outline=color, width=2
            )
    tile = Image.new("RGB", (width_px, image.height + 2 * border), _color(scene.decided))
    tile.paste(image, (border, border))
    return tile


def _caption(scene: Scene, view: View, usable: bool, width_px: int) -> Image.Image:
    seen = view.visibility[scene.decided.objects[0]]
    state: Span = ("✓ asked", 16, True, GREEN) if usable else ("✗ cannot answer", 16, True, FADED)
    spans: list[Span] = [
        (view.camera.name, 16, True, INK),
        state,
        (f"\ntarget {seen.pixels} px, {seen.fraction:.0%} visible", 14, False, FADED),
    ]
    return text_block(spans, width_px)


def _measurements(scene: Scene, width_px: int) -> Image.Image:
    """A table of the trial's measurements: name, value, limit."""
    rows = [("measured", "value", "limit")]
    for name, m in scene.decided.measurements.items():
        unit = "" if m.unit == "1" else m.unit
        limit = "" if m.limit is None else f"{m.limit:.4g} {unit}"
        rows.append((name.replace("_", " "), f"{m.value:.4g} {unit}", limit))
    lines = []
    for number, row in enumerate(rows):
        shown = (17, number == 0, FADED if number == 0 else INK)
        widths = (round(width_px * share) - 18 for share in (0.5, 0.25, 0.25))
        cells = zip(row, widths, strict=True)
        lines.append(beside([text_block([(c, *shown)], w) for c, w in cells], gap_px=18))
    table = stacked(lines, gap_px=3)
    mark = Image.new("RGB", (6, table.height), _color(scene.decided))
    return beside([mark, table], gap_px=12)


def _question_row(question: Question, same: Question) -> Image.Image:
    """A question once, and its truth for the scene and for the twin."""
    spans: list[Span] = [
        (question.form.replace("_", " "), 17, True, FADED),
        (question.text, 18, True, INK),
    ]
    for option in question.options:
        spans.append((f"\n    • {option}", 16, False, INK))
    text = text_block(spans, _WIDTH_PX)
    truths = [
        text_block([("truth", 16, False, FADED), (q.truth, 18, True, INK)], _HALF_PX)
        for q in (question, same)
    ]
    return stacked([text, beside(truths, gap_px=2 * _GAP_PX)])


def _verdict_span(verdict: Verdict, size_px: int) -> Span:
    word = "feasible" if verdict.feasible else f"infeasible: {verdict.constraint.value}"
    return (word.replace("_", " "), size_px, True, _color(verdict))


def _color(verdict: Verdict) -> Color:
    return GREEN if verdict.feasible else RED


def _legend_span() -> Span:
    words = "yellow: the target · blue: what else decides · faded: a view that cannot answer"
    return (words, 15, False, FADED)

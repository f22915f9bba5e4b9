"""Contact sheets of scenes without twins: objects from many sides, photos, labels."""

from collections.abc import Sequence

import numpy as np
from PIL import Image

from pactwin.suite.drawing import (
    FADED,
    GREEN,
    INK,
    OTHER,
    RED,
    Color,
    Span,
    beside,
    height_for,
    stacked,
    text_block,
)
from pactwin.suite.pictures import load_image
from pactwin.suite.questions import Question
from pactwin.suite.reader import Suite
from pactwin.suite.records import ObjectRecord, Observability, Scene, View
from pactwin.suite.text import counted

MAX_SCENES = 80
_WIDTH_PX = 1800
_PAD_PX = 28
_GAP_PX = 4
_PER_ROW = 8
_LARGEST_PX = 600
_SEEN: dict[Observability, Color] = {"visible": GREEN, "inferable": INK, "hidden": RED}


def single_sheet(suite: Suite, scene: Scene) -> Image.Image:
    """All views of one scene, with labels and questions of its objects."""
    title: list[Span] = [
        (", ".join(obj.name for obj in scene.objects) or scene.id, 34, True, INK),
        (f"\n{suite.info.name} · {scene.domain} · {scene.source} · {scene.id}", 18, False, FADED),
    ]
    columns = min(_PER_ROW, max(len(scene.views), 1))
    asked = [q for q in suite.questions() if q.scene_id == scene.id]
    parts = [
        text_block(title, _WIDTH_PX),
        *(
            beside([_tile(suite, view, columns, named=True) for view in row], gap_px=_GAP_PX)
            for row in _rows(scene.views, columns)
        ),
        *(_labels(obj) for obj in scene.objects if obj.properties or obj.affordances),
        _legend(),
        *(_question(question) for question in asked),
    ]
    return stacked(parts, gap_px=14, pad_px=_PAD_PX)


def singles_sheet(suite: Suite) -> Image.Image:
    """A row for each scene without a twin: evenly spaced views, and labels.

    A suite with more than 80 scenes is represented by 80 evenly spaced ones, and the sheet says so.
    """
    count = suite.info.counts.get("scenes", 0)
    shown = np.unique(np.linspace(0, count - 1, min(count, MAX_SCENES)).round().astype(int))
    told = f"{len(shown)} of {count} scenes" if len(shown) < count else counted(count, "scenes")
    title: list[Span] = [(suite.info.name, 34, True, INK), (f"  {told}", 20, False, FADED)]
    parts = [text_block(title, _WIDTH_PX)]
    for number, scene in enumerate(suite.scenes()):
        if number in shown:
            parts.append(_row(suite, scene))
    parts.append(_legend())
    return stacked(parts, gap_px=14, pad_px=_PAD_PX)


def _legend() -> Image.Image:
    return text_block(
        [("green: visible · black: inferable · red: hidden", 15, False, FADED)], _WIDTH_PX
    )


def _row(suite: Suite, scene: Scene) -> Image.Image:
    spans: list[Span] = [
        (", ".join(obj.name for obj in scene.objects) or scene.id, 18, True, INK),
        (f" {scene.domain} · {scene.id}", 14, False, FADED),
    ]
    for obj in scene.objects:
        if obj.properties or obj.affordances:
            values = (
                (label.value, 14, True, _SEEN[label.observability])
                for label in obj.properties.values()
            )
            uses = ", ".join(affordance.name for affordance in obj.affordances)
            spans += [("\n", 14, False, INK), *values, (f"· {uses}", 14, False, FADED)]
    picks = np.unique(np.linspace(0, len(scene.views) - 1, _PER_ROW).round().astype(int))
    tiles = [_tile(suite, scene.views[k], _PER_ROW, named=False) for k in picks if scene.views]
    return stacked(
        [text_block(spans, _WIDTH_PX), *([beside(tiles, gap_px=_GAP_PX)] if tiles else [])]
    )


def _tile(suite: Suite, view: View, columns: int, *, named: bool) -> Image.Image:
    width = min((_WIDTH_PX - _GAP_PX * (columns - 1)) // columns, _LARGEST_PX)
    image = Image.fromarray(load_image(suite, view))
    image = image.resize((width, height_for(image, width)), Image.Resampling.LANCZOS)
    if not named:
        return image
    return stacked([image, text_block([(view.camera.name, 14, False, FADED)], width)])


def _rows(views: Sequence[View], columns: int) -> list[Sequence[View]]:
    return [views[k : k + columns] for k in range(0, len(views), columns)]


def _labels(obj: ObjectRecord) -> Image.Image:
    spans: list[Span] = [(obj.name, 22, True, INK), (f" {obj.state}", 16, False, FADED)]
    for name, label in obj.properties.items():
        spans += [
            (f"\n{name}", 16, False, FADED),
            (label.value, 16, True, _SEEN[label.observability]),
            (label.evidence, 15, False, FADED),
        ]
    for affordance in obj.affordances:
        spans += [
            ("\ncan", 16, False, FADED),
            (affordance.name, 16, True, _SEEN[affordance.observability]),
            (f"because of {affordance.evidence}", 15, False, FADED),
        ]
    return text_block(spans, _WIDTH_PX)


def _question(question: Question) -> Image.Image:
    spans: list[Span] = [
        (question.topic or question.kind, 15, True, OTHER),
        (question.text.replace("\n", " "), 15, False, INK),
        (f"\n    {question.truth}", 15, True, INK),
        (f"  asked of {counted(len(question.views), 'views')}", 14, False, FADED),
    ]
    return text_block(spans, _WIDTH_PX)

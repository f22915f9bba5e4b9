"""Export for Hugging Face ``datasets``: Parquet with embedded pictures, and a data set card.

``questions_flat``, the default, has a row per question and view with everything for asking and
marking. Three further configurations hold the records, each picture once: ``questions``,
``pictures`` and ``scenes``, joined by ``scene_id`` and ``camera``.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pactwin.suite import (
    ProgressCallback,
    Question,
    RatedAnswer,
    Scene,
    Suite,
    View,
    needs,
    new_folder,
    silent,
)
from pactwin.tasks.core.views import EACH
from pactwin.tasks.exporting.card import write_card
from pactwin.tasks.exporting.flat import flat_features, flat_rows
from pactwin.tasks.exporting.parquet import write_parquet

if TYPE_CHECKING:
    from datasets import Features

_OF_CANDIDATES = ("name", "description", "view")
_OF_PARTS = ("parts", "likeness", "evidence", "part_views", "unseen")


def export_hub(
    suite: Suite,
    out: Path,
    views: str = EACH,
    license: str | None = None,
    progress: ProgressCallback = silent,
) -> dict[str, int]:
    """Write the new folder ``out``; returns the number of rows of each configuration.

    ``views`` are those of ``questions_flat``. ``license`` is an identifier of the Hub; by default
    pactwin's if everything was simulated, else ``other``.

    Raises InvalidInputError if ``out`` is not new or empty or a view is unknown,
    EnvironmentFaultError without the packages, SuiteError for a missing or changed picture.
    """
    with needs("Hugging Face's format needs datasets", "export"):
        import datasets
    counts = suite.info.counts
    tables = {
        "questions_flat": (flat_features(datasets), flat_rows(suite, views), 0),
        "questions": (
            _question_features(datasets),
            (_question(question, known=not suite.is_sealed) for question in suite.questions()),
            counts.get("questions", 0),
        ),
        "scenes": (_scene_features(datasets), map(_scene, suite.scenes()), counts.get("scenes", 0)),
        "pictures": (_picture_features(datasets), _pictures(suite), counts.get("views", 0)),
    }
    written = {}
    with new_folder(out) as folder:
        for name, (features, rows, total) in tables.items():
            advance = partial(_advance, progress, name, total)
            written[name] = write_parquet(folder / name, features, rows, advance)
        write_card(suite, folder, written, license)
    return written


def _advance(progress: ProgressCallback, name: str, total: int, done: int) -> None:
    progress(name, done, max(total, done))


def _question_features(datasets: Any) -> "Features":
    text = datasets.Value("string")
    names = ("question_id", "scene_id", "kind", "form", "text", "truth", "rationale", "topic")
    lists = ("options", "accepted", "objects", "views", "equivalent_constraints", "distractors")
    votes = {"choice": text, "votes": datasets.Value("int32")}
    synonyms = {"said": text, "name": text}
    named = datasets.List({"name": text, "text": text})
    candidate = dict.fromkeys(_OF_CANDIDATES, text) | dict.fromkeys(_OF_PARTS, named)
    answer = dict.fromkeys(RatedAnswer.model_fields, text)
    return datasets.Features(
        dict.fromkeys((*names, "observability", "check"), text)
        | {name: datasets.List(text) for name in lists}
        | {"votes": datasets.List(votes), "synonyms": datasets.List(synonyms)}
        | {"conditions": named, "candidates": datasets.List(candidate)}
        | {"answers": datasets.List(answer), "uses": datasets.List(text)}
        | {"steps": datasets.List(datasets.Value("int32")), "order_free": datasets.Value("bool")}
    )


def _question(question: Question, *, known: bool) -> dict[str, Any]:
    """The row of a question, without what a sealed suite puts in the place of its truth."""
    row = question.model_dump(mode="json", exclude={"id", "votes", "synonyms"})
    row["question_id"] = question.id
    if not known:
        row |= {"truth": None, "accepted": []}
    row["votes"] = [{"choice": said, "votes": n} for said, n in question.votes.items()]
    row["synonyms"] = [{"said": said, "name": name} for said, name in question.synonyms.items()]
    row["conditions"] = _named(row["conditions"])
    for thing in row["candidates"]:
        thing |= {key: _named(thing[key]) for key in _OF_PARTS}
    return row


def _named(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Texts by name as rows: a column has the same keys in all."""
    return [{"name": name, "text": said} for name, said in texts.items()]


def _scene_features(datasets: Any) -> "Features":
    text = datasets.Value("string")
    flag = datasets.Value("bool")
    names = ("scene_id", "domain", "source", "robot", "twin_id", "constraint", "action", "record")
    return datasets.Features(
        dict.fromkeys(names, text) | {"feasible": flag, "cameras": datasets.List(text)}
    )


def _scene(scene: Scene) -> dict[str, Any]:
    verdict = scene.verdict
    return {
        "scene_id": scene.id,
        "domain": scene.domain,
        "source": scene.source,
        "robot": scene.robot,
        "twin_id": scene.twin_id,
        "feasible": verdict.feasible if verdict else None,
        "constraint": verdict.constraint.value if verdict else None,
        "action": verdict.action if verdict else None,
        "cameras": [view.camera.name for view in scene.views],
        "record": scene.model_dump_json(),
    }


def _picture_features(datasets: Any) -> "Features":
    text, number, picture = datasets.Value("string"), datasets.Value("int32"), datasets.Image()
    return datasets.Features(
        dict.fromkeys(("scene_id", "camera", "domain", "visibility"), text)
        | dict.fromkeys(("width_px", "height_px"), number)
        | dict.fromkeys(("image", "depth", "mask"), picture)
    )


def _pictures(suite: Suite) -> Iterator[dict[str, Any]]:
    for scene in suite.scenes():
        for view in scene.views:
            yield {
                "scene_id": scene.id,
                "camera": view.camera.name,
                "domain": scene.domain,
                "width_px": view.camera.width_px,
                "height_px": view.camera.height_px,
                "visibility": json.dumps(
                    {name: seen.model_dump() for name, seen in view.visibility.items()}
                ),
                **_files(suite, view),
            }


def _files(suite: Suite, view: View) -> dict[str, dict[str, Any] | None]:
    """A view's picture, depth and mask as bytes; None for one that it has not."""
    return {
        name: None if path is None else {"bytes": suite.resolve(path).read_bytes(), "path": path}
        for name, path in (("image", view.image), ("depth", view.depth), ("mask", view.mask))
    }

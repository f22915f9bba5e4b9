"""A folder for Hugging Face ``datasets``: Parquet with the pictures in it, and a data set card.

Three configurations, so that no picture is stored once for each question about it: ``questions``
(the default), ``pictures`` and ``scenes``, joined by ``scene_id`` and ``camera``.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
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
    one_line,
    silent,
)

if TYPE_CHECKING:
    from datasets import Features

_OF_CANDIDATES = ("name", "description", "view")
_OF_PARTS = ("parts", "likeness", "evidence", "part_views", "unseen")
_SHARD_BYTES = 400 * 2**20
_ROW_GROUP_BYTES = 32 * 2**20


def export_hub(suite: Suite, out: Path, progress: ProgressCallback = silent) -> dict[str, int]:
    """Write the folder ``out``, which must be new; how many rows each configuration has.

    Raises InvalidInputError if ``out`` is not new or empty, EnvironmentFaultError without the
    packages, SuiteError for a picture that is missing.
    """
    with needs("Hugging Face's format needs datasets", "export"):
        import datasets
    counts = suite.info.counts
    tables = {
        "questions": (_question_features(datasets), map(_question, suite.questions())),
        "scenes": (_scene_features(datasets), map(_scene, suite.scenes())),
        "pictures": (_picture_features(datasets), _pictures(suite)),
    }
    totals = {"questions": "questions", "scenes": "scenes", "pictures": "views"}
    named = {"name": one_line(suite.info.name), "made_by": one_line(suite.info.made_by)}
    numbers = {key: f"{counts.get(key, 0):,}" for key in ("questions", "views", "scenes")}
    card = Template((files("pactwin.tasks.exporting") / "card.md").read_text(encoding="utf-8"))
    text = card.substitute(**named, **numbers, content_hash=suite.info.content_hash)
    written = {}
    with new_folder(out) as folder:
        for name, (features, rows) in tables.items():
            total = counts.get(totals[name], 0)

            def advance(done: int, name: str = name, total: int = total) -> None:
                progress(name, done, total)

            written[name] = _write(folder / name, features, rows, advance)
        (folder / "README.md").write_text(text, encoding="utf-8")
    return written


def _write(
    folder: Path,
    features: "Features",
    rows: Iterator[dict[str, Any]],
    advance: Callable[[int], None],
) -> int:
    """Stream rows into shards of Parquet; there is one shard even without rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    schema = features.arrow_schema
    number, shard, more = 0, 0, True
    while more:
        path = folder / f"{shard:05d}.parquet"
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            size, more = 0, False
            group: list[dict[str, Any]] = []
            group_bytes = 0
            for row in rows:
                number += 1
                group.append(features.encode_example(row))
                group_bytes += _bytes_of(row)
                advance(number)
                if group_bytes >= _ROW_GROUP_BYTES:
                    writer.write_table(pa.Table.from_pylist(group, schema=schema))
                    size, group, group_bytes = size + group_bytes, [], 0
                    if size >= _SHARD_BYTES:
                        more = True
                        break
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
        shard += 1
    return number


def _bytes_of(row: dict[str, Any]) -> int:
    """About how much memory a row takes: its pictures and its texts."""
    pictures = sum(len(value["bytes"]) for value in row.values() if isinstance(value, dict))
    return pictures + sum(len(value) for value in row.values() if isinstance(value, str))


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


def _question(question: Question) -> dict[str, Any]:
    row = question.model_dump(mode="json", exclude={"id", "votes", "synonyms"})
    row["question_id"] = question.id
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

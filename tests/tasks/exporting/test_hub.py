"""The folder for Hugging Face datasets: the package reads it, and finds what is in the suite."""

import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known_things import write_inspected
from pacbench_data import whole_data

from pactwin.suite import Candidate, RatedAnswer, Scene, Suite, load_mask, load_suite
from pactwin.tasks import export_hub, import_published


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever connects to anything fails."""

    def refuse(*args: object) -> None:
        raise AssertionError(f"a connection to {args[1:]}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def load(folder: Path, name: str, cache: Path) -> Any:
    from datasets import load_dataset

    return load_dataset(str(folder), name, split="train", cache_dir=str(cache))


def test_datasets_loads_what_the_suite_holds(suite: Suite, tmp_path: Path, offline: None) -> None:
    written = export_hub(suite, tmp_path / "hub")
    questions = load(tmp_path / "hub", "questions", tmp_path / "cache")
    pictures = load(tmp_path / "hub", "pictures", tmp_path / "cache")
    scenes = load(tmp_path / "hub", "scenes", tmp_path / "cache")
    flat = written.pop("questions_flat")
    assert flat > len(questions)
    assert written == {
        "questions": len(questions), "scenes": len(scenes), "pictures": len(pictures),
    }  # fmt: skip
    for row, question in zip(questions, suite.questions(), strict=True):
        assert row["question_id"] == question.id
        assert (row["text"], row["truth"]) == (question.text, question.truth)
        assert tuple(row["options"]) == question.options
        assert tuple(row["views"]) == question.views
    records = [Scene.model_validate_json(row["record"]) for row in scenes]
    assert records == list(suite.scenes())
    assert [row["feasible"] for row in scenes] == [s.decided.feasible for s in records]
    views = [(scene, view) for scene in records for view in scene.views]
    for row, (scene, view) in zip(pictures, views, strict=True):
        assert (row["scene_id"], row["camera"]) == (scene.id, view.camera.name)
        assert row["image"].size == (view.camera.width_px, view.camera.height_px)
        assert np.array_equal(np.asarray(row["mask"]), load_mask(suite, view))


def test_pictures_reach_datasets_byte_for_byte(tmp_path: Path, offline: None) -> None:
    from datasets import Image

    import_published("pacbench", whole_data(tmp_path / "data"), tmp_path / "suite")
    suite = Suite.open(tmp_path / "suite")
    export_hub(suite, tmp_path / "hub")
    pictures = load(tmp_path / "hub", "pictures", tmp_path / "cache")
    pictures = pictures.cast_column("image", Image(decode=False))
    views = [view for scene in suite.scenes() for view in scene.views]
    for row, view in zip(pictures, views, strict=True):
        assert row["image"]["bytes"] == suite.resolve(view.image).read_bytes()
        assert row["mask"] is None
    votes = [row["votes"] for row in load(tmp_path / "hub", "questions", tmp_path / "cache")]
    counted = [{vote["choice"]: vote["votes"] for vote in some} for some in votes]
    assert counted == [question.votes for question in suite.questions()]


def test_candidates_and_published_answers_come_back_whole(tmp_path, monkeypatch, offline):
    suite = Suite.open(write_inspected(tmp_path / "suite"))
    answer = RatedAnswer(source="person", rating="efficient", claim="solvable", text="Use it.")
    told = {"answers": (answer,), "uses": ("bridge_gap", "weigh_down")}
    asked = [question.model_copy(update=told) for question in suite.questions()]
    load_suite(suite.path)  # flat rows are made of what is loaded, before anything is planted
    monkeypatch.setattr(Suite, "questions", lambda self: iter(asked))
    export_hub(suite, tmp_path / "hub")
    rows = list(load(tmp_path / "hub", "questions", tmp_path / "cache"))
    texts = ("parts", "likeness", "evidence", "part_views", "unseen")
    for row, question in zip(rows, asked, strict=True):
        for thing in row["candidates"]:
            thing |= {key: {some["name"]: some["text"] for some in thing[key]} for key in texts}
        assert tuple(map(Candidate.model_validate, row["candidates"])) == question.candidates
        assert tuple(map(RatedAnswer.model_validate, row["answers"])) == question.answers
        assert tuple(row["uses"]) == question.uses
    assert any(thing.part_views for question in asked for thing in question.candidates)


def test_shards_hold_every_row_once(suite, tmp_path, monkeypatch, offline):
    from pactwin.tasks.exporting import parquet

    monkeypatch.setattr(parquet, "_SHARD_BYTES", 4000)
    monkeypatch.setattr(parquet, "_ROW_GROUP_BYTES", 1500)
    export_hub(suite, tmp_path / "hub")
    assert len(list((tmp_path / "hub" / "pictures").glob("*.parquet"))) > 2
    rows = load(tmp_path / "hub", "pictures", tmp_path / "cache")
    named = [(row["scene_id"], row["camera"]) for row in rows]
    assert named == [(s.id, v.camera.name) for s in suite.scenes() for v in s.views]

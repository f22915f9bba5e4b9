"""The folder for Hugging Face datasets: the package reads it, and finds what is in the suite."""

import json
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from commands import invoke
from fakes import make_fake_suite
from pacbench_data import whole_data
from typer.main import get_command

from pactwin.cli import app
from pactwin.suite import (
    Scene,
    Suite,
    load_mask,
    new_key,
    open_answers,
    seal_suite,
    sealed_suite_path,
)
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


def test_shards_hold_every_row_once(suite, tmp_path, monkeypatch, offline):
    from pactwin.tasks.exporting import parquet

    monkeypatch.setattr(parquet, "_SHARD_BYTES", 4000)
    monkeypatch.setattr(parquet, "_ROW_GROUP_BYTES", 1500)
    export_hub(suite, tmp_path / "hub")
    assert len(list((tmp_path / "hub" / "pictures").glob("*.parquet"))) > 2
    rows = load(tmp_path / "hub", "pictures", tmp_path / "cache")
    named = [(row["scene_id"], row["camera"]) for row in rows]
    assert named == [(s.id, v.camera.name) for s in suite.scenes() for v in s.views]


EXPORTS = get_command(app).commands["export"].commands  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def challenge(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    folder = tmp_path_factory.mktemp("challenge")
    key = new_key(folder / "key")
    source = make_fake_suite(folder / "suite", n_pairs=2, seed=8, secret=True)
    seal_suite(source, folder / "sealed", key)
    return folder / "sealed", key


@pytest.mark.parametrize("target", sorted(set(EXPORTS) - {"hf", "mjcf"}))
def test_other_exports_are_refused(challenge, tmp_path, target):
    suite = sealed_suite_path(challenge[0])
    result = invoke("export", target, suite, tmp_path / "out", code=2)
    assert "is sealed, only its organiser has the truths" in result.stderr.replace("\n", " ")
    assert not (tmp_path / "out").exists()


def test_a_sealed_scene_is_no_world(challenge: tuple[Path, bytes], tmp_path: Path) -> None:
    invoke("export", "mjcf", sealed_suite_path(challenge[0]), "1", tmp_path / "out", code=2)


def test_what_is_written_for_datasets_tells_no_truth(challenge, tmp_path):
    sealed, key = challenge
    invoke("export", "hf", sealed_suite_path(sealed), tmp_path / "hub", "--views", "front")
    tables = {path.parent.name: path for path in (tmp_path / "hub").rglob("*.parquet")}
    rows = {name: pq.read_table(path).to_pylist() for name, path in tables.items()}
    for name in ("questions_flat", "questions"):
        assert {(row["truth"], tuple(row["accepted"])) for row in rows[name]} == {(None, ())}
    for name in ("questions_flat", "scenes"):
        assert {(row["feasible"], row["constraint"]) for row in rows[name]} == {(None, None)}
    assert len({row["pair_id"] for row in rows["questions_flat"]}) == 4, "twins are not told"
    answers = open_answers(sealed, key)
    written = json.dumps(rows, default=repr) + (tmp_path / "hub" / "README.md").read_text()
    for scene in answers.scenes:
        for secret in (scene.domain, scene.objects[0].asset, str(scene.objects[0].mass_kg)):
            assert not secret or f'"{secret}"' not in written
    assert not any(question.rationale in written for question in answers.questions)
    assert "This suite is sealed" in written

"""Of a sealed suite one export has the pictures and questions; none has a truth."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands import invoke
from fakes import make_fake_suite
from typer.main import get_command

from pactwin.cli import app
from pactwin.suite import new_key, open_answers, seal_suite, sealed_suite_path

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

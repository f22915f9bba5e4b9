"""A suite written in PAC Bench's layout and read again has the same labels."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from commands import invoke
from fake_objects import CAMERAS, make_fake_objects
from fakes import make_fake_suite
from pacbench_data import defective_data, whole_data

from pactwin.suite import InvalidInputError, Suite, export_coco
from pactwin.tasks import import_published, import_report_path
from pactwin.tasks.published.pacbench.exporting import export_pacbench

Labels = Counter[tuple]


def labels(suite: Suite) -> Labels:
    """What is asked about which pictures, and what is true, of every question that can be asked.

    Constraints count once a scene: the layout has one way to ask about them.
    """
    scenes = {scene.id: scene for scene in suite.scenes()}
    found: Labels = Counter()
    for question in suite.questions():
        if question.views and (question.kind != "constraint" or question.form == "open"):
            views = scenes[question.scene_id].views
            shown = frozenset(
                hashlib.sha256(suite.resolve(view.image).read_bytes()).hexdigest()
                for view in views
                if view.camera.name in question.views
            )
            topic = question.topic if question.kind == "property" else ""
            votes = tuple(sorted(question.votes.items())) or ((question.truth, 1),)
            accepted = question.accepted
            found[shown, question.kind, topic, question.truth, accepted, votes] += 1
    return found


@pytest.mark.parametrize(
    ("make", "consensus"), [(whole_data, "unanimous"), (defective_data, "all")]
)
def test_what_was_imported_goes_back(make, consensus, tmp_path):
    data = make(tmp_path / "data")
    first, then = import_published("pacbench", data, tmp_path / "first", consensus)
    suite = Suite.open(tmp_path / "first")
    written = export_pacbench(suite, tmp_path / "out")
    if make is whole_data:  # annotators among it
        for file in (tmp_path / "out" / "ground_truth").rglob("*.*sv"):
            original = data / file.relative_to(tmp_path / "out")
            assert file.read_text() == original.read_text()
    again, report = import_published("pacbench", tmp_path / "out", tmp_path / "again", consensus)
    assert labels(Suite.open(tmp_path / "again")) == labels(suite) != Counter()
    assert report.pictures.used == written.pictures
    rows = sum(table.rows for table in report.files.values())
    assert rows == written.rows == sum(table.rows for table in then.files.values())
    import_report_path(tmp_path / "first").unlink()  # without it, what came to questions
    bare = export_pacbench(suite, tmp_path / "bare")
    _, report = import_published("pacbench", tmp_path / "bare", tmp_path / "third", consensus)
    assert labels(Suite.open(tmp_path / "third")) == labels(suite)
    assert not [issue for issue in report.issues if issue.lost]
    assert sum(table.rows for table in report.files.values()) == bare.rows
    if make is whole_data:
        assert again.content_hash == first.content_hash


def test_constraint_scenes_of_ours_come_back(suite: Suite, tmp_path: Path) -> None:
    written = export_pacbench(suite, tmp_path / "out")
    import_published("pacbench", tmp_path / "out", tmp_path / "again", "all")
    again = Suite.open(tmp_path / "again")
    assert labels(again) == labels(suite)
    assert written.pictures == sum(len(q.views) for q in suite.questions() if q.form == "open")
    keys = {p.parent.parent.name for p in (tmp_path / "out" / "constraint_images").rglob("0.png")}
    assert keys == {scene.id for scene in suite.scenes()}
    actions = {scene.decided.action for scene in suite.scenes()}
    assert {question.topic for question in again.questions()} == actions


def test_objects_of_ours_come_back(tmp_path: Path) -> None:
    kinds = ["mug", "hammer", "apple"]
    suite = Suite.open(make_fake_objects(tmp_path / "suite", kinds, CAMERAS[:2]))
    export_pacbench(suite, tmp_path / "out")
    import_published("pacbench", tmp_path / "out", tmp_path / "again")
    assert labels(Suite.open(tmp_path / "again")) == labels(suite) != Counter()


@pytest.mark.parametrize(
    ("honest", "planted"),
    [
        ('"origin":"open_images/m0jbk', '"origin":"open_images/../../../planted'),
        ('"camera":{"name":"photo"', '"camera":{"name":"../../../../planted"'),
    ],
)
def test_names_in_a_suite_lead_nowhere_else(tmp_path: Path, honest: str, planted: str) -> None:
    """A suite from elsewhere may say of its pictures that they come from any path."""
    import_published("pacbench", whole_data(tmp_path / "data"), tmp_path / "suite")
    info = json.loads((tmp_path / "suite" / "suite.json").read_text())
    for name in ("scenes.jsonl", "questions.jsonl"):
        records = tmp_path / "suite" / name
        text = records.read_text().replace('"views":["photo"]', '"views":["../../../../planted"]')
        assert name == "questions.jsonl" or honest in text
        records.write_text(text.replace(honest, planted).replace("open_images/m0cup", "m0cup"))
        info["files"][name] = hashlib.sha256(records.read_bytes()).hexdigest()
    (tmp_path / "suite" / "suite.json").write_text(json.dumps(info))
    suite = Suite.open(tmp_path / "suite")
    for export in (export_pacbench, export_coco):
        out = tmp_path / "deep" / export.__name__ / "out"
        export(suite, out)
        assert any(out.rglob("*.png"))
    assert not list(tmp_path.rglob("*planted*"))


def test_the_command_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    suite = make_fake_suite(tmp_path / "suite", n_pairs=1)
    out = tmp_path / "out"
    done = invoke("export", "pacbench", suite, out)
    assert "pictures" in done.stdout
    before = sorted(out.rglob("*"))
    again = invoke("export", "pacbench", suite, out, code=2)
    assert "not empty" in again.stderr
    assert sorted(out.rglob("*")) == before
    with pytest.raises(InvalidInputError):
        export_pacbench(Suite.open(suite), suite)

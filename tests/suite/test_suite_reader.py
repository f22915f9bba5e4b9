"""A suite opens, or says on one line why not; and nothing outside it is ever read."""

import json
import shutil
from pathlib import Path

import pytest
from damage import damaged
from fakes import edit_info, fake_pairs, make_fake_suite, open_fake_writer, rewrite
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pactwin.suite import (
    SCHEMA_VERSION,
    InvalidInputError,
    Scene,
    Suite,
    SuiteError,
    check_leaks,
    check_suite,
    load_depth,
    load_image,
    load_mask,
)


@pytest.fixture
def suite_path(tmp_path: Path) -> Path:
    return make_fake_suite(tmp_path / "s", n_pairs=2, cameras=("side", "head"))


def test_what_was_written_is_read(tmp_path):
    written = [s for pair in fake_pairs(3) for s in pair.scenes]
    suite = Suite.open(make_fake_suite(tmp_path / "s", n_pairs=3))
    assert list(suite.scenes()) == written
    assert [s for pair in suite.pairs() for s in pair] == written
    assert {q.scene_id for q in suite.questions()} == {s.id for s in written}
    assert suite.pair_of(written[1].id) == (written[1], written[0])
    for view in written[0].views:
        height, width = view.camera.height_px, view.camera.width_px
        assert load_image(suite, view).shape == (height, width, 3)
        assert load_depth(suite, view).shape == (height, width)
        target = written[0].objects[0]
        seen = (load_mask(suite, view) == target.instance_id).sum()
        assert seen == view.visibility[target.name].pixels


def nothing(path: Path) -> None:
    shutil.rmtree(path)


def something_else(path: Path) -> None:
    (path / "suite.json").rename(path / "notes.json")


def half_written(path: Path) -> None:
    shutil.rmtree(path)
    open_fake_writer(path).close()


def changed_records(path: Path) -> None:
    scenes = path / "scenes.jsonl"
    scenes.write_bytes(scenes.read_bytes().replace(b"true", b"false"))


def missing_records(path: Path) -> None:
    (path / "questions.jsonl").unlink()


def newer(path: Path) -> None:
    edit_info(path, schema_version=SCHEMA_VERSION + 1, a_new_key=1)


def older(path: Path) -> None:
    edit_info(path, schema_version=1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (nothing, "no such folder"),
        (something_else, "not a suite"),
        (half_written, "again to resume"),
        (changed_records, "scenes.jsonl was changed"),
        (missing_records, "questions.jsonl is missing"),
        (newer, "install a newer one"),
        (older, "import it again"),
    ],
)
def test_what_cannot_be_opened_is_one_line(suite_path, change, said):
    change(suite_path)
    with pytest.raises(SuiteError, match=said) as caught:
        Suite.open(suite_path)
    assert "\n" not in str(caught.value)
    assert str(suite_path) in str(caught.value)


def test_a_bad_record_is_named_by_line_and_key_and_an_unknown_scene_by_its_id(suite_path):
    with pytest.raises(InvalidInputError, match="no scene 'feedfeedfeedfeed'"):
        Suite.open(suite_path).pair_of("feedfeedfeedfeed")
    lines = (suite_path / "scenes.jsonl").read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"mass_kg":0.2', b'"mass_kg":-1')
    rewrite(suite_path, "scenes.jsonl", b"".join(lines))
    scenes = Suite.open(suite_path).scenes()
    next(scenes)
    next(scenes)
    with pytest.raises(SuiteError, match=r"scenes\.jsonl:3: objects\.0\.mass_kg: .*greater than 0"):
        next(scenes)


@given(relative=st.text(alphabet="ab./\\ ~\0\n:é", max_size=12))
@example("../outside.png")
@example("/etc/passwd")
@example("views/../../outside.png")
@example("link/outside.png")
@example("loop")
@example("alias")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_path_leads_out(tmp_path, relative):
    root = tmp_path / "s"
    if not root.exists():
        make_fake_suite(root, n_pairs=1, cameras=("head",))
        (tmp_path / "outside.png").write_text("secret")
        (root / "link").symlink_to(tmp_path)
        (root / "loop").symlink_to("loop")
        (root / "alias").symlink_to("suite.json")
        (root / "a").write_text("inside")
    try:
        found = Suite.open(root).resolve(relative)
    except SuiteError as error:
        assert "\n" not in str(error)
    else:
        assert found.resolve().is_relative_to(root.resolve())
        assert found.is_file() and not found.is_symlink()


@pytest.mark.parametrize("bad", ["/etc/passwd", "../x.png", "views/../../x.png", "a\\b", "~", ""])
def test_records_cannot_name_a_path_out(suite_path, bad):
    scene = next(Suite.open(suite_path).scenes())
    record = json.loads(scene.model_dump_json())
    record["views"][0]["image"] = bad
    with pytest.raises(ValueError, match="image"):
        Scene.model_validate_json(json.dumps(record))


def use(path: Path) -> list[Scene] | None:
    """Read all there is; the scenes, or None if the suite was refused."""
    try:
        suite = Suite.open(path)
        scenes = [scene for pair in suite.pairs() for scene in pair]
        list(suite.questions())
        for scene in scenes:
            for view in scene.views:
                load_image(suite, view), load_depth(suite, view), load_mask(suite, view)
        check_leaks(suite)
    except SuiteError as error:
        assert "\n" not in str(error)
        return None
    return scenes


@pytest.fixture(scope="module")
def to_break(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite that every example damages and mends again."""
    path = tmp_path_factory.mktemp("broken") / "s"
    return make_fake_suite(path, n_pairs=1, cameras=("head",))


@pytest.mark.slow
@given(data=st.data(), rehashed=st.booleans())
@settings(max_examples=80)
def test_broken_files_never_surprise(to_break, data, rehashed):
    """Damage to any file: nothing changes for the reader, or the fault is named.

    Parsers meet the damage where its hash was made to fit.
    """
    info = to_break / "suite.json"
    names = sorted(json.loads(info.read_text())["files"]) + ["suite.json"] * (not rehashed)
    file = to_break / data.draw(st.sampled_from(names))
    original, told = file.read_bytes(), info.read_bytes()
    scenes, broken = use(to_break), damaged(original, data.draw)
    try:
        if rehashed:
            rewrite(to_break, str(file.relative_to(to_break)), broken)
        else:
            file.write_bytes(broken)
        faults, read = check_suite(to_break), use(to_break)
        if not rehashed:
            assert faults or broken == original or file == info
            assert faults or read == scenes
    finally:
        file.write_bytes(original)
        info.write_bytes(told)


@pytest.mark.parametrize("what", ["folder", "link", "empty"])
def test_oddities_in_place_of_a_file_are_faults(suite_path, tmp_path, what):
    view = next(Suite.open(suite_path).scenes()).views[0]
    for name in ("suite.json", "scenes.jsonl", view.image, view.mask):
        path = tmp_path / "copy"
        shutil.copytree(suite_path, path)
        (path / name).unlink()
        if what == "folder":
            (path / name).mkdir()
        elif what == "link":
            (path / name).symlink_to("/dev/null")
        else:
            (path / name).write_bytes(b"")
        assert check_suite(path)
        assert use(path) is None
        shutil.rmtree(path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"scene_id": "0" * 16}, "which is not there"),
        ({"views": ["moon"]}, "'moon', which is no view of scene"),
        ({"kind": "property", "objects": []}, "which object it is about"),
    ],
)
def test_a_question_about_what_is_not_there_is_refused(suite_path, change, told):
    assert len(Suite.open(suite_path).records()[1]) == 12
    first, *others = (suite_path / "questions.jsonl").read_text().splitlines()
    lines = [json.dumps(json.loads(first) | change), *others]
    rewrite(suite_path, "questions.jsonl", "\n".join(lines).encode())
    with pytest.raises(SuiteError, match=told):
        Suite.open(suite_path).records()


def test_an_id_that_stands_twice_is_refused(suite_path: Path) -> None:
    """As :func:`check_suite` names it: the last of them would have been scored for both."""
    first, second, *others = (suite_path / "questions.jsonl").read_text().splitlines()
    again = json.dumps(json.loads(second) | {"id": json.loads(first)["id"]})
    rewrite(suite_path, "questions.jsonl", "\n".join([first, again, *others]).encode())
    with pytest.raises(SuiteError, match="is the id of more than one record"):
        Suite.open(suite_path).records()
    assert any("more than one record" in str(fault) for fault in check_suite(suite_path))


def test_records_other_than_the_suite_tells_of_are_refused(suite_path: Path) -> None:
    """The hash is what answers are filed under: those to other questions are not comparable."""
    asked = (suite_path / "questions.jsonl").read_bytes()
    rewrite(suite_path, "questions.jsonl", asked.replace(b"red block", b"mad block"))
    with pytest.raises(SuiteError, match=r"content_hash of suite\.json does not fit"):
        Suite.open(suite_path).records()

"""Whatever happens to a writer, the folder resumes to the same bytes, or is left alone."""

import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from fakes import fake_pairs, make_fake_suite, open_fake_writer

from pactwin.suite import EnvironmentFaultError, Suite, SuiteError, check_suite
from pactwin.tasks import make_twin_questions

N_PAIRS = 4
CAMERAS = ("side", "head")
write_or_resume = partial(make_fake_suite, n_pairs=N_PAIRS, cameras=CAMERAS)


def tree(path: Path) -> dict[str, bytes]:
    return {
        file.relative_to(path).as_posix(): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file()
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an uninterrupted run leaves."""
    path = tmp_path_factory.mktemp("whole") / "suite"
    write_or_resume(path)
    assert check_suite(path) == []
    return tree(path)


def add_units(path: Path, n: int) -> None:
    with open_fake_writer(path, n_pairs=N_PAIRS) as writer:
        for pair in fake_pairs(n, cameras=CAMERAS, first=writer.units_done):
            writer.add(pair.scenes, pair.files, pair.rejections)


def in_child(work: Callable[[], object]) -> int:
    """Fork; the child works and exits with 0, or with 9 if it meets an error. Returns its id."""
    child = os.fork()
    if child == 0:
        code = 9
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def tear_line(path: Path) -> None:
    (path / "journal.jsonl").write_bytes((path / "journal.jsonl").read_bytes()[:-40])


def orphan_view(path: Path) -> None:
    (path / "views" / "0123456789abcdef").mkdir()
    (path / "views" / "0123456789abcdef" / "head.png").write_bytes(b"half")


def damage_view(path: Path) -> None:
    (path / next(iter(list(fake_pairs(2, cameras=CAMERAS))[1].files))).write_bytes(b"")


def tear_header(path: Path) -> None:
    (path / "journal.jsonl").write_bytes((path / "journal.jsonl").read_bytes()[:60])


@pytest.mark.parametrize(
    ("units", "damage", "kept"),
    [
        *((n, lambda path: None, n) for n in range(N_PAIRS + 1)),
        (3, tear_line, 2),
        (3, orphan_view, 3),
        (3, damage_view, 1),
        (0, tear_header, 0),
    ],
)
def test_what_was_left_is_resumed_to_the_same_bytes(tmp_path, whole, units, damage, kept):
    path = tmp_path / "s"
    add_units(path, units)
    damage(path)
    with open_fake_writer(path, n_pairs=N_PAIRS) as writer:
        assert writer.units_done == kept
    write_or_resume(path)
    assert tree(path) == whole


def kill_self_at_event(number: int) -> None:
    """SIGKILL this process when it touches the file system for the ``number``-th time."""
    touching = {"open", "os.mkdir", "os.rename", "os.remove", "os.truncate", "shutil.rmtree"}
    left = number

    def hook(event: str, args: tuple) -> None:
        nonlocal left
        if event in touching:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


@pytest.mark.slow
def test_a_kill_at_any_touch_of_the_disk_can_be_resumed(tmp_path, whole):
    for number in range(1, 1000):
        path = tmp_path / str(number)

        def work(number: int = number, path: Path = path) -> None:
            kill_self_at_event(number)
            write_or_resume(path)

        _, status = os.waitpid(in_child(work), 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
        write_or_resume(path)
        assert tree(path) == whole
        if not os.WIFSIGNALED(status):
            break
    assert number > len(whole)  # it was killed at least once per file


def test_a_complete_suite_is_done(tmp_path, whole):
    write_or_resume(tmp_path / "s")
    (tmp_path / "s" / "journal.jsonl").write_bytes(b"left by a kill after the last rename")
    with open_fake_writer(tmp_path / "s", n_pairs=N_PAIRS) as writer:
        assert writer.info is not None
        assert writer.units_done == N_PAIRS
        with pytest.raises(SuiteError, match="complete"):
            writer.finish(make_twin_questions)
    assert tree(tmp_path / "s") == whole


@pytest.mark.parametrize(
    "name", ["thesis.tex", "views/mine.txt", "scenes.jsonl", "journal.jsonl", "views/a/b"]
)
def test_a_folder_of_something_else_is_left_alone(tmp_path, name):
    path = tmp_path / "s"
    (path / name).parent.mkdir(parents=True)
    (path / name).write_text("precious\n")
    with pytest.raises(SuiteError):
        open_fake_writer(path)
    assert tree(path) == {name: b"precious\n"}


@pytest.mark.parametrize("name", ["notes.txt", "views/notes.txt", "views/x/notes.txt", "views/x"])
def test_foreign_files_in_a_half_written_suite_are_left_alone(tmp_path, name):
    """The last is a link, which is not followed."""
    path, elsewhere = tmp_path / "s", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("precious")
    add_units(path, 1)
    (path / name).parent.mkdir(exist_ok=True)
    (path / name).symlink_to(elsewhere if name.endswith("x") else elsewhere / "precious")
    before = tree(tmp_path)
    with pytest.raises(SuiteError, match="something else"):
        open_fake_writer(path, n_pairs=N_PAIRS)
    assert tree(tmp_path) == before


def test_a_place_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").write_text("precious")
    for place, kind in (("file", SuiteError), ("file/s", EnvironmentFaultError)):
        with pytest.raises(kind) as caught:
            open_fake_writer(tmp_path / place)
        assert "\n" not in str(caught.value)


def test_two_writers_at_once_are_refused(tmp_path, whole):
    path = tmp_path / "s"
    with open_fake_writer(path, n_pairs=N_PAIRS) as writer:
        for pair in fake_pairs(1, cameras=CAMERAS):
            writer.add(pair.scenes, pair.files, pair.rejections)
        with pytest.raises(SuiteError, match="another process"):
            open_fake_writer(path, n_pairs=N_PAIRS)
    write_or_resume(path)
    assert tree(path) == whole


@pytest.mark.parametrize("limit_bytes", [40, 500, 12_000, 25_000])
def test_no_space_left_loses_nothing(tmp_path, whole, limit_bytes):
    """The limit on file sizes makes the kernel refuse a write, as a full disk does."""
    path = tmp_path / "s"

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, resource.RLIM_INFINITY))
        try:
            write_or_resume(path)
        except EnvironmentFaultError as error:
            assert "no space left" in str(error)
            assert "\n" not in str(error)
            os._exit(7)

    _, status = os.waitpid(in_child(work), 0)
    assert os.WIFEXITED(status)
    assert os.WEXITSTATUS(status) == 7
    assert not (path / "suite.json").exists()
    write_or_resume(path)
    assert tree(path) == whole


@pytest.mark.parametrize("refused", ["a view", "the journal line"])
def test_one_writer_survives_a_full_disk(tmp_path, whole, refused):
    """After a refused unit the same writer can go on once there is space."""
    path = tmp_path / "s"
    pairs = list(fake_pairs(N_PAIRS, cameras=CAMERAS))
    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_fake_writer(path, n_pairs=N_PAIRS) as writer:
        writer.add(pairs[0].scenes, pairs[0].files, pairs[0].rejections)
        journal_bytes = (path / "journal.jsonl").stat().st_size
        limit_bytes = 100 if refused == "a view" else journal_bytes + 100
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, unlimited[1]))
        try:
            with pytest.raises(EnvironmentFaultError, match="no space left"):
                writer.add(pairs[1].scenes, pairs[1].files, pairs[1].rejections)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        assert writer.units_done == 1
        for pair in pairs[1:]:
            writer.add(pair.scenes, pair.files, pair.rejections)
        writer.finish(make_twin_questions)
    assert tree(path) == whole


def test_only_whole_pairs_are_taken(tmp_path):
    one, two = fake_pairs(2, cameras=CAMERAS)
    missing = dict(list(one.files.items())[1:])
    with open_fake_writer(tmp_path / "s") as writer:
        with pytest.raises(SuiteError, match="twins"):
            writer.add((one.scenes[0], two.scenes[1]), one.files, {})
        with pytest.raises(SuiteError, match="not both"):
            writer.add(one.scenes, missing, {})
        with pytest.raises(SuiteError, match="not both"):
            writer.add(one.scenes, {**one.files, "views/extra.png": b""}, {})
        writer.add(one.scenes, one.files, {})
        with pytest.raises(SuiteError, match="already there"):
            writer.add(one.scenes, one.files, {})
        assert writer.units_done == 1


@pytest.mark.parametrize("where_or_when", [{"captured_at_ns": 5}, {"origin": "photos/1.jpg"}])
def test_the_content_hash_sees_records_but_not_paths_and_times(tmp_path, where_or_when):
    def captured(pair):
        views = [v.model_copy(update=where_or_when) for v in pair.scenes[0].views]
        scene = pair.scenes[0].model_copy(update={"views": tuple(views)})
        return replace(pair, scenes=(scene, pair.scenes[1]))

    def heavier(pair):
        objects = [o.model_copy(update={"mass_kg": 9.0}) for o in pair.scenes[0].objects]
        scene = pair.scenes[0].model_copy(update={"objects": tuple(objects)})
        return replace(pair, scenes=(scene, pair.scenes[1]))

    hashes = [
        Suite.open(make_fake_suite(tmp_path / str(i), n_pairs=1, change=change)).info.content_hash
        for i, change in enumerate([lambda pair: pair, captured, heavier])
    ]
    assert hashes[0] == hashes[1] != hashes[2]

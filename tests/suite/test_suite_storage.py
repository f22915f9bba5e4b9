"""Suites at URLs: the same bytes as in a folder, resumable from any moment, nothing told."""

import io
import itertools
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest
from commands import invoke
from fakes import make_fake_suite, open_fake_writer
from fsspec.implementations.memory import MemoryFileSystem

from pactwin.suite import (
    EnvironmentFaultError,
    PactwinError,
    Suite,
    SuiteError,
    check_suite,
    local_copy,
    shown_url,
)
from pactwin.suite.storage.bucket import Bucket
from pactwin.suite.storage.urls import open_url

N_PAIRS = 3
CAMERAS = ("head",)
write_or_resume = partial(make_fake_suite, n_pairs=N_PAIRS, cameras=CAMERAS)
URL = "memory://bucket/suite"


class Killed(BaseException):
    """What ends a run at any moment: nothing may catch it."""


def tree(url: str) -> dict[str, bytes]:
    system, root = open_url(url)
    return {path.removeprefix(root + "/"): system.cat_file(path) for path in system.find(root)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the writer leaves in a folder."""
    path = make_fake_suite(
        tmp_path_factory.mktemp("whole") / "suite", n_pairs=N_PAIRS, cameras=CAMERAS
    )
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in path.rglob("*") if p.is_file()}


@pytest.fixture(autouse=True)
def _empty_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]


def test_every_place_holds_the_same_bytes(tmp_path, whole):
    for url in (URL, f"file://{tmp_path}/plain", f"simplecache::{URL}2"):
        write_or_resume(url)
        assert tree(url) == whole, url


def test_a_run_killed_at_any_moment_is_resumed(whole, monkeypatch):
    """Killed before each single change of the place, one after the other, until it is done."""
    system, root = open_url(URL)
    for kill_at in itertools.count():
        if system.exists(root):
            system.rm(root, recursive=True)
        changes = itertools.count()
        with monkeypatch.context() as patch:
            for name in ("pipe_file", "open", "makedirs", "rm_file"):
                patch.setattr(system, name, _dying(getattr(system, name), changes, kill_at))
            try:
                write_or_resume(URL)
            except Killed:
                done = False
            else:
                done = True
        if not done and "suite.json" not in tree(URL):
            with pytest.raises(SuiteError, match="not a suite"):
                local_copy(URL)
        write_or_resume(URL)
        assert tree(URL) == whole, kill_at
        if done:
            break
    assert kill_at > 30


def _dying(change, changes: Iterator[int], kill_at: int):
    def wrapped(path, *args, **kwargs):
        if kwargs.get("mode", args[0] if args else "") != "rb" and next(changes) == kill_at:
            raise Killed
        return change(path, *args, **kwargs)

    return wrapped


def test_another_request_and_another_folder_are_refused(whole: dict[str, bytes]) -> None:
    with open_fake_writer(URL, n_pairs=N_PAIRS):
        pass
    with pytest.raises(SuiteError, match=f"{URL} was started with seed 0, not 7"):
        open_fake_writer(URL, n_pairs=N_PAIRS, seed=7)
    write_or_resume(URL)
    with pytest.raises(SuiteError, match="was started with pairs 3, not 4"):
        open_fake_writer(URL, n_pairs=4)
    assert tree(URL) == whole
    other = "memory://bucket/thesis"
    system, root = open_url(other)
    system.pipe({f"{root}/thesis.tex": b"precious"})
    with pytest.raises(SuiteError, match=r"something else \(thesis.tex\)"):
        open_fake_writer(other)
    assert tree(other) == {"thesis.tex": b"precious"}


def test_a_suite_is_read_through_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    write_or_resume(URL)
    copied: list[tuple[int, int]] = []
    path = local_copy(URL, lambda step, done, total: copied.append((done, total)))
    n_files = len(Suite.open(path).info.files)
    assert copied[-1] == (n_files, n_files)
    assert check_suite(path) == []
    system, _ = open_url(URL)
    monkeypatch.setattr(system, "cat", None)  # nothing is fetched twice
    assert local_copy(URL) == path


def test_an_interrupted_copy_goes_on_and_a_file_changed_since_is_refused() -> None:
    write_or_resume(URL)
    path = local_copy(URL)
    (path / "suite.json").unlink()
    torn = next(path.rglob("*.mask.png"))
    torn.write_bytes(b"torn")
    copied: list[tuple[int, int]] = []
    assert local_copy(URL, lambda step, done, total: copied.append((done, total))) == path
    assert copied == [(1, 1)]
    assert check_suite(path) == []
    (path / "suite.json").unlink()
    torn.unlink()
    system, root = open_url(URL)
    system.pipe_file(f"{root}/{torn.relative_to(path)}", b"other")
    with pytest.raises(SuiteError, match=r"mask\.png was changed after the suite was made"):
        local_copy(URL)


def test_a_path_is_its_own_copy(tmp_path: Path) -> None:
    assert local_copy(tmp_path) == local_copy(str(tmp_path)) == tmp_path
    assert local_copy(f"file://{tmp_path}") == tmp_path


def test_commands_take_urls(tmp_path: Path) -> None:
    write_or_resume(URL)
    checked = invoke("check", URL)
    assert "no faults in 3 pairs" in checked.stdout
    sheet = tmp_path / "sheet.png"
    invoke("show", URL, "--out", sheet)
    assert sheet.is_file()
    missing = invoke("check", "memory://bucket/none", code=3)
    assert missing.stderr.count("\n") == 1


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("url", "told"),
    [
        (f"sftp://me:{SECRET}@host/suite", "sftp://host/suite"),
        (f"https://host/suite?X-Signature={SECRET}&a=b", "https://host/suite"),
        (f"simplecache::ftp://{SECRET}@host:21/a/b", "simplecache::ftp://host:21/a/b"),
        (f"sftp://me:a/{SECRET}@host/suite", "sftp://host/suite"),
        ("s3://bucket/suite@2", "s3://bucket/suite@2"),
        ("plain/path", "plain/path"),
    ],
)
def test_what_is_secret_in_a_url_is_not_shown(url: str, told: str) -> None:
    assert shown_url(url) == told


@pytest.mark.parametrize(
    "url",
    [
        f"nowhere://me:{SECRET}@host/suite",
        f"ftp://me:{SECRET}@127.0.0.1:1/suite",
        f"http://me:{SECRET}@127.0.0.1:1/suite?sig={SECRET}",
        *("nowhere://x/y", "reference://", "http://[x", "dir::", "zip://a"),
    ],
)
def test_a_url_of_no_place_is_one_line_that_tells_no_secret(url: str) -> None:
    for use in (open_fake_writer, local_copy):
        with pytest.raises(PactwinError, match=url.partition(":")[0]) as caught:
            use(url)
        assert "\n" not in str(caught.value)
        error: BaseException | None = caught.value
        while error is not None:  # nor does anything that a traceback would show
            assert SECRET not in str(error)
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def test_errors_of_a_backend_that_name_the_url_are_redacted(monkeypatch):
    url = f"memory://me:{SECRET}@host/suite"
    system, root = open_url(url)

    def refuse(path: str, *_: object, **__: object) -> None:
        raise PermissionError(f"{url}: token={SECRET} at memory://me:{SECRET}@host/x\nmore")

    bucket = Bucket(system, root, url)
    monkeypatch.setattr(system, "exists", refuse)
    with pytest.raises(EnvironmentFaultError, match=r"memory://host/suite") as caught:
        bucket.header()
    assert f"me:{SECRET}" not in str(caught.value)


def test_no_file_of_a_suite_tells_a_secret() -> None:
    write_or_resume(f"memory://me:{SECRET}@host/suite")
    files = {path: value.getvalue() for path, value in MemoryFileSystem.store.items()}
    assert json.loads(next(v for k, v in files.items() if k.endswith("suite.json")))
    assert not [path for path, content in files.items() if SECRET.encode() in content]


class Endless(MemoryFileSystem):
    """A server that never stops sending the file called ``name``."""

    protocol = "endless"
    store: ClassVar[dict[str, Any]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]
    name = ""

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        if mode == "rb" and self.name and path.endswith(self.name):
            return EndlessFile()
        return super()._open(path, mode, **options)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any):
        with self.open(path, "rb") as file:
            return file.read()


class EndlessFile(io.RawIOBase):
    sent = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "all of it is asked for"
        self.sent += size
        assert self.sent < 2 * 2**30, "nobody stops reading"
        return size * b" "


@pytest.mark.parametrize("name", ["suite.json", "head.png"])
def test_a_server_that_sends_for_ever_is_left(name, monkeypatch, tmp_path):
    fsspec.register_implementation("endless", Endless, clobber=True)
    make_fake_suite("endless://host/suite", n_pairs=1, cameras=CAMERAS)
    monkeypatch.setattr(Endless, "name", name)
    with pytest.raises(EnvironmentFaultError, match=rf"{name} is larger than"):
        local_copy("endless://host/suite")
    assert not [*(tmp_path / "cache").rglob("suite.json")]

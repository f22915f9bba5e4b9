"""``pactwin make objects``: refuses mistakes early, the same suite for any number of workers."""

import re
from pathlib import Path

import cv2
import fsspec
import numpy as np
import pytest
from commands import invoke
from fake_objects import make_fake_objects

from pactwin.suite import Suite

OPTIONS = ["--seed=5", "--kinds=bowl", "--size=128x128"]


def make(out: Path | str, *options: str) -> list[str]:
    return ["make", "objects", "--out", str(out), *OPTIONS, *options]


def pixels(png: bytes) -> np.ndarray:
    """The pixels of an encoded picture."""
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED))


@pytest.mark.parametrize(
    ("option", "known"),
    [
        ("--kinds=mug,unicorn", "apple, ball"),
        ("--kinds=mug,mug", "more than once"),
        ("--assets=elsewhere", "builtin"),
        ("--background=moon", "transparent"),
        ("--size=128", "640x480"),
        ("--address=head:6379", "only with --engine ray"),
    ],
)
def test_a_wrong_name_is_refused_and_says_what_exists(tmp_path, option, known):
    out = tmp_path / "suite"
    result = invoke(*make(out, option), code=2)
    assert known in result.stderr
    assert not out.exists()


def test_pictures_in_which_a_kind_is_too_small_are_refused_before_any_is_drawn(tmp_path):
    out = tmp_path / "suite"
    result = invoke(*make(out, "--kinds=mug,ball", "--size=64x64"), code=2)
    assert re.search(r"64x64: a 'ball' covers at most \d+ of the 600 px", result.stderr)
    (least,) = re.findall(r"at least (\d+) px of height", result.stderr)
    assert 180 < int(least) < 300
    assert not out.exists()


def test_what_needs_trials_refuses_a_suite_without(tmp_path: Path) -> None:
    suite = make_fake_objects(tmp_path / "suite")
    for command in (["check", "--retrial"], ["mirror", "kit", "--out", tmp_path / "kit"]):
        result = invoke(*command, suite, code=2)
        assert result.stderr.count("has no trials") == result.stderr.count("\n") == 1


@pytest.mark.slow
def test_workers_and_a_url_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, url = tmp_path / "suite", "memory://objects/suite"
    result = invoke(*make(out, "--workers=2"))
    suite = Suite.open(out)
    scenes = list(suite.scenes())
    assert {q.kind for q in suite.questions()} == {"property", "affordance"}
    assert f"{url}: {len(scenes)} scenes" in invoke(*make(url)).stdout
    system, root = fsspec.url_to_fs(url)
    for path in sorted(out.rglob("*.*"), reverse=True):  # pictures before the hashes
        there, here = (
            system.cat_file(f"{root}/{path.relative_to(out).as_posix()}"),
            path.read_bytes(),
        )
        if path.suffix == ".png":  # says which pixels differ
            np.testing.assert_array_equal(pixels(there), pixels(here), str(path))
        assert there == here
    assert invoke(*make(out)).stdout == result.stdout
    # Not before: the robot's thinned meshes are kept there too.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for place in (out, url):
        assert f"no faults in {len(scenes)} scenes" in invoke("check", place).stdout

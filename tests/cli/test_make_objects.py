"""``pactwin make objects``: refuses mistakes early, the same suite for any number of workers."""

import re
from pathlib import Path

import pytest
from commands import invoke
from fake_objects import make_fake_objects

from pactwin.sim import ObjectSuiteConfig, render_object_scene
from pactwin.suite import Suite

OPTIONS = ["--seed=5", "--kinds=mug,bowl", "--size=128x128"]


def make(out: Path, *options: str) -> list[str]:
    return ["make", "objects", "--out", str(out), *OPTIONS, *options]


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
def test_a_wrong_name_is_refused_and_says_what_exists(
    tmp_path: Path, option: str, known: str
) -> None:
    out = tmp_path / "suite"
    result = invoke(*make(out, option), code=2)
    assert known in result.stderr
    assert not out.exists()


def test_what_needs_trials_refuses_a_suite_without(tmp_path: Path) -> None:
    suite = make_fake_objects(tmp_path / "suite")
    for command in (["check", "--retrial"], ["mirror", "kit", "--out", tmp_path / "kit"]):
        result = invoke(*command, suite, code=2)
        assert result.stderr.count("has no trials") == result.stderr.count("\n") == 1


def test_a_folder_with_a_suite_of_another_kind_says_which(tmp_path: Path) -> None:
    suite = make_fake_objects(tmp_path / "suite")
    arguments = ["make", "constraints", "--out", str(suite), "--seed=1", "--pairs=1"]
    result = invoke(*arguments, code=3)
    assert "was started with name" in result.stderr


@pytest.mark.slow
def test_workers_draw_what_one_process_draws(tmp_path: Path) -> None:
    out = tmp_path / "suite"
    result = invoke(*make(out, "--workers=2"))
    suite = Suite.open(out)
    request = ObjectSuiteConfig(5, ("mug", "bowl"), "builtin", "plain", 128, 128)
    scenes = list(suite.scenes())
    stills = [render_object_scene(request, number) for number in range(request.scenes)]
    assert scenes == [scene for still in stills for scene in still.scenes]
    for still in stills:
        for path, data in still.files.items():
            assert suite.resolve(path).read_bytes() == data
    assert {q.kind for q in suite.questions()} == {"property", "affordance"}
    again = invoke(*make(out))
    assert again.stdout == result.stdout
    checked = invoke("check", out)
    assert f"no faults in {len(scenes)} scenes" in checked.stdout


@pytest.mark.slow
def test_a_suite_can_be_made_at_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "memory://objects/suite"
    made = invoke("make", "objects", "--out", url, *OPTIONS, "--kinds=bowl")
    scenes = re.match(rf"{url}: (\d+) scenes", made.stdout)
    assert scenes
    # Not before: the robot's thinned meshes are kept there too.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    checked = invoke("check", url)
    assert f"no faults in {scenes[1]} scenes" in checked.stdout

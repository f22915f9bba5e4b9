"""``pactwin check`` and ``pactwin show`` on made-up suites."""

import re
import shutil
from pathlib import Path

import pytest
from commands import invoke
from fakes import edit_info
from PIL import Image

from pactwin.catalogue import load_catalogue
from pactwin.sim import environment_versions
from pactwin.suite import Suite


@pytest.fixture
def copy(fake_suite_path: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fake_suite_path, tmp_path / "suite"))


def test_a_whole_suite_has_no_faults(fake_suite_path: Path) -> None:
    result = invoke("check", fake_suite_path)
    assert "no faults in 8 pairs" in result.stdout
    everyday = re.search(r"(\d+) of (\d+) targets and places", result.stdout)
    assert everyday is not None
    named = [
        obj.asset
        for scene in Suite.open(fake_suite_path).scenes()
        for obj in scene.objects
        if obj.name in scene.decided.objects and obj.name in scene.decided.action
    ]
    known = [asset for asset in named if load_catalogue().knows(asset)]
    assert (int(everyday[1]), int(everyday[2])) == (len(known), len(named))


def test_every_fault_is_a_line_and_the_code_is_one(copy: Path) -> None:
    views = sorted((copy / "views").rglob("*.png"))
    views[0].unlink()
    views[1].write_bytes(b"no picture")
    result = invoke("check", copy, code=1)
    for file in views[:2]:
        assert str(file.relative_to(copy)) in result.stdout
    assert "faults" in result.stderr


def test_versions_that_are_others_here_are_told(copy: Path) -> None:
    here = environment_versions()
    edit_info(copy, packages=here | {"mujoco": "9.9.9"})
    told = invoke("check", copy)
    assert f"made with mujoco 9.9.9 (here {here['mujoco']}): " in told.stdout
    edit_info(copy, packages=here | {"pactwin": "0"})
    assert "made with" not in invoke("check", copy).stdout


def test_a_folder_that_is_no_suite_is_one_line(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none"):
        result = invoke("check", place, code=3)
        assert result.stdout == ""
        assert result.stderr.count("is not a suite") == result.stderr.count("\n") == 1


def test_show_draws_all_pairs_or_one(fake_suite_path: Path, tmp_path: Path) -> None:
    scene = next(Suite.open(fake_suite_path).scenes()).id
    for number, choice in enumerate(([], [scene])):
        out = tmp_path / f"{number}.png"
        arguments = ["show", str(fake_suite_path), *choice, "--out", str(out)]
        invoke(*arguments)
        with Image.open(out) as sheet:
            assert min(sheet.size) > 200


def test_show_names_what_is_wrong(fake_suite_path: Path, tmp_path: Path) -> None:
    unknown = invoke("show", fake_suite_path, "0" * 16, code=2)
    assert "0" * 16 in unknown.stderr
    invoke("show", fake_suite_path, "--rerun", code=2)
    invoke("show", tmp_path, code=3)

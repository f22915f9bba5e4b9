"""Models that strangers wrote: nothing outside their folder is read, no line stands for a million.

Tried on robots; ``test_library`` tries what is the same of objects.
"""

import logging
import os
import shutil
from pathlib import Path

import mujoco
import numpy as np
import pytest
from own_robot import write_robot

from pactwin.sim.robots.custom import load_robot_model
from pactwin.sim.scene.mjcf import log_warnings
from pactwin.suite import InvalidInputError

MANY = "count='1000000000'"


@pytest.mark.parametrize(
    ("file", "change", "says"),
    [
        ("tiny.xml", ("fingers.obj", "../../../x/y.obj"), r"y\.obj lies outside of"),
        ("tiny.xml", ("fingers.obj", "/etc/passwd"), r"/etc/passwd lies outside of"),
        ("tiny.xml", ("<light", "<include file='/etc/passwd'/><light"), r"lies outside of"),
        ("tiny.xml", ("<asset>", "<asset><model file='arm.xml'/>"), r"<model file='arm\.xml'> is"),
        ("tiny.xml", ("<mujoco", "<!DOCTYPE mujoco [<!ENTITY a '>'>]><mujoco"), r"a DOCTYPE"),
        ("tiny.xml", ("<light", f"<replicate {MANY}/><light"), r"<replicate> is not"),
        ("tiny.xml", ("<light", f"<replicate xmlns='x' {MANY}/><light"), r"xmlns is not"),
        ("tiny.xml", ("<asset>", "<asset><hfield nrow='90000' ncol='90000'/>"), r"<hfield> is"),
        (
            "tiny.xml",
            ("<light", "<include file='./arm.xml'/><light"),
            r"arm\.xml is included twice",
        ),
        ("tiny.xml", ("<asset>", "<extension><plugin plugin='a.b'/></extension><asset>"), r"<ext"),
        ("tiny.xml", ("<asset>", "<asset><mesh name='m'><plugin/></mesh>"), r"<plugin> is not"),
        ("tiny.xml", ("<asset>", "<asset><mesh name='m' builtin='sphere'/>"), r"<mesh> is not"),
        (
            "tiny.xml",
            ("<asset>", "<asset><texture builtin='flat' width='90000' height='90000'/>"),
            r"texture '' is too large",
        ),
        (
            "arm.xml",
            ('<site name="grasp"', '<geom size="1"/>' * 2001 + '<site name="grasp"'),
            r"2,0",
        ),
        ("arm.xml", ('<site name="grasp"', "<site/>" * 20_000 + '<site name="grasp"'), r"20,0"),
        ("arm.xml", ('pos="0.3 0 0"', 'pos="1e7 0 0"'), r"body_pos is not finite and below"),
    ],
)
def test_what_is_not_let_in_is_named(tmp_path, file, change, says):
    model, mapping = write_robot(tmp_path / "robot")
    path = model.with_name(file)
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=says) as refused:
        load_robot_model(model, mapping)
    assert "\n" not in str(refused.value)


def test_no_order_of_folders_leads_elsewhere(tmp_path: Path) -> None:
    """MuJoCo reads an included file where it stands, so the model's own folder wins here."""
    model, mapping = write_robot(tmp_path / "deep" / "robot")
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(model.parent / "parts", elsewhere)
    honest = "<mujocoinclude><compiler meshdir='parts'/></mujocoinclude>"
    (model.parent / "first.xml").write_text(honest, encoding="utf-8")
    text = model.read_text(encoding="utf-8").replace('"parts"', f'"{elsewhere}"')
    model.write_text(text.replace("<compiler", "<include file='first.xml'/><compiler"))
    with pytest.raises(InvalidInputError, match="lies outside of"):
        load_robot_model(model, mapping)


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """MuJoCo takes NaN where nothing moves by it, as in a camera's place."""
    model, mapping = write_robot(tmp_path / "robot")
    text = model.read_text(encoding="utf-8")
    assert "0.1 0 0.7" in text
    model.write_text(text.replace("0.1 0 0.7", "0.1 nan 0.7"), encoding="utf-8")
    with pytest.raises(InvalidInputError, match="cam_pos is not finite"):
        load_robot_model(model, mapping)


def test_no_link_leads_out(tmp_path: Path) -> None:
    """A file that is read is one of the model's own, whatever its name is a link to."""
    model, mapping = write_robot(tmp_path / "deep" / "robot")
    mesh = model.parent / "parts" / "fingers.obj"
    elsewhere = tmp_path / "fingers.obj"
    mesh.rename(elsewhere)
    mesh.symlink_to(elsewhere)
    with pytest.raises(InvalidInputError, match="lies outside of"):
        load_robot_model(model, mapping)
    mesh.unlink()
    mesh.symlink_to(mesh)
    with pytest.raises(InvalidInputError, match=r"fingers\.obj"):
        load_robot_model(model, mapping)
    mesh.unlink()
    (model.parent / "parts" / "linked").symlink_to(tmp_path / "a" / "b")
    (tmp_path / "a" / "b").mkdir(parents=True)
    shutil.copy(elsewhere, tmp_path / "a")
    shutil.copy(elsewhere, model.parent / "parts")
    text = model.read_text(encoding="utf-8")
    model.write_text(text.replace("fingers.obj", "linked/../fingers.obj"), encoding="utf-8")
    with pytest.raises(InvalidInputError, match="lies outside of"):
        load_robot_model(model, mapping)


def test_files_that_all_lie_elsewhere_together_are_read(tmp_path: Path) -> None:
    """As in the caches of package managers, where a robot is a folder of links."""
    model, mapping = write_robot(tmp_path / "store" / "robot")
    links = tmp_path / "links"
    for file in sorted(path for path in model.parent.rglob("*") if path.is_file()):
        link = links / file.relative_to(model.parent)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file)
    named = load_robot_model(links / model.name, mapping).name
    assert named == load_robot_model(model, mapping).name


def test_a_mesh_of_a_gigabyte_is_not_read(tmp_path: Path) -> None:
    model, mapping = write_robot(tmp_path / "robot")
    os.truncate(model.parent / "parts" / "fingers.obj", 2**30)
    with pytest.raises(InvalidInputError, match=r"1,073,741,824 bytes: at most 256 MiB"):
        load_robot_model(model, mapping)


def test_warnings_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo itself writes them to MUJOCO_LOG.TXT where the user stands."""
    heard: list[str] = []  # other libraries may have changed which records get to a log
    monkeypatch.setattr(logging.getLogger("mujoco"), "warning", heard.append)
    model, mapping = write_robot(tmp_path / "robot")
    monkeypatch.chdir(tmp_path)
    load_robot_model(model, mapping)
    log_warnings()  # a robot that was loaded before is not read again
    ball = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    compiled = mujoco.MjModel.from_xml_string(ball)
    data = mujoco.MjData(compiled)
    data.qvel[:] = np.nan
    mujoco.mj_step(compiled, data)
    assert any("unstable" in warning for warning in heard)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["robot"]

"""Models that strangers wrote: nothing outside their folder is read, no line stands for a million.

Tried on robots; ``test_library`` tries what is the same of objects.
"""

import shutil
from pathlib import Path

import pytest
from own_robot import write_robot

from pactwin.sim.robots.custom import load_robot_model
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
        ("arm.xml", ('pos="0.3 0 0"', 'pos="1e7 0 0"'), r"body_pos is not finite and below"),
    ],
)
def test_what_is_not_let_in_is_named(
    tmp_path: Path, file: str, change: tuple[str, str], says: str
) -> None:
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

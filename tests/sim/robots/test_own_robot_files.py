"""Files of robots of one's own: where they are found, and what is refused, each in one line."""

from pathlib import Path

import pytest
from own_robot import write_robot

from pactwin.sim.robots.custom import load_robot_model
from pactwin.sim.robots.menagerie import find_model
from pactwin.suite import InvalidInputError


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"robot": "gone.xml"}, r"gone\.xml is not a file"),
        ({"mapping": "gone.yaml"}, r"mapping .*gone\.yaml cannot be read: No such file"),
        ({"tiny.xml": ("arm.xml", "leg.xml")}, r"leg\.xml is missing; .* has .*arm\.xml"),
        ({"tiny.xml": ("fingers.obj", "toes.obj")}, r"toes\.obj is missing; .* has fingers\.obj"),
        ({"tiny.xml": ("<light", "<lamp")}, r"tiny\.xml: .*lamp"),
        ({"tiny.xml": ("</mujoco>", "")}, r"tiny\.xml is not XML: no element"),
        ({"tiny.xml": ("mujoco", "robot")}, r"tiny\.xml is not MJCF: it is a <robot>"),
        ({"tiny.xml": ("<light", "<body name='box'/><light")}, r"2 root bodies \(box, torso\)"),
        ({"tiny.xml": ('size="0.06 0.12 0.6"', 'size="0.06"')}, r"tiny\.xml: .*chest"),
        ({"tiny.xml": ('"chest" type="box"', '"chest" type="plane"')}, r"'torso' .* type plane"),
        ({"arm.xml": ('axis="0 0 1" range="-2 2"', 'type="slide"')}, r"'turn'.*not a hinge"),
        ({"arm.xml": ('name="upper"', "")}, r"body of joint 'lift' needs a name"),
        ({"tiny.yaml": ("turn, lift", "lift, turn")}, r"'turn' of arm 'left' does not come after"),
        ({"tiny.yaml": ("turn, lift", "turn, lift, lift")}, r"a joint is named twice"),
        ({"tiny.yaml": ("turn, lift", "turn, rise")}, r"no joint 'rise'; there are turn, lift"),
        ({"tiny.yaml": ("site: grasp", "site: grip")}, r"no site 'grip'; there are grasp"),
        ({"tiny.yaml": ("camera: eye", "camera: ear")}, r"no camera 'ear'; there are eye"),
        ({"tiny.yaml": ("site: grasp", "body: fist")}, r"no body 'fist'; there are .*hand"),
        ({"tiny.yaml": ("site: grasp", "body: wrist")}, r"'wrist', which 'swing' does not move"),
        ({"tiny.yaml": ("site: grasp", "site: grasp, body: hand")}, r"only one of them"),
        ({"tiny.yaml": ("site: grasp", "pos_m: [0, 0, 1]")}, r"'world', which 'swing' does not"),
        ({"tiny.yaml": ("lift: 1.2", "lift: 3")}, r"'lift' rests at 3, outside .* -2\.5 to 2\.5"),
        ({"tiny.yaml": ("lift: 1.2", "lift: .nan")}, r"rest\.lift: .*finite"),
        ({"tiny.yaml": ("limits_rad: {swing: [-1.5, 1.5]}", "")}, r"'swing'.*no finite limits"),
        (
            {"tiny.yaml": ("site: grasp", "site: grasp, rpy_rad: [0, 90, 0]")},
            r"rpy_rad\.1: 90\.0 is .*radians",
        ),
        ({"tiny.yaml": ("-1.5, 1.5", "-1.5, .inf")}, r"limits_rad\.swing\.1: .*finite"),
        ({"tiny.yaml": ("-1.5, 1.5", "1.5, -1.5")}, r"1\.5 is not below the upper one -1\.5"),
        ({"tiny.yaml": ("{swing:", "{flap:")}, r"limits of 'flap', which is not one"),
        ({"tiny.yaml": ("name: tiny", "nom: tiny")}, r"name: Field required"),
        ({"tiny.yaml": ("name: tiny", "name: [")}, r"not YAML"),
        ({"tiny.yaml": ("name: tiny", "name: 2001-99-99")}, r"not YAML: month"),
        ({"tiny.yaml": ("name: tiny", "name: " + 5000 * "[")}, r"not YAML: .*recursion"),
        ({"tiny.yaml": ("name: tiny", "solid: [tail]\nname: tiny")}, r"no body 'tail'"),
        ({"tiny.yaml": ("name: tiny", "root: tail\nname: tiny")}, r"root body 'tail'.*torso"),
    ],
)
def test_what_does_not_fit_is_one_line_that_names_it(tmp_path, change, says):
    model, mapping = write_robot(tmp_path / "robot")
    for name, how in change.items():
        if name == "robot":
            model = model.with_name(how)
        elif name == "mapping":
            mapping = mapping.with_name(how)
        else:
            file = tmp_path / "robot" / name
            text = file.read_text(encoding="utf-8")
            assert how[0] in text
            file.write_text(text.replace(*how), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=says) as caught:
        load_robot_model(model, mapping)
    assert "\n" not in str(caught.value)


def test_a_model_without_mapping_says_for_which_there_is_one(tmp_path: Path) -> None:
    model, _ = write_robot(tmp_path / "robot")
    with pytest.raises(InvalidInputError, match=r"tiny\.xml .*g1_29dof\.xml.*--robot-mapping"):
        load_robot_model(model)


def test_menagerie_models_are_found_where_its_users_have_them(tmp_path, monkeypatch):
    checkout, cache, clones = (tmp_path / name for name in ("checkout", "cache", "clones"))
    monkeypatch.delenv("MENAGERIE_ROOT", raising=False)
    monkeypatch.setenv("MENAGERIE_CACHE_DIR", str(cache))
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(clones))
    with pytest.raises(InvalidInputError, match=r"not in .*cache, .*clones.*MENAGERIE_ROOT"):
        find_model("menagerie:acme/tiny.xml")
    write_robot(clones / "mujoco_menagerie/acme")
    assert find_model("menagerie:acme/tiny.xml").is_relative_to(clones)
    write_robot(cache / "models/acme-0123")
    assert find_model("menagerie:acme/tiny.xml").is_relative_to(clones), "a half-made download"
    (cache / "models/acme-0123/.complete").touch()
    assert find_model("menagerie:acme/tiny.xml").is_relative_to(cache)
    write_robot(checkout / "acme")
    monkeypatch.setenv("MENAGERIE_ROOT", str(checkout))
    assert find_model("menagerie:acme/tiny.xml") == checkout / "acme/tiny.xml"
    monkeypatch.delenv("MENAGERIE_ROOT")
    write_robot(cache / "models/acme-4567")
    (cache / "models/acme-4567/.complete").touch()
    with pytest.raises(InvalidInputError, match="2 versions of acme"):
        find_model("menagerie:acme/tiny.xml")
    for wrong in ("menagerie:tiny.xml", "menagerie:../x/tiny.xml", "menagerie:"):
        with pytest.raises(InvalidInputError, match="write menagerie:"):
            find_model(wrong)

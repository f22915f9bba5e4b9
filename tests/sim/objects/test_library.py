"""Objects of other libraries: every shape stands where MuJoCo itself puts it."""

import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import mujoco
import numpy as np
import PIL.Image
import pytest

from pactwin.catalogue import load_catalogue
from pactwin.sim.generation.objects import sources
from pactwin.sim.generation.objects.generate import (
    ObjectSuiteConfig,
    kind_names_of,
    render_object_scene,
)
from pactwin.sim.objects.library.robocasa import (
    find_models,
    find_robocasa,
    robocasa_item,
)
from pactwin.sim.objects.library.robosuite import robosuite_item, robosuite_kinds
from pactwin.sim.objects.library.surfaces import mesh_colours
from pactwin.sim.scene.geometry import item_points
from pactwin.sim.scene.layout import Item, Part
from pactwin.sim.scene.spec import add_part
from pactwin.suite import EnvironmentFaultError, InvalidInputError, SuiteError

REAL_MODELS = Path(__file__).parents[4] / "shared" / "data" / "robocasa_objects"
"""Model files of RoboCasa beside the project, without their meshes, where there are any."""

_CORNERS = [
    (0.9, 0.1, -0.2),
    (-0.5, 0.7, 0.0),
    (-0.3, -0.8, 0.1),
    (0.1, 0.0, 0.6),
    (0.0, 0.1, -0.7),
]
_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080200000090775"
    "3de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
)

CUP = """<mujoco model="cup">
  <compiler angle="radian"/>
  <asset>
    <mesh file="visual/a.obj" name="seen" scale="0.05 0.05 0.08"
          refquat="0.9238795 0 0.2705981 -0.2705981"/>
    <mesh file="collision/b.obj" name="solid" scale="0.05 0.05 0.08"/>
    <texture type="2d" name="t" file="visual/t.png"/>
    <material name="m" texture="t"/>
  </asset>
  <worldbody><body><body name="object" pos="0.01 0 0.02">
    <geom type="mesh" mesh="seen" group="1" contype="0" conaffinity="0" material="m"
          pos="0.01 -0.02 0.03" euler="0.2 0.3 -0.4"/>
    <geom type="mesh" mesh="solid" group="0"/>
    <geom type="box" size="0.01 0.02 0.03" pos="0.03 0 0" group="0"/>
    <geom type="box" name="reg_bbox" size="0.5 0.5 0.5" rgba="1 0 0 0" group="0"/>
  </body></body></worldbody>
</mujoco>"""


def obj(number: int) -> str:
    """A small lopsided solid, another one for each number."""
    corners = np.array(_CORNERS) * (1 + 0.1 * number) + 0.02 * number
    faces = [(1, 2, 4), (2, 3, 4), (3, 1, 4), (2, 1, 5), (3, 2, 5), (1, 3, 5)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + ["vt 0.5 0.5"]
    return "\n".join([*lines, *(f"f {a}/1 {b}/1 {c}/1" for a, b, c in faces)]) + "\n"


def with_stand_ins(model: Path) -> Path:
    """Write a small mesh or picture for each file that a model names."""
    for number, tag in enumerate(ElementTree.parse(model).getroot().iter()):
        if tag.tag in ("mesh", "texture") and tag.get("file"):
            path = model.parent / str(tag.get("file"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(obj(number % 7).encode() if tag.tag == "mesh" else _PNG)
    return model


def made(root: Path, xml: str = CUP, category: str = "cup") -> Path:
    model = root / "objaverse" / category / f"{category}_0" / "model.xml"
    model.parent.mkdir(parents=True)
    model.write_text(xml, encoding="utf-8")
    return with_stand_ins(model)


def cloud(model: mujoco.MjModel, geoms: list[int]) -> np.ndarray:
    """Vertices of the geoms' meshes and corners of their boxes, about the middle of all, sorted."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    points = []
    for geom in geoms:
        mesh = model.geom_dataid[geom]
        if mesh >= 0:
            start = model.mesh_vertadr[mesh]
            local = model.mesh_vert[start : start + model.mesh_vertnum[mesh]].astype(float)
        else:
            signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
            local = signs * model.geom_size[geom]
        points.append(local @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    return np.concatenate(points)


def compiled(item: Item) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="item")
    for number, part in enumerate(item.parts):
        add_part(spec, body, part, f"part/{number}")
    return spec.compile()


def original(path: Path) -> tuple[mujoco.MjModel, list[int], list[int]]:
    """The model as MuJoCo reads it, its drawn and its colliding geoms."""
    model = mujoco.MjModel.from_xml_path(str(path))
    geoms = [g for g in range(model.ngeom) if not model.geom(g).name.startswith("reg_")]
    drawn = [g for g in geoms if model.geom_group[g] == 1]
    return model, drawn, [g for g in geoms if g not in drawn]


def assert_same_shape(item: Item, path: Path, factor: np.ndarray) -> None:
    model, drawn, solid = original(path)
    ours = compiled(item)
    our_drawn = [g for g, part in enumerate(item.parts) if part.drawn]
    our_solid = [g for g, part in enumerate(item.parts) if part.collides]
    seen = cloud(model, drawn) * factor
    middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
    for mine, theirs in ((our_drawn, drawn), (our_solid, solid)):
        expected = cloud(model, theirs) * factor - middle
        np.testing.assert_allclose(cloud(ours, mine), expected, atol=2e-6)
    np.testing.assert_allclose(item.size_m, seen.max(axis=0) - seen.min(axis=0), atol=2e-6)


def test_every_shape_stands_where_mujoco_puts_it(tmp_path: Path) -> None:
    path = made(tmp_path, category="mug")
    (model,) = find_models(tmp_path)
    item = robocasa_item(tmp_path, model)
    assert_same_shape(item, path, np.ones(3))
    assert item.category == "mug"
    assert len(item.parts) == 3  # the region is no matter
    assert [part.texture_file is not None for part in item.parts] == [True, False, False]
    # What is drawn is what silhouettes are made of.
    points, _ = item_points(item)
    reach = np.array(item.size_m) / 2
    np.testing.assert_allclose(points.max(axis=0)[:2], reach[:2], atol=0.04)


def test_a_category_is_scaled_as_robocasa_scales_it(tmp_path: Path) -> None:
    plain = CUP.replace("euler", "name").replace('refquat="0.9238795 0 0.2705981 -0.2705981"', "")
    path = made(tmp_path, plain, "chocolate")
    (model,) = find_models(tmp_path)
    assert_same_shape(robocasa_item(tmp_path, model), path, np.array([0.8, 0.8, 1.2]))


@pytest.mark.skipif(
    not REAL_MODELS.is_dir(), reason="no model files of RoboCasa beside the project"
)
def test_real_model_files(tmp_path: Path) -> None:
    root = tmp_path / "objects"
    shutil.copytree(REAL_MODELS, root)
    for path in root.glob("*/*/model.xml"):
        with_stand_ins(path)
    models = find_models(root)
    assert len(models) == len(list(REAL_MODELS.glob("*/*/model.xml"))) >= 40
    for model in models:
        item = robocasa_item(root, model)
        assert item.mass_kg > 0
        factor = np.array(item.size_m) / np.ptp(cloud(*original(model.path)[:2]), axis=0)
        assert_same_shape(item, model.path, factor)


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (("visual/a.obj", "../../../../outside.obj"), "outside"),
        (("visual/t.png", "/etc/hostname"), "outside"),
        (("visual/a.obj", "visual/gone.obj"), "missing"),
        (('type="box" size="0.01 0.02 0.03"', 'type="plane" size="1 1 1"'), "PLANE"),
        (('file="visual/a.obj"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'), "mesh .* has no file"),
        (("<worldbody>", "<worldbody><nonsense/>"), "nonsense"),
        (("<worldbody>", "<include file='/etc/hostname'/><worldbody>"), "outside"),
        (("<worldbody>", "<worldbody><replicate count='1000000000'/>"), "<replicate> is not read"),
        (('pos="0.03 0 0"', 'pos="1e300 0 0"'), "is not finite and below"),
        (('pos="0.03 0 0"', 'pos="0.03 0 0" rgba="nan 0 0 1"'), "rgba is not finite"),
    ],
)
def test_a_bad_model_is_named(tmp_path: Path, spoil: tuple[str, str], fault: str) -> None:
    path = made(tmp_path / "objects", category="mug")
    (tmp_path / "outside.obj").write_text(obj(1), encoding="utf-8")
    path.write_text(CUP.replace(*spoil), encoding="utf-8")
    (model,) = find_models(tmp_path / "objects")
    with pytest.raises(InvalidInputError, match=fault) as refused:
        robocasa_item(tmp_path / "objects", model)
    assert "objaverse/mug/mug_0" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_picture_too_large_to_be_read_is_named(tmp_path: Path) -> None:
    """A PNG of a few kilobytes, under a name that does not tell what it is."""
    path = made(
        tmp_path, CUP.replace('file="visual/t.png"', 'file="t.dat" content_type="image/png"')
    )
    PIL.Image.new("1", (9000, 9000)).save(path.with_name("t.dat"), format="PNG")
    (model,) = find_models(tmp_path)
    with pytest.raises(SuiteError, match=r"cup_0: t\.dat is 9000x9000 px"):
        robocasa_item(tmp_path, model)


def test_a_model_sets_no_memory_aside(tmp_path: Path) -> None:
    room = '<size memory="900G" nuserdata="2000000000" nuser_geom="1000000000"/>'
    made(tmp_path, CUP.replace("</mujoco>", f"{room}</mujoco>"))
    (model,) = find_models(tmp_path)
    assert robocasa_item(tmp_path, model).mass_kg > 0


def test_without_robocasa_it_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.delenv("ROBOCASA_ASSETS", raising=False)
    with pytest.raises(EnvironmentFaultError, match="ROBOCASA_ASSETS"):
        find_robocasa()
    monkeypatch.setenv("ROBOCASA_ASSETS", str(tmp_path))
    with pytest.raises(EnvironmentFaultError, match="download_kitchen_assets"):
        find_robocasa()
    made(tmp_path)
    assert find_robocasa() == tmp_path


@pytest.mark.parametrize("name", robosuite_kinds())
def test_robosuite_has_each_of_its_kinds(name: str) -> None:
    item = robosuite_item(name)
    again = robosuite_item(name)
    assert item == again
    kind = load_catalogue().kinds[name]
    assert item.category == kind.name
    assert max(item.size_m) < 0.5
    assert any(part.drawn for part in item.parts)
    assert any(part.collides for part in item.parts)
    assert compiled(item).ngeom == len(item.parts)


def test_objects_of_robocasa_make_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for category in ("mug", "apple"):
        made(tmp_path / "objects", category=category)
    monkeypatch.setenv("ROBOCASA_ASSETS", str(tmp_path / "objects"))
    sources._robocasa_models.cache_clear()
    assert kind_names_of("robocasa") == ("apple", "mug")
    request = ObjectSuiteConfig(
        seed=3, kinds=("mug",), assets="robocasa", background="plain", width_px=160, height_px=160
    )
    still = render_object_scene(request, 0)
    (record,) = still.scenes[0].objects
    assert record.asset == "robocasa/objaverse/mug/mug_0"
    assert len(still.scenes[0].views) == 24
    assert record.properties["CAPACITY"].value == "Containable"
    assert all(view.visibility[record.name].pixels > 600 for view in still.scenes[0].views)
    sources._robocasa_models.cache_clear()


def test_the_colours_of_a_mesh_are_those_of_its_picture(tmp_path: Path) -> None:
    """Half the texture is red, half blue; all triangles look up one half."""
    picture = PIL.Image.new("RGB", (8, 8), (255, 0, 0))
    picture.paste((0, 0, 255), (4, 0, 8, 8))
    picture.save(tmp_path / "t.png")
    for u, colour in ((0.25, (1.0, 0.0, 0.0)), (0.75, (0.0, 0.0, 1.0))):
        mesh = tmp_path / f"{u}.obj"
        mesh.write_text(obj(1).replace("vt 0.5 0.5", f"vt {u} 0.5"), encoding="utf-8")
        part = Part(
            shape="mesh",
            size_m=(1.0, 1.0, 1.0),
            mesh_file=str(mesh),
            texture_file=str(tmp_path / "t.png"),
        )
        assert mesh_colours(part) == {colour: pytest.approx(1.0)}

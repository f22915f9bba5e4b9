"""A user's own MJCF models: labelled by their kind, weighed by what the file states."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import invoke

from pactwin.catalogue import load_catalogue, typical_facts
from pactwin.sim.objects.library.own import models_hash, own_models
from pactwin.suite import InvalidInputError, Suite

HEAVY = """<mujoco><worldbody><body name="mug">
  <geom type="cylinder" size="0.04 0.002" pos="0 0 0.002" rgba="0.8 0.1 0.1 1" mass="0.9"/>
  <geom type="box" size="0.04 0.003 0.05" pos="0 0.037 0.05" rgba="0.8 0.1 0.1 1" mass="0.9"/>
  <geom type="box" size="0.04 0.003 0.05" pos="0 -0.037 0.05" rgba="0.8 0.1 0.1 1" mass="0.9"/>
</body></worldbody></mujoco>"""


def put(folder: Path, xml: str = HEAVY, kind: str = "mug", name: str = "tall") -> Path:
    model = folder / kind / name / "model.xml"
    model.parent.mkdir(parents=True)
    model.write_text(xml, encoding="utf-8")
    return model


def make(folder: Path, out: Path, code: int = 0) -> str:
    asked = ["make", "objects", "--assets", folder, "--seed", "1", "--size", "128x128"]
    return invoke(*asked, "--out", out, code=code).stderr


@pytest.mark.slow
@pytest.mark.parametrize("stated", [True, False])
def test_an_own_model_weighs_what_its_file_states(stated: bool, tmp_path: Path) -> None:
    put(tmp_path / "mine", HEAVY if stated else HEAVY.replace(' mass="0.9"', ""))
    make(tmp_path / "mine", tmp_path / "suite")
    suite = Suite.open(tmp_path / "suite")
    (mug,) = {
        (obj.mass_kg, obj.size_m, obj.asset)
        for scene in suite.scenes()
        for obj in scene.objects
        if obj.asset.startswith("own/")
    }
    typical = typical_facts(load_catalogue().kind("mug"), size_m=mug[1]).mass_kg
    assert mug[0] == pytest.approx(2.7 if stated else typical)
    weights = {question.truth for question in suite.questions() if question.topic == "WEIGHT"}
    assert ("Heavy" in weights) == stated
    uses = [set(q.accepted) for q in suite.questions() if q.kind == "affordance"]
    assert uses
    assert not any({"contain", "drink"} & accepted for accepted in uses)  # it has no room inside
    assert str(tmp_path) not in (tmp_path / "suite" / "suite.json").read_text(encoding="utf-8")


def test_a_folder_that_names_no_kind_is_refused(tmp_path: Path) -> None:
    put(tmp_path / "mine", kind="gizmo")
    assert "gizmo" in make(tmp_path / "mine", tmp_path / "suite", code=2)
    (tmp_path / "empty").mkdir()
    assert "KIND/NAME/model.xml" in make(tmp_path / "empty", tmp_path / "suite", code=2)


SPOOL = """{name: thread_spool, category: household, parts: {body: wood}, size_m: [0.1, 0.1, 0.1],
mass_kg: 0.03, solid_m3: 4.0e-5, thickness_m: 0.02, pieces: 2, states: [upright], get: a shop,
consumability: Consumable, affordances: [{name: grasp, evidence: body, observability: visible}]}"""


@pytest.fixture
def kinds() -> Iterator[None]:
    """Forget added kinds afterwards."""
    yield
    load_catalogue.cache_clear()


@pytest.mark.usefixtures("kinds")
def test_a_kind_may_be_described_beside_its_models(tmp_path: Path) -> None:
    model = put(tmp_path, kind="thread_spool")
    described = tmp_path / "thread_spool" / "kind.yaml"
    with pytest.raises(InvalidInputError, match=r"kind\.yaml"):
        own_models(tmp_path)
    described.write_text(SPOOL, encoding="utf-8")
    assert own_models(tmp_path) == {"thread_spool": [model]}
    assert load_catalogue().kind("thread spool").mass_kg == 0.03
    before = models_hash(tmp_path)
    load_catalogue.cache_clear()
    described.write_text(SPOOL.replace("0.03", "0.04"), encoding="utf-8")
    assert models_hash(tmp_path) != before


@pytest.mark.usefixtures("kinds")
@pytest.mark.parametrize(
    ("folder", "old", "new"),
    [
        ("thread_spool", "name: grasp", "name: levitate"),
        ("thread_spool", "body: wood", "body: jade"),
        ("thread_spool", "get: a shop", "get: !!python/name:os.system"),
        ("mug", "thread_spool", "mug"),
        ("cotton_reel", "", ""),
    ],
)
def test_a_broken_kind_is_named(folder: str, old: str, new: str, tmp_path: Path) -> None:
    put(tmp_path, kind=folder)
    described = tmp_path / folder / "kind.yaml"
    described.write_text(SPOOL.replace(old, new), encoding="utf-8")
    kinds = dict(load_catalogue().kinds)
    with pytest.raises(InvalidInputError, match=r"kind\.yaml"):
        own_models(tmp_path)
    assert folder == "cotton_reel" or load_catalogue().kinds == kinds


def test_an_included_file_is_in_the_hash(tmp_path: Path) -> None:
    model = put(tmp_path, HEAVY.replace("<worldbody>", '<include file="more.xml"/><worldbody>'))
    hashes = set()
    for memory in ("2M", "3M"):
        text = f'<mujoco><size memory="{memory}"/></mujoco>'
        model.with_name("more.xml").write_text(text, encoding="utf-8")
        hashes.add(models_hash(tmp_path))
    assert len(hashes) == 2


def test_a_model_may_not_name_files_outside_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<mujoco/>", encoding="utf-8")
    leads_out = '<include file="../../../secret.xml"/><worldbody>'
    put(tmp_path / "mine", HEAVY.replace("<worldbody>", leads_out))
    with pytest.raises(InvalidInputError, match="outside"):
        models_hash(tmp_path / "mine")

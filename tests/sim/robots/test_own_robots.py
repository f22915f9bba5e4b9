"""Robots of one's own: what a model and a mapping say is what is simulated, drawn and recorded."""

import re
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml
from own_robot import write_robot

from pactwin.sim import ConstraintSuiteConfig, LocalEngine, draw_pair, in_order, retry_trials
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.reach.search import reach
from pactwin.sim.rendering.cameras import camera_at, head_camera, looking_at
from pactwin.sim.rendering.render import render_views
from pactwin.sim.rendering.room import draw_appearance
from pactwin.sim.rendering.silhouette import project
from pactwin.sim.robots import registry
from pactwin.sim.robots.custom import load_robot_model, use_robot_model
from pactwin.sim.robots.mapping import Placement, find_mapping
from pactwin.sim.robots.registry import ROBOTS, robot_named
from pactwin.sim.robots.source import assemble
from pactwin.sim.scene.pose import Pose
from pactwin.suite import InvalidInputError, Suite, SuiteError, SuiteWriter
from pactwin.tasks import make_twin_questions

THING = block("red", (0.05, 0.05, 0.05), "plastic")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Model and mapping of the tiny robot; do not change them."""
    return write_robot(tmp_path_factory.mktemp("own") / "robot")


@pytest.fixture(scope="module")
def tiny(files: tuple[Path, Path]) -> str:
    return load_robot_model(*files).name


def taken(robot: str, x: float, y: float) -> bool:
    return reach(robot, [standing_at(THING, x, y)], THING.name).found


def remapped(files: tuple[Path, Path], folder: Path, **changes: object) -> str:
    """The tiny robot with another mapping, loaded."""
    mapping = yaml.safe_load(files[1].read_text(encoding="utf-8")) | changes
    (folder / "other.yaml").write_text(yaml.safe_dump(mapping), encoding="utf-8")
    return load_robot_model(files[0], folder / "other.yaml").name


def g1_as_a_file(folder: Path) -> tuple[Path, Path]:
    """The built-in G1, hands attached, as one MJCF with a mapping that says what is built in."""
    robot = ROBOTS["g1"]
    spec = assemble(robot.source)
    spec.compile()
    assets = str(robot.source.path("assets"))
    for file in robot.source.files():
        copy = folder / "assets" / file.relative_to(assets)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy)
    (folder / "whole.xml").write_text(spec.to_xml().replace(assets, "assets"), encoding="utf-8")
    # Roll, pitch and yaw of both palms: z along the forearm's x, x along its y.
    turned = [np.pi / 2, 0.0, np.pi / 2]
    mapping = {
        "name": "whole",
        "base": {"pos_m": list(robot.world_from_base.pos)},
        "rest": robot.home,
        "head_camera": {
            "body": spec.worldbody.first_body().name,
            "pos_m": [0.05366, 0.01753, 0.755 + 0.47387],
            "rpy_rad": [0.0, 0.8307767, 0.0],
        },
        "arms": [
            {
                "name": arm.name,
                "joints": list(arm.joints),
                "hand": {
                    "body": arm.hand,
                    "pos_m": list(arm.hand_from_palm.pos),
                    "rpy_rad": turned,
                },
            }
            for arm in robot.arms
        ],
    }
    (folder / "whole.yaml").write_text(yaml.safe_dump(mapping), encoding="utf-8")
    return folder / "whole.xml", folder / "whole.yaml"


@pytest.mark.slow
def test_a_robot_from_a_file_is_the_one_that_is_built_in(tmp_path: Path) -> None:
    name = load_robot_model(*g1_as_a_file(tmp_path)).name
    ours, theirs = ROBOTS["g1"], robot_named(name)
    np.testing.assert_allclose(
        theirs.world_from_head_camera, ours.world_from_head_camera, atol=1e-6
    )
    for mine, other in zip(ours.arms, theirs.arms, strict=True):
        np.testing.assert_allclose(
            other.hand_from_palm.matrix(), mine.hand_from_palm.matrix(), atol=1e-6
        )
    verdicts = []
    for x, y in [(0.16, 0.2), (0.3, 0.0), (0.3, -0.15), (0.45, 0.1), (0.2, -0.4), (0.55, 0.0)]:
        item = standing_at(THING, x, y)
        a, b = (reach(robot, [item], THING.name, starts=6) for robot in ("g1", name))
        assert a.found == b.found
        assert a.shortfall_m == pytest.approx(b.shortfall_m, abs=1e-4)
        assert a.reserve_m == pytest.approx(b.reserve_m, abs=1e-4)
        verdicts.append(a.found)
    assert set(verdicts) == {True, False}


def test_links_that_are_only_drawn_collide_with_nothing(tmp_path: Path, tiny: str) -> None:
    model, mapping = write_robot(tmp_path / "robot")
    arm = model.with_name("arm.xml")
    drawn = '<geom type="sphere" size="0.02"'
    assert drawn in arm.read_text()
    ghostly = arm.read_text().replace(drawn, f'{drawn} density="0" contype="0" conaffinity="0"')
    arm.write_text(
        ghostly.replace(
            '<body name="wrist" pos="0.25 0 0">',
            """
        <body name="wrist" pos="0.25 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>""",
        )
    )
    name = load_robot_model(model, mapping).name
    places = [(0.2, 0.1), (0.3, 0.2), (0.55, 0.0)]
    assert [taken(name, *place) for place in places] == [taken(tiny, *place) for place in places]


@pytest.mark.parametrize(
    "file", ["tiny.xml", "arm.xml", "parts/fingers.obj", "tiny.yaml", "nothing of the robot"]
)
def test_a_changed_byte_of_any_file_makes_another_robot(tmp_path: Path, file: str) -> None:
    model, mapping = write_robot(tmp_path / "robot")
    before = load_robot_model(model, mapping)
    comment = "<!-- -->" if file.endswith("xml") else "#"
    with (tmp_path / "robot" / file).open("a", encoding="utf-8") as stream:
        stream.write(f"\n{comment}\n")
    after = load_robot_model(model, mapping)
    changed = file != "nothing of the robot"
    assert (before.sha256 != after.sha256) == (before.name != after.name) == changed
    if changed:
        registry._GIVEN.pop(before.name)  # as in a worker process
        with pytest.raises(InvalidInputError, match="has changed"):
            use_robot_model(before)


def test_the_same_files_elsewhere_are_the_same_robot(files, tiny, tmp_path):
    shutil.copytree(files[0].parent, tmp_path / "moved")
    moved = load_robot_model(tmp_path / "moved/tiny.xml", tmp_path / "moved/tiny.yaml")
    assert moved.name == tiny
    assert re.fullmatch(r"tiny@[0-9a-f]{16}", tiny)


def test_reach_moves_with_the_base(files: tuple[Path, Path], tiny: str, tmp_path: Path) -> None:
    aside = remapped(files, tmp_path, base={"pos_m": [-0.22, -0.3, -0.74]})
    back = remapped(files, tmp_path, base={"pos_m": [-0.42, 0.0, -0.74]})
    place = (0.28, 0.2)
    assert taken(tiny, *place)
    assert not taken(back, *place)
    far = [(0.28, y) for y in (-0.5, -0.2, 0.1, 0.4)]
    assert [taken(aside, x, y - 0.3) for x, y in far] == [taken(tiny, x, y) for x, y in far]


def test_limits_of_the_mapping_hold(files: tuple[Path, Path], tiny: str, tmp_path: Path) -> None:
    (arm,) = yaml.safe_load(files[1].read_text(encoding="utf-8"))["arms"]
    arm["limits_rad"] |= {"turn": [-0.1, 0.1]}
    stiff = remapped(files, tmp_path, arms=[arm])
    assert taken(tiny, 0.16, -0.1)
    assert not taken(stiff, 0.16, -0.1)


def test_a_hand_of_the_mapping_s_span_takes_what_it_spans(files, tiny, tmp_path):
    wide = remapped(files, tmp_path, span_m=0.12)
    assert (robot_named(tiny).span_m, robot_named(wide).span_m) == (0.08, 0.12)


def test_camera_site_and_body_mounts_mean_the_same_frame(files, tiny, tmp_path):
    source = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body pos='0 0 0.6'>"
        "<camera name='eye' pos='0.1 0 0.7' xyaxes='0 -1 0 0.6 0 0.8'/></body></worldbody></mujoco>"
    )
    data = mujoco.MjData(source)
    mujoco.mj_forward(source, data)
    pose = robot_named(tiny).world_from_head_camera
    # MuJoCo's cameras look along -z with y up, OpenCV's along z with y down.
    np.testing.assert_allclose(
        pose[:3, :3], data.cam_xmat[0].reshape(3, 3) @ np.diag([1, -1, -1]), atol=1e-6
    )
    np.testing.assert_allclose(pose[:3, 3], data.cam_xpos[0] + (-0.22, 0, -0.74), atol=1e-6)
    down = float(np.arctan2(0.6, 0.8))
    mount = {"body": "torso", "pos_m": [0.1, 0, 0.7], "rpy_rad": [0, down, 0]}
    same = robot_named(remapped(files, tmp_path, head_camera=mount))
    np.testing.assert_allclose(same.world_from_head_camera, pose, atol=1e-6)
    on_a_mast = {"pos_m": [0.1 - 0.22, 0, 0.7 + 0.6 - 0.74], "rpy_rad": [0, down, 0]}
    mast = robot_named(remapped(files, tmp_path, head_camera=on_a_mast))
    np.testing.assert_allclose(mast.world_from_head_camera, pose, atol=1e-6)
    hand = robot_named(tiny).arms[0].hand_from_palm
    np.testing.assert_allclose(hand.matrix()[:3, 2], (1, 0, 0), atol=1e-6)
    np.testing.assert_allclose(hand.pos, (0.06, 0, 0), atol=1e-6)


def test_the_robot_is_seen_where_it_stands(tiny: str) -> None:
    camera = camera_at("front", looking_at(np.array([1.4, 0, 0.5]), np.zeros(3)), (320, 240))
    look = draw_appearance(np.random.default_rng(0))
    (frame,) = render_views([], look, tiny, [camera])
    # The chest's front is 0.06 m before the base.
    point = np.array([[-0.16, 0.0, 0.3]])
    (u, v), depth = project(camera, point)[0][0], project(camera, point)[1][0]
    row, column = round(v), round(u)
    assert frame.depth_mm[row, column] / 1000 == pytest.approx(depth, abs=0.003)
    red, green, blue = map(int, frame.color[row, column])
    assert min(red, blue) > 3 * green, "the chest is pink, though its texture is missing"
    head = np.array(head_camera(tiny, (320, 240)).world_from_camera)
    np.testing.assert_allclose(head, robot_named(tiny).world_from_head_camera, atol=1e-6)


@pytest.mark.slow
def test_a_suite_with_ones_own_robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spawned workers, resuming and trying again use it, and notice when it has changed."""
    paths = write_robot(tmp_path / "robot")
    robot = load_robot_model(*paths)
    request = ConstraintSuiteConfig(
        seed=2,
        pairs=2,
        domains=("closure", "size_mismatch"),
        robot=robot.name,
        robot_model=robot,
        cameras=("front", "side"),
        width_px=320,
        height_px=240,
    )

    def writer(now: ConstraintSuiteConfig) -> SuiteWriter:
        return SuiteWriter.open(tmp_path / "suite", name="own", request=now.record())

    with writer(request) as unfinished, LocalEngine(1) as engine:
        pairs = list(in_order(engine, partial(draw_pair, request), range(2)))
        unfinished.add(pairs[0].scenes, pairs[0].files, {}, pairs[0].gl_renderer)
    assert str(tmp_path) not in str(request.record())
    assert request.record()["robot"] == robot.name
    assert request.record()["robot_model"] == {
        "model": "tiny.xml",
        "mapping": "tiny.yaml",
        "sha256": robot.sha256,
    }
    assert draw_pair(request, 0).scenes == pairs[0].scenes
    with writer(request) as resumed:
        assert resumed.units_done == 1
        resumed.add(pairs[1].scenes, pairs[1].files, {}, pairs[1].gl_renderer)
        info = resumed.finish(make_twin_questions)
    suite = Suite.open(tmp_path / "suite")
    scenes = list(suite.scenes())
    assert {scene.robot for scene in scenes} == {robot.name}
    assert all(outcome.agrees for outcome in retry_trials(suite, 1))

    with paths[1].open("a", encoding="utf-8") as mapping:
        mapping.write("# changed\n")
    monkeypatch.setattr(registry, "_GIVEN", {})  # as in another process
    other = load_robot_model(*paths)
    with pytest.raises(SuiteError, match=f"started with robot '{robot.name}', not '{other.name}'"):
        writer(replace(request, robot=other.name, robot_model=other))
    with pytest.raises(InvalidInputError, match=r"has changed since.*given: tiny@.*--robot-model"):
        next(retry_trials(suite, 1))
    assert info.content_hash == suite.info.content_hash


def test_the_head_camera_of_the_29_joint_g1_is_where_unitree_mounts_it() -> None:
    """Unitree's URDF: (0.0576235, 0.01753, 0.42987) m in torso_link, pitched by 0.8307767 rad."""
    torso_from_pelvis = np.array([-0.0039635, 0.0, 0.044])
    for model in ("g1_29dof_rev_1_0.xml", "g1_with_hands.xml"):
        mapping = find_mapping(Path(model), None).mapping
        mount = mapping.head_camera
        assert mount.body == "pelvis"
        assert not any(joint.startswith("waist") for joint in mapping.rest)
        from_pelvis = torso_from_pelvis + np.array([0.0576235, 0.01753, 0.42987])
        np.testing.assert_allclose(mount.pos_m, from_pelvis, atol=1e-4)
        assert mount.rpy_rad == (0.0, 0.8307767, 0.0)
        left, right = mapping.arms
        assert [j.replace("left", "right") for j in left.joints] == list(right.joints)
        assert len(left.joints) == 7


def test_rpy_turns_about_fixed_axes_as_in_urdf() -> None:
    a, b, c = 0.3, -0.7, 1.1
    ca, cb, cc, sa, sb, sc = *np.cos([a, b, c]), *np.sin([a, b, c])
    roll = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
    pitch = np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
    yaw = np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])
    pose = Placement(pos_m=(1.0, 2.0, 3.0), rpy_rad=(a, b, c)).pose
    assert isinstance(pose, Pose)
    np.testing.assert_allclose(pose.matrix()[:3, :3], yaw @ pitch @ roll, atol=1e-12)


def test_an_arm_that_does_not_get_over_the_table_is_refused(files, tmp_path):
    away = remapped(files, tmp_path, base={"pos_m": [-5.0, 0.0, -0.74]})
    with pytest.raises(InvalidInputError, match=r"'left' of robot 'tiny@.* hardly gets over"):
        taken(away, 0.3, 0.0)

"""The robots' small models say the same as the large source models they are made from."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from pactwin.sim.robots.cache import cache_folder, write_cached
from pactwin.sim.robots.kinematic_model import add_robot
from pactwin.sim.robots.models import ROBOT_GROUP, TABLE_HEIGHT_M, Robot
from pactwin.sim.robots.registry import ROBOTS, robot_named
from pactwin.sim.robots.source import compile_source, posed
from pactwin.sim.robots.surface import draw_robot
from pactwin.suite import EnvironmentFaultError, InvalidInputError

EVERY_ROBOT = pytest.mark.parametrize("name", sorted(ROBOTS))


def kinematic(name: str) -> tuple[Robot, mujoco.MjModel, mujoco.MjData]:
    spec = mujoco.MjSpec()
    robot = add_robot(spec, name)
    model = spec.compile()
    return robot, model, mujoco.MjData(model)


def drawn(name: str, *, full: bool) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    draw_robot(spec, name, full=full)
    return spec.compile()


def world_vertices(model: mujoco.MjModel) -> np.ndarray:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    found = []
    for geom in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
        mesh = model.mesh(model.geom_dataid[geom])
        start, count = int(mesh.vertadr[0]), int(mesh.vertnum[0])
        points = model.mesh_vert[start : start + count]
        found.append(points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    return np.concatenate(found)


@EVERY_ROBOT
def test_arms_move_as_in_the_source_model(name: str) -> None:
    robot, model, data = kinematic(name)
    source = compile_source(robot.source, robot.world_from_base)
    rng = np.random.default_rng(7)
    for _ in range(5):
        angles = dict(robot.home)
        for arm in robot.arms:
            for joint, in_model in zip(arm.joints, arm.joint_names, strict=True):
                low, high = model.joint(in_model).range
                angles[joint] = float(rng.uniform(low, high))
                data.joint(in_model).qpos[0] = angles[joint]
        mujoco.mj_forward(model, data)
        expected = posed(source, angles)
        for arm in robot.arms:
            hand = expected.body(arm.hand)
            turn = hand.xmat.reshape(3, 3)
            palm = hand.xpos + turn @ np.array(arm.hand_from_palm.pos)
            np.testing.assert_allclose(data.site(arm.palm_site).xpos, palm, atol=1e-6)
            np.testing.assert_allclose(
                data.site(arm.palm_site).xmat.reshape(3, 3),
                turn @ arm.hand_from_palm.matrix()[:3, :3],
                atol=1e-6,
            )


@EVERY_ROBOT
def test_only_arms_move_and_at_rest_nothing_touches(name: str) -> None:
    robot, model, data = kinematic(name)
    joints = {model.joint(k).name for k in range(model.njnt)}
    assert joints == {joint for arm in robot.arms for joint in arm.joint_names}
    assert set(model.geom_group) == {ROBOT_GROUP}
    for arm in robot.arms:
        for joint, angle in zip(arm.joint_names, robot.home_rad(arm), strict=True):
            low, high = model.joint(joint).range
            assert low <= angle <= high
            data.joint(joint).qpos[0] = angle
    mujoco.mj_forward(model, data)
    assert data.ncon == 0


@EVERY_ROBOT
def test_the_robot_stands_on_the_floor_and_not_in_the_table(name: str) -> None:
    vertices = world_vertices(drawn(name, full=False))
    assert vertices[:, 2].min() == pytest.approx(-TABLE_HEIGHT_M, abs=0.01)
    at_table_level = np.abs(vertices[:, 2] + 0.02) < 0.02
    assert at_table_level.any()
    assert vertices[at_table_level, 0].max() < 0.0


@EVERY_ROBOT
def test_the_thinned_surface_is_that_of_the_source(name: str) -> None:
    thin, full = drawn(name, full=False), drawn(name, full=True)
    assert thin.nmeshface < 0.2 * full.nmeshface
    ours, theirs = world_vertices(thin), world_vertices(full)
    np.testing.assert_allclose(ours.min(axis=0), theirs.min(axis=0), atol=0.004)
    np.testing.assert_allclose(ours.max(axis=0), theirs.max(axis=0), atol=0.004)


def test_the_g1_head_camera_is_where_unitree_mounts_it() -> None:
    pose = robot_named("g1").world_from_head_camera
    pelvis = np.array([-0.165, 0.0, 0.755 - TABLE_HEIGHT_M])
    urdf_torso = np.array([-0.0039635, 0.0, 0.044])
    np.testing.assert_allclose(
        pose[:3, 3], pelvis + urdf_torso + (0.0576235, 0.01753, 0.42987), atol=1e-4
    )
    forward = pose[:3, 2]
    assert np.rad2deg(np.arcsin(-forward[2])) == pytest.approx(47.6, abs=0.05)
    assert forward[0] > 0
    assert pose[2, 1] < 0, "the picture is upright"


def test_an_unknown_robot_is_refused_with_those_that_exist() -> None:
    with pytest.raises(InvalidInputError, match=r"'r2d2'.*g1.*panda"):
        add_robot(mujoco.MjSpec(), "r2d2")


def test_a_cached_file_is_never_seen_in_part(tmp_path: Path) -> None:
    path = tmp_path / "thing"
    write_cached(path, b"old")
    write_cached(path, b"new" * 1000)
    assert path.read_bytes() == b"new" * 1000
    assert [file.name for file in tmp_path.iterdir()] == ["thing"]


def test_a_cache_that_cannot_be_written_says_what_to_do(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(EnvironmentFaultError, match="set XDG_CACHE_HOME"):
        cache_folder()

"""The batched chain obeys the same laws as MuJoCo's kinematics."""

import mujoco
import numpy as np
import pytest
from scipy.optimize import least_squares

from pactwin.sim.reach.kinematics import Chain
from pactwin.sim.robots.kinematic_model import add_robot
from pactwin.sim.robots.models import Arm
from pactwin.sim.robots.registry import ROBOTS

AHEAD_M = 0.04
EVERY_ARM = pytest.mark.parametrize(
    ("robot", "arm"), [(r.name, arm) for r in ROBOTS.values() for arm in r.arms]
)


def chain_of(robot: str, arm: Arm) -> tuple[mujoco.MjModel, Chain]:
    spec = mujoco.MjSpec()
    add_robot(spec, robot)
    model = spec.compile()
    return model, Chain.of_site(model, arm.joint_names, arm.palm_site, AHEAD_M)


def tool(model: mujoco.MjModel, chain: Chain, arm: Arm, q: np.ndarray) -> np.ndarray:
    """The tool's point and direction as MuJoCo has them, (6,)."""
    data = mujoco.MjData(model)
    data.qpos[chain.qpos] = q
    mujoco.mj_kinematics(model, data)
    forwards = data.site(arm.palm_site).xmat.reshape(3, 3)[:, 2]
    return np.concatenate([data.site(arm.palm_site).xpos + AHEAD_M * forwards, forwards])


@EVERY_ARM
def test_postures_are_where_mujoco_has_them(robot: str, arm: Arm) -> None:
    model, chain = chain_of(robot, arm)
    postures = chain.draw(np.random.default_rng(1), 20)
    expected = [tool(model, chain, arm, q) for q in postures]
    np.testing.assert_allclose(np.concatenate(chain.forward(postures), axis=1), expected, atol=1e-9)


@EVERY_ARM
def test_a_goal_close_by_is_reached_within_limits_and_cone(robot: str, arm: Arm) -> None:
    _, chain = chain_of(robot, arm)
    rng = np.random.default_rng(3)
    goals = chain.draw(rng, 60)
    point, along = chain.forward(goals)
    cone = 0.2
    starts = goals + rng.normal(0.0, 0.15, goals.shape)
    q, off, lean, _ = chain.solve(starts, point, along, cone, steps=30)
    assert (q >= chain.low).all()
    assert (q <= chain.high).all()
    there = (off < 1e-3) & (lean <= cone * 1.001)
    assert there.mean() > 0.9
    reached, pointing = chain.forward(q)
    np.testing.assert_allclose(off, np.linalg.norm(reached - point, axis=1), atol=1e-12)
    cosine = np.clip((pointing * along).sum(axis=1), -1.0, 1.0)
    np.testing.assert_allclose(np.cos(lean), cosine, atol=1e-9)


def test_rows_do_not_depend_on_each_other() -> None:
    robot = ROBOTS["g1"]
    _, chain = chain_of("g1", robot.arms[0])
    rng = np.random.default_rng(4)
    point, along = chain.forward(chain.draw(rng, 10))
    starts = chain.draw(rng, 10)
    together, *_ = chain.solve(starts, point, along, 0.3, steps=8)
    alone = [
        chain.solve(starts[k : k + 1], point[k : k + 1], along[k : k + 1], 0.3, steps=8)[0][0]
        for k in range(10)
    ]
    np.testing.assert_allclose(together, alone, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["g1", "panda"])
def test_verdicts_agree_with_bounded_least_squares(robot: str) -> None:
    """Points in and around the workspace: both find a posture for the same ones."""
    arm = ROBOTS[robot].arms[0]
    model, chain = chain_of(robot, arm)
    rng = np.random.default_rng(5)
    shoulder = chain.anchors[0]
    points = shoulder + rng.uniform(-0.9, 0.9, (14, 3)) * (0.8 if robot == "g1" else 1.3)
    starts = chain.draw(rng, 24)
    ours, theirs = [], []
    for point in points:
        goal = np.tile(point, (len(starts), 1))
        # A cone of half the sphere's circumference leaves the direction open.
        _, off, *_ = chain.solve(starts, goal, np.tile([1.0, 0, 0], (24, 1)), np.pi, steps=60)
        ours.append(off.min() < 0.005)
        theirs.append(_least_squares_misses_by(model, arm, chain, point, starts[:6]) < 0.005)
    assert ours == theirs
    assert 2 <= sum(ours) <= 12, "the sample should hold both verdicts"


def _least_squares_misses_by(
    model: mujoco.MjModel, arm: Arm, chain: Chain, point: np.ndarray, starts: np.ndarray
) -> float:
    """Distance (m) between ``point`` and the tool in SciPy's best posture from ``starts``."""
    data = mujoco.MjData(model)
    site = data.site(arm.palm_site)

    def off(q: np.ndarray) -> np.ndarray:
        data.qpos[chain.qpos] = q
        mujoco.mj_kinematics(model, data)
        return site.xpos + AHEAD_M * site.xmat.reshape(3, 3)[:, 2] - point

    least = np.inf
    for start in starts:
        found = least_squares(off, start, bounds=(chain.low, chain.high), max_nfev=60)
        least = min(least, float(np.linalg.norm(found.fun)))
        if least < 0.002:
            break
    return least

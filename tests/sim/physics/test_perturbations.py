"""The disturbed repetitions: those documented, each disturbing what its name says and no more."""

import re
from itertools import combinations, product
from pathlib import Path

import mujoco
import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.perturbation import KEPT_NOISE, Perturbation, perturbations
from pactwin.sim.physics.world import GRAVITY_M_S2, ROLLING_FRICTION_M, World
from pactwin.sim.scene.layout import Layout

PAGE = Path(__file__).parents[3] / "docs" / "labels.md"
LOW = standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0, yaw_rad=0.3)
HIGH = standing_at(block("blue", (0.05, 0.05, 0.05)), 0.2, 0.0, on_z=top_m(LOW))
ASIDE = standing_at(ball("green", 0.05), 0.2, 0.2)
LAYOUT = Layout((LOW, HIGH, ASIDE), "", (LOW.name, HIGH.name))
NAMES = [item.name for item in LAYOUT.items]


def world(perturbation: Perturbation) -> World:
    return World(LAYOUT, perturbation, held=HIGH.name)


def properties(model: mujoco.MjModel) -> dict[str, np.ndarray]:
    """What a perturbation may change in the model; masses and frictions of the items."""
    geoms = [model.geom(f"{name}/0").id for name in NAMES]
    bodies = [model.body(name).id for name in NAMES]
    return {
        "friction": model.geom_friction[geoms, 0],
        "rolling friction": model.geom_friction[geoms, 2],
        "mass": model.body_mass[bodies],
        "time step": np.array([model.opt.timestep]),
        "pose": np.concatenate([model.body_pos[bodies], model.body_quat[bodies]], axis=1),
    }


def ratios(perturbation: Perturbation) -> dict[str, np.ndarray]:
    """By property, how many times its nominal value it has; only what differs."""
    nominal, disturbed = (properties(world(p).model) for p in (Perturbation(), perturbation))
    return {
        name: disturbed[name] / nominal[name] if name != "pose" else disturbed[name] - nominal[name]
        for name in nominal
        if not np.array_equal(disturbed[name], nominal[name])
    }


@pytest.mark.parametrize("perturbation", perturbations(7), ids=lambda p: p.name)
def test_each_disturbs_what_it_says_and_nothing_else(perturbation: Perturbation) -> None:
    changed = ratios(perturbation)
    pose, mass = changed.pop("pose", None), perturbation.mass_scale
    expected = {
        "friction": [perturbation.friction_scale] * 3,
        # The critical objects in turn up and down, so that their ratio changes.
        "mass": [mass, 1.0 / mass, 1.0],
        "time step": [perturbation.time_step_scale],
        "rolling friction": [perturbation.rolling_friction_scale] * 3,
    }
    expected = {what: values for what, values in expected.items() if set(values) != {1.0}}
    assert list(changed) == [what for what in changed if what in expected]
    assert changed.keys() == expected.keys()
    for what, values in expected.items():
        assert changed[what] == pytest.approx(values)
    assert (pose is None) == (perturbation.pose_noise_m == 0.0)
    if pose is not None:
        shift, turn = pose[:, :2], pose[:, 3:]
        assert (np.abs(shift) <= 0.001).all()
        assert (np.abs(shift) > 0).all()
        assert np.array_equal(pose[:, 2], [0.0, 0.0, 0.0])  # nothing is lifted or sunk
        assert (np.abs(turn).max() > 0) and (np.abs(turn).max() <= np.deg2rad(0.5))


def test_every_two_values_of_two_quantities_occur_together() -> None:
    """So a flip that one value or two of them cause is found."""
    fields = "friction_scale", "mass_scale", "time_step_scale", "hand_speed_scale"
    runs = perturbations(3)
    for one, other in combinations(fields, 2):
        values = [{getattr(run, field) for run in runs} for field in (one, other)]
        assert all(low < 1.0 <= high for low, high in map(sorted, values))
        together = {(getattr(run, one), getattr(run, other)) for run in runs}
        assert together == set(product(*values))


def test_what_a_label_is_kept_under_is_more_than_what_confirms_it() -> None:
    for kept, confirms in zip(perturbations(3, KEPT_NOISE), perturbations(3), strict=True):
        for field in ("friction_scale", "mass_scale"):
            more, less = (getattr(run, field) for run in (kept, confirms))
            assert abs(np.log(more)) > abs(np.log(less)) > 0.0
            assert (more > 1.0) is (less > 1.0)
        assert kept.pose_noise_m >= confirms.pose_noise_m
        assert kept.release_scale > confirms.release_scale == 1.0


def test_a_repetition_leaves_the_next_one_an_undisturbed_model() -> None:
    before = properties(world(Perturbation()).model)
    for perturbation in perturbations(7):
        world(perturbation)
    after = properties(world(Perturbation()).model)
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_draws_of_pose_noise_fill_their_range_and_follow_the_seed() -> None:
    noise = [p for seed in range(40) for p in perturbations(11 * seed) if p.pose_noise_m]
    shifts = np.array([world(p).positions()[:, :2] - world(Perturbation()).positions()[:, :2]
                       for p in noise[:60]])  # fmt: skip
    assert len({p.seed for p in noise}) == len(noise)
    assert 0.0009 < np.abs(shifts).max() <= 0.001
    assert np.abs(shifts.mean(axis=0)).max() < 0.0003
    first, again = (world(noise[0]).positions() for _ in range(2))
    assert np.array_equal(first, again)
    assert 0 <= perturbations(2**63 - 1)[-1].seed < 2**63


def test_the_documented_repetitions_are_those_that_are_run() -> None:
    """docs/labels.md names every size; the nominal trial disturbs nothing."""
    page = re.sub(r"\s+", " ", PAGE.read_text())
    runs = perturbations(0, KEPT_NOISE)

    def sizes(field: str) -> list[float]:
        values = [getattr(p, field) for p in runs]
        return [v for v in values if v != getattr(Perturbation(), field)]

    noise_mm = {1000 * v for v in sizes("pose_noise_m")}
    noise_deg = {round(float(np.rad2deg(v)), 9) for v in sizes("pose_noise_rad")}
    less, more = sorted(set(sizes("friction_scale")))
    lighter, heavier = sorted(set(sizes("mass_scale")))
    assert f"friction × {less:.2f} or × {more:.2f};" in page
    assert f"masses × {lighter:.2f} or × {heavier:.2f}" in page
    assert sizes("time_step_scale") == [0.5, 0.5]
    assert "half the time step in two" in page
    (rolling,) = set(sizes("rolling_friction_scale"))
    before, after = 1000 * ROLLING_FRICTION_M, 1000 * ROLLING_FRICTION_M * rolling
    assert f"rolling friction × {rolling:g} ({after:g} mm in place of {before:g}) in two" in page
    slower, faster = sorted(set(sizes("hand_speed_scale")))
    assert f"hands × {slower} or × {faster} as fast" in page
    assert (len(sizes("pose_noise_m")), noise_mm, noise_deg) == (4, {1.5}, {1.5})
    assert "pose noise of 1.5 mm and 1.5 degrees in four" in page
    assert len(runs) == 5
    assert "repeated five times" in page
    assert len({p.name for p in runs}) == 5
    assert ratios(Perturbation(seed=5)) == {}


def test_more_rolling_friction_stops_a_rolling_ball_sooner() -> None:
    """A ball that rolls at v stops after v²/(2 g k/r), with 7/5 for its spin, within a fifth."""
    rolled_m = {}
    for scale in (1.0, 5.0):
        ball_world = World(
            Layout((ASIDE,), "", (ASIDE.name,)),
            Perturbation(rolling_friction_scale=scale),
            held=ASIDE.name,
        )
        speed, radius = 0.1, 0.025
        ball_world.run(0.2)
        ball_world.data.qvel[:] = (speed, 0.0, 0.0, 0.0, speed / radius, 0.0)
        start = ball_world.positions()[0, 0]
        ball_world.run(4.0)
        rolled_m[scale] = ball_world.positions()[0, 0] - start
        expected = 0.7 * speed**2 * radius / (GRAVITY_M_S2 * ROLLING_FRICTION_M * scale)
        assert rolled_m[scale] == pytest.approx(expected, rel=0.25)
    assert rolled_m[5.0] < 0.3 * rolled_m[1.0]


@pytest.mark.parametrize("scale", [0.5, 1.25])
def test_hands_are_as_fast_as_the_perturbation_says(scale: float) -> None:
    lifting = world(Perturbation(hand_speed_scale=scale))
    lifting.grasp()
    lifting.run(0.1)
    before = lifting.data.time
    lifting.move_hand(np.array([0.0, 0.0, 0.1]), 0.2)
    assert lifting.data.time - before == pytest.approx(0.1 / (0.2 * scale), abs=0.011)
    assert lifting.positions()[lifting.held, 2] == pytest.approx(top_m(LOW) + 0.025 + 0.1, abs=0.01)

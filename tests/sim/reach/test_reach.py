"""Reach, in scenes whose answer anybody can tell, and by law."""

from dataclasses import replace
from itertools import product

import mujoco
import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.everyday import ball, bottle
from pactwin.sim.objects.obstacles import cage, screen, shelf
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.reach.collider import arena_for
from pactwin.sim.reach.postures import Posture
from pactwin.sim.reach.search import POSITION_TOLERANCE_M, RESERVE_M, reach
from pactwin.sim.reach.starts import APPROACHES, CONE_RAD, SAMPLES, reachers
from pactwin.sim.robots.registry import ROBOTS
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose

EVERY_ROBOT = pytest.mark.parametrize("robot", sorted(ROBOTS))
X, Y = 0.25, 0.16
TARGET = standing_at(block("red", (0.055, 0.055, 0.05)), X, Y)


def wall(name: str, size: tuple[float, float, float], x: float, y: float, z: float = 0.0) -> Item:
    return replace(standing_at(block("blue", size), x, y, on_z=z), name=name)


def closed_box(gap: float = 0.03) -> list[Item]:
    """Five boards around and over the target, ``gap`` from it."""
    side, height, thick = 0.055 + 2 * gap, 0.05 + gap, 0.01
    edge = side / 2 + thick / 2
    return [
        wall("near", (thick, side, height), X - edge, Y),
        wall("far", (thick, side, height), X + edge, Y),
        wall("left", (side + 2 * thick, thick, height), X, Y + edge),
        wall("right", (side + 2 * thick, thick, height), X, Y - edge),
        wall("lid", (side + 2 * thick, side + 2 * thick, thick), X, Y, height),
    ]


@EVERY_ROBOT
def test_a_thing_standing_free_and_near_is_reached(robot: str) -> None:
    found = reach(robot, [TARGET], TARGET.name)
    assert found.found and found.best
    assert found.best.approach in APPROACHES
    assert found.best.position_error_m <= POSITION_TOLERANCE_M
    assert found.best.angle_error_rad <= CONE_RAD * 1.001
    assert found.reserve_m == RESERVE_M
    assert found.shortfall_m == 0.0


def test_more_starts_than_there_are_postures_nearby_are_all_of_them() -> None:
    """Retrials search four times longer, and longer still where that nearly serves."""
    side = ["from the near left side"]
    few, every, more = (
        reach("g1", [TARGET, *closed_box()], TARGET.name, starts=n, arms=["left"], approaches=side)
        for n in (3, 999, 4096)
    )
    assert every == more
    assert 0 < few.tried < every.tried


@EVERY_ROBOT
def test_what_stands_too_far_is_not_and_the_shortfall_grows_with_the_distance(robot: str) -> None:
    shortfalls = []
    for x in (0.9, 1.2, 1.5):
        found = reach(robot, [standing_at(TARGET, x, Y)], TARGET.name)
        assert not found.found and found.best is None
        assert found.reserve_m == 0.0
        shortfalls.append(found.shortfall_m)
    assert shortfalls[0] > 0.15
    assert np.diff(shortfalls) == pytest.approx([0.3, 0.3], abs=0.07)


@EVERY_ROBOT
def test_what_is_boxed_in_on_all_sides_is_not_reached(robot: str) -> None:
    found = reach(robot, [TARGET, *closed_box()], TARGET.name)
    assert not found.found
    assert found.best is not None, "the hand gets there, were it not for the box"
    assert found.best.clearance_m < -0.005


@EVERY_ROBOT
def test_walls_behind_do_not_matter(robot: str) -> None:
    walls = [
        wall("behind", (0.01, 0.4, 0.3), X + 0.10, Y),
        wall("beside", (0.2, 0.01, 0.3), X, 0.4),
    ]
    assert reach(robot, [TARGET, *walls], TARGET.name).found


@EVERY_ROBOT
@pytest.mark.parametrize("guard", ["cage", "shelf"])
def test_a_guard_keeps_out_only_where_it_stands(robot: str, guard: str) -> None:
    inside = (
        cage("blue", (0.12, 0.12, 0.08)) if guard == "cage" else shelf("blue", (0.16, 0.16), 0.06)
    )
    assert not reach(robot, [TARGET, standing_at(inside, X, Y)], TARGET.name).found
    assert reach(robot, [TARGET, standing_at(inside, X, -Y)], TARGET.name).found


def test_only_the_approaches_asked_for_are_looked_at() -> None:
    for approach in ("obliquely from the near side", "from the near left side"):
        found = reach("g1", [TARGET], TARGET.name, approaches=[approach])
        assert found.best is not None
        assert found.best.approach == approach
    # A five-jointed arm does not come from beyond.
    assert not reach("g1", [TARGET], TARGET.name, approaches=["from the far side"]).found


def test_a_five_jointed_arm_does_not_get_behind_a_screen() -> None:
    board = screen("blue", 0.3, 0.28)
    assert not reach("g1", [TARGET, standing_at(board, X - 0.07, Y)], TARGET.name).found
    assert reach("g1", [TARGET, standing_at(board, X + 0.10, Y)], TARGET.name).found


@EVERY_ROBOT
def test_a_tall_thing_can_be_taken_near_its_top(robot: str) -> None:
    """Things all around its foot leave its upper half free."""
    tall = standing_at(bottle("red", 0.06, 0.18), X, Y)
    ring = [
        wall(f"low {k}", (0.06, 0.06, 0.05), X + 0.08 * np.cos(a), Y + 0.08 * np.sin(a))
        for k, a in enumerate(np.linspace(0, 2 * np.pi, 6, endpoint=False))
    ]
    assert reach(robot, [tall, *ring], tall.name, starts=32).found


def test_a_hand_leans_no_more_than_the_cone_however_far_it_reaches() -> None:
    places = product(np.arange(0.20, 0.42, 0.02).tolist(), (0.0, 0.16, 0.24))
    found = [reach("g1", [standing_at(TARGET, x, y)], TARGET.name).best for x, y in places]
    leans = [best.angle_error_rad for best in found if best is not None]
    assert len(leans) > 15 and 0.9 * CONE_RAD < max(leans) <= 1.001 * CONE_RAD


@EVERY_ROBOT
def test_the_posture_points_the_hand_at_the_target(robot: str) -> None:
    """The reported angles, put into MuJoCo, hold the palm in front of the object."""
    found = reach(robot, [TARGET], TARGET.name)
    assert found.best is not None
    arm = ROBOTS[robot].arm(found.best.arm)
    collider = arena_for(robot, (TARGET.parts,))
    data = mujoco.MjData(collider.model)
    for name, angle in zip(arm.joint_names, found.best.angles_rad, strict=True):
        data.joint(name).qpos[0] = angle
    mujoco.mj_kinematics(collider.model, data)
    site = data.site(arm.palm_site)
    forwards = site.xmat.reshape(3, 3)[:, 2]
    along = APPROACHES[found.best.approach]
    assert np.arccos(forwards @ along) <= found.best.angle_error_rad + 1e-6
    to_target = np.array(TARGET.world_from_object.pos) - site.xpos
    assert 0.02 < to_target @ along < 0.25
    assert np.linalg.norm(to_target - (to_target @ along) * along) < 0.08


@EVERY_ROBOT
def test_the_answer_depends_on_the_arguments_alone(robot: str) -> None:
    items = [TARGET, standing_at(cage("blue", (0.12, 0.12, 0.08)), X, -Y)]
    first = reach(robot, items, TARGET.name)
    reach(robot, [standing_at(TARGET, 0.4, -0.2), items[1]], TARGET.name)
    reach(robot, [TARGET, *closed_box()], TARGET.name)
    assert reach(robot, items, TARGET.name) == first


def test_reach_left_behind_the_target_is_there() -> None:
    """Where 3 cm are left, a thing 3 cm farther out is still within reach."""
    tried = 0
    for y in (-0.2, 0.0, 0.2):
        for x in (0.22, 0.26):
            here = reach("g1", [standing_at(TARGET, x, y)], TARGET.name)
            if here.found and here.reserve_m == RESERVE_M:
                tried += 1
                there = reach("g1", [standing_at(TARGET, x + 0.025, y)], TARGET.name, starts=32)
                assert there.best is not None
    assert tried >= 3


def test_what_stands_nearer_has_as_much_more_reach_behind_it() -> None:
    """Not only to a centimetre; a search may miss some of it."""
    outwards = []
    for x in np.arange(0.23, 0.30, 0.004):
        found = reach("g1", [standing_at(TARGET, float(x), -0.16)], TARGET.name)
        assert found.found
        outwards.append(x + found.beyond_m)
    assert np.median(np.abs(outwards - np.median(outwards))) < 0.002


def test_more_starts_never_lose_a_posture() -> None:
    rng = np.random.default_rng(8)
    for _ in range(6):
        clutter = [
            wall(f"wall {k}", (0.02, 0.08, 0.12), X + dx, Y + dy)
            for k, (dx, dy) in enumerate(rng.normal(0.0, 0.12, (4, 2)))
        ]
        few = reach("g1", [TARGET, *clutter], TARGET.name, starts=6)
        many = reach("g1", [TARGET, *clutter], TARGET.name, starts=40)
        assert many.found or not few.found


def test_other_samples_lead_to_other_postures_that_serve_as_well() -> None:
    found = [reach("g1", [TARGET], TARGET.name, sample_of=k) for k in range(SAMPLES)]
    assert all(one.found and one.best is not None for one in found)
    assert len({one.best.angles_rad for one in found if one.best is not None}) == SAMPLES


def test_a_known_posture_is_tried_first_and_never_instead_of_others() -> None:
    found = reach("g1", [TARGET], TARGET.name)
    moved = standing_at(TARGET, X + 0.001, Y)
    again = reach("g1", [moved], TARGET.name, known=found.best)
    assert again.found and again.tried == 1
    assert again.reserve_m == RESERVE_M
    elsewhere = standing_at(TARGET, X, -Y)
    other = reach("g1", [elsewhere], TARGET.name, known=found.best)
    assert other.found and other.best and found.best
    assert other.best.arm != found.best.arm


def fingers_of(robot: str, target: Item, posture: Posture) -> tuple[np.ndarray, np.ndarray]:
    """Fingertips (3,) beside the target, and the line (3,) along which they close, by MuJoCo."""
    arm = ROBOTS[robot].arm(posture.arm)
    collider = arena_for(robot, (target.parts,))
    for name, angle in zip(arm.joint_names, posture.taking_rad, strict=True):
        collider.data.joint(name).qpos[0] = angle
    mujoco.mj_kinematics(collider.model, collider.data)
    closing, _, pointing = collider.data.site(arm.palm_site).xmat.reshape(3, 3).T
    chain = reachers(robot)[[a.name for a in ROBOTS[robot].arms].index(posture.arm)].chain
    (tip,) = chain.forward(np.array([posture.taking_rad]))[0]
    ahead = tip - collider.data.site(arm.palm_site).xpos
    assert np.linalg.norm(np.cross(ahead, pointing)) < 1e-6, "fingertips are ahead of the palm"
    return tip, closing


@EVERY_ROBOT
def test_fingers_span_a_side_that_fits_however_the_thing_is_turned(robot: str) -> None:
    """A slab that fits between the fingers by one pair of its sides alone."""
    span = ROBOTS[robot].span_m
    slab, found = block("red", (0.14, 0.6 * span, 0.05)), 0
    for turn in np.linspace(0.0, np.pi, 8, endpoint=False):
        thing = standing_at(slab, X, Y, yaw_rad=float(turn))
        reached = reach(robot, [thing], thing.name, starts=64)
        if reached.turned_wrong or reached.best is None:
            continue
        found += 1
        tip, closing = fingers_of(robot, thing, reached.best)
        lengthwise, across = (thing.world_from_object.matrix()[:3, k] for k in (0, 1))
        level = closing[:2] / np.linalg.norm(closing[:2])
        wide = 0.14 * abs(level @ lengthwise[:2]) + 0.6 * span * abs(level @ across[:2])
        assert wide <= reached.best.opening_m <= span
        assert abs((tip - np.array(thing.world_from_object.pos)) @ across) < 0.006
    assert found >= 3, "most turns can be taken"


def test_a_five_jointed_arm_cannot_turn_its_fingers_across_every_slab() -> None:
    """It gets there, which is said, but with a side between its fingers that does not fit."""
    slab = standing_at(block("red", (0.06, 0.16, 0.05)), X, Y)
    square = standing_at(block("red", (0.06, 0.06, 0.05)), X, Y)
    near = ["from the near side"]
    alone = reach("g1", [slab], slab.name, starts=64, approaches=near)
    assert alone.found and alone.turned_wrong
    assert not reach("g1", [square], square.name, starts=64, approaches=near).turned_wrong


@EVERY_ROBOT
def test_what_has_no_side_that_fits_is_reached_without_a_grasp(robot: str) -> None:
    """That it is too wide is another precondition's matter."""
    wide = 1.3 * ROBOTS[robot].span_m
    found = reach(robot, [standing_at(block("red", (wide, wide, 0.05)), X, Y)], "red block")
    assert found.found and not found.turned_wrong
    assert found.best and found.best.opening_m == 0.0


@EVERY_ROBOT
def test_open_fingers_may_touch_nothing(robot: str) -> None:
    """Neither what they take, if they are not open wide enough, nor what stands beside it."""
    best = reach(robot, [TARGET], TARGET.name).best
    assert best is not None
    index = [arm.name for arm in ROBOTS[robot].arms].index(best.arm)
    chain, way = reachers(robot)[index].chain, np.array([best.taking_rad])
    tip, closing = fingers_of(robot, TARGET, best)
    small = ball("green", 0.01)

    def clearance_m(opening_m: float, beside_m: tuple[float, float, float]) -> float:
        collider = arena_for(robot, (TARGET.parts, small.parts))
        collider.place([TARGET, small.at(Pose(beside_m))])
        nothing = np.zeros(collider.model.ngeom, dtype=bool)
        return collider.fingers_m(chain, way, opening_m, -np.inf, nothing)

    away = (5.0, 0.0, 0.0)
    assert clearance_m(best.opening_m, away) >= best.clearance_m - 1e-6 > 0.0
    assert clearance_m(0.6 * best.opening_m, away) < 0.0
    for side in (-1, 1):
        x, y, z = map(float, tip + side * (best.opening_m / 2 + 0.004) * closing)
        assert clearance_m(best.opening_m, (x, y, z)) < 0.0


@pytest.mark.parametrize("tolerance_m", [0.0005, 0.002, POSITION_TOLERANCE_M])
def test_fingertips_get_as_near_as_they_are_asked_to(tolerance_m: float) -> None:
    """Where an arm is nearly stretched, what is asked for decides how much of the way serves."""
    found = [
        reach("g1", [standing_at(TARGET, float(x), 0.0)], TARGET.name, tolerance_m=tolerance_m)
        for x in np.linspace(0.3, 0.5, 9)
    ]
    errors_m = [one.best.position_error_m for one in found if one.best is not None]
    assert errors_m
    assert max(errors_m) <= tolerance_m
    assert found[-1].best is None

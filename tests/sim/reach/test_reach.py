"""Reach, in scenes whose answer anybody can tell, and by law."""

from dataclasses import replace
from itertools import product

import mujoco
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.groceries import bottle
from pactwin.sim.objects.household import ball
from pactwin.sim.objects.obstacles import cage, screen, shelf
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.reach.collider import SEEN_M, CollisionModel, arena_for
from pactwin.sim.reach.search import POSITION_TOLERANCE_M, RESERVE_M, Posture, reach
from pactwin.sim.reach.starts import APPROACHES, CONE_RAD, SAMPLES, reachers
from pactwin.sim.robots.builtin import ROBOTS
from pactwin.sim.robots.models import PREFIX
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


@EVERY_ROBOT
def test_every_link_sees_every_thing(robot: str) -> None:
    """No list of excused contacts swallows an obstacle.

    A ball that overlaps a link by 4 mm is measured so, and so is one 8 mm clear of it; the link's
    convex hull is taken from its vertices, not from MuJoCo's collision detection.
    """
    found = reach(robot, [TARGET], TARGET.name)
    assert found.best is not None
    index = [arm.name for arm in ROBOTS[robot].arms].index(found.best.arm)
    chain = reachers(robot)[index].chain
    way = np.array([found.best.angles_rad])
    radius = 0.006
    small = ball("green", 2 * radius)
    collider = arena_for(robot, (TARGET.parts, small.parts))
    collider.place([TARGET, small.at(Pose((5.0, 0.0, 0.0)))])
    assert collider.clearance_m(index, chain, way, target=0, enough=-np.inf) > 0.0
    seen_clear = 0
    links = np.flatnonzero(collider.links[index])
    for geom in links:
        hull = hull_of(collider, int(geom))
        face = hull.points[hull.simplices[0]].mean(axis=0)
        for gap in (-0.004, 0.008):
            x, y, z = map(float, face + (radius + gap) * hull.equations[0, :3])
            collider.place([TARGET, small.at(Pose((x, y, z)))])
            clearance = collider.clearance_m(index, chain, way, target=0, enough=-np.inf)
            # Another link of the arm may be nearer.
            assert clearance <= gap + 1e-4
            seen_clear += clearance == pytest.approx(0.008, abs=1e-4)
    assert seen_clear >= len(links) / 3


def hull_of(collider: CollisionModel, geom: int) -> ConvexHull:
    """The convex hull of one geom of ``arena`` where it is now, in the table frame."""
    model, data = collider.model, collider.data
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
        mesh = model.mesh(model.geom_dataid[geom])
        start, count = int(mesh.vertadr[0]), int(mesh.vertnum[0])
        points = model.mesh_vert[start : start + count]
    elif model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_CYLINDER:
        radius, half, _ = model.geom_size[geom]
        angles = np.linspace(0, 2 * np.pi, 200)
        ring = radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
        up = np.array([0.0, 0.0, half])
        points = np.concatenate([ring + up, ring - up])
    else:
        assert model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_BOX
        points = np.array(list(product((-1, 1), repeat=3))) * model.geom_size[geom]
    return ConvexHull(points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])


def test_a_hand_may_touch_what_it_takes_or_is_told_to_pass_and_no_other_link_may() -> None:
    best = reach("g1", [TARGET], TARGET.name).best
    assert best is not None
    index = [arm.name for arm in ROBOTS["g1"].arms].index(best.arm)
    chain, away, there = reachers("g1")[index].chain, best.angles_rad, best.taking_rad
    small = ball("green", 0.012)
    collider = arena_for("g1", (small.parts,))

    def middle(geom: int, posture: tuple[float, ...]) -> np.ndarray:
        collider.clearance_m(index, chain, np.array([posture]), -2, -np.inf)
        return np.array(collider.data.geom_xpos[geom])

    def clearance_m(*way: tuple[float, ...], target: int = -2, passes: bool = False) -> float:
        passed = (collider.item_of == 0) & passes
        return collider.clearance_m(index, chain, np.array(way), target, -np.inf, passed=passed)

    def place(at: np.ndarray) -> None:
        x, y, z = map(float, at)
        collider.place([small.at(Pose((x, y, z)))])

    hand = int(np.flatnonzero(collider.hands[index])[0])
    link = int(np.flatnonzero(collider.links[index] & ~collider.hands[index])[-1])
    place(np.array([5.0, 0.0, 0.0]))
    links, end = middle(link, there), middle(hand, there)
    ahead = (end - middle(hand, away)) / np.linalg.norm(end - middle(hand, away))
    for k in np.arange(0.0, 0.15, 0.002):  # where the hand comes to, and is not at first
        place(end + k * ahead)
        if clearance_m(there) < 0.0 < clearance_m(away):
            break
    assert clearance_m(away, there) < 0.0 < clearance_m(away, there, passes=True)
    assert clearance_m(there, away, target=0) < 0.0 < clearance_m(away, there, target=0)
    place(links)
    assert clearance_m(away, there, passes=True) < 0.0 > clearance_m(away, there, target=0)


def test_what_a_hand_holds_is_free_all_the_way_to_its_place() -> None:
    """Balls hang over both ends of a board, where it passes and does not stay."""
    board = standing_at(plank("red", (0.05, 0.24, 0.02)), X, -Y)
    balls = [
        replace(ball("green", 0.01), name=f"ball {y}").at(Pose((X, y, 0.13)))
        for y in (Y - 0.11, Y + 0.11)
    ]
    there = (X, Y, 0.10)

    def found(*items: Item, holding: str | None) -> bool:
        above = ["from above"]
        return reach(
            "panda", items, None, at=there, holding=holding, approaches=above, starts=32
        ).found

    assert found(board, holding=board.name) and found(board, *balls, holding=None)
    assert not found(board, *balls, holding=board.name)
    collider = arena_for("panda", (board.parts, balls[0].parts))
    collider.place([board, balls[0]])
    before = collider.data.mocap_pos.copy()
    nothing = np.zeros(collider.model.ngeom, dtype=bool)
    middles = np.array([(X, Y, z) for z in (0.10, 0.12)])
    assert collider.room_m(0, middles, nothing) < 0.0 < collider.room_m(0, middles[:1], nothing)
    assert np.array_equal(collider.data.mocap_pos, before)


def test_a_hand_leans_no_more_than_the_cone_however_far_it_reaches() -> None:
    places = product(np.arange(0.20, 0.42, 0.02).tolist(), (0.0, 0.16, 0.24))
    found = [reach("g1", [standing_at(TARGET, x, y)], TARGET.name).best for x, y in places]
    leans = [best.angle_error_rad for best in found if best is not None]
    assert len(leans) > 15 and 0.9 * CONE_RAD < max(leans) <= 1.001 * CONE_RAD


@EVERY_ROBOT
def test_only_links_of_the_robot_are_excused_from_touching(robot: str) -> None:
    model = arena_for(robot, (TARGET.parts,)).model
    assert model.nexclude > 0
    for signature in model.exclude_signature:
        for body in (int(signature) >> 16, int(signature) & 0xFFFF):
            assert model.body(body).name.startswith(PREFIX)


@EVERY_ROBOT
def test_an_arm_through_an_obstacle_is_rejected(robot: str) -> None:
    """A board where the forearm was makes the search find another posture, or none."""
    free = reach(robot, [TARGET], TARGET.name)
    assert free.best is not None
    index = [arm.name for arm in ROBOTS[robot].arms].index(free.best.arm)
    chain = reachers(robot)[index].chain
    collider = arena_for(robot, (TARGET.parts,))
    collider.place([TARGET])
    way = np.array([free.best.angles_rad])
    assert collider.clearance_m(index, chain, way, target=0, enough=-np.inf) > 0.0
    hand = collider.data.geom_xpos[collider.hands[index]].mean(axis=0)
    board = plank("blue", (0.10, 0.10, 0.01)).at(
        Pose((float(hand[0]), float(hand[1]), float(hand[2])))
    )
    blocked = arena_for(robot, (TARGET.parts, board.parts))
    blocked.place([TARGET, board])
    assert blocked.clearance_m(index, chain, way, target=0, enough=-np.inf) < -0.005
    again = reach(robot, [TARGET, board], TARGET.name)
    assert again.best is None or again.best.angles_rad != free.best.angles_rad


@EVERY_ROBOT
def test_clearance_is_the_distance_that_mujoco_measures(robot: str) -> None:
    """Against all pairs one by one, in random postures."""
    board = screen("blue", 0.3, 0.2)
    items = [TARGET, standing_at(board, X - 0.1, -Y)]
    collider = arena_for(robot, tuple(item.parts for item in items))
    collider.place(items)
    model = collider.model
    excluded = {tuple(sorted((int(s) >> 16, int(s) & 0xFFFF))) for s in model.exclude_signature}
    chain = reachers(robot)[0].chain
    links = np.flatnonzero(collider.links[0])
    verdicts = []
    for q in chain.draw(np.random.default_rng(6), 40):
        clearance = collider.clearance_m(0, chain, q[None], target=0, enough=-np.inf)
        least = SEEN_M
        for link in links:
            for other in range(model.ngeom):
                pair = sorted((int(model.geom_bodyid[link]), int(model.geom_bodyid[other])))
                if pair[0] != pair[1] and tuple(pair) not in excluded:
                    distance = mujoco.mj_geomDistance(
                        model, collider.data, int(link), other, SEEN_M, None
                    )
                    least = min(least, distance)
        verdicts.append(least > 0.0)
        if least > 0.0:
            assert clearance == pytest.approx(least, abs=5e-4)
        else:
            assert clearance < 0.0
    assert 4 < sum(verdicts) < 36, "the sample should hold both verdicts"


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

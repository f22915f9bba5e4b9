"""Clearance: what arms, hands and held things may touch, and how near they come, by law."""

from dataclasses import replace
from itertools import product

import mujoco
import numpy as np
import pytest
from scipy.spatial import ConvexHull

from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.obstacles import screen
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.reach.collider import SEEN_M, CollisionModel, arena_for
from pactwin.sim.reach.search import reach
from pactwin.sim.reach.starts import reachers
from pactwin.sim.robots.models import PREFIX
from pactwin.sim.robots.registry import ROBOTS
from pactwin.sim.scene.layout import Item
from pactwin.sim.scene.pose import Pose

EVERY_ROBOT = pytest.mark.parametrize("robot", sorted(ROBOTS))
X, Y = 0.25, 0.16
TARGET = standing_at(block("red", (0.055, 0.055, 0.05)), X, Y)


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

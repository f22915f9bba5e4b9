"""The physics model: what belongs together stays together, and what touches what."""

from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.closures import capped
from pactwin.sim.objects.everyday import ball, marker, marker_cap
from pactwin.sim.objects.posing import ON_SIDE, resting_at, standing_at, top_m
from pactwin.sim.physics import world as physics
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.settling import settle
from pactwin.sim.physics.stability import UnstableSimulation
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Pose, axis_angle, quat_multiply

TOOL = resting_at(marker("red", 0.024, 0.125), 0.2, 0.0, ON_SIDE, state="on_side")
CAP = marker_cap("blue", 0.024)
ON = replace(CAP.at(capped(TOOL, CAP)), attached_to=TOOL.name)
TOGETHER = Layout((TOOL, ON), "", (TOOL.name,))
NOISE = Perturbation(pose_noise_m=0.005, pose_noise_rad=0.1, seed=4)


def offset(world: World, carrier: str, item: str) -> Pose:
    return world.pose(carrier).inverse() @ world.pose(item)


def same(a: Pose, b: Pose, atol: float = 1e-9) -> bool:
    return bool(np.allclose(a.matrix(), b.matrix(), atol=atol))


def test_what_is_attached_moves_along() -> None:
    world = World(TOGETHER, NOISE, held=TOOL.name)
    before = offset(world, TOOL.name, ON.name)
    world.place_held(Pose((0.3, 0.1, 0.3), axis_angle((1.0, 2.0, 0.5), 1.2)))
    assert same(offset(world, TOOL.name, ON.name), before)
    world.grasp()
    world.move_hand(np.array([0.0, 0.1, 0.05]), 0.2)
    assert same(offset(world, TOOL.name, ON.name), before)
    held = world.pose(TOOL.name)
    world.run(0.5)  # the hand carries both
    assert same(world.pose(TOOL.name), held, atol=0.01)


def test_distractors_and_what_is_fixed_cannot_move() -> None:
    things = [
        standing_at(block(c, (0.05, 0.05, 0.05)), 0.2, 0.1 * k)
        for k, c in enumerate(("red", "blue", "green"))
    ]
    things[1] = replace(things[1], distractor=True)
    layout = Layout(tuple(things), "", (things[0].name,), fixed=frozenset((things[2].name,)))
    assert World(layout, NOISE, held=things[0].name).names == [things[0].name]


def test_touching_names_neighbours_on_either_side() -> None:
    low = standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0)
    high = standing_at(block("blue", (0.05, 0.05, 0.05)), 0.2, 0.0, on_z=top_m(low))
    aside = standing_at(block("green", (0.05, 0.05, 0.05)), 0.2, 0.2)
    world = World(Layout((low, high, aside), "", (low.name,)), Perturbation(), held=high.name)
    assert settle(world) == ""
    assert world.touching(low.name) == {"table", high.name}
    assert world.touching(high.name) == {low.name}
    assert world.touching(aside.name) == {"table"}
    world.place_held(high.world_from_object.moved(dz=-0.01))
    assert world.deepest_contact_m(high.name) > 0.003
    assert world.deepest_contact_m(aside.name) < 1e-3


def test_a_hand_that_turns_to_another_thing_lets_go_of_the_first_and_bears_the_second() -> None:
    """In a disturbed world, too, whatever things weigh there."""
    light = standing_at(replace(block("red", (0.05,) * 3), mass_kg=0.1), 0.2, -0.1)
    heavy = standing_at(replace(block("blue", (0.05,) * 3), mass_kg=1.0), 0.2, 0.1)
    layout = Layout((light, heavy), "", (heavy.name,))
    world = World(layout, Perturbation(mass_scale=1.2), held=light.name)
    world.grasp()
    world.move_hand(np.array([0.0, 0.0, 0.10]), 0.2)
    world.hold(heavy.name)
    world.run(0.5)
    assert world.pose(light.name).pos[2] == pytest.approx(0.025, abs=0.002), "it has fallen"
    world.grasp()
    world.move_hand(np.array([0.0, 0.0, 0.10]), 0.2)
    world.run(0.3)
    assert world.pose(heavy.name).pos[2] == pytest.approx(0.125, abs=0.002)
    assert world.lag_m() < 1e-6, "its weight is borne, so that nothing pulls at the hand"
    assert world.pose(light.name).pos[2] == pytest.approx(0.025, abs=0.002)


def test_what_is_fixed_stays_and_is_no_row_of_the_poses() -> None:
    thing = standing_at(block("red", (0.05, 0.05, 0.05)), 0.0, 0.0)
    hovering = standing_at(block("blue", (0.05, 0.05, 0.05)), 0.2, 0.0, on_z=0.1)
    layout = Layout((thing, hovering), "", (thing.name,))
    for fixed in (frozenset[str](), frozenset({hovering.name})):
        world = World(replace(layout, fixed=fixed), Perturbation(), held=thing.name)
        world.run(0.5)
        assert (hovering.name in world.names) is not bool(fixed)
        assert (world.pose(hovering.name).pos[2] > 0.1) is bool(fixed)


@pytest.mark.parametrize("order", [1, -1])
def test_what_a_thing_carries_and_what_it_is_in_touch_with(order: int) -> None:
    """A bridge over two blocks, with one more on it; another stands apart. Order tells nothing."""
    first, second, apart, bridge, top = (
        standing_at(block(color, (long, 0.05, 0.05)), x, 0.0, on_z=z)
        for color, long, x, z in (
            ("red", 0.05, 0.0, 0.0),
            ("blue", 0.05, 0.1, 0.0),
            ("green", 0.05, 0.3, 0.0),
            ("white", 0.15, 0.05, 0.05),
            ("black", 0.05, 0.05, 0.10),
        )
    )
    items = (first, second, apart, bridge, top)[::order]
    layout = Layout(items, "", (first.name,))
    world = World(layout, Perturbation(), held=first.name)
    world.run(0.1)
    assert (
        world.supported_items(first.name)
        == world.supported_items(second.name)
        == {bridge.name, top.name}
    )
    assert world.supported_items(bridge.name) == {top.name}
    assert world.supported_items(top.name) == frozenset()
    together = {first.name, second.name, bridge.name, top.name}
    for name in together:
        assert world.contact_cluster(name) == together - {name}
    assert world.contact_cluster(apart.name) == frozenset()


def test_a_world_goes_back_to_where_it_was() -> None:
    thing = standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0, on_z=0.3)
    world = World(Layout((thing,), "", (thing.name,)), Perturbation(), held=thing.name)
    world.run(0.1)
    state, before, speeds = world.snapshot(), world.poses(), world.speeds()
    assert speeds[0] == pytest.approx((0.981, 0.0), rel=0.01)
    world.run(0.1)
    moved_m, turned_rad = world.moved_since(before)
    assert moved_m[0] == pytest.approx(0.981 * 0.1 + 9.81 * 0.1**2 / 2, rel=0.02)
    assert turned_rad[0] == pytest.approx(0.0, abs=1e-6)
    world.restore(state)
    assert np.array_equal(world.snapshot(), state)
    assert np.array_equal(world.speeds(), speeds)
    assert world.positions() == pytest.approx(before[0], abs=0.003), "but for the step under way"


def test_a_hand_leads_and_says_when_it_was_stopped() -> None:
    thing = standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0, on_z=0.2)
    world = World(Layout((thing,), "", (thing.name,)), Perturbation(), held=thing.name)
    turned = Pose((0.1, 0.1, 0.4), axis_angle((0.0, 0.0, 1.0), 0.5))
    world.run(0.2)
    world.place_held(turned)
    assert same(world.pose(thing.name), turned)
    assert not world.speeds().any(), "put there at rest"
    world.grasp()
    assert world.move_hand(np.array([0.0, 0.1, 0.0]), 0.2)
    world.run(0.2)
    assert same(world.pose(thing.name), turned.moved(0.0, 0.1), atol=1e-3)
    before = world.data.time
    assert not world.move_hand(np.array([0.0, 0.1, 0.0]), 0.2, stop=lambda: True)
    assert world.data.time - before == pytest.approx(0.008)
    world.data.mocap_pos[0] += (0.3, 0.0, 0.4)
    assert world.lag_m() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_a_hand_is_as_fast_whatever_the_time_step(scale: float) -> None:
    """10 ms hold two and a half steps of 4 ms: rounded, the hand was faster by a quarter."""
    thing = standing_at(block("red", (0.05, 0.05, 0.05)), 0.2, 0.0, on_z=0.2)
    layout = Layout((thing,), "", (thing.name,))
    world = World(layout, Perturbation(time_step_scale=scale), held=thing.name)
    world.grasp()
    before = world.data.time
    world.move_hand(np.array([0.0, 0.12, 0.0]), 0.25)
    assert world.data.time - before == pytest.approx(0.12 / 0.25)
    with pytest.raises(ValueError, match="whole number of time steps"):
        world.run(2.5 * world.model.opt.timestep)


def test_a_hand_bears_what_is_attached_to_a_thing() -> None:
    world = World(TOGETHER, Perturbation(), held=TOOL.name)
    world.grasp()
    world.move_hand(np.array([0.0, 0.0, 0.1]), 0.2)
    world.run(0.3)
    assert world.lag_m() < 1e-5


def test_a_grip_stays_as_firm_as_it_was_unless_told_otherwise() -> None:
    world = World(TOGETHER, Perturbation(), held=TOOL.name, grip_time_s=0.03)
    for told_s, held_s in ((None, 0.03), (0.05, 0.05)):
        world.hold(TOOL.name, told_s)
        assert world.model.eq_solref[0, 0] == held_s


def test_contacts_give_alike_whatever_touches_what() -> None:
    """A label must not turn on whether a thing stands on the table or on another."""
    ball_there = standing_at(ball("green", 0.05), 0.2, 0.2)
    world = World(replace(TOGETHER, items=(TOOL, ON, ball_there)), Perturbation(), held=TOOL.name)
    assert world.model.ngeom > 3
    for settings in (world.model.geom_solref, world.model.geom_solimp):
        assert len(np.unique(settings, axis=0)) == 1
    stiff_s, damping = world.model.geom_solref[0]
    assert damping == 1.0, "critical: nothing bounces"
    assert stiff_s >= 2 * 2 * world.model.opt.timestep, "also where the step is twice as long"


@pytest.mark.parametrize("goes_on", [lambda w: w.run(0.1), lambda w: w.move_hand(np.ones(3), 0.5)])
def test_what_broke_down_decides_nothing(goes_on: Callable[[World], None]) -> None:
    world = World(TOGETHER, Perturbation(), held=TOOL.name)
    goes_on(world)
    world.data.xfrc_applied[1] = 1e30
    with pytest.raises(UnstableSimulation, match="broke down"):
        goes_on(world)


def test_things_are_compiled_once_and_stand_where_each_layout_has_them(monkeypatch):
    compiled: list[Layout] = []

    def watched(layout: Layout, prepare: Callable[[mujoco.MjSpec], None]) -> mujoco.MjModel:
        compiled.append(layout)
        return compile_anew(layout, prepare)

    compile_anew = physics._compile
    monkeypatch.setattr(physics, "_compile", watched)
    physics._kept.cache_clear()
    layout = Layout((TOOL, ON, standing_at(block("red", (0.05, 0.05, 0.05)), 0.3, 0.1)), "", ())
    turned = Pose((0.1, -0.2, 0.3), axis_angle((0.0, 1.0, 0.0), 0.7))
    for here in (layout, layout.moved(TOOL.name, turned), layout):
        world = World(here, Perturbation(), held=TOOL.name)
        anew = compile_anew(here, lambda spec: None)
        for field in ("qpos0", "body_pos", "body_quat", "body_mass", "dof_invweight0"):
            assert getattr(world.model, field) == pytest.approx(getattr(anew, field), abs=1e-9)
        for item in here.items:
            assert world.pose(item.name).pos == pytest.approx(item.world_from_object.pos, abs=1e-9)
    assert len(compiled) == 1
    World(replace(layout, fixed=frozenset({TOOL.name})), Perturbation(), held=layout.items[2].name)
    assert len(compiled) == 2, "what may move is another matter"


@pytest.mark.parametrize(("share", "strays"), [(0.0, False), (0.9, False), (1.1, True)])
def test_what_moves_or_turns_beyond_its_limit_strays(share: float, strays: bool) -> None:
    far_m, far_rad = 0.025, float(np.deg2rad(25.0))
    begun = Pose((0.3, 0.1, 0.3), axis_angle((1.0, 2.0, 3.0), 2.0))
    item = block("red", (0.05, 0.04, 0.03)).at(begun)
    for moved in (
        Pose((0.3, 0.1 - share * far_m, 0.3), begun.quat),
        Pose(begun.pos, quat_multiply(axis_angle((2.0, -1.0, 1.0), share * far_rad), begun.quat)),
    ):
        world = World(Layout((item,), "", (item.name,)), Perturbation(), held=item.name)
        for which in (True, False):
            beyond = world.displaced_beyond(np.array([which]), far_m, far_rad)
            world.place_held(moved)
            assert beyond() is (strays and which)
            world.place_held(begun)

"""What a hand can hold, in the numbers that ``lifting`` quotes: m g l crosses them."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.everyday import ball
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials import lifting
from pactwin.sim.physics.trials.lifting import _HAND_KG, Grip, Lift, add_hands, damp, lift
from pactwin.sim.physics.trials.removal import LIMIT_RAD
from pactwin.sim.physics.world import World
from pactwin.sim.scene.layout import Layout
from pactwin.sim.scene.pose import Pose, yaw

GRAVITY_M_S2 = 9.81
ARM_N = 3.0 * GRAVITY_M_S2  # what the maker states for one arm
WRIST_NM = 0.6 * 5.0  # of the wrist joints' 5 N m
FIST_NM = 0.8 * 60.0 * 0.011  # friction, force of the fingers, radius of the bar; rounded to 0.5


def held(kg: float, at_m: float, bar: tuple[float, float, float] | None = None) -> Lift:
    """A uniform rod of 30 cm, lifted at a distance from its middle."""
    rod = standing_at(replace(block("red", (0.30, 0.05, 0.05)), mass_kg=kg), 0.25, 0.0)
    return lift(
        Layout((rod,), "", (rod.name,)), Perturbation(), rod.name, [Grip((at_m, 0, 0), bar)]
    )


@pytest.mark.parametrize(
    ("limit", "at_m", "bar"),
    [
        (ARM_N, 0.0, None),
        (WRIST_NM / 0.14, 0.14, None),
        (WRIST_NM / 0.14, -0.14, (1.0, 0.0, 0.0)),
        (FIST_NM / 0.10, 0.10, (0.0, 1.0, 0.0)),
    ],
    ids=["weight", "wrist", "wrist, bar lengthwise", "bar that slips"],
)
def test_a_rod_is_held_level_up_to_the_limit(limit, at_m, bar):
    """``limit`` is the weight (N) at which force or torque reaches what the hand can give."""
    below, above = (held(share * limit / GRAVITY_M_S2, at_m, bar) for share in (0.8, 1.2))
    assert below.load == pytest.approx(0.8, rel=0.06)
    assert above.load == pytest.approx(1.2, rel=0.06)
    assert below.displacement < 0.5
    assert above.displacement > 1.5
    assert below.tilt_rad < LIMIT_RAD / 2
    assert (above.tilt_rad > LIMIT_RAD) == (at_m != 0.0), "beside its middle it tilts"
    assert below.weight_n == pytest.approx(0.8 * limit, rel=0.001)
    assert below.torque_nm == pytest.approx(below.weight_n * abs(at_m), rel=0.02, abs=0.02)
    about_bar = below.torque_nm if bar == (0.0, 1.0, 0.0) else 0.0
    assert below.bar_torque_nm == pytest.approx(about_bar, abs=0.02)


@pytest.mark.parametrize(("at_m", "turn_rad"), [(0.0, 0.0), (0.1, 0.0), (0.1, 0.6), (0.0, -0.6)])
def test_servos_brake_by_the_mass_and_the_inertia_about_the_grip(at_m, turn_rad):
    """One damping ratio for all six, whatever is lifted, askew or not: c = 2 zeta sqrt(k m)."""
    a, b, c, kg = 0.30, 0.05, 0.04, 1.0
    plain = replace(block("red", (a, b, c)), mass_kg=kg)
    askew = Pose((0.0, 0.0, 0.0), yaw(turn_rad))
    part = replace(plain.parts[0], pose=askew @ plain.parts[0].pose)
    rod = standing_at(replace(plain, parts=(part,)), 0.25, 0.0, yaw_rad=0.4)
    world = World(
        Layout((rod,), "", (rod.name,)),
        Perturbation(),
        held=rod.name,
        prepare=lambda spec: add_hands(spec, rod.name, [Grip((at_m, 0.0, 0.0))], 0.5),
    )
    damp(world, [rod.name], 1)
    square = np.array([a, b, c]) ** 2
    turn = askew.matrix()[:3, :3]
    own = np.diag(turn @ np.diag((square.sum() - square) / 12) @ turn.T)
    inertia = kg * (own + np.array([0.0, at_m**2, at_m**2]))
    stiffness = world.model.actuator_gainprm[:, 0]
    braking = -world.model.actuator_biasprm[:, 2]
    turning = braking[3:] / (2 * np.sqrt(stiffness[3:] * inertia))
    moving = braking[:3] / (2 * np.sqrt(stiffness[:3] * (kg + _HAND_KG)))
    assert turning == pytest.approx(np.full(3, turning[0]), rel=1e-3)
    assert moving == pytest.approx(np.full(3, turning[0]), rel=1e-3)
    assert turning[0] == pytest.approx(0.7)


@pytest.mark.parametrize(("on_it_m", "slides"), [(0.0, False), (0.10, True)])
def test_what_stands_on_a_lifted_thing_counts_if_it_slides_and_not_as_it_rises(on_it_m, slides):
    """Heavy and beside the grip it is more than the wrist holds level."""
    tray = standing_at(replace(block("red", (0.30, 0.10, 0.02)), mass_kg=0.5), 0.25, 0.0)
    rider = replace(block("blue", (0.04, 0.04, 0.04)), mass_kg=5.0 if slides else 0.5)
    rider = standing_at(rider, 0.25 + on_it_m, 0.0, on_z=top_m(tray))
    layout = Layout((tray, rider), "", (tray.name, rider.name))
    found = lift(layout, Perturbation(), tray.name, [Grip((0.0, 0.0, 0.0))])
    assert found.settle_error == ""
    assert found.weight_n == pytest.approx((tray.mass_kg + rider.mass_kg) * GRAVITY_M_S2, rel=0.01)
    assert (found.displacement > 1.5) is (found.load > 1.0) is slides
    assert slides or found.displacement < 0.3


def test_what_rolls_off_counts_though_the_hand_holds_nearly_level() -> None:
    tray = standing_at(replace(block("red", (0.30, 0.10, 0.02)), mass_kg=0.5), 0.25, 0.0)
    rider = replace(ball("blue", 0.04), mass_kg=1.0)
    rider = standing_at(rider, 0.33, 0.0, on_z=top_m(tray))
    layout = Layout((tray, rider), "", (tray.name, rider.name))
    found = lift(layout, Perturbation(), tray.name, [Grip((0.0, 0.0, 0.0))])
    assert found.displacement > 1.5 and found.tilt_rad < LIMIT_RAD / 2 and found.load < 0.6


class Noting(World):
    """A world that notes where its hands (m) were when, as it runs."""

    runs: ClassVar[list["Noting"]] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hands: list[tuple[float, float]] = []
        self.runs.append(self)

    def run(self, duration_s: float) -> None:
        super().run(duration_s)
        if self.model.opt.disableactuator == 0:
            self.hands.append((self.data.time, float(self.data.mocap_pos[1, 2])))


@pytest.mark.parametrize("speed", [1.0, 0.5])
def test_a_hand_lifts_by_sixteen_centimetres_as_smoothly_as_fast_and_holds(speed, monkeypatch):
    monkeypatch.setattr(lifting, "World", Noting)
    rod = standing_at(replace(block("red", (0.30, 0.05, 0.05)), mass_kg=0.5), 0.25, 0.0)
    layout = Layout((rod,), "", (rod.name,))
    found = lift(layout, Perturbation(hand_speed_scale=speed), rod.name, [Grip((0.0, 0.0, 0.0))])
    assert found.displacement < 0.2
    world = Noting.runs[-1]
    time, height = np.transpose(world.hands)
    rising_s = 0.8 / speed
    share = np.clip((time - time[0]) / rising_s, 0.0, 1.0)
    assert height - height[0] == pytest.approx(0.16 * (1 - np.cos(np.pi * share)) / 2, abs=0.002)
    assert time[-1] - time[0] == pytest.approx(rising_s + 0.3, abs=0.011)
    assert world.pose(rod.name).pos[2] == pytest.approx(0.025 + 0.16, abs=0.003)

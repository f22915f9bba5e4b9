"""Things lifted by a handle, level or not, and hands that hold what they are said to hold."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.actions.base import outcomes
from pactwin.sim.actions.lift_level import LiftLevel
from pactwin.sim.objects.blocks import block, plank
from pactwin.sim.objects.household import dumbbell
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.trays import FLOOR_M, RIM_M, carrier, handled_tray, long_box
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.lifting import SLIP_NM, Grip, lift
from pactwin.sim.physics.world import GRAVITY_M_S2
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=5)


def lifted(*items: Item) -> TrialOutcome:
    layout = Layout(items, "", tuple(item.name for item in items))
    found = dict(outcomes(LiftLevel(items[0].name), SettledScene(layout, NOISE, "g1")))
    return found["one_hand_holds_it_level"]


def on_floor(thing: Item, holder: Item, x_m: float) -> Item:
    x, y, z = (holder.world_from_object @ Pose((x_m, 0.0, FLOOR_M - holder.size_m[2] / 2))).pos
    return standing_at(thing, x, y, on_z=z, yaw_rad=1.5)


TRAY = standing_at(handled_tray("white", (0.30, 0.21)), 0.25, 0.0, yaw_rad=1.5)
TOTE = standing_at(carrier("white", (0.36, 0.22), 0.17), 0.25, 0.0, yaw_rad=1.5)


@pytest.mark.parametrize("on_the_rim", [True, False])
def test_what_lies_on_the_rim_and_on_a_block_would_shift(on_the_rim: bool) -> None:
    """It is not for the hand to bear: what one hand holds level is the tray."""
    tray = standing_at(handled_tray("white", (0.26, 0.18)), 0.25, 0.0)
    rim = tray.size_m[1] / 2
    low = standing_at(block("red", (0.05, 0.05, RIM_M)), 0.2, rim + 0.14)
    out = 0.075 if on_the_rim else 0.14
    board = plank("blue", (0.2, 0.05, 0.01))
    board = standing_at(board, 0.2, rim + out, on_z=RIM_M, yaw_rad=np.pi / 2)
    light = on_floor(block("green", (0.05, 0.05, 0.05)), tray, -0.05)
    layout = Layout((tray, low, board, light), "", (tray.name, board.name))
    found = dict(outcomes(LiftLevel(tray.name), SettledScene(layout, Perturbation(), "g1")))
    assert found["one_hand_holds_it_level"].feasible
    assert found["nothing_else_moves"].feasible is not on_the_rim
    if on_the_rim:
        assert found["nothing_else_moves"].constraint is Constraint.SUPPORTS_OTHER


@pytest.mark.parametrize(
    ("holder", "x_m", "kg", "feasible"),
    [
        (TRAY, 0.05, 1.5, True),
        (TRAY, -0.15, 1.5, False),
        (TRAY, -0.15, 0.5, True),
        (TOTE, 0.0, 1.5, True),
        (TOTE, -0.13, 1.5, False),
    ],
)
def test_where_the_dumbbell_lies_decides(holder, x_m, kg, feasible):
    outcome = lifted(holder, on_floor(dumbbell("red", kg), holder, x_m))
    assert outcome.feasible is feasible
    assert outcome.constraint is (Constraint.NONE if feasible else Constraint.NEEDS_TWO_HANDS)
    assert (outcome.measurements["tilt"].value < 5) is feasible


@pytest.mark.parametrize(("bar_at_m", "feasible"), [(0.0, True), (0.19, False), (-0.19, False)])
def test_a_long_box_is_carried_by_its_middle(bar_at_m: float, feasible: bool) -> None:
    box = standing_at(long_box("white", (0.42, 0.10, 0.085), bar_at_m, 0.07), 0.25, 0.0)
    assert lifted(box).feasible is feasible


def test_what_two_hands_cannot_hold_either_decides_nothing() -> None:
    load = replace(on_floor(dumbbell("red", 1.5), TRAY, -0.15), mass_kg=9.0)
    outcome = lifted(TRAY, load)
    assert outcome.feasible is None
    assert "two hands" in outcome.reason


def test_a_bar_slips_in_the_fist_according_to_friction() -> None:
    kg, arm = 0.5, 0.09
    rod = replace(block("red", (0.30, 0.03, 0.03)), mass_kg=kg)
    layout = Layout((standing_at(rod, 0.25, 0.0),), "", (rod.name,))
    grip = Grip((arm, 0.0, 0.0), (0.0, 1.0, 0.0))
    loads = [
        lift(layout, Perturbation(friction_scale=s), rod.name, [grip]).load
        for s in (0.8, 1.0, 1.25)
    ]
    expected = kg * GRAVITY_M_S2 * arm / SLIP_NM / np.array([0.8, 1.0, 1.25])
    assert loads == pytest.approx(list(expected), rel=0.02)

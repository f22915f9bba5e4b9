"""What repetitions leave out: ways that plainly failed undisturbed, as long as one is left."""

from collections.abc import Collection

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.removal import LIFTING_OR_DRAWING, Disturbance, Path, carry_off
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions import coming_off
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.scene.layout import Layout
from pactwin.suite import Constraint

LOW = standing_at(block("red", (0.05, 0.05, 0.05)), 0.3, 0.0)
HIGH = standing_at(block("blue", (0.04, 0.04, 0.04)), 0.3, 0.0, on_z=top_m(LOW))
LAYOUT = Layout((LOW, HIGH), "", (LOW.name, HIGH.name))
HEAVIER = Perturbation("heavier", mass_scale=1.2)


def test_a_repetition_leaves_out_what_failed_undisturbed_with_the_same_things() -> None:
    nominal = SettledScene(LAYOUT, Perturbation(), "g1")
    again = SettledScene(LAYOUT, HEAVIER, "g1", failed_candidates=nominal.failed_candidates)
    nominal.record_failures("move it", {"left", "right"}, best="left")
    every = ["left", "right", "up"]
    assert again.candidates("move it", every) == ["left", "up"]
    assert again.candidates("move it", ["right"]) == ["right"], "never is nothing tried"
    assert again.candidates("turn it", every) == nominal.candidates("move it", every) == every
    assert again.without({HIGH.name}).candidates("move it", every) == every
    again.record_failures("turn it", {"left"}, best="up")
    assert again.candidates("turn it", every) == every, "only the undisturbed trial tells"


def test_what_carries_another_is_taken_off_in_every_way_but_once(monkeypatch):
    """Undisturbed all ways fail plainly; each repetition tries again the one that came nearest."""
    tried: list[Path] = []

    def watched(world: World, path: Path, along: Collection[str]) -> Disturbance:
        tried.append(path)
        return carry_off(world, path, along)

    monkeypatch.setattr(coming_off, "carry_off", watched)
    nominal = SettledScene(LAYOUT, Perturbation(), "g1")
    again = SettledScene(LAYOUT, HEAVIER, "g1", failed_candidates=nominal.failed_candidates)
    for situation, ways in ((nominal, len(LIFTING_OR_DRAWING)), (again, 1)):
        tried.clear()
        (outcome,) = coming_off.comes_off(situation, LOW.name).values()
        assert (outcome.feasible, outcome.constraint) == (False, Constraint.SUPPORTS_OTHER)
        assert len(tried) == ways


def test_hands_alone_begin_from_the_same_rest_each_at_its_own_speed() -> None:
    nominal = SettledScene(LAYOUT, Perturbation(), "g1")
    slower = nominal.under(Perturbation("slower hand", hand_speed_scale=0.5))
    took = []
    for situation in (nominal, slower, nominal):
        world = situation.world(HIGH.name)
        start = world.data.time
        world.grasp()
        world.move_hand(np.array([0.0, 0.0, 0.05]), 0.25)
        took.append(world.data.time - start)
        assert situation.item(HIGH.name) == nominal.item(HIGH.name)
    assert took == pytest.approx([0.2, 0.4, 0.2])
    masses = [
        s.world(HIGH.name).model.body(LOW.name).mass for s in (nominal.under(HEAVIER), slower)
    ]
    assert masses[0] == pytest.approx(1.2 * masses[1]), (
        "what else is disturbed is a world of its own"
    )

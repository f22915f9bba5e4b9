"""Things set on places of which anybody can tell whether they are free and hold them."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.everyday import apple, cake, can, coaster, plate
from pactwin.sim.objects.household import cube_puzzle
from pactwin.sim.objects.obstacles import cage
from pactwin.sim.objects.posing import laid_down, standing_at, top_m
from pactwin.sim.objects.standard_sizes import PLATE_FLOOR_M
from pactwin.sim.objects.stands import column_stand, ramp_stand, tapered_stand
from pactwin.sim.physics.perturbation import KEPT_NOISE, Perturbation, perturbations, undisturbed
from pactwin.sim.physics.trials.resting import Rest, aimed, flush_on, set_down
from pactwin.sim.physics.world import World
from pactwin.sim.preconditions import staying_on
from pactwin.sim.preconditions.settled_scene import Outcomes, SettledScene
from pactwin.sim.preconditions.staying_on import stays_on
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

CUBE = cube_puzzle("red", 0.05)
NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=5)


def causes(found: Outcomes) -> set[Constraint]:
    assert all(outcome.feasible is not None for outcome in found.values()), found
    return {outcome.constraint for outcome in found.values()} - {Constraint.NONE}


def put(
    thing: Item, support: Item, *others: Item, perturbation: Perturbation | None = None
) -> Outcomes:
    layout = Layout((thing, support, *others), "", (thing.name, support.name))
    situation = SettledScene(layout, perturbation or Perturbation(), "g1")
    return stays_on(situation, thing.name, support.name)


def ramp(angle_deg: float) -> Item:
    return ramp_stand("blue", 0.07, 0.02, 0.02 + 0.07 * float(np.tan(np.deg2rad(angle_deg))))


def set_on(thing: Item, support: Item, perturbation: Perturbation) -> Outcomes:
    stood = standing_at(support, 0.2, -0.1, yaw_rad=0.4)
    return put(standing_at(thing, 0.15, 0.15, yaw_rad=0.1), stood, perturbation=perturbation)


@pytest.mark.parametrize(
    ("thing", "support", "stays"),
    [
        (CUBE, tapered_stand("blue", 0.09, 0.06, (0.0, 0.0)), False),
        (CUBE, tapered_stand("blue", 0.09, 0.06, (0.045, 0.045)), True),
        (CUBE, tapered_stand("blue", 0.08, 0.06, (0.0, 0.08)), False),
        (CUBE, tapered_stand("blue", 0.08, 0.06, (0.045, 0.08)), True),
        (CUBE, column_stand("blue", 0.09, 0.09, 0.035, "ball"), False),
        (CUBE, column_stand("blue", 0.09, 0.09, 0.045, "flat"), True),
        (CUBE, column_stand("blue", 0.09, 0.09, 0.045, "dish"), True),
        (CUBE, ramp(0.0), True),
        (CUBE, ramp(47.0), False),
        # Wood on a print holds up to 31 degrees: laid flush on a gentle slope, things stay.
        (block("red", (0.05, 0.05, 0.05)), ramp(15.0), True),
        (block("red", (0.05, 0.05, 0.09)), laid_down(can("blue", 0.066, 0.11)), False),
        (block("red", (0.05, 0.05, 0.09)), can("blue", 0.066, 0.11), True),
        (can("red", 0.053, 0.09), block("blue", (0.06, 0.06, 0.05)), True),
    ],
)
def test_known_tops(thing: Item, support: Item, stays: bool) -> None:
    found = set_on(thing, support, NOISE)
    assert causes(found) == (set() if stays else {Constraint.UNSTABLE_SUPPORT})
    assert np.sign(found["it_stays_there"].margin) == (1 if stays else -1)


def test_a_top_about_as_small_as_the_hand_is_exact_is_left_to_chance() -> None:
    """Off by 1 to 3 mm, what is set on a top of 6 mm falls, or stays, or half of it stays."""
    support = tapered_stand("blue", 0.09, 0.06, (0.006, 0.006))
    found = [
        set_on(CUBE, support, replace(NOISE, seed=seed))["it_stays_there"].feasible
        for seed in range(20)
    ]
    assert set(found) == {False, None, True}
    assert found.count(True) < found.count(False), "to fall, three drops of all are enough"


PLATE = standing_at(plate("blue", 0.145), 0.25, -0.1)
COASTER = standing_at(coaster("blue", 0.096), 0.25, -0.1)
ASIDE = (0.1, 0.22)


def test_a_plate_takes_food_unless_a_cake_fills_it() -> None:
    """The middle is not all that is tried: beside something small there may be room."""
    on_it = standing_at(cake("white", 0.082, 0.045), 0.25, -0.1, on_z=PLATE_FLOOR_M)
    beside = on_it.at(standing_at(on_it, 0.25, 0.1).world_from_object)
    food = standing_at(apple("red", 0.062), *ASIDE)
    assert causes(put(food, PLATE, on_it)) == {Constraint.OCCUPIED}
    assert causes(put(food, PLATE, beside)) == set()
    wide = standing_at(block("blue", (0.14, 0.14, 0.04)), 0.25, -0.1)
    small = standing_at(block("white", (0.03, 0.03, 0.03)), 0.25, -0.1, on_z=top_m(wide))
    assert causes(put(standing_at(CUBE, *ASIDE), wide, small)) == set()


def test_what_stands_over_a_place_is_in_the_way_and_no_fault_of_the_place() -> None:
    """Under a cage a flat stand was called unsteady."""
    stand = standing_at(tapered_stand("blue", 0.09, 0.06, (0.045, 0.045)), 0.25, -0.1)
    over = standing_at(cage("green", (0.16, 0.16, 0.09)), 0.25, -0.1)
    assert causes(put(standing_at(CUBE, *ASIDE), stand, over)) == {Constraint.PATH_BLOCKED}
    tip = standing_at(tapered_stand("blue", 0.09, 0.06, (0.0, 0.0)), 0.25, -0.1)
    both = {Constraint.PATH_BLOCKED, Constraint.UNSTABLE_SUPPORT}
    assert causes(put(standing_at(CUBE, *ASIDE), tip, over)) == both


@pytest.mark.parametrize(
    ("wide_m", "off_m", "also"),
    [(0.09, 0.0, {Constraint.OCCUPIED}), (0.15, 0.0, set()), (0.15, -0.052, set())],
)
def test_what_stands_on_a_slope_is_a_second_cause_if_it_leaves_no_room(wide_m, off_m, also) -> None:
    """A cube slides off the slope, on which rubber stays, however far it slides."""
    slope = standing_at(ramp_stand("blue", wide_m, 0.02, 0.02 + wide_m), 0.25, -0.1)
    rubber = replace(block("green", (0.03, 0.03, 0.02)), friction=2.0)
    bare = World(Layout((rubber, slope), "", ()), Perturbation(), held=rubber.name)
    place = flush_on(bare, rubber, slope, (off_m, off_m))
    assert place is not None
    found = put(standing_at(CUBE, *ASIDE), slope, rubber.at(place))
    assert causes(found) == {Constraint.UNSTABLE_SUPPORT} | also


def test_every_place_on_a_support_is_felt_on_the_support_at_rest(monkeypatch):
    """A lying can that the first drop has rolled away is no longer where others are felt."""
    support = standing_at(laid_down(can("blue", 0.066, 0.2)), 0.25, -0.1)
    seen: list[Pose] = []

    def spied(world: World, thing: Item, there: Item, off_m: tuple[float, float]) -> Pose | None:
        seen.append(world.pose(there.name))
        return flush_on(world, thing, there, off_m)

    monkeypatch.setattr(staying_on, "flush_on", spied)
    monkeypatch.setattr(staying_on, "offsets_on", lambda *_: [(0.0, 0.0), (0.01, 0.0), (0.02, 0.0)])
    put(standing_at(block("red", (0.05, 0.05, 0.09)), *ASIDE), support)
    assert len(seen) == 3
    assert seen == [seen[0]] * 3


def test_hands_let_go_elsewhere_with_another_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    support = tapered_stand("blue", 0.09, 0.06, (0.045, 0.045))
    dropped: list[Pose] = []

    def spied(world: World, place: Pose) -> Rest:
        dropped.append(place)
        return set_down(world, place)

    monkeypatch.setattr(staying_on, "set_down", spied)
    for seed in (1, 2, 1):
        set_on(CUBE, support, undisturbed(seed))
    assert dropped[:4] == dropped[8:]
    assert len(set(dropped)) == 8


@pytest.mark.parametrize(("noise", "drops"), [(1.0, 2), (KEPT_NOISE, 4)])
def test_to_keep_a_label_hands_err_more_and_no_drop_is_left_out(noise, drops, monkeypatch) -> None:
    """One drop in a hundred may bounce off: two that agree are too few to keep a label."""
    support = tapered_stand("blue", 0.09, 0.06, (0.045, 0.045))
    off_m: list[float] = []

    def spied(rng: np.random.Generator, place: Pose, scale: float) -> Pose:
        there = aimed(rng, place, scale)
        off_m.append(float(np.hypot(*np.subtract(there.pos, place.pos)[:2])))
        return there

    monkeypatch.setattr(staying_on, "aimed", spied)
    set_on(CUBE, support, perturbations(5, noise)[0])
    assert len(off_m) == drops
    assert noise * 0.001 <= min(off_m) <= max(off_m) <= noise * 0.003


def test_what_falls_where_the_thing_is_taken_from_is_not_the_place_s_fault() -> None:
    thing = standing_at(CUBE, *ASIDE)
    load = standing_at(can("green", 0.053, 0.09), *ASIDE, on_z=top_m(thing))
    assert causes(put(thing, COASTER, load)) == set()

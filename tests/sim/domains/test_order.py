"""Moves one after another whose outcome anybody can tell."""

import numpy as np
import pytest

from pactwin.sim.domains.base import Twins
from pactwin.sim.domains.order import DOMAIN
from pactwin.sim.generation.pairs.scenes import layout_rng
from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.groceries import can
from pactwin.sim.objects.posing import standing_at, top_m
from pactwin.sim.objects.stands import tapered_stand
from pactwin.sim.objects.stationery import book
from pactwin.sim.objects.trays import floor_m, tray
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.physics.trials.free_area import roomiest
from pactwin.sim.physics.trials.moving import Move, plan_of, plan_params
from pactwin.sim.scene.layout import Item, Layout
from pactwin.sim.scene.placement import RejectedLayout
from pactwin.sim.scene.pose import Pose
from pactwin.suite import Constraint

NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=5)
BOTH = pytest.mark.parametrize("perturbation", [Perturbation(), NOISE], ids=lambda p: p.name)


def cube(color: str) -> Item:
    return block(color, (0.05, 0.05, 0.045))


def on(thing: Item, below: Item, turn_rad: float = 0.15) -> Item:
    x, y, _ = below.world_from_object.pos
    return standing_at(thing, x, y, on_z=top_m(below), yaw_rad=turn_rad)


def in_tray(thing: Item, holder: Item, x_m: float) -> Item:
    x, y, z = (holder.world_from_object @ Pose((x_m, 0.0, floor_m(holder)[2]))).pos
    return standing_at(thing, x, y, on_z=z, yaw_rad=0.1)


def tried(items: tuple[Item, ...], perturbation: Perturbation, *moves: Move) -> TrialOutcome:
    names = tuple(item.name for item in items)
    return DOMAIN.trial(Layout(items, "", names, plan_params(*moves)), perturbation, "g1")


def draws(count: int) -> list[Twins]:
    found = []
    for seed in range(2 * count):
        try:
            found.append(DOMAIN.propose(layout_rng(seed), "g1"))
        except RejectedLayout:
            continue
    assert len(found) >= count
    return found


@BOTH
@pytest.mark.parametrize(
    ("length_m", "room"),
    [(0.17, True), (0.12, True), (0.09, False)],
)
def test_a_stack_is_reversed_if_there_is_room_for_one(
    length_m: float, room: bool, perturbation: Perturbation
) -> None:
    holder = standing_at(tray("white", (length_m, 0.07)), 0.2, 0.0)
    lower = in_tray(cube("red"), holder, 0.03 - length_m / 2)
    upper = on(cube("blue"), lower)
    moves = Move("blue block", tray=holder.name), Move("red block", on="blue block")
    outcome = tried((holder, lower, upper), perturbation, *moves)
    assert outcome.feasible is room
    if not room:
        assert outcome.constraint is Constraint.OCCUPIED


@BOTH
def test_the_room_must_be_where_the_tray_is(perturbation: Perturbation) -> None:
    """The same thing beside the stack, or on another tray."""
    here, there = (
        standing_at(tray(c, (0.13, 0.07)), 0.2, y) for c, y in (("white", 0), ("black", 0.15))
    )
    lower = in_tray(cube("red"), here, -0.033)
    upper = on(cube("blue"), lower)
    moves = Move("blue block", tray=here.name), Move("red block", on="blue block")
    for holder, feasible in ((here, False), (there, True)):
        filler = in_tray(can("green", 0.053, 0.09), holder, 0.033)
        outcome = tried((here, there, lower, upper, filler), perturbation, *moves)
        assert outcome.feasible is feasible


@BOTH
def test_what_must_be_put_down_first_falls_off_a_tip(perturbation: Perturbation) -> None:
    lower = standing_at(cube("red"), 0.15, -0.12)
    upper = on(cube("blue"), lower)
    for top, feasible in ((0.0, False), (0.045, True)):
        stand = standing_at(tapered_stand("green", 0.08, 0.06, (top, top)), 0.25, 0.1)
        moves = Move("blue block", on=stand.name), Move("red block", on="blue block")
        outcome = tried((lower, upper, stand), perturbation, *moves)
        assert outcome.feasible is feasible
        assert (outcome.constraint is Constraint.UNSTABLE_SUPPORT) is not feasible


@BOTH
def test_a_book_comes_out_of_a_stack_only_if_it_lies_on_top(perturbation: Perturbation) -> None:
    books = [book(c, (0.11, 0.16, 0.025)) for c in ("red", "blue", "green")]
    stack = [standing_at(books[0], 0.2, 0.0)]
    for each in books[1:]:
        stack.append(on(each, stack[-1]))
    for which, feasible in (("red", False), ("blue", False), ("green", True)):
        outcome = tried(tuple(stack), perturbation, Move(f"{which} book"))
        assert outcome.feasible is feasible
        assert (outcome.constraint is Constraint.SUPPORTS_OTHER) is not feasible
        assert outcome.also == ()


@BOTH
@pytest.mark.parametrize("loaded", [False, True])
@pytest.mark.parametrize("taken", [False, True])
def test_of_two_causes_each_is_found(loaded: bool, taken: bool, perturbation: Perturbation) -> None:
    x, z = standing_at(cube("red"), 0.15, -0.15), standing_at(cube("blue"), 0.3, -0.15)
    p, q = (
        standing_at(cylinder(c, 0.095, 0.008, kind="coaster"), at, 0.12)
        for c, at in (("white", 0.12), ("black", 0.28))
    )
    load = on(can("green", 0.053, 0.09), x if loaded else z)
    guest = on(can("pink", 0.053, 0.09), p if taken else q)
    outcome = tried((x, z, p, q, load, guest), perturbation, Move(x.name, on=p.name))
    assert outcome.feasible is not (loaded or taken)
    expected = Constraint.NONE
    if loaded:
        expected = Constraint.SUPPORTS_OTHER
    elif taken:
        expected = Constraint.OCCUPIED
    assert outcome.constraint is expected
    assert outcome.also == ((Constraint.OCCUPIED,) if loaded and taken else ())


def test_there_are_scenes_with_two_causes_and_with_a_cause_that_does_not_count() -> None:
    """In ``either`` a load stands on something in both twins, and so does a guest."""
    both = either = 0
    for twins in draws(60):
        if not twins.infeasible.action.startswith("move the"):
            continue
        outcome = DOMAIN.trial(twins.infeasible, Perturbation(), "g1")
        assert outcome.constraint is twins.constraint
        both += outcome.also == (Constraint.OCCUPIED,)
        either += outcome.also == ()
        for layout in (twins.infeasible, twins.feasible):
            bottoms = [i.world_from_object.pos[2] - i.size_m[2] / 2 for i in layout.items]
            assert sum(bottom > 0.005 for bottom in bottoms) == 2
    assert both >= 4
    assert either >= 4


def test_plans_come_back_as_they_were_written() -> None:
    moves = (Move("red block", tray="white tray"), Move("blue block", on="red block"), Move("x"))
    assert plan_of(Layout((), "", (), plan_params(*moves))) == moves


@pytest.mark.parametrize("turn_rad", [0.0, 0.7, -2.0])
def test_room_on_a_tray_is_that_of_the_gap(turn_rad: float) -> None:
    """Beside a block at one end of a tray of 160 x 80 mm there are 110 x 80 mm, however turned."""
    holder = standing_at(tray("white", (0.16, 0.08)), 0.2, 0.1, yaw_rad=turn_rad)
    x, y, z = (holder.world_from_object @ Pose((-0.055, 0.0, 0.0))).pos
    taken = standing_at(block("red", (0.05, 0.05, 0.05)), x, y, on_z=z, yaw_rad=turn_rad)
    place, room = roomiest(holder, [taken], 0.05)
    assert room == pytest.approx(0.015, abs=0.0015)
    _, tight = roomiest(holder, [taken], 0.09)
    assert tight == pytest.approx(-0.005, abs=0.0015)
    away = np.subtract(place.pos, taken.world_from_object.pos)[:2]
    assert np.linalg.norm(away) >= 0.05

"""Plates, coasters and book stands of which anybody can tell whether something can go there."""

from dataclasses import replace

import numpy as np
import pytest

from pactwin.sim.domains.common import exchanged
from pactwin.sim.domains.occupancy import DOMAIN
from pactwin.sim.objects.blocks import block
from pactwin.sim.objects.bookstand import book_stand, on_stand
from pactwin.sim.objects.groceries import apple, cake, can, cupcake
from pactwin.sim.objects.posing import UPSIDE_DOWN, resting_at, standing_at, top_m
from pactwin.sim.objects.stationery import book
from pactwin.sim.objects.tableware import PLATE_FLOOR_M, coaster, mug, plate
from pactwin.sim.physics.outcome import TrialOutcome
from pactwin.sim.physics.perturbation import Perturbation
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Constraint

NOISE = Perturbation("noise", pose_noise_m=0.001, pose_noise_rad=0.017, seed=3)
EITHER = pytest.mark.parametrize("perturbation", [Perturbation(), NOISE], ids=lambda p: p.name)


def put(
    thing: Item,
    support: Item,
    *others: Item,
    carried: bool = False,
    perturbation: Perturbation | None = None,
) -> TrialOutcome:
    thing = standing_at(thing, 0.1, 0.22)
    params: dict[str, float | str] = {"carried": "on the plate"} if carried else {}
    layout = Layout((thing, support, *others), "", (thing.name, support.name), params)
    return DOMAIN.trial(layout, perturbation or Perturbation(), "g1")


PLATE = standing_at(plate("blue", 0.145), 0.25, -0.1)
COASTER = standing_at(coaster("blue", 0.096), 0.25, -0.1)


@EITHER
@pytest.mark.parametrize("food", [apple("red", 0.062), cupcake("pink", 0.06, 0.055)])
def test_a_plate_takes_food_unless_a_cake_fills_it(food: Item, perturbation: Perturbation) -> None:
    on_it = standing_at(cake("white", 0.082, 0.045), 0.25, -0.1, on_z=PLATE_FLOOR_M)
    beside = on_it.at(standing_at(on_it, 0.25, 0.1).world_from_object)
    taken = put(food, PLATE, on_it, perturbation=perturbation)
    assert (taken.feasible, taken.constraint) == (False, Constraint.OCCUPIED)
    assert put(food, PLATE, beside, perturbation=perturbation).feasible is True


def test_there_may_be_room_beside_something_small() -> None:
    """A small thing at the edge leaves a place free: the middle is not all that is tried."""
    small = standing_at(block("white", (0.02, 0.02, 0.03)), 0.25, -0.1 + 0.03, on_z=PLATE_FLOOR_M)
    assert put(cupcake("pink", 0.05, 0.05), PLATE, small).feasible is True


@EITHER
def test_an_apple_rolls_off_a_plate_that_lies_upside_down(perturbation: Perturbation) -> None:
    food = apple("red", 0.062)
    inverted = resting_at(PLATE, 0.25, -0.1, UPSIDE_DOWN, state="inverted")
    off = put(food, inverted, carried=True, perturbation=perturbation)
    assert (off.feasible, off.constraint) == (False, Constraint.OPENING_DOWN)
    limit = off.measurements["off_the_middle_when_carried"]
    assert limit.limit is not None
    assert limit.value > 1.5 * limit.limit
    assert put(food, PLATE, carried=True, perturbation=perturbation).feasible is True
    # A cupcake does not roll: it may be carried either way.
    cake_like = cupcake("pink", 0.06, 0.055)
    assert put(cake_like, inverted, carried=True, perturbation=perturbation).feasible is True


@EITHER
@pytest.mark.parametrize("thing", [mug("red", 0.07, 0.08), can("red", 0.066, 0.11)])
def test_a_coaster_takes_one_thing(thing: Item, perturbation: Perturbation) -> None:
    other = can("white", 0.066, 0.11)
    on_it = standing_at(other, 0.25, -0.1, on_z=top_m(COASTER))
    taken = put(thing, COASTER, on_it, perturbation=perturbation)
    assert (taken.feasible, taken.constraint) == (False, Constraint.OCCUPIED)
    free = put(thing, COASTER, standing_at(other, 0.25, 0.05), perturbation=perturbation)
    assert free.feasible is True


@EITHER
@pytest.mark.parametrize("turn", [np.pi, 2.4, 0.0])
def test_a_book_stand_takes_one_book(turn: float, perturbation: Perturbation) -> None:
    stand = standing_at(book_stand("blue"), 0.25, -0.1, yaw_rad=float(turn))
    other = book("white", (0.09, 0.13, 0.018))
    on_it = replace(other.at(on_stand(stand, other)), set_in=stand.name)
    thing = book("red", (0.095, 0.135, 0.017))
    taken = put(thing, stand, on_it, perturbation=perturbation)
    assert (taken.feasible, taken.constraint) == (False, Constraint.OCCUPIED)
    free = put(thing, stand, standing_at(other, 0.4, 0.1), perturbation=perturbation)
    assert free.feasible is True


def test_a_support_that_hangs_in_the_air_is_not_decided() -> None:
    outcome = put(apple("red", 0.062), PLATE.at(PLATE.world_from_object.moved(dz=0.05)))
    assert outcome.feasible is None
    assert "rest" in outcome.reason


def test_what_was_set_into_a_stand_stays_there_when_stands_are_exchanged() -> None:
    near, far = (standing_at(book_stand(c), x, 0.0) for c, x in (("red", 0.15), ("blue", 0.3)))
    thing = book("green", (0.094, 0.132, 0.018))
    set_in = replace(thing.at(on_stand(near, thing)), set_in=near.name)
    now_near, now_far, kept = exchanged((near, far, set_in), near, far)
    assert (now_near.name, now_far.name) == (far.name, near.name)
    assert kept == replace(set_in, set_in=far.name)

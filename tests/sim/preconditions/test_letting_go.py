"""A grasp serves where a thing is taken and where it is let go of, turned as it lies there."""

import numpy as np
import pytest

from pactwin.sim.objects.blocks import block, cylinder
from pactwin.sim.objects.everyday import notepad, plate
from pactwin.sim.objects.posing import standing_at
from pactwin.sim.objects.standard_sizes import NOTEPAD_M, PLATES_M
from pactwin.sim.objects.vessels import cup, lying_pen_stand, pen_stand
from pactwin.sim.physics.perturbation import undisturbed
from pactwin.sim.preconditions import handling
from pactwin.sim.preconditions.handling import hand_brings
from pactwin.sim.preconditions.letting_go import (
    ALIGN_RAD,
    letting_go_m,
    lines_after,
    serve_together,
    turns_over,
)
from pactwin.sim.preconditions.settled_scene import SettledScene
from pactwin.sim.reach.starts import reachers
from pactwin.sim.scene.layout import Item, Layout
from pactwin.suite import Grasp

X, Y = np.eye(3)[:2]


def turned(angle_deg: float) -> np.ndarray:
    angle = np.deg2rad(angle_deg)
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def here(thing: Item, place: Item, thing_deg: float = 0.0, place_deg: float = 0.0) -> SettledScene:
    items = (
        standing_at(thing, 0.25, 0.12, yaw_rad=np.deg2rad(thing_deg)),
        standing_at(place, 0.25, -0.14, yaw_rad=np.deg2rad(place_deg)),
    )
    found = SettledScene(Layout(items, "", (thing.name,)), undisturbed(1), "g1")
    assert not found.settle_error
    return found


def turns(thing: Item, place: Item, place_deg: float = 0.0, *, into: bool = False) -> np.ndarray:
    found = turns_over(here(thing, place, 0.0, place_deg), thing.name, place.name, into=into)
    assert found is not None
    return found


SQUARE = block("red", (0.05, 0.05, 0.06))
OBLONG = block("red", (0.05, 0.03, 0.06))
PAD = notepad("blue", *NOTEPAD_M)


def test_fingers_are_turned_with_what_they_hold() -> None:
    """A square may come in any of four turns, an oblong in two: alike are lines 180 degrees off."""
    for angle in (0.0, 30.0, 60.0):
        assert serve_together(X, turned(angle), turns(SQUARE, PAD, angle))
        assert serve_together(X, turned(angle + 90), turns(SQUARE, PAD, angle))
        assert not serve_together(X, turned(angle + 45), turns(SQUARE, PAD, angle))
        assert serve_together(X, turned(angle), turns(OBLONG, PAD, angle))
        assert not serve_together(X, turned(angle + 90), turns(OBLONG, PAD, angle))


def test_what_is_round_or_lies_on_what_is_round_may_be_turned_about_the_vertical() -> None:
    for thing, place in ((cylinder("red", 0.05, 0.06), PAD), (SQUARE, plate("blue", PLATES_M[0]))):
        for angle in (0, 50, 130):
            assert serve_together(X, turned(angle), turns(thing, place))
        tilted = np.array([np.cos(0.5), 0.0, np.sin(0.5)])
        assert not serve_together(X, tilted, turns(thing, place)), "it would be let go of askew"


def test_what_goes_in_on_end_is_turned_about_the_line_on_which_it_is_held() -> None:
    long = block("red", (0.1, 0.03, 0.03))
    into = turns(long, cup("blue", 0.06, 0.06, 0.07), into=True)
    assert all(np.allclose(abs((turn @ X)[2]), 1.0) for turn in into), "it fits on end alone"
    assert serve_together(Y, turned(70.0), into)
    assert not serve_together(X, turned(70.0), into), "held by its ends it would lie"


def test_lines_lead_there_and_back() -> None:
    there = turns(OBLONG, PAD, 40.0)
    assert np.linalg.det(there) == pytest.approx(np.ones(len(there))), "none is a mirror image"
    (line,) = lines_after(Y, there)
    (back,) = lines_after(line.line, there.transpose(0, 2, 1))
    assert abs(float(back.line @ Y)) == pytest.approx(1.0)
    assert line.within_rad == ALIGN_RAD


def test_a_hand_lets_go_above_the_table_before_the_opening_of_what_lies() -> None:
    lying = lying_pen_stand(pen_stand("blue", 0.05, 0.1, 0.0), 0.25, -0.14)
    out, middle = lying.world_from_object.matrix()[:3, 2], lying.world_from_object.pos
    x, y, z = letting_go_m(lying, 0.03, into=True)
    assert z == 0.045 > middle[2]
    assert np.subtract((x, y), middle[:2]) == pytest.approx(
        (0.05 + 0.02 + 0.03) * out[:2], abs=2e-3
    )


def closing(grasp: Grasp) -> np.ndarray:
    (reacher,) = (r for r in reachers("g1") if r.arm.name == grasp.arm)
    angles = [[grasp.taking[name] for name in reacher.arm.joints]]
    (found,) = reacher.chain.closings(np.array(angles))
    return np.asarray(found)


def brought(place_deg: float) -> tuple[bool, bool]:
    """Whether a grasp is said to serve for both ends, and whether it does."""
    tried = here(OBLONG, PAD, 20.0, place_deg)
    found = hand_brings(tried, OBLONG.name, PAD.name, lets_go="on")
    ends = [found[f"hand_gets_to: {name}"] for name in (OBLONG.name, PAD.name)]
    there = turns_over(tried, OBLONG.name, PAD.name)
    assert there is not None
    taking, placing = (end.grasp for end in ends)
    assert taking is not None and placing is not None
    assert taking.arm == placing.arm
    serves = serve_together(closing(taking), closing(placing), there)
    return not any(end.leaves_open for end in ends), serves


def test_the_hand_is_turned_over_the_place_as_the_thing_has_to_lie() -> None:
    """Whichever way the pad lies, some grasp serves: those found first serve for 100 and 140."""
    for angle in (20.0, 60.0, 100.0, 140.0):
        assert brought(angle) == (True, True)


def test_without_a_look_at_its_turn_the_hand_would_be_turned_wrong(monkeypatch):
    monkeypatch.setattr(handling, "_turned", lambda situation, goals, ends, there: ends)
    assert not all(serves for _, serves in map(brought, (60.0, 100.0, 140.0, 160.0)))

"""What ``pactwin/geometry`` decides about scenes of which the answer is plain."""

import sys
from pathlib import Path

import pytest
from depth_suite import make_depth_suite
from evaluating import evaluate
from inspect_ai.model import get_model
from table_scenes import (
    ball,
    block,
    box_with_walls,
    disc,
    lying_can,
    pyramid,
    seen,
    together,
)

from pactwin.perception import open3d
from pactwin.solvers.baselines.geometry import decide
from pactwin.suite import Constraint, EnvironmentFaultError, InvalidInputError
from pactwin.tasks import read_answers

RED, GREEN = block("red block", 0.25, 0.15), block("green block", 0.25, -0.15)
ON_RED = block("yellow block", 0.25, 0.15, (0.05, 0.05, 0.05), on_z=0.06)
BOX = box_with_walls("blue box", 0.22, 0.0, 0.08)
UPSIDE_DOWN = box_with_walls("blue box", 0.22, 0.0, 0.08, upside_down=True)
LID = block("orange lid", 0.22, 0.0, (0.1, 0.1, 0.01), on_z=0.08)
BIG = block("red block", 0.25, 0.15, (0.1, 0.1, 0.1))
FAR = block("red block", 0.6, 0.15)
STAND, FLAT = pyramid("purple stand", 0.2, -0.12), block("purple stand", 0.2, -0.12)
WIDE = block("red block", 0.25, 0.15, (0.14, 0.13, 0.06))
LYING = lying_can("purple stand", 0.2, -0.12)
TIPPED = lying_can("blue box", 0.22, 0.0, radius=0.045)
FILLER = block("orange block", 0.22, 0.0, (0.066, 0.066, 0.05), on_z=0.005)
SHEET = block("orange block", 0.22, 0.0, (0.066, 0.066, 0.004), on_z=0.005)
FOOT = disc("blue foot", 0.22, 0.0, 0.075, 0.006)
FOOTED = together("blue box", BOX, FOOT)
ON_ITS_HEAD = together(
    "blue box", disc("blue end", 0.22, 0.0, 0.04, 0.074), disc("", 0.22, 0.0, 0.075, 0.006, 0.074)
)
COASTER = disc("purple stand", 0.2, -0.12, 0.048, 0.006)
ON_COASTER = disc("yellow block", 0.2, -0.12, 0.025, 0.05, on_z=0.006)
SCREEN = block("black screen", 0.17, 0.15, (0.01, 0.2, 0.22))

PICK = "pick up the red block; nothing else may fall or shift"
INTO = "put the red block into the blue box, all the way down"
ON = "set the red block on top of the purple stand and let go; it has to stay there"
ONTO = "move the green block onto the red block; nothing else may fall or shift"


@pytest.mark.parametrize("masks", [True, False], ids=["masks", "clustering"])
@pytest.mark.parametrize(("action", "things", "expected"), [
    (PICK, (RED, GREEN), "none"),
    (PICK, (RED, GREEN, ON_RED), "supports_other"),
    (PICK, (FAR, GREEN), "out_of_reach"),
    (PICK, (RED, GREEN, SCREEN), "path_blocked"),
    (PICK, (WIDE, GREEN), "needs_two_hands"),
    (INTO, (RED, BOX), "none"),
    (INTO, (BIG, BOX), "does_not_fit"),
    (INTO, (RED, BOX, LID), "covered"),
    (INTO, (RED, UPSIDE_DOWN), "opening_down"),
    (INTO, (RED, ON_RED, BOX), "supports_other"),
    (INTO, (RED, BOX, ball("white ball", 0.22, 0.0, 0.025, 0.005)), "occupied"),
    (INTO, (RED, BOX, FILLER), "occupied"),
    (INTO, (RED, BOX, SHEET), "none"),
    (INTO, (RED, TIPPED), "unstable_support"),
    (INTO, (RED, FOOTED), "none"),
    (INTO, (RED, ON_ITS_HEAD), "opening_down"),
    (ON, (RED, FLAT), "none"),
    (ON, (RED, COASTER, ON_COASTER), "occupied"),
    (ON, (RED, STAND), "unstable_support"),
    (ON, (RED, LYING), "unstable_support"),
    (ONTO, (RED, GREEN), "none"),
    (ONTO, (RED, GREEN, ON_RED), "occupied"),
])  # fmt: skip
def test_the_precondition_that_fails_is_named(action, things, expected, masks):
    text = f"A robot at a table is told to do the following: {action}. Can it be done?"
    assert decide(text, seen(things, masks=masks), "g1") == Constraint(expected)


@pytest.mark.parametrize(("action", "things", "expected"), [
    (PICK, (RED, GREEN), "none"),
    (PICK, (RED, GREEN, ON_RED), "supports_other"),
    (INTO, (RED, BOX), "none"),
    (INTO, (BIG, BOX), "does_not_fit"),
])  # fmt: skip
def test_plain_cases_stand_the_noise_of_a_camera(action, things, expected):
    text = f"A robot at a table is told to do the following: {action}. Can it be done?"
    measured = seen(things, masks=True, sensor="d435i")
    assert decide(text, measured, "g1") == Constraint(expected)


def test_a_can_with_ends_of_another_colour_is_one_thing() -> None:
    can = disc("red can", 0.25, 0.15, 0.033, 0.08)
    end = disc("white end", 0.25, 0.15, 0.033, 0.008, on_z=0.08)
    load = block("yellow block", 0.25, 0.15, (0.06, 0.06, 0.04), on_z=0.088)
    text = "told: pick up the red can; nothing else may fall or shift."
    assert decide(text, seen((can, end, GREEN), masks=False), "g1") is Constraint.NONE
    loaded = decide(text, seen((can, end, GREEN, load), masks=False), "g1")
    assert loaded is Constraint.SUPPORTS_OTHER


def test_what_lies_in_an_open_box_does_not_cover_it() -> None:
    text = "told: take the ball out of the blue box; nothing else may fall or shift."
    inside = ball("green ball", 0.22, 0.0, 0.028, 0.005)
    assert decide(text, seen((BOX, inside), masks=True), "g1") is Constraint.NONE
    assert decide(text, seen((BOX, inside, LID), masks=True), "g1") is Constraint.COVERED


def test_what_cannot_be_found_is_said_and_is_no_answer() -> None:
    said = decide(f"told: {PICK}.", seen((GREEN,), masks=False), "g1")
    assert "cannot find the red block" in said
    assert "which things" in decide("told: wave.", seen((GREEN,), masks=True), "g1")


def test_a_suite_is_answered_through_the_task(tmp_path: Path) -> None:
    suite = make_depth_suite(tmp_path / "suite", n_pairs=2)
    for name, options in (("clusters", {}), ("masks", {"masks": True})):
        logs = evaluate(
            suite, ["pactwin/geometry"], views="joint", log_dir=tmp_path / name,
            display="none", model_args=options,
        )  # fmt: skip
        rows = list(read_answers(logs))
        assert len(rows) == 12
        assert [(r.form, r.reply, r.truth_feasible, r.state) for r in rows
                if r.predicted_feasible is not r.truth_feasible] == []  # fmt: skip


def test_without_open3d_nothing_is_asked(fake_suite_path, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "open3d", None)
    open3d.cache_clear()
    with pytest.raises(EnvironmentFaultError, match=r"needs Open3D.*requirements/geometry\.txt"):
        evaluate(fake_suite_path, ["pactwin/geometry"], log_dir=tmp_path / "logs")
    assert not (tmp_path / "logs").exists()


def test_arguments_of_another_type_or_name_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="masks of pactwin/geometry is 'yes': give a bool"):
        get_model("pactwin/geometry", masks="yes")
    with pytest.raises(
        InvalidInputError, match="only seed and masks and detections and depth_sensor"
    ):
        get_model("pactwin/geometry", mask=True)

"""Where plans are lost: in seeing or in planning, to tools that are there or to made-up ones."""

from typing import Literal

import pytest
from made_up import hex_id
from marking import marked

from pactwin.compare import score_kinds
from pactwin.suite import Question
from pactwin.tasks import AnswerState, ToolRow

TRUE = ("bradawl", "missing saw")
SHOWN = ("hammer", "file")


def row(scene: int, kind: Literal["recognition", "plan", "named_plan"], said: str) -> ToolRow:
    """What the scorer makes of a reply; an empty one is a refusal."""
    steps = () if kind == "recognition" else (1, 2)
    accepted = ("bradawl", *SHOWN) if kind == "recognition" else TRUE
    number = hex_id(f"{kind} {scene}")
    question = Question(
        id=number, scene_id=hex_id(f"scene {scene}"), kind=kind, form="list", text="?",
        truth="; ".join(accepted), rationale="", objects=(), views=("left",), accepted=accepted,
        steps=steps, distractors=SHOWN,
    )  # fmt: skip
    outcome = marked(question, said or "I can't help.")
    return ToolRow(
        question_id=number, scene_id=question.scene_id, pair_id=question.scene_id, domain="bench",
        view="left", form="list", kind=kind, accepted=accepted, steps=steps, distractors=SHOWN,
        suite_name="made-up", suite_hash="1" * 64, sample_id=number, model="m",
        **outcome.model_dump(),
    )  # fmt: skip


def metrics(rows: list[ToolRow]) -> dict[str, float | None]:
    return {s.metric: s.value for s in score_kinds(rows) if s.is_pooled}


RIGHT, WRONG = "bradawl\nmissing saw", "file\nmissing saw"


@pytest.mark.parametrize(
    ("told", "shown", "planning", "seeing"),
    [
        ([RIGHT] * 4, [RIGHT] * 4, 0.0, 0.0),
        ([RIGHT] * 4, [WRONG] * 4, 0.0, 1.0),
        ([WRONG] * 4, [WRONG] * 4, 1.0, 0.0),
        ([RIGHT, RIGHT, RIGHT, WRONG], [RIGHT, WRONG, WRONG, WRONG], 0.25, 0.5),
        ([WRONG] * 4, [RIGHT, WRONG, WRONG, WRONG], 1.0, -0.25),  # pictures help
    ],
)
def test_a_loss_splits_into_planning_and_seeing(told, shown, planning, seeing):
    rows = [row(k, "named_plan", said) for k, said in enumerate(told)]
    rows += [row(k, "plan", said) for k, said in enumerate(shown)]
    found = metrics(rows)
    assert found["plan_planning_error"] == pytest.approx(planning)
    assert found["plan_perception_gap"] == pytest.approx(seeing)
    whole = 1.0 - (found["plan_complete"] or 0.0)
    assert planning + seeing == pytest.approx(whole)  # they are all that is lost


def test_scenes_that_were_not_asked_both_ways_do_not_count() -> None:
    rows = [
        row(0, "named_plan", RIGHT),
        row(1, "named_plan", ""),
        *(row(k, "plan", WRONG) for k in range(3)),
    ]
    lost = next(s for s in score_kinds(rows) if s.metric == "plan_perception_gap")
    assert (lost.value, lost.n) == (1.0, 1)
    assert "plan_perception_gap" not in metrics(rows[2:])


def test_substitutes_are_there_or_made_up() -> None:
    said = [
        "hammer\nunicorn horn",  # one of each
        "bradawl\nfile",
        "bradawl\nsaw",  # it is missing: to name it plainly is to make it up
        "bradawl\nbradawl",  # there, once more
        "bradawl\nmissing saw\nwand",  # an extra, no substitute
    ]
    rows = [row(k, "plan", text) for k, text in enumerate(said)]
    assert [r.distracted for r in rows] == [(0,), (1,), (), (1,), ()]
    found = metrics(rows)
    assert found["plan_substitute_distractor"] == pytest.approx(3 / 5)
    assert found["plan_hallucination_rate"] == pytest.approx(2 / 5)
    assert found["plan_distractor_rate"] == pytest.approx(3 / 6)


def test_missed_tools_were_seen_or_not() -> None:
    rows = [
        row(0, "recognition", "bradawl"),
        row(0, "plan", "missing saw"),
        row(1, "recognition", "file"),
    ]
    assert metrics([*rows, row(1, "plan", "missing saw")])["plan_missed_seen"] == 0.5
    assert all(r.state is not AnswerState.UNPARSED for r in rows)

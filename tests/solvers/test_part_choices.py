"""Which part of which thing a reply chooses, or which it asks to see."""

import json

import pytest

from pactwin.solvers import parse_part_choice
from pactwin.solvers.replies.text import Problem
from pactwin.solvers.replies.uses import PartChoice

CHOICE = {"entity": "key ring", "part": "flat  edge", "use": " pry\nit open "}
CHOSEN = PartChoice(entity="key ring", part="flat edge", use="pry\nit open")


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps(CHOICE),
        json.dumps({key.upper(): value for key, value in CHOICE.items()}),
        f"<think>{json.dumps({'explore': 'cup'})}</think>I take this: {json.dumps(CHOICE)}.",
        json.dumps({"explore": "cup"}) + json.dumps(CHOICE),
    ],
)
def test_the_last_object_of_what_is_said_counts(reply: str) -> None:
    assert parse_part_choice(reply) == CHOSEN


@pytest.mark.parametrize(
    ("record", "choice"),
    [
        ({"explore": "cup"}, PartChoice(explore="cup")),
        ({"action": "inspect_entity", "entity": "cup"}, PartChoice(explore="cup")),
        (
            {"action": "Inspect_Part", "entity": "cup", "part": "rim"},
            PartChoice(explore="cup", explore_part="rim"),
        ),
        ({"action": "inspect_part", "entity": "cup"}, None),
        ({"action": "inspect_entity", "part": "rim"}, None),
        ({"entity": "cup"}, None),
        ({"part": "rim"}, None),
        ({"entity": "cup", "part": 3}, None),
        ({"entity": "cup", "part": "rim", "explore": "mug"}, PartChoice(entity="cup", part="rim")),
    ],
)
def test_a_thing_is_seen_or_a_part_of_it_chosen(record: dict, choice: PartChoice | None) -> None:
    wanted = choice or PartChoice(problem=Problem.NO_ANSWER)
    assert parse_part_choice(json.dumps(record)) == wanted


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", Problem.EMPTY),
        ("<think>Which one", Problem.CUT_OFF),
        ("The cup, by its rim.", Problem.NO_ANSWER),
        ("I'm sorry, but I can't help with that.", Problem.DECLINED),
    ],
)
def test_no_choice_is_guessed(reply: str, problem: Problem) -> None:
    assert parse_part_choice(reply) == PartChoice(problem=problem)

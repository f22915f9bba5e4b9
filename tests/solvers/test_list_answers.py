"""Reading the items of a free list out of a reply."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.solvers import Problem, parse_list

WORDS = ("drink", "hold pens", "stack", "pour water", "pick up", "store small things")
lists = st.lists(st.sampled_from(WORDS), min_size=2, max_size=6, unique=True)

STYLES: dict[str, Callable[[list[str]], str]] = {
    "json": json.dumps,
    "nested json": lambda items: json.dumps([{"use": i, "parts": ["rim"]} for i in items]),
    "fenced json": lambda items: f"```json\n{json.dumps(items)}\n```",
    "json object": lambda items: json.dumps({"affordances": items}),
    "json objects": lambda items: json.dumps([{"use": i, "why": "its shape"} for i in items]),
    "hyphens": lambda items: "\n".join(f"- {i}" for i in items),
    "stars": lambda items: "Here you go:\n" + "\n".join(f"* {i.capitalize()}" for i in items),
    "numbers": lambda items: "\n".join(f"{n}. {i}" for n, i in enumerate(items, 1)),
    "explained": lambda items: "\n".join(
        f"{n}) **{i.title()}**: because of its shape, and so on" for n, i in enumerate(items, 1)
    ),
    "lines": "\n".join,
    "commas": ", ".join,
    "headed": lambda items: f"Uses: {'; '.join(items)}.",
    "sentence": lambda items: f"It can be used to {', '.join(items[:-1])} and {items[-1]}.",
    "you can": lambda items: f"This is a mug. You can {', '.join(items)}. It is nice.",
    "after thought": lambda items: "<think>- nothing</think>" + "\n".join(f"- {i}" for i in items),
}


@given(lists)
@pytest.mark.parametrize("style", STYLES)
def test_every_style_gives_the_same_items(style: str, items: list[str]) -> None:
    answer = parse_list(STYLES[style](items))
    assert (answer.items, answer.problem) == (tuple(items), None)


def test_an_item_said_twice_is_one() -> None:
    assert parse_list("- drink\n- Drink\n- pour").items == ("drink", "pour")


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", Problem.EMPTY),
        ("<think>drink", Problem.CUT_OFF),
        ("I'm sorry, I cannot help with that.", Problem.DECLINED),
        ("This is a mug.", Problem.NO_ANSWER),
        ("None", Problem.NO_ANSWER),
        ("The mug is [red] and blue.", Problem.NO_ANSWER),
    ],
)
def test_what_is_no_list_is_not_guessed(reply: str, problem: Problem) -> None:
    answer = parse_list(reply)
    assert (answer.items, answer.problem) == ((), problem)


@given(st.text())
def test_any_text_gives_items_or_a_problem(text: str) -> None:
    answer = parse_list(text)
    assert bool(answer.items) != (answer.problem is not None)
    assert all(item and item == item.casefold() for item in answer.items)

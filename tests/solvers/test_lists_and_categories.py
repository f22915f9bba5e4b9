"""Laws of reading lists, categories of a property, and final answers to problems."""

import json
from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.catalogue import DESCRIPTORS, PROPERTIES
from pactwin.solvers import (
    OPTION_LETTERS,
    Problem,
    final_answer,
    parse_category,
    parse_list,
    parse_names,
    parse_part_choice,
    read_solvability,
)

WORDS = ("drink", "hold pens", "stack", "pour water", "pick up", "store small things")
topics = st.sampled_from(list(PROPERTIES))
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
    "headed lines": lambda items: "\n".join(("Its uses:", *items)),
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


@given(st.text())
def test_any_text_gives_items_or_a_problem(text: str) -> None:
    answer = parse_list(text)
    assert bool(answer.items) != (answer.problem is not None)
    assert all(item and item == item.casefold() for item in answer.items)


def test_json_that_holds_no_name_names_nothing() -> None:
    assert parse_list('[{"use": "drink"}, {"count": 3}]').items == ("drink",)
    assert parse_list("[" * 20_000 + "]" * 20_000).problem is Problem.NO_ANSWER
    assert parse_names("<think>a hammer").problem is Problem.CUT_OFF


def test_an_answer_stands_alone_or_under_its_name() -> None:
    chosen = {"entity": "mug", "part": "handle"}
    for said in (chosen, {"answer": chosen}, {"thoughts": {"part": "rim"}, "answer": chosen}):
        found = parse_part_choice(json.dumps(said))
        assert (found.entity, found.part) == ("mug", "handle")
    steps = "Step 1: pull it with the hook."
    for reply in (f'{{"answer": "{steps}"}}', f'{{"note": 1}}\n{steps}'):
        assert read_solvability(reply) is True
    assert read_solvability('{"note": 1, "answer": "It is impossible."}') is False


@pytest.mark.parametrize("ruled_out", ["without a hook", "by hand", "by itself"])
def test_where_steps_follow_only_one_way_is_ruled_out(ruled_out: str) -> None:
    denial = f"It cannot be done {ruled_out}."
    assert read_solvability(denial) is (Problem.NO_ANSWER if ruled_out == "by hand" else False)
    assert read_solvability(f"{denial} Step 1: pull it with the hook.") is True
    assert read_solvability("It cannot be done. Step 1: pull it.") is Problem.CONTRADICTION


@given(topics, st.data())
def test_every_category_is_read_in_every_way_it_may_be_written(topic, data):
    options = data.draw(st.permutations(PROPERTIES[topic]))
    said = data.draw(st.sampled_from(options))
    letter = OPTION_LETTERS[options.index(said)]
    label = f"{said}: {', '.join(DESCRIPTORS[topic][said])}"
    for reply in (
        letter,
        f"{letter}) {said}",
        f"**{letter})** {said.lower()}",
        said,
        said.upper() + ".",
        label,
        f"{letter}) {said} ({', '.join(DESCRIPTORS[topic][said])})",
        f"Answer: {letter}",
        f"After some thought.\nAnswer: {letter}) {said}",
        f"The answer is {said}.",
        f'{{"answer": "{said}", "reason": "it looks so"}}',
        f"{topic}: {label}",
        f"<think>perhaps {options[0]}, perhaps {options[1]}</think>{said}",
        said.replace("-", " "),
    ):
        assert parse_category(reply, options).category == said, reply


@given(topics, st.data())
def test_the_order_of_options_does_not_change_what_a_name_means(topic, data):
    said = data.draw(st.sampled_from(PROPERTIES[topic]))
    read = {parse_category(f"It is {said}.", o).category for o in permutations(PROPERTIES[topic])}
    assert read == {said} or (said == "Contains" and read == {None})


def test_published_labels_as_options_stand_for_their_categories() -> None:
    labels = [f"{c}: {', '.join(d)}" for c, d in DESCRIPTORS["WEIGHT"].items()]
    for label in labels:
        assert parse_category(label, labels).category == label
        assert parse_category(label.partition(":")[0], labels).category == label


@pytest.mark.parametrize(
    ("reply", "topic", "category"),
    [
        ("It is not sticky.", "STICKINESS", "Non-sticky"),
        ("nonsticky", "STICKINESS", "Non-sticky"),
        ("It has nothing in it: Empty", "CONTENTS", "Empty"),
        ("I can see that it is unsealed.", "SEALING", "Unsealed"),
    ],
)
def test_plain_speech(reply: str, topic: str, category: str) -> None:
    assert parse_category(reply, PROPERTIES[topic]).category == category


@given(st.text(), topics)
def test_any_text_gives_a_category_or_a_problem(text: str, topic: str) -> None:
    answer = parse_category(text, PROPERTIES[topic])
    assert (answer.category is None) != (answer.problem is None)
    assert answer.category in (*PROPERTIES[topic], None)


def test_the_final_answer_follows_the_last_line_that_announces_one() -> None:
    for announced in ("Answer:", "ANSWER:", "**Answer:**", "  answer :"):
        assert final_answer(f"Answer: no\nAnswer: yes\n{announced} Hook it.") == "Hook it."
    assert final_answer("My answer: hook it.") == "My answer: hook it."

"""Reading which category of a property a reply picks."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.catalogue import DESCRIPTORS, PROPERTIES
from pactwin.solvers import OPTION_LETTERS, Problem, parse_category

WEIGHT = ("Medium", "Light", "Dynamic", "Heavy")
topics = st.sampled_from(list(PROPERTIES))


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
    ("reply", "options", "category"),
    [
        ("It is neither light nor heavy; medium.", WEIGHT, "Medium"),
        ("Light\n\nA mug is much lighter than anything heavy.", WEIGHT, "Light"),
        ("I would call it a medium-weight thing.", WEIGHT, "Medium"),
        ("It is not sticky.", PROPERTIES["STICKINESS"], "Non-sticky"),
        ("nonsticky", PROPERTIES["STICKINESS"], "Non-sticky"),
        ("It has nothing in it: Empty", PROPERTIES["CONTENTS"], "Empty"),
        ("I can see that it is unsealed.", PROPERTIES["SEALING"], "Unsealed"),
    ],
)
def test_plain_speech(reply: str, options: tuple[str, ...], category: str) -> None:
    assert parse_category(reply, options).category == category


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", Problem.EMPTY),
        ("<think>Light, or", Problem.CUT_OFF),
        ("Light or Medium", Problem.CONTRADICTION),
        ("Options: light, medium, heavy", Problem.CONTRADICTION),
        ("A) Medium\nB) Light\nC) Dynamic\nD) Heavy", Problem.CONTRADICTION),
        ("Answer: B) Heavy", Problem.CONTRADICTION),
        ("It's a lightweight mug.", Problem.NO_ANSWER),
        ("Featherweight", Problem.NO_ANSWER),
        ("It is not heavy.", Problem.NO_ANSWER),
        ("E", Problem.NO_ANSWER),
        ("Don't know", Problem.DECLINED),
        ("Not applicable", Problem.DECLINED),
        ("This cannot be determined from the picture.", Problem.DECLINED),
        ("I'm sorry, I can't help with that.", Problem.DECLINED),
    ],
)
def test_what_is_no_answer_is_not_guessed(reply: str, problem: Problem) -> None:
    answer = parse_category(reply, WEIGHT)
    assert (answer.category, answer.problem) == (None, problem)


@given(st.text(), topics)
def test_any_text_gives_a_category_or_a_problem(text: str, topic: str) -> None:
    answer = parse_category(text, PROPERTIES[topic])
    assert (answer.category is None) != (answer.problem is None)
    assert answer.category in (*PROPERTIES[topic], None)

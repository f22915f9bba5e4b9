"""Laws of the parser: decoration changes nothing, contradiction is never resolved by a guess."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pactwin.solvers import (
    OPTION_LETTERS,
    STATEMENTS,
    Answer,
    Problem,
    classify_reason,
    parse_reply,
)
from pactwin.solvers.replies.vocabulary import NO_WORDS, YES_WORDS
from pactwin.suite import SCENE_CONSTRAINTS, Constraint

OPTIONS = tuple(STATEMENTS.values())
FORMS = st.sampled_from(["yes_no", "open", "choice"])

yes_no = st.booleans()
# Ways to write one answer; {} is the answer word or letter.
WRAPPINGS = st.sampled_from(
    [
        "{}",
        "{}.",
        "**{}.**",
        "**{}**",
        "_{}_",
        "  {}\n",
        '"{}"',
        "Answer: {}",
        "**Answer:** {}",
        "answer is {}.",
        "Final answer: **{}**",
        "The final answer is {}.",
        "\\boxed{{{}}}",
        "$\\boxed{{\\text{{{}}}}}$",
        '{{"answer": "{}"}}',
        '```json\n{{"reason": "looked closely", "answer": "{}"}}\n```',
        "<think>Could be yes. Could be no. A) or B).</think>\n{}",
        "I looked at the blocks and their sizes.\n\nAnswer: {}",
    ]
)
# Prose in which no answer, no statement about feasibility and no option hides.
WORDS = st.lists(
    st.sampled_from(["the", "red", "block", "stands", "beside", "its", "box", "near", "wall"]),
    min_size=1,
    max_size=12,
).map(" ".join)


def write(word: str, case: str) -> str:
    return {"lower": word.lower(), "upper": word.upper(), "title": word.capitalize()}[case]


cases = st.sampled_from(["lower", "upper", "title"])


@given(yes_no, WRAPPINGS, cases)
def test_yes_and_no_survive_any_wrapping(said: bool, wrapping: str, case: str) -> None:
    reply = wrapping.format(write("yes" if said else "no", case))
    assert parse_reply("yes_no", reply).feasible is said


@given(yes_no, st.data())
def test_yes_and_no_are_read_in_every_language(said: bool, data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(YES_WORDS if said else NO_WORDS))
    mark = data.draw(st.sampled_from(["", ".", "!", ",", "。", "\n", ": ", " – "]))
    assert parse_reply("yes_no", word + mark).feasible is said


@given(yes_no, WORDS, WORDS)
def test_prose_around_an_answer_changes_nothing(said: bool, before: str, after: str) -> None:
    word = "yes" if said else "no"
    assert parse_reply("yes_no", f"{word}. {after}.").feasible is said
    assert parse_reply("yes_no", f"{before}.\n{word}, {after}.").feasible is said
    assert parse_reply("yes_no", f"{before}. Therefore, {word}.").feasible is said


@given(WORDS)
def test_prose_without_an_answer_is_not_read_as_one(text: str) -> None:
    for form in ("yes_no", "open", "choice"):
        answer = parse_reply(form, text, OPTIONS)
        assert answer == Answer(problem=Problem.NO_ANSWER)


@given(WRAPPINGS, WRAPPINGS, st.booleans())
def test_opposite_answers_are_never_resolved(first: str, second: str, said: bool) -> None:
    words = ("yes", "no") if said else ("no", "yes")
    text = first.format(words[0]) + "\n\n" + second.format(words[1])
    answer = parse_reply("yes_no", text)
    # Only an answer marked as final may take back one that was marked, but not as final.
    if "inal answer" in second and "nswer" in first and "{{" not in first.replace("boxed", ""):
        assert answer.feasible in (not said, None)
    else:
        assert answer.problem is Problem.CONTRADICTION


@given(st.sampled_from(["yes_no", "open", "choice"]), st.text())
def test_no_text_breaks_the_parser(form: str, text: str) -> None:
    answer = parse_reply(form, text, OPTIONS)
    assert (answer.problem is None) == (answer.feasible is not None) or form == "open"


@given(st.integers(0, len(OPTIONS) - 1), WRAPPINGS, cases)
def test_letters_survive_any_wrapping(index: int, wrapping: str, case: str) -> None:
    reply = wrapping.format(write(OPTION_LETTERS[index], case))
    assert parse_reply("choice", reply, OPTIONS).option == OPTIONS[index]


@given(
    st.integers(0, len(OPTIONS) - 1),
    st.sampled_from(
        [
            "({l})",
            "{l})",
            "{l}) {t}",
            "({l}) {t}",
            "**{l}.** {t}",
            "Option {l}",
            "{t}",
            "I choose {l}.",
        ]
    ),
)
def test_options_are_read_by_letter_and_by_text(index: int, wording: str) -> None:
    reply = wording.format(l=OPTION_LETTERS[index], t=OPTIONS[index])
    answer = parse_reply("choice", reply, OPTIONS)
    assert answer.option == OPTIONS[index]
    assert answer.constraint is list(STATEMENTS)[index]
    assert answer.feasible is (answer.constraint is Constraint.NONE)


@given(st.permutations(OPTIONS), st.integers(0, 9), st.integers(0, 9))
def test_a_letter_with_anothers_text_is_a_contradiction(options, letter, text):
    answer = parse_reply("choice", f"{OPTION_LETTERS[letter]}) {options[text]}", options)
    if letter == text:
        assert answer.option == options[text]
    else:
        assert answer.problem is Problem.CONTRADICTION


@given(st.permutations(OPTIONS), st.integers(0, 9))
def test_repeating_the_list_of_options_answers_nothing(options: list[str], chosen: int) -> None:
    listed = "\n".join(f"{x}) {o}" for x, o in zip(OPTION_LETTERS, options, strict=False))
    assert parse_reply("choice", listed, options).problem is Problem.CONTRADICTION
    answer = parse_reply("choice", f"{listed}\n\nAnswer: {OPTION_LETTERS[chosen]}", options)
    assert answer.option == options[chosen]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", min_size=1), st.booleans())
def test_json_fields_decide_whatever_the_reason_says(reason: str, said: bool) -> None:
    for answer in (said, "yes" if said else "no", "Yes." if said else "No."):
        reply = json.dumps({"reason": reason, "answer": answer})
        assert parse_reply("yes_no", reply).feasible is said


@pytest.mark.parametrize(
    ("reply", "feasible"),
    [
        ("**No.** Because the blue block rests on it.", False),
        ("No - the tower would tip.", False),
        ("Nope, it's too far.", False),
        ("Can the robot do it? No, it is out of reach.", False),
        ("Nein, der Block ist zu groß.", False),
        ("不能。太远了。", False),
        ("Да, может.", True),
        ("It can be done.", True),
        ("It cannot be done: the lid is closed.", False),
        ("The action is not possible.", False),
        ("Is it reachable? Yes.\nWould anything fall? Yes.\nFinal answer: no", False),
        ("No, it would only be possible if the lid were opened first.", False),
        ("</think>\n\nYes", True),
        # Refused to be read:
        ("Yes, it is impossible.", None),
        ("No, it can be done.", None),
        ("Yes and no.", None),
        ("Yes, no, maybe.", None),
        ("No obstacle is in the way of the arm.", None),
        ("No problem.", None),
        ("Yes.\n\nFinal answer: no", None),
        ("It is possible that the block falls.", None),
        ("I don't think it can be done.", False),
        ("If the lid is open, it can be done.", None),
        ("Yes or no?", None),
        ("<think>The answer is yes", None),
    ],
)
def test_replies_as_models_write_them(reply: str, feasible: bool | None) -> None:
    assert parse_reply("yes_no", reply).feasible is feasible


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", Problem.EMPTY),
        (" \n**\n", Problem.EMPTY),
        ("I'm sorry, but I can't assist with that.", Problem.DECLINED),
        ("I cannot determine this from the picture.", Problem.DECLINED),
        ("As an AI, I have no opinion.", Problem.DECLINED),
        ("A block is in the way", Problem.NO_ANSWER),
    ],
)
def test_why_there_is_no_answer(reply: str, problem: Problem) -> None:
    for form in ("yes_no", "choice", "open"):
        assert parse_reply(form, reply, OPTIONS).problem is problem


@pytest.mark.parametrize("constraint", [c for c in SCENE_CONSTRAINTS if c is not Constraint.NONE])
def test_our_own_wording_of_each_constraint_names_it(constraint: Constraint) -> None:
    assert classify_reason(STATEMENTS[constraint]) is constraint
    answer = parse_reply("open", f"No. {STATEMENTS[constraint]}")
    assert answer == Answer(feasible=False, constraint=constraint)


@pytest.mark.parametrize(
    ("reason", "constraint"),
    [
        ("The blue block is stacked on top of the red block.", "supports_other"),
        ("The red block supports the tower, which would fall.", "supports_other"),
        ("It is too far from the robot.", "out_of_reach"),
        ("The arm cannot reach it because an obstacle is in the way.", "path_blocked"),
        ("Nothing is in the way, but it is out of reach.", "out_of_reach"),
        ("The arm cannot reach it.", "out_of_reach"),
        ("The ball doesn't fit into the box.", "does_not_fit"),
        ("The ball is larger than the opening.", "does_not_fit"),
        ("The cup is upside down.", "opening_down"),
        ("It acts as a counterweight and the beam would tip.", "would_collapse"),
        ("The lid is closed.", "covered"),
        ("There is already a ball inside.", "occupied"),
        (
            "The weight is too far from the handle, so it would tip out of balance.",
            "needs_two_hands",
        ),
        ("The tray would tilt; it takes both hands.", "needs_two_hands"),
        ("The block looks nice.", None),
        ("It is too far and an obstacle is in the way.", None),
        ("There is no lid.", None),
    ],
)
def test_reasons_in_other_words(reason: str, constraint: str | None) -> None:
    found = classify_reason(reason, names=("red block", "blue ball"))
    assert found == (None if constraint is None else Constraint(constraint))


def test_of_causes_that_hold_together_any_or_all_may_be_named() -> None:
    together = (Constraint.SUPPORTS_OTHER, Constraint.OCCUPIED)
    names = ("red block", "blue coaster")
    on_it = "A can stands on the red block"
    taken = "the blue coaster is already taken"
    for reason in (on_it, taken, f"{on_it}, and {taken}"):
        answer = parse_reply("open", f"No. {reason}.", names=names, equivalent_constraints=together)
        assert answer == Answer(feasible=False, constraint=Constraint.SUPPORTS_OTHER)
    both = parse_reply("open", f"No. {on_it}, and {taken}.", names=names)
    assert both.problem is Problem.UNCLEAR_REASON
    far = parse_reply(
        "open",
        f"No. {on_it}, and it is too far away.",
        names=names,
        equivalent_constraints=together,
    )
    assert far.problem is Problem.UNCLEAR_REASON


def test_an_objects_name_is_no_reason() -> None:
    reply = "No. The box with a lid is too far away."
    assert parse_reply("open", reply, names=("box with a lid",)).constraint == "out_of_reach"
    assert parse_reply("open", reply).problem is Problem.UNCLEAR_REASON


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("No.", Problem.NO_REASON),
        ("**Answer:** no", Problem.NO_REASON),
        ("No, it cannot be done.", Problem.NO_REASON),
        ("No, this cannot be done.", Problem.NO_REASON),
        ("No. That cannot be done.", Problem.NO_REASON),
        ("No. The action cannot be done.", Problem.NO_REASON),
        ("The instruction is not feasible.", Problem.NO_REASON),
        ("The task is impossible.", Problem.NO_REASON),
        ('{"answer": "no"}', Problem.NO_REASON),
        ("No. The robot is too shy.", Problem.UNCLEAR_REASON),
        ("Não, a garrafa está longe demais.", Problem.UNCLEAR_REASON),
    ],
)
def test_a_no_without_a_clear_reason_is_still_a_no(reply: str, problem: Problem) -> None:
    assert parse_reply("open", reply) == Answer(feasible=False, problem=problem)
    assert parse_reply("yes_no", reply) == Answer(feasible=False)


@pytest.mark.parametrize(
    ("reason", "constraint"),
    [
        ("there is already a cake on the plate", "occupied"),
        ("another cake sits on the white plate", "occupied"),
        ("nothing is already on the plate, but it is upside down", "opening_down"),
        ("there is already a cake on the apple", "supports_other"),
        ("there is a fly on the plate", None),
        ("it is upside down, so the apple would roll off", "opening_down"),
        ("it is upside down, so that the apple could not be held steadily", "opening_down"),
        ("a lid is on it; therefore the apple will not fit", "covered"),
        ("it is upside down and the apple would roll off", None),
        ("it is upside down. So the apple is too far away", None),
        ("the lid is shut and it is too far away, so it cannot be reached", None),
    ],
)
def test_of_a_cause_and_what_follows_from_it_the_cause_is_the_reason(reason, constraint):
    answer = parse_reply("open", f"No, {reason}.", names=("red apple", "white plate"))
    assert answer.feasible is False
    assert answer.constraint == constraint
